#!/bin/sh
# ends.sh PROGRAM TOOLS HERE - a run that is interrupted or faults leaves an FST that
# opens and holds what the VCD holds; one that has no disk left is told of. HERE: the
# folder of spin.ptx.
. "$(dirname "$0")/../lib.sh"

program=$1
tools=$2
here=$3
cd "$work" || exit 1

launch() { # KERNEL STOP
    cat <<END
module: $here/spin.ptx
config: gtx480
launches:
  - {kernel: $1, grid: [1], block: [32]}
trace: {scope: 'gpu.sm0.sched0', start: 0, stop: $2}
END
}

launch spin 1000000000 >spin.yml
launch spin 2000 >short.yml
launch fault 0 >fault.yml

interrupt() { # SIGNAL CODE FILE.yml
    rm -rf out
    "$program" run "$3" --trace vcd,fst -o out >stdout 2>stderr &
    pid=$!
    tries=0
    while [ ! -s out/events.log ] && [ $tries -lt 100 ]; do # it is on its way
        sleep 0.1
        tries=$((tries + 1))
    done
    kill -s "$1" $pid
    wait $pid
    got=$?
    [ $got -eq "$2" ] || fail "SIG$1: exit $got, not $2"
    grep -q 'status interrupted' out/run.vcd || fail "SIG$1: the VCD knows nothing"
    sh "$tools/same_waves.sh" out/run.vcd out/run.fst || fail "SIG$1: they differ"
    [ -e out/run.fst.hier ] && fail "SIG$1: a temporary file is left"
}
interrupt INT 130 spin.yml
interrupt TERM 143 spin.yml
interrupt TERM 143 short.yml # behind the window

"$program" run fault.yml --trace vcd,fst -o faults >stdout 2>stderr
[ $? -eq 1 ] || fail "the fault: $(cat stderr)"
sh "$tools/same_waves.sh" faults/run.vcd faults/run.fst || fail "a fault: they differ"

# Blocks of 512 bytes for files, so that the statistics fit and the dump does not.
(
    ulimit -f 200 && trap '' XFSZ && exec "$program" run reduction-small --trace fst \
        -s gpu.sms=1 -o small
) >stdout 2>stderr
[ $? -eq 7 ] || fail "a small disk: exit code"
grep -q 'small/run.fst: it is not whole: the disk may be full' stderr ||
    fail "a small disk: $(cat stderr)"

# With more room, what was written opens. (The limit of cycles is what the run ends with.)
(
    ulimit -f 3000 && exec "$program" run spin.yml --trace fst --max-cycles 600000 -o most
) >stdout 2>stderr
[ $? -eq 6 ] || fail "a disk for most of it: exit code"
grep -q 'most/run.fst: .* what there is opens with its .hier file beside it' stderr ||
    fail "a disk for most of it: $(cat stderr)"
"$program" run spin.yml --trace vcd --max-cycles 600000 -o all >stdout 2>stderr
fst2vcd most/run.fst >most.vcd 2>stderr || fail "it does not open: $(cat stderr)"
part=$(awk '/^#/ { t = substr($1, 2) } END { print t + 0 }' most.vcd)
all=$(awk '/^#/ { t = substr($1, 2) } END { print t + 0 }' all/run.vcd)
[ "$part" -gt $((all / 4)) ] && [ "$part" -lt "$all" ] || fail "$part of $all"
[ $failed -eq 0 ]
