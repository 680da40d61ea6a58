#!/bin/sh
# same.sh PROGRAM DATA SEEDS ROWS CC:PRESET:BANK_MODE... - accesses in time, waveforms
# included, write the same bytes whatever the order of the model's processes and the
# directory. Of the tables in DATA every row is taken whose number divides by ROWS.
. "$(dirname "$0")/../lib.sh"

program=$1
data=$2
seeds=$3
every=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
. "$here/timed.sh"

for space in shared global; do
    awk -v every="$every" 'NR % every == 1 || every == 1' "$data/${space}_patterns.csv" \
        >"$work/$space.csv"
done
for family in "$@"; do
    cc=${family%%:*}
    mode=${family##*:}
    preset=${family#*:}
    preset=${preset%:*}
    limit=49152 ops="ld st atom red"
    case $cc in
    1.0) limit=16000 ops="ld st" ;;
    esac
    export wide_atoms=0
    printf 'name: one-%s\nextends: %s\ngpu:\n  sms: 2\n' "$preset" "$preset" \
        >"$work/$preset.yml"
    for space in shared global; do
        timed_write $space $space "$ops" "$work/$space.csv" $limit "$mode" \
            "../$preset.yml" &&
            sh "$here/../shuffle.sh" "$program" "$seeds" "$work/$space.d"/*.yml &&
            sh "$here/../same.sh" "$program" "$program" "$work/$space.d"/*.yml || {
            echo "$cc, $space: differs"
            failed=1
        }
    done
done
exit $failed
