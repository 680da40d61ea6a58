#!/bin/sh
# same.sh PROGRAM TOOLS TARGET... -OPTION... - run.fst holds what run.vcd holds, and the
# same bytes when it is the only dump, from elsewhere and in another order of processes;
# the save files differ in names, and in states, which are vectors of bits there. TOOLS:
# the folder of same_waves.sh.
. "$(dirname "$0")/../lib.sh"

program=$1
tools=$2
shift 2
targets=
while [ $# -gt 0 ]; do
    case $1 in
    -*) break ;;
    esac
    targets="$targets $1"
    shift
done
mkdir "$work/elsewhere"

fail() {
    echo "$target: $*"
    failed=$((failed + 1))
}

for target in $targets; do
    "$program" run "$target" "$@" --trace vcd,fst -o "$work/out" >"$work/log" 2>&1 ||
        fail "$(cat "$work/log")"
    sh "$tools/same_waves.sh" "$work/out/run.vcd" "$work/out/run.fst" ||
        fail "run.vcd and run.fst differ"
    sed 's/run\.fst/run/; s/^#\({[^}]*}\) (0)\([^ ]*\) .*/+\1 \2/' \
        "$work/out/run.fst.gtkw" >"$work/fst.gtkw"
    sed 's/run\.vcd/run/' "$work/out/run.gtkw" >"$work/vcd.gtkw"
    sed 's/^\(.dumpfile. "run\)"/\1"/; s/"run\.gtkw"/"run.gtkw"/' "$work/vcd.gtkw" |
        diff - "$work/fst.gtkw" || fail "the save files differ"
    (cd "$work/elsewhere" && "$program" run "$target" "$@" --trace fst -o out \
        --shuffle 5 >log 2>&1) || fail "$(cat "$work/elsewhere/log")"
    cmp "$work/out/run.fst" "$work/elsewhere/out/run.fst" || fail "other bytes elsewhere"
    grep -q '^\[dumpfile\] "run.fst"$' "$work/elsewhere/out/run.gtkw" ||
        fail "run.gtkw is not of run.fst"
    [ -e "$work/elsewhere/out/run.fst.hier" ] && fail "a temporary file is left"
    # a comparison that cannot fail says nothing
    awk '!done && /^b[01]*1 / && ++n == 500 { sub(/1 /, "0 "); done = 1 }
        { print }
        END { exit !done }' "$work/out/run.vcd" >"$work/wrong.vcd" || fail "nothing to spoil"
    sh "$tools/same_waves.sh" "$work/wrong.vcd" "$work/out/run.fst" >"$work/log" &&
        fail "same_waves.sh sees no difference"
done
[ $failed -eq 0 ]
