#!/bin/sh
# mistakes.sh PROGRAM DIRECTORY - what the program says to mistakes.
#
# DIRECTORY holds, for each case NAME, its arguments NAME.args (one per line; without that
# file: "run NAME.yml") and NAME.err: the whole of standard error, then "exit CODE".
# A mistake must not get as far as results, unless RESULTS=1 says that these do: a run's lie
# apart then, because two tests may ask one directory at once. OPTION: one more for those
# without arguments of their own; only these are run then.
. "$(dirname "$0")/lib.sh"

program=$1
directory=$2
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac
count=0

cd "$directory" || exit 1
for want in $(ls | sed -n 's/\.args$/.err/p; s/\.yml$/.err/p' | sort -u); do
    name=${want%.err}
    case $name in
    _*) continue ;; # part of another case
    esac
    set --
    if [ -f "$name.args" ] && [ -n "${OPTION:-}" ]; then
        continue
    elif [ -f "$name.args" ]; then
        while IFS= read -r word; do
            set -- "$@" "$word"
        done <"$name.args"
    else
        set -- run "$name.yml" ${OPTION:+"$OPTION"}
    fi
    if [ "$1" = run ] && [ "${RESULTS:-}" = 1 ]; then
        set -- "$@" -o "$work/results"
    fi
    got=$work/got
    NO_COLOR=1 "$program" "$@" >"$work/stdout" 2>"$work/stderr"
    code=$?
    # When a fault happens is the timing model's matter.
    sed 's/, cycle [0-9]*$/, cycle N/' "$work/stderr" >"$got"
    echo "exit $code" >>"$got"
    count=$((count + 1))
    golden "$want" "$got"
    rm -rf "$work/results"
    if [ -d smwave-out ]; then
        echo "$name: results in smwave-out, where none belong"
        rm -rf smwave-out
        failed=$((failed + 1))
    fi
done
echo "$count mistakes, $failed not as expected"
[ "$failed" -eq 0 ] && [ "$count" -gt 0 ]
