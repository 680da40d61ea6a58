#!/bin/sh
# view.sh PROGRAM TOOLS BANKS OPTION... - the save file of a run on one SM has a row for
# each of BANKS banks, no more, and GTKWave shows all its rows. TOOLS: the folder of
# check_gtkwave.sh.
. "$(dirname "$0")/../lib.sh"

program=$1
tools=$2
banks=$3
shift 3

"$program" run reverse -s gpu.sms=1 -o "$work/out" --trace vcd "$@" >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}
rows=$(grep -c '^+{bank[0-9][0-9]} ' "$work/out/run.gtkw")
bits=$(sed -n 's/^#{banks busy\[\([0-9]*\):0\]} .*/\1/p' "$work/out/run.gtkw")
if [ "$rows" != "$banks" ] || [ "$bits" != $((banks - 1)) ]; then
    echo "run.gtkw has $rows rows of banks and the vector [$bits:0], not $banks"
    exit 1
fi
sh "$tools/check_gtkwave.sh" "$work/out/run.gtkw"
