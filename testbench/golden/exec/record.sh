#!/bin/sh
# record.sh SMWAVE PROGRAMS - programs of that folder, recorded launch by launch: what they
# print stays, and "smwave run" of each launch leaves in memory what it left in the program and
# has the same counters, byte for byte.
. "$(dirname "$0")/../lib.sh"

smwave=$1
programs=$2
unset SMWAVE_DEVICE SMWAVE_SET SMWAVE_OUT SMWAVE_LAUNCHES
cd "$work" || exit 1
device="-c h100 -s gpu.sms=4"

# How many launches of a program are recorded, so that none is lost unseen.
while read -r name launches; do
    "$smwave" cc "$programs/$name.cu" -o "$name" >log 2>&1 || fail "$name: $(cat log)"
    # shellcheck disable=SC2086
    "$smwave" exec $device -o plain "./$name" >plain.out 2>log || fail "$name: $(cat log)"
    # shellcheck disable=SC2086
    "$smwave" exec $device -o live --record "rec-$name" "./$name" >out 2>log ||
        fail "$name, recorded: $(cat log)"
    cmp -s plain.out out || fail "$name: recording changes what it prints"
    done=0
    for file in "rec-$name"/[0-9]*.yml; do
        nth=${file##*/}
        nth=${nth%%-*}
        "$smwave" run "$file" --trace none -o alone >log 2>&1 || fail "$file: $(cat log)"
        grep -q 'elements as expected' log || fail "$file expects nothing"
        counters live "$nth" >live.txt
        counters alone 1 >alone.txt
        [ "$(wc -l <live.txt)" -gt 50 ] || fail "$file: no counters to compare"
        cmp -s live.txt alone.txt ||
            fail "$file counts differently: $(diff live.txt alone.txt)"
        done=$((done + 1))
    done
    [ $done -eq "$launches" ] || fail "$name: $done launches are recorded, not $launches"
done <<'END'
histogram 2
constant 2
half 2
shuffle 2
lock 1
grid_sync 1
clusters 1
graph 9
pool 8
turned 1
END
[ $failed -eq 0 ]
