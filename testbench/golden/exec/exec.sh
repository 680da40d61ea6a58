#!/bin/sh
# exec.sh SMWAVE - programs on the model: their output and exit code are their own, the
# folder has what a run writes, waveforms show launches that come later and are whole when
# the program is killed, a recorded launch runs alone with the same counters, and what
# cannot be run is said.
. "$(dirname "$0")/../lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
smwave=$1
unset SMWAVE_DEVICE SMWAVE_SET SMWAVE_OUT SMWAVE_LAUNCHES
cd "$work" || exit 1
device="-c h100 -s gpu.sms=2"

"$smwave" cc -lineinfo "$here/launches.cu" -o launches >log 2>&1 || fail "cc: $(cat log)"
"$smwave" cc "$here/crash.cu" -o crash >log 2>&1 || fail "cc: $(cat log)"

run() { # CODE OPTION... -- PROGRAM...
    want=$1
    shift
    # shellcheck disable=SC2086
    "$smwave" exec $device "$@" >out 2>err
    code=$?
    [ $code -eq "$want" ] || fail "exec $*: exit code $code, not $want: $(cat err)"
}

says() { # FILE PATTERN
    grep -q -e "$2" "$1" || fail "$1 does not say '$2': $(head -n 20 "$1")"
}

# What is the program's stays so.
run 3 -o own -- ./launches 3
[ "$(cat out)" = "132 6 no error" ] || fail "it printed '$(cat out)'"
says err '_Z4fillPiif #2  4 blocks of 64 threads'
says err '^copies       2 to the device (1016 bytes'
says own/report.json '"exit_code": 3'
says own/report.json '"smwave_exit_code": 0'
[ "$(grep -c '"grid"' own/stats.json)" -eq 3 ] || fail "stats.json has not three launches"
cp out own.out

# Waveforms, lines of the source, pages.
run 0 -o traced --trace vcd --explain 1 --profile ./launches
cmp -s out own.out || fail "tracing changes what it prints"
says err 'launches.cu:'
says traced/run.pcs.txt 'launches.cu:'
[ "$(grep -c walk traced/events.log)" -gt 0 ] || fail "events.log has no launch of walk"
"$smwave" wave list traced/run.vcd >log 2>&1 || fail "run.vcd: $(cat log)"
says log 'host'
"$smwave" report traced >log 2>&1 || fail "report: $(cat log)"
run 0 -o window --trace vcd --trace-start kernel=walk --trace-stop kernel=walk ./launches
"$smwave" wave list window/run.vcd >log 2>&1 || fail "window: $(cat log)"
[ "$(wc -c <window/run.vcd)" -lt "$(wc -c <traced/run.vcd)" ] ||
    fail "a window is as long as the whole"

# Recorded: the launch alone expects what it left, and counts the same.
run 0 -o live --record rec ./launches
cmp -s out own.out || fail "recording changes what it prints"
for launch in 1-_Z4fillPiif 2-_Z4walkP4list 3-_Z4fillPiif; do
    "$smwave" run rec/$launch.yml --trace none -o alone-$launch >log 2>&1 ||
        fail "$launch alone: $(cat log)"
    says log 'elements as expected'
done
says rec/2-_Z4walkP4list.yml 'found in b2 at byte 0'
counters() { awk '/"name": "_Z/ { n++ } n == 1' "$1/stats.json" | sed '/^    }/,$d'; }
counters live >live.txt
counters alone-1-_Z4fillPiif >alone.txt
[ "$(wc -l <live.txt)" -gt 50 ] || fail "no counters to compare"
cmp -s live.txt alone.txt || fail "a recorded launch counts differently: $(diff live.txt alone.txt)"

# Timed and not.
run 0 -o some --launches 2 ./launches
cmp -s out own.out || fail "launches without time compute differently"
[ "$(grep -c '"cycles": 0,' some/stats.json)" -eq 2 ] || fail "other launches are timed"

# Ended by a signal: told, and what there is is whole.
run 134 -o aborted --trace vcd ./crash 1
says err 'ended by signal 6'
says aborted/report.json '"signal": "SIGABRT"'
says aborted/stats.json '"complete": true'
"$smwave" wave list aborted/run.vcd >log 2>&1 || fail "aborted: $(cat log)"
# shellcheck disable=SC2086
"$smwave" exec $device -o killed --trace vcd ./crash >out 2>err &
pid=$!
pids=$pid
for i in 1 2 3 4 5 6 7 8 9 10; do
    sleep 0.3
    [ -s killed/run.vcd ] && [ "$(wc -c <killed/run.vcd)" -gt 100000 ] && break
done
kill -TERM $pid
wait $pid
code=$?
[ $code -eq 143 ] || fail "SIGTERM is not handed on: exit code $code"
"$smwave" wave list killed/run.vcd >log 2>&1 || fail "killed after $i: $(cat log)"

# From the source.
"$smwave" run -c k20x -o source "$here/launches.cu" 4 >out 2>err
code=$?
[ $code -eq 4 ] || fail "run of a source: exit code $code: $(cat err)"
cmp -s out own.out || fail "from the source it prints '$(cat out)'"
says source/config.yml 'k20x'

# What is wrong.
wrong() { # CODE PATTERN OPTION...
    want=$1
    pattern=$2
    shift 2
    "$smwave" exec "$@" >out 2>err
    code=$?
    [ $code -eq "$want" ] || fail "exec $*: exit code $code, not $want"
    says err "$pattern"
}
wrong 4 "there is no program './nothing'" ./nothing
wrong 4 "there is no program 'launches' in PATH" launches
says err "did you mean './launches'"
wrong 4 "is CUDA C, not a program" "$here/launches.cu"
says err "smwave run"
wrong 3 "there is no preset 'h10'" -c h10 ./launches
wrong 2 "numbers from 1 and ranges" --launches 3,x ./launches
wrong 2 "standard output is the program's" --trace - ./launches
wrong 2 "there is no waveform" --trace-start 3 ./launches
wrong 2 "did you mean '--check'" --chek full ./launches
wrong 2 "what shall run" --
wrong 0 "it has no CUDA code" true
printf 'no program\n' >text
chmod +x text
wrong 4 "no program of this machine" ./text
[ $failed -eq 0 ]
