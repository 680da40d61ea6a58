#!/bin/sh
# diff.sh PROGRAM - "smwave stats diff" and "smwave sweep diff": what they print of files that
# differ in all that can differ (_a.json and _b.json, _before.csv and _after.csv), byte by
# byte; their exit codes; directories of runs.
. "$(dirname "$0")/../lib.sh"

program=$1
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac
cd "$(dirname "$0")" || exit 1
count=0

# compared WANT CODE stats|sweep ARGUMENT... - standard output is WANT, the exit code CODE
compared() {
    want=$1
    code=$2
    command=$3
    shift 3
    "$program" "$command" diff "$@" >"$work/got" 2>"$work/err"
    got=$?
    [ $got -eq "$code" ] || fail "$*: exit $got, not $code: $(cat "$work/err")"
    count=$((count + 1))
    golden "$want" "$work/got"
}

compared differ.txt 1 stats _a.json _b.json
compared differ.csv 1 stats _a.json _b.json --csv
compared all.csv 1 stats _a.json _b.json --csv --all
compared some.txt 1 stats _a.json _b.json -t 'cycles=1%' -t 'shared.*=-100' -t block=any -t 'old=1'
compared allowed.txt 0 stats _a.json _b.json -t '*=any'
compared equal.txt 0 stats _a.json _a.json
compared equal.txt 0 stats _a.json _a.json -t cycles=0

compared sweep.txt 1 sweep _before.csv _after.csv --by n,config
compared sweep.csv 1 sweep _before.csv _after.csv --by n,config --csv -t 'cycles=+1%'
compared sweep-all.csv 1 sweep _before.csv _after.csv --by config,n --csv --all
compared sweep-any.txt 0 sweep _before.csv _after.csv --by n,config -t '*=any' -t cycles=40
compared sweep-equal.txt 0 sweep _before.csv _before.csv --by n,config
compared sweep-index.txt 0 sweep _before.csv _before.csv --by index

# Two runs of the same are the same; those of two devices are not, but in what they execute.
"$program" run reverse --trace none -o "$work/one" >"$work/log" 2>&1 &&
    "$program" run reverse --trace none -o "$work/two" >"$work/log" 2>&1 &&
    "$program" run reverse --trace none -c k20x -o "$work/k20x" >"$work/log" 2>&1 ||
    fail "$(cat "$work/log")"
compared same.txt 0 stats "$work/one" "$work/two/stats.json"
"$program" stats diff "$work/one" "$work/k20x" -c >"$work/got"
[ $? -eq 1 ] || fail "two devices: exit $?"
grep -q '^0,staticReverse,cycles,[0-9]*,[0-9]*,[-+][0-9]*,[-0-9.]*,different$' "$work/got" ||
    fail "two devices: their cycles do not differ"
if grep -q ',warp_insts,' "$work/got"; then
    fail "two devices: they do not execute the same"
fi
# The folder of a sweep is compared by another command.
mkdir "$work/swept" && : >"$work/swept/plan.jsonl"
"$program" stats diff "$work/one" "$work/swept" 2>"$work/log"
grep -q "^hint: 'smwave sweep diff' compares sweeps" "$work/log" ||
    fail "the folder of a sweep: $(cat "$work/log")"
echo "$count comparisons, $failed not as expected"
[ "$failed" -eq 0 ] && [ "$count" -gt 0 ]
