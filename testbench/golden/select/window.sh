#!/bin/sh
# window.sh PROGRAM HERE - a window that begins at a cycle shows what the dump of the whole
# run shows there, although nothing was watched before, and counts the same: on several
# devices, with kernels that use all parts of them.
. "$(dirname "$0")/../lib.sh"

program=$1
here=$2
kernels=$here/../kernels
cd "$work" || exit 1
compared=0

run() { # OUT FILE CONFIG OPTION...
    out=$1
    file=$2
    config=$3
    shift 3
    "$program" run "$file" -c "$config" -s gpu.sms=2 -o "$out" --trace vcd "$@" \
        >"$out.txt" 2>&1 || fail "$file $config $*: $(cat "$out.txt")"
}

# FILE CONFIG CYCLE...: windows of 100 cycles from there on
windows() {
    file=$1
    config=$2
    shift 2
    run whole "$file" "$config" --trace-start 0 --trace-stop 2700
    for first in "$@"; do
        run window "$file" "$config" --trace-start "$first" \
            --trace-stop $((first + 100))
        from=$(sed -n '/^\$enddefinitions/,$s/^#//p' window/run.vcd | sed -n 1p)
        to=$(sed -n '/^#/h;/^\$dumpoff/{g;s/#//p;}' window/run.vcd)
        awk -v from="$from" -v to="$to" -f "$here/cut.awk" window/run.vcd >a
        awk -v from="$from" -v to="$to" -f "$here/cut.awk" whole/run.vcd >b
        cmp -s a b || fail "$file $config $first: $(diff a b | head -6)"
        [ "$(grep -c '^at first' a)" -gt 100 ] || fail "$file $config $first: no values"
        [ "$(grep -vc '^at first' a)" -gt 0 ] || fail "$file $config $first: no change"
        cmp -s whole/stats.json window/stats.json ||
            fail "$file $config $first: $(diff whole/stats.json window/stats.json | head -6)"
        compared=$((compared + 1))
    done
}

windows "$kernels/transpose.yml" 8800gtx 500 1001 2345
windows "$kernels/transpose.yml" h100 500 1001 1500
windows "$kernels/bitonic.yml" gtx480 1201 1801 2345
windows "$kernels/bitonic.yml" k20x 777 1500 2600
windows "$kernels/atomics.yml" k20x 900 1600 2345
windows winner 8800gtx 1488 1650 # in the midst of conflicts
windows stride gtx480 700 2401 2420
windows winner k20x 1001 1101
windows bytes gtx480 650 700
windows padding gtx480 300 400 500 600
[ $compared -eq 28 ] || fail "$compared windows"
[ $failed -eq 0 ]
