#!/bin/sh
# orders.sh PROGRAM FILE.yml... - instructions in an assembler's order and as they are
# written: answers, what is found and what memory is asked for are the same. Times differ, and
# with them which of two accesses that race comes first, and at which address first; so do
# the numbers of instructions and branches, and what moves for atomics that become counts or
# are done by one lane (SPEC PTX-3). Sums of products may differ in their last bits (SPEC PTX-5):
# what these launches expect allows for that.
. "$(dirname "$0")/../lib.sh"

program=$1
shift
pairs=0

# What is counted of instructions, by launch. What a cache holds, or what is issued
# together, depends on time, and so does how often a lock is tried, or a flag is read.
counted() { # STATS.csv
    names='blocks|warps|global\.atom\.(insts|requests|sectors)'
    names="$names|(barrier|(shared|global)\.(ld|st)|local|const)\..*"
    grep -E "^[0-9]+,.*,($names)," "$1" | grep -Ev 'locked.*,global\.atom|,(chain|acquire[A-Za-z]*),global\.ld'
}

# The places in the PTX that are named, and how many hazards there are; not in a loop without
# any barrier: how many turns of one warp meet those of another is a matter of time.
named() { # STDERR FILE
    count='|\([0-9]+ hazards\)'
    case $2 in
    */reduction-loop.yml) count= ;;
    esac
    grep -oE "[A-Za-z0-9_]+\\.ptx:[0-9]+$count|: (error|warning): [a-z]+" "$1" |
        LC_ALL=C sort -u
}

for file in "$@"; do
    for order in as_written assembler; do
        "$program" run "$file" -s ptx.schedule=$order --check full --trace none \
            -o "$work/out" --stats "$work/$order.csv" >"$work/$order.out" 2>"$work/$order.err"
        echo "exit $?" >"$work/$order.code"
        counted "$work/$order.csv" >"$work/$order.counted"
        named "$work/$order.err" "$file" >"$work/$order.named"
    done
    for what in code counted named; do
        cmp -s "$work/as_written.$what" "$work/assembler.$what" || {
            fail "$file: not the same in both orders ($what)"
            diff "$work/as_written.$what" "$work/assembler.$what" | head -5
        }
    done
    [ -s "$work/assembler.counted" ] || fail "$file: nothing is counted"
    cmp -s "$work/as_written.csv" "$work/assembler.csv" || pairs=$((pairs + 1))
done
echo "$# launch files, $pairs of them with other times, $failed not as expected"
[ "$failed" -eq 0 ] && [ "$pairs" -gt 0 ]
