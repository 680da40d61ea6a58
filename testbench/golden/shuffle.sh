#!/bin/sh
# shuffle.sh PROGRAM SEEDS TARGET... - the order in which the model's processes run must
# not show: every file a run writes is the same for SEEDS random orders, and from another
# directory.
. "$(dirname "$0")/lib.sh"

program=$1
seeds=$2
shift 2
mkdir "$work/elsewhere"

run() { # DIRECTORY TARGET OPTION... - from DIRECTORY into DIRECTORY/out
    directory=$1
    target=$2
    shift 2
    rm -rf "$directory/out"
    (cd "$directory" && "$program" run "$target" -o out "$@" >stdout 2>stderr) || {
        echo "$target $*: exit $?"
        cat "$directory/stderr"
        failed=$((failed + 1))
    }
}

for target in "$@"; do
    run "$work" "$target"
    seed=1
    while [ "$seed" -le "$seeds" ]; do
        run "$work/elsewhere" "$target" --shuffle "$seed"
        diff -rq "$work/out" "$work/elsewhere/out" && cmp "$work/stdout" \
            "$work/elsewhere/stdout" || {
            echo "$target: seed $seed shows"
            failed=$((failed + 1))
        }
        seed=$((seed + 1))
    done
done
echo "$# targets, $seeds seeds each, $failed differences"
[ $failed -eq 0 ]
