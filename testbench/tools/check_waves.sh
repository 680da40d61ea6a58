#!/bin/sh
# The waveforms of a built-in launch, in other people's programs.
#
#   check_waves.sh SMWAVE NAME
#
# Runs NAME below the current directory; then GTKWave must show every row of run.gtkw
# and, at the time of the first instruction that events.log tells of, its text, warp
# and cycle; and vcd2fst must read run.vcd, which must be smaller than 50 MB.
set -eu

tools=$(cd "$(dirname "$0")" && pwd)
smwave=$1
name=$2
out=waves-$name

"$smwave" run "$name" -o "$out" --force >/dev/null

# 229285 cycle 321 gpu.sm0.sched0.issue warp=0 inst="ld.param.u64 %rd1, [p]"
line=$(grep -m 1 '\.sched0\.issue ' "$out/events.log")
time=${line%% *}
cycle=$(echo "$line" | cut -d ' ' -f 3)
path=$(echo "$line" | sed 's/.* gpu\.\([^ ]*\)\.issue .*/\1/; s|\.|/|g')
warp=$(echo "$line" | sed 's/.* warp=\([0-9]*\).*/\1/')
inst=$(echo "$line" | sed 's/.* inst="\([^"]*\)".*/\1/')
sh "$tools/check_gtkwave.sh" "$out/run.gtkw" \
    "$time" cycle "$cycle" "$time" "$path/warp" "$warp" "$time" "$path/inst" "$inst"

if ! command -v vcd2fst >/dev/null; then
    echo "check_waves: vcd2fst is missing" >&2
    exit 1
fi
vcd2fst "$out/run.vcd" "$out/check.fst"
rm "$out/check.fst"
bytes=$(wc -c <"$out/run.vcd")
if [ "$bytes" -ge 50000000 ]; then
    echo "check_waves: $out/run.vcd has $bytes bytes" >&2
    exit 1
fi
