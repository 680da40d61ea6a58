#!/bin/sh
# shipped.sh PROGRAM SWEEPS - every sweep of the folder SWEEPS is found by name and by
# path, and its first, middle and last point run; one of them answers its question.
set -u

program=$1
sweeps=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

wrong() {
    echo "$*"
    failed=1
}

# value DIR INDEX COLUMN - a field of results.csv, which has no quotes here
value() {
    awk -F, -v index_wanted="$2" -v column="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) { if ($i == column) { at = i } } }
        NR > 1 && $1 == index_wanted { print $at }' "$1/results.csv"
}

for file in "$sweeps"/*.yml; do
    name=$(basename "$file" .yml)
    "$program" sweep plan "$file" -o "$name" >plan.txt 2>estimate.txt ||
        wrong "$name: no plan"
    grep -q '^estimate: [0-9]* points take' estimate.txt || wrong "$name: no estimate"
    "$program" sweep plan "$name" -o by-name --no-estimate >/dev/null 2>none.txt ||
        wrong "$name: not by its name"
    [ -s none.txt ] && wrong "$name: an estimate that nobody asked for"
    cmp "$name/plan.jsonl" by-name/plan.jsonl || wrong "$name: another plan by name"
    rm -rf by-name
    grep -q 'cannot run' plan.txt && wrong "$name: points that cannot run"
    points=$(grep -c . "$name/plan.jsonl")
    only=0,$((points / 2)),$((points - 1))
    "$program" sweep run "$file" -o "$name" -j 2 --only $only >run.txt 2>&1 ||
        { wrong "$name: points fail"; cat run.txt; }
    "$program" sweep merge "$name" >merge.txt 2>&1 || wrong "$name: no results"
    [ "$(grep -c ,ok, "$name/results.csv")" -eq 3 ] || wrong "$name: not three results"
done
# A plan says what will fail before anything is run.
echo 'base: {target: reduction-small}
grid: {kernel: [cal_sum_kr], sm.max_warps: [16, 32]}' >slip.yml
"$program" sweep plan slip.yml -o slip >/dev/null 2>slip.txt || wrong "slip: no plan"
grep -q "^smwave: warning: point 0 fails: .*no kernel 'cal_sum_kr'" slip.txt ||
    { wrong "slip: no warning"; cat slip.txt; }
grep -q estimate slip.txt && wrong "slip: an estimate of what fails"
[ $failed -eq 0 ] && echo "every sweep plans and runs"

# partition: with 12 KB per block the L1-hungry kernel wants the large L1, the other one
# the large shared memory, and 32/32 lies between.
"$program" sweep run "$sweeps/partition.yml" -o partition -j 2 --only 4,11,18,25,32,39 \
    >run.txt 2>&1 || { wrong "partition: points fail"; cat run.txt; }
"$program" sweep merge partition >merge.txt 2>&1 || wrong "partition: no results"
for i in 4 11 18 25 32 39; do
    [ "$(value partition $i kb)" = 12 ] || wrong "partition: point $i is not of 12 KB"
done
l1_48_16=$(value partition 4 cycles)
l1_16_48=$(value partition 18 cycles)
shared_48_16=$(value partition 25 cycles)
shared_32_32=$(value partition 32 cycles)
shared_16_48=$(value partition 39 cycles)
[ $((l1_16_48 * 2)) -lt "$l1_48_16" ] ||
    wrong "partition: L1-hungry: $l1_16_48 with 16/48, $l1_48_16 with 48/16"
{ [ "$shared_48_16" -lt "$shared_32_32" ] &&
    [ $((shared_48_16 * 3 / 2)) -lt "$shared_16_48" ]; } ||
    wrong "partition: shared-hungry: $shared_48_16, $shared_32_32, $shared_16_48"
exit $failed
