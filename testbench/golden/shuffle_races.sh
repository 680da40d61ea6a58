#!/bin/sh
# shuffle_races.sh PROGRAM SEEDS RUN.yml... - what is found in a kernel with a race must not
# depend on the order in which the model's processes run: report.json and the text have
# the same bytes for SEEDS random orders. Whether the run fails is not asked here.
. "$(dirname "$0")/lib.sh"

program=$1
seeds=$2
shift 2

run() { # RUN.yml OPTION... - leaves $work/report.json and $work/text
    (cd "$work" && "$program" run "$@" --check global -o out --force >text 2>&1)
    mv "$work/out/report.json" "$work/report.json"
}

found=0
for target in "$@"; do
    run "$target"
    mv "$work/report.json" "$work/first.json"
    mv "$work/text" "$work/first"
    grep -q '"rule"' "$work/first.json" && found=$((found + 1))
    seed=1
    while [ "$seed" -le "$seeds" ]; do
        run "$target" --shuffle "$seed"
        cmp "$work/first.json" "$work/report.json" && cmp "$work/first" "$work/text" || {
            echo "$target: seed $seed shows"
            failed=$((failed + 1))
        }
        seed=$((seed + 1))
    done
done
echo "$# kernels, $found with findings, $seeds seeds each, $failed differences"
[ $found -gt 0 ] && [ $failed -eq 0 ]
