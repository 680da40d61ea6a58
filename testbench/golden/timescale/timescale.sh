#!/bin/sh
# timescale.sh PROGRAM TOOLS HERE MHZ RUN... - a waveform with time in cycles says what
# the one in picoseconds says at the end of each cycle. HERE: the folder of cycles.awk.
# MHZ: of the SM clock. RUN...: what to run, with its options.
. "$(dirname "$0")/../lib.sh"

smwave=$1
tools=$2
here=$3
mhz=$4
shift 4

"$smwave" run "$@" -o "$work/ps" --trace vcd >"$work/log" 2>&1 || exit 1
"$smwave" run "$@" -o "$work/cy" --trace vcd,fst --timescale cycle --view banks \
    >"$work/log" 2>&1 || exit 1
cd "$work" || exit 1

awk -v mhz="$mhz" -f "$here/cycles.awk" ps/run.vcd >want || exit 1
awk -v mhz=0 -f "$here/cycles.awk" cy/run.vcd >got || exit 1
cmp want got || {
    diff want got | head -n 5
    fail "the cycles differ"
}
[ "$(wc -l <got)" -gt 1000 ] || fail "there is nothing to compare: $(cat got)"
grep -q '^\$timescale 1 ns \$end$' cy/run.vcd || fail "no nanoseconds"
grep -q '^\$comment time in cycles of the SM clock: 1 ns is 1 cycle \$end$' cy/run.vcd ||
    fail "the waveform does not tell"
sh "$tools/same_waves.sh" cy/run.vcd cy/run.fst || fail "VCD and FST differ"

# The log: the same lines, at cycles.
sed '/^# /d; s/^[0-9]* //; s/ since=[0-9]*//' ps/events.log >ps.log
sed '/^# /d; s/^[0-9]* //; s/ since=[0-9]*//' cy/events.log >cy.log
cmp ps.log cy.log || fail "the logs tell of different things"
awk '$2 == "cycle" && $4 ~ /^gpu\.sm[0-9]+\./ && $1 != $3 {
    print; bad = 1
} END { exit bad || NR == 0 }' cy/events.log || fail "a time that is not the cycle"

# Save files: markers and window are cycles of the run.
end=$(sed -n 's/^#//p' cy/run.vcd | tail -n 1)
for file in cy/run.gtkw cy/run.banks.gtkw; do
    grep -q '^-time in cycles of the SM$' $file || fail "$file has no heading"
    sed -n 's/^\*//p' $file | awk -v end="$end" '{
        for (i = 2; i <= NF; i++) {
            n += $i >= 0
            bad = bad || $i > end
        }
    } END { exit bad || n < 3 || NR != 1 }' || fail "$file: markers beyond $end"
done
line=$(grep -m 1 '\.sched0\.issue ' cy/events.log)
cycle=${line%% *}
warp=$(echo "$line" | sed 's/.* warp=\([0-9]*\).*/\1/')
sh "$tools/check_gtkwave.sh" cy/run.gtkw "$cycle" cycle "$cycle" \
    "$cycle" sm0/sched0/warp "$warp" || fail "GTKWave"
cp cy/run.gtkw own.gtkw
"$smwave" wave view cy >log 2>&1 || fail "wave view: $(cat log)"
grep -v '^\[\*\]' own.gtkw >own
grep -v '^\[\*\]' cy/run.gtkw >later
cmp own later || fail "the save file made later is another one"
"$smwave" wave compare cy ps >log 2>&1
[ $? -eq 4 ] && grep -q 'the units of time differ: cycle and 1 ps' log ||
    fail "cycles are compared with picoseconds: $(cat log)"
"$smwave" wave compare --diff cy ps >log 2>&1
[ $? -eq 4 ] || fail "cycles differ from picoseconds: $(cat log)"
"$smwave" run "$@" -o no --timescale ns >log 2>&1
[ $? -eq 2 ] && grep -qF "ps or cycle, not 'ns'" log || fail "ns: $(cat log)"
[ $failed -eq 0 ]
