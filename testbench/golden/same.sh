#!/bin/sh
# same.sh SMWAVE_A SMWAVE_B TARGET... - two builds write the same bytes: every file of
# OUTDIR is compared, each build running from a directory of its own.
. "$(dirname "$0")/lib.sh"

a=$1
b=$2
shift 2
mkdir "$work/a" "$work/b"
n=0
for target in "$@"; do
    case $target in
    *.yml) target=$(cd "$(dirname "$target")" && pwd)/$(basename "$target") ;;
    esac
    for side in a b; do
        if [ $side = a ]; then program=$a; else program=$b; fi
        if ! (cd "$work/$side" && "$program" run "$target" --force --trace vcd,fst -o out \
            >log 2>&1); then
            echo "$target: $program failed:"
            cat "$work/$side/log"
            failed=$((failed + 1))
        fi
    done
    if ! diff -r "$work/a/out" "$work/b/out" >"$work/diff"; then
        echo "$target: the two builds differ:"
        head -5 "$work/diff"
        failed=$((failed + 1))
    fi
    n=$((n + 1))
done
echo "$n targets compared, $failed differences"
[ $failed -eq 0 ] && [ $n -gt 0 ]
