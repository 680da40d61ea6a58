#!/bin/sh
# cases.sh PROGRAM HERE - what "sweep run", "status" and "merge" take and refuse; parts of
# a sweep run by several pools in one folder; a sweep file that changes.
. "$(dirname "$0")/../lib.sh"

program=$1
here=$2
cd "$work" || exit 1

# expect CODE WORDS ARGUMENT...: the exit code and part of what is said.
expect() {
    want=$1
    words=$2
    shift 2
    NO_COLOR=1 "$program" sweep "$@" >stdout 2>stderr
    got=$?
    [ $got -eq "$want" ] || fail "$*: exit $got, not $want: $(cat stdout stderr)"
    grep -q -e "$words" stderr stdout || fail "$*: says $(cat stdout stderr)"
}

cat >small.yml <<END
base: {target: reverse}
grid: {icnt.latency: 11..20, sm.scheduler.policy: [lrr, gto]}
END

# ---- mistakes
expect 2 'which sweep?' run
expect 2 "'b.yml' is a second one" run a.yml b.yml
expect 2 "-j takes a number from 1 to 1024, not '0'" run small.yml -j 0
expect 2 "-j takes a number from 1 to 1024, not 'x'" run small.yml -j x
expect 2 "--only takes numbers of points, as 3 or 3,7-9, not '9-7'" run small.yml --only 9-7
expect 2 "--seconds takes a number above 0, not '-1'" run small.yml --seconds=-1
expect 2 "--memory takes a size such as '512 MiB', not '1 GB'" run small.yml --memory '1 GB'
expect 2 "did you mean '--in-process'?" run small.yml --in-proccess
expect 4 "nowhere.yml" run nowhere.yml
expect 7 'smwave-out/small.sweep holds no sweep' status small.yml
expect 7 'empty holds no sweep' merge small.yml -o empty
mkdir empty
expect 7 'empty holds no sweep' status empty
mkdir others
touch others/file
expect 7 'others is not empty and was not written by smwave' run small.yml -o others
[ "$(ls -A others)" = file ] || fail "others was written to"
[ ! -e smwave-out ] || fail "smwave-out is there"

# ---- as a whole, then in parts, two of them at a time and one twice
expect 0 '^20 points: 20 ok, 0 failed$' run small.yml
expect 0 '^20 points: 20 ok, 0 failed$' status small.yml
expect 0 '^20 points: 20 ok, 0 failed$' status smwave-out/small.sweep
expect 0 'plan in parts' plan small.yml -o parts
for only in 0-9 10-14,16-19 0-9; do
    "$program" sweep run small.yml -o parts --only "$only" -j 1 >"out$only" 2>&1 &
done
wait
grep -q "^9 ok, 0 failed; 'smwave sweep merge' collects them" out10-14,16-19 ||
    fail "parts: $(cat out*)"
[ ! -e parts/results.csv ] || fail "a part was merged"
expect 0 '^20 points: 19 ok, 0 failed, 1 not run$' status parts
expect 0 '^20 points: 19 ok, 0 failed, 1 not run$' merge parts
expect 2 'there is no point 20, the last one is 19' run small.yml -o parts --only 15,20
expect 0 '^1 ok, 0 failed' run small.yml -o parts --only 15
expect 0 'results in parts/results.csv and results.sqlite' merge parts
for file in plan.jsonl results.csv results.sqlite; do
    cmp parts/$file smwave-out/small.sweep/$file || fail "parts: $file differs"
done
diff -r parts/points smwave-out/small.sweep/points || fail "parts: the points differ"

# ---- the sweep file changes: what is still the same is not run again
sed 's/11\.\.20/12..21/' small.yml >changed.yml
mv changed.yml small.yml
expect 4 'the plan in parts is not that of this sweep file' run small.yml -o parts --only 3
cmp parts/plan.jsonl smwave-out/small.sweep/plan.jsonl || fail "the plan was changed"
expect 0 '^small: 20 points$' run small.yml -o parts # other points at every place
sed 's/\[lrr, gto\]/[lrr, gto, two_level]/; s/12\.\.21/12/' small.yml >changed.yml
mv changed.yml small.yml
expect 0 '^small: 3 points, 1 to run$' run small.yml -o parts
expect 0 '^3 points: 3 ok' status parts
[ "$(wc -l <parts/results.csv)" -eq 4 ] || fail "$(cat parts/results.csv)"

# ---- a done.json that a failing disk tore is run again
: >parts/points/000001/done.json
expect 0 '^small: 3 points, 1 to run$' run small.yml -o parts

# ---- no place for the results
"$program" sweep status parts >/dev/full 2>stderr
[ $? -eq 7 ] || fail "a full standard output: $(cat stderr)"
rm parts/results.csv
mkdir parts/results.csv
expect 7 'results.csv: Is a directory' merge parts

# ---- why warps do not issue is counted if a column asks, as "run" counts it
cat >quiet.yml <<END
base: {target: reverse}
grid: {icnt.latency: 11..12}
collect: [cycles]
END
sed 's/cycles/cycles, {name: waits, value: stall.wait + stall.long_scoreboard}/' \
    quiet.yml >asks.yml
expect 0 '^2 points: 2 ok, 0 failed$' run quiet.yml -o which
expect 0 '^2 points: 2 ok, 0 failed$' run asks.yml -o asked
grep -rq '"stall\.' which && fail "stall.* were counted for nobody"
"$program" run reverse -s icnt.latency=11 --trace none --json -o alone >alone.json
[ "$(grep -o '"stall\.[a-z_]*"' alone.json | sort -u | wc -l)" -eq 14 ] || fail "run has not all of stall.*"
want=$(awk -F'[:,]' '/"stall.(wait|long_scoreboard)"/ { n += $2 } END { print n }' alone.json)
grep -q ",$want\$" asked/*.csv || fail "not $want waits: $(cat asked/*.csv)"
find which -name stats.json >stats
while read -r stats; do
    "$program" report "$(dirname "$stats")" -o page.html >/dev/null || fail "no page: $stats"
    grep -q 'It was not counted' page.html || fail "the page does not say what is missing"
done <stats
[ -s stats ] || fail "no stats.json"

[ $failed -eq 0 ]
