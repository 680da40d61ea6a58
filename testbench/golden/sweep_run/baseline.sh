#!/bin/sh
# baseline.sh PROGRAM - factors of what the preset has, keys of the configuration in derive,
# and points compared with a baseline: by the values it names, with all else as in the
# point, or by its number; in the results, on the page, in plots.
. "$(dirname "$0")/../lib.sh"

program=$1
cd "$work" || exit 1

cat >sweep.yml <<END
base: {target: reverse, set: {gpu.sms: 1}}
grid:
  config: [gtx480, k20x]
  l2.latency: [x1, 2, x3]
derive: {twice: l2.latency * 2, kb: sm.onchip.size / 1024}
where: ['twice > 1 || kb > 1']
collect: [cycles, {name: of_latency, value: cycles / twice}]
baseline: {l2.latency: x1}
plots:
  - {x: l2.latency, y: cycles, group: config, kind: bar}
END
sweep() {
    "$program" sweep run sweep.yml -j 2 -o "$1" >log 2>&1 || fail "$1: $(cat log)"
}
# columns FIELD... - of results.csv, by their names
columns() {
    dir=$1
    shift
    awk -F, -v names="$*" '
        BEGIN { n = split(names, want, " ") }
        NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } }
        NR > 1 { for (i = 1; i <= n; i++) { printf "%s%s", $at[want[i]], i < n ? " " : "\n" } }
    ' "$dir/results.csv"
}
latency() {
    "$program" config show "$1" | awk '/^l2:/ { l2 = 1; next } /^[^ ]/ { l2 = 0 }
        l2 && $1 == "latency:" { print $2 }'
}
gtx480=$(latency gtx480)
k20x=$(latency k20x)
[ "${gtx480:-0}" -gt 0 ] && [ "${k20x:-0}" -gt 0 ] || fail "no latencies: $gtx480, $k20x"

sweep named
columns named twice kb >got
for of in "$gtx480" "$k20x"; do
    for twice in $((2 * of)) 4 $((6 * of)); do
        echo "$twice 64"
    done
done >want
cmp -s want got || fail "derive reads $(cat got), not $(cat want)"
# What a factor says is what it comes to.
sed "s/x1, 2, x3/$gtx480, 2, $((3 * gtx480))/; s/, k20x//; /^baseline/d" sweep.yml >plain.yml
"$program" sweep run plain.yml -j 2 -o plain >log 2>&1 || fail "plain: $(cat log)"
columns plain cycles >want
columns named cycles | head -3 >got
cmp -s want got || fail "factors come to $(cat got), not $(cat want)"

# Each against its own device, then all against one point.
columns named index cycles cycles/baseline >got
awk '{ cycles[NR] = $2; of = cycles[NR - (NR - 1) % 3]
       if ($3 - $2 / of > 1e-9 || $2 / of - $3 > 1e-9) { print "point", $0 } }' got >wrong
[ -s wrong ] && fail "named: $(cat wrong)"
[ "$(wc -l <got)" -eq 6 ] || fail "not six points"
[ "$(columns named cycles/baseline | grep -cx 1)" -eq 2 ] || fail "two are baselines: $(cat got)"
for words in 'Baseline: ' 'l2.latency <b>x1</b>' 'x1 &rarr; x3' 'cycles/baseline by l2' \
    'of the baseline'; do
    grep -qF "$words" named/report.html || fail "the page does not say $words"
done
grep -qF 'x3 &rarr;' named/report.html && fail "the page compares neighbours"
ls named/plots/cycles-baseline-by-l2.latency-config.csv >/dev/null || fail "no plot"

sed -i 's/^baseline:.*/baseline: 4/' sweep.yml
sweep number
columns number index cycles cycles/baseline >got
awk 'NR == FNR { if ($1 == 4) { of = $2 } next }
     $3 - $2 / of > 1e-9 || $2 / of - $3 > 1e-9 { print "point", $0 }' got got >wrong
[ -s wrong ] && fail "number: $(cat wrong)"
grep -qF 'Baseline: point 4 (' number/report.html || fail "the page does not name the point"

sed "s/^where:.*/where: ['l2.latency + kb < 164']/; s/^baseline:.*/baseline: 4/" sweep.yml >short.yml
"$program" sweep run short.yml -o short >log 2>&1
[ $? -eq 4 ] || fail "short: $(cat log)"
grep -q '^short.yml:[0-9]*:11: error: baseline: there is no point 4$' log || fail "$(cat log)"
grep -q '^hint: points are 0 to 3$' log || fail "$(cat log)"

# A factor that comes to no value is told where it is read.
sed 's/x3/x1.001/' sweep.yml >factor.yml
"$program" sweep run factor.yml -o factor >log 2>&1
[ $? -eq 4 ] || fail "factor: $(cat log)"
grep -q '^factor.yml:5:17: error: l2.latency: x1.001 of 60 cycles is not a whole' log ||
    fail "$(cat log)"

# A baseline that failed leaves its points without one, and the page says so.
sed -i 's/^baseline:.*/baseline: {l2.latency: 2}/; s/x1, 2,/x1, 0, 2,/; s/^derive.*//;
    s/^where.*//; s/{name: of_.*}/warps/' sweep.yml
sed -i 's/l2.latency: 2}/l2.latency: 0}/' sweep.yml
"$program" sweep run sweep.yml -j 2 -o failing >log 2>&1
[ $? -eq 8 ] || fail "failing: $(cat log)"
[ "$(columns failing cycles/baseline | grep -c .)" -eq 0 ] || fail "compared with nothing"
grep -qF 'the baseline of 6 points did not end well' failing/report.html ||
    fail "the page does not say that baselines failed"
[ $failed -eq 0 ]
