#!/bin/sh
# devices.sh PROGRAM - what "smwave devices" prints, byte by byte: of all presets (all.txt,
# all.json) and of one of each kind (PRESET.txt, PRESET.json), and of a file of one's own
# (_mine.yml). Every preset must print in both forms.
. "$(dirname "$0")/../lib.sh"

program=$1
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac
cd "$(dirname "$0")" || exit 1
count=0

for want in *.txt *.json; do
    name=${want%.*}
    set -- devices
    case $name in
    all) ;;
    mine) set -- "$@" ./_mine.yml ;;
    *) set -- "$@" "$name" ;;
    esac
    [ "${want##*.}" = txt ] || set -- "$@" --json
    "$program" "$@" >"$work/got" 2>"$work/err" || fail "$want: exit $?: $(cat "$work/err")"
    count=$((count + 1))
    golden "$want" "$work/got"
done

# What stands in the table must be what the preset itself says.
for preset in $("$program" config list | sed -n '/^presets/,/^$/s/^  \([^ ]*\) .*/\1/p'); do
    count=$((count + 1))
    "$program" devices "$preset" --json >"$work/json" && "$program" devices "$preset" >"$work/text" ||
        fail "$preset: exit $?"
    cc=$("$program" config show "$preset" gpu.compute_capability)
    sms=$("$program" config show "$preset" gpu.sms)
    grep -q "\"compute_capability\": \"$cc\"" "$work/json" || fail "$preset: not $cc"
    grep -q "^  multiprocessors  *$sms\$" "$work/text" || fail "$preset: not $sms SMs"
    "$program" devices | grep -q "^$preset  *$cc  *$sms " || fail "$preset: not in the table"
done
echo "$count outputs, $failed not as expected"
[ "$failed" -eq 0 ] ||
    echo "if they should: UPDATE=1 sh testbench/golden/devices/devices.sh $program"
[ "$failed" -eq 0 ] && [ "$count" -gt 0 ]
