#!/bin/sh
# functional.sh PROGRAM TARGET... - a run without time is the run with time, as far as that
# needs none: the same expectations hold, it prints the same, and it counts the same blocks,
# warps, instructions, branches, barriers and memory instructions.
. "$(dirname "$0")/lib.sh"

program=$1
shift
count=0
# How often these try depends on who comes first: locks, tables and flags between blocks.
tries=" atomics bulk clusters hashtable lookback messages unionfind "
# Its warps read variables that another one writes at its end, and the answer expected is
# that of warps which run side by side.
races=" globals "
counted='"(blocks|warps|warp_insts|thread_insts|branch\.(insts|divergent)|barrier\.insts|(shared|global)\.(ld|st|atom)\.insts|local\.(ld|st)\.insts|const\.ld\.insts)":'

run() { # HOW TARGET OPTION...
    how=$1
    shift
    rm -rf "${work:?}/$how"
    "$program" run "$@" -s gpu.what_if=true --trace none -o "$work/$how" \
        >"$work/$how.txt" 2>&1 || fail "$* is $how: $(tail -n 3 "$work/$how.txt")"
    sed '/ of [0-9, x]* threads\( on .*\)\{0,1\}$/,$d' "$work/$how.txt" >"$work/$how.said"
    grep -E "$counted" "$work/$how/stats.json" >"$work/$how.counts"
}

for target in "$@"; do
    name=$(basename "$target" .yml)
    case $races in
    *" $name "*) continue ;;
    esac
    run timed "$target"
    run functional "$target" --functional
    cmp -s "$work/timed.said" "$work/functional.said" || fail "$target prints differently"
    grep -q '"warp_insts": [1-9]' "$work/functional.counts" || fail "$target counts nothing"
    if grep '"cycles":' "$work/functional/stats.json" | grep -qv '"cycles": 0,'; then
        fail "$target takes time"
    fi
    case $tries in
    *" $name "*) ;;
    *)
        diff "$work/timed.counts" "$work/functional.counts" >"$work/differ" ||
            fail "$target counts differently: $(head -n 4 "$work/differ")"
        ;;
    esac
    count=$((count + 1))
done

[ $failed -eq 0 ] && [ $count -gt 0 ] && echo "$count targets are without time what they are with it"
[ $failed -eq 0 ] && [ $count -gt 0 ]
