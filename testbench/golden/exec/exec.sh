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
says err 'fill(int\*, int, float) #2  4 blocks of 64 threads'
says err '^copies       2 to the device (1016 bytes'
says own/report.json '"exit_code": 3'
# A wrong result may be a race, and an option in the wrong place is not heard.
says err 'hint: if a result is wrong: --check full before the program'
run 3 -o own --check full -- ./launches 3
grep -q '^hint:' err && fail "a hint to what was done: $(cat err)"
run 3 -o own ./launches 3 --check=full
says err "hint: '--check=full' stands behind the program and is its own"
run 3 -o own -- ./launches 3 --check full
grep -q 'stands behind' err && fail "a hint where -- says what is the program's"
run 3 -o own ./launches 3 -- --check full
grep -q 'stands behind' err && fail "a hint where the program's own words have a --"
run 3 -o own ./launches 3 --checking --view
says err "hint: '--view' stands behind"
run 3 -o own -- ./launches 3
says own/report.json '"smwave_exit_code": 0'
[ "$(grep -c '"grid"' own/stats.json)" -eq 3 ] || fail "stats.json has not three launches"
cp out own.out

# Kernels side by side have names that are whole; an option of launch files says where it belongs.
"$smwave" run -o reduction reduction.cu >out 2>err || fail "reduction.cu: exit code $?"
says err '^    sumGlobal  *global  '
"$smwave" run -o reduction --gains 2 "$here/launches.cu" >out 2>err && fail "--gains for a program"
says err "with the options of 'smwave exec'"

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
n=0
for launch in 1-_Z4fillPiif 2-_Z4walkP4list 3-_Z4fillPiif; do
    n=$((n + 1))
    counters live $n >live.txt
    counters alone-$launch 1 >alone.txt
    [ "$(wc -l <live.txt)" -gt 50 ] || fail "no counters to compare"
    cmp -s live.txt alone.txt ||
        fail "recorded launch $n counts differently: $(diff live.txt alone.txt)"
done
# Of those before nothing is told. Without them caches are cold; with checks there are none.
[ "$(grep -c '"name": "_Z' alone-3-_Z4fillPiif/stats.json)" -eq 1 ] ||
    fail "launches before are told of"
sed '/^after:/d' rec/3-_Z4fillPiif.yml >rec/cold.yml
"$smwave" run rec/cold.yml --trace none -o cold >log 2>&1 || fail "cold: $(cat log)"
counters cold 1 >cold.txt
! cmp -s live.txt cold.txt || fail "caches make no difference: the test cannot tell"
"$smwave" run rec/3-_Z4fillPiif.yml --trace vcd --check full -o checked >log 2>&1 ||
    fail "checked: $(cat log)"
"$smwave" run rec/3-_Z4fillPiif.yml --trace vcd -o waved >log 2>&1 || fail "waved: $(cat log)"
counters waved 1 >alone.txt
cmp -s live.txt alone.txt || fail "a waveform changes what a recorded launch counts"
"$smwave" wave check waved/run.vcd >log 2>&1 || fail "waved: $(cat log)"

refused() { # FILE TEXT
    sed "s/^after:.*/after: $1/" rec/3-_Z4fillPiif.yml >rec/wrong.yml
    "$smwave" run rec/wrong.yml --trace none -o wrong >log 2>&1 && fail "after: $1 is taken"
    says log "$2"
}
refused wrong.yml "'wrong.yml' comes before itself"
refused gone.yml 'gone.yml'
refused module.ptx 'module.ptx'

# Code of several objects: the launch file names its texts.
cat >half.cu <<'END'
__device__ int half_of(int x) { return x / 2; }
END
cat >whole.cu <<'END'
#include <cstdio>
__device__ int half_of(int x);
__global__ void halve(int *d) { d[threadIdx.x] = half_of(d[threadIdx.x]); }
int main()
{
    int h[32], *d;

    for (int i = 0; i < 32; i++) {
        h[i] = 2 * i;
    }
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    halve<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[31]);
    return 0;
}
END
"$smwave" cc -rdc=true -c half.cu -o half.o >log 2>&1 || fail "cc -rdc: $(cat log)"
"$smwave" cc -rdc=true -c whole.cu -o whole.o >log 2>&1 || fail "cc -rdc: $(cat log)"
"$smwave" cc half.o whole.o -o halves >log 2>&1 || fail "linking: $(cat log)"
run 0 -o linked --record rec-linked ./halves
"$smwave" run rec-linked/1-_Z5halvePi.yml --trace none -o alone-linked >log 2>&1 ||
    fail "linked, alone: $(cat log)"
counters linked 1 >live.txt
counters alone-linked 1 >alone.txt
cmp -s live.txt alone.txt || fail "a linked launch counts differently"

# Threads, counters as JSON and into files: the same counters.
run 0 -o plain --json ./launches
cmp -s err plain/stats.json || fail "--json prints something else"
cmp -s out own.out || fail "--json is on the program's standard output"
run 0 -o threads --threads 2 --stats more.json --stats more.csv ./launches
cmp -s threads/stats.json plain/stats.json || fail "threads change counters"
cmp -s threads/stats.json more.json || fail "--stats FILE.json differs"
[ "$(wc -l <more.csv)" -gt 3 ] || fail "--stats FILE.csv is empty"
run 2 --threads 2 --trace vcd ./launches
says err '--threads: not with --trace'
# Pipelines, timelines and tables of blocks, of the whole program.
run 0 -o tracked --pipeline konata:block --timeline perfetto --blocks ./launches
[ "$(head -c 6 tracked/pipeline.kanata)" = Kanata ] || fail "tracked: no pipeline"
"${PYTHON:-python3}" -c 'import json, sys
assert json.load(open(sys.argv[1]))["traceEvents"]' tracked/timeline.json ||
    fail "tracked: no timeline"
blocks=$(awk -F, 'NR > 1' tracked/blocks.csv | wc -l)
launched=$(grep -o '"blocks": [0-9]*' tracked/stats.json | awk '{n += $2} END {print n}')
[ "$blocks" -gt 0 ] && [ "$blocks" -eq "$launched" ] ||
    fail "tracked: $blocks rows of $launched blocks"
run 2 --threads 2 --blocks ./launches
says err '--threads: not with --pipeline, --timeline and --blocks'
run 2 --record-max 5 ./launches
says err '--record-max goes with --pipeline or --timeline'
run 2 --threads 2 --check full ./launches
says err '--threads: only with --check none or fast'
run 2 --stats counters.xls ./launches
says err 'must end in .json, .csv or .txt'

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
