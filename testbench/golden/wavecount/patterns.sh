#!/bin/sh
# patterns.sh PROGRAM DATA ROWS CC:PRESET:BANK_MODE... - single accesses: the waveform shows
# each wavefront of each launch. Of the tables in DATA every row is taken whose number
# divides by ROWS. BANK_MODE 0: the device has no choice.
. "$(dirname "$0")/../lib.sh"

program=$1
data=$2
every=$3
shift 3
here=$(cd "$(dirname "$0")/../timed" && pwd)
waves=$(cd "$(dirname "$0")" && pwd)
. "$here/timed.sh"
trace=vcd

for space in shared global; do
    awk -v every="$every" 'NR % every == 1 || every == 1' "$data/${space}_patterns.csv" \
        >"$work/$space.csv"
done
for family in "$@"; do
    cc=${family%%:*}
    mode=${family##*:}
    preset=${family#*:}
    preset=${preset%:*}
    limit=49152 banks=32
    shared_ops="ld st atom" global_ops="ld st atom"
    case $cc in
    1.0) limit=16000 banks=16 shared_ops="ld st" global_ops="ld st" ;;
    1.1) limit=16000 banks=16 shared_ops="ld st" ;;
    1.*) limit=16000 banks=16 ;;
    esac
    export wide_atoms=0
    for space in shared global; do
        ops=$shared_ops
        if [ $space = global ]; then
            ops=$global_ops
        fi
        timed_run waves $space "$ops" "$work/$space.csv" $limit "$mode" -c "$preset" \
            -s gpu.sms=1 || {
            failed=1
            continue
        }
        for out in "$work"/waves.d/*.out; do
            awk -f "$waves/vcd.awk" "$out/run.vcd" >"$work/events" &&
                awk -v name="$cc $space, bank mode $mode" -v single=1 \
                    -v banks=$banks -f "$waves/compare.awk" "$out/stats.json" \
                    "$work/events" || failed=1
        done
    done
done
exit $failed
