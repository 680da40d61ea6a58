#!/bin/sh
# wavecount.sh PROGRAM BANKS FILE.yml OPTION... - the waveform of a run, all SMs and all
# cycles, shows as many events as the statistics count. BANKS: of all SMs together.
. "$(dirname "$0")/../lib.sh"

program=$1
banks=$2
file=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)

"$program" run "$file" -o "$work/out" --trace vcd "$@" >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}
awk -f "$here/vcd.awk" "$work/out/run.vcd" >"$work/events" &&
    awk -v name="$(basename "$file" .yml) $*" -v banks="$banks" -f "$here/compare.awk" \
        "$work/out/stats.json" "$work/events"
