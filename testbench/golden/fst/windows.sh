#!/bin/sh
# windows.sh PROGRAM TOOLS HERE - scopes and windows make the same of an FST as of a VCD;
# and GTKWave shows every row of its save file, and the names of states from the file's
# own tables, without a translate file.
. "$(dirname "$0")/../lib.sh"

program=$1
tools=$2
here=$3
cd "$work" || exit 1

run() { # OUT TRACE OPTION... - the reduction, whole
    out=$1
    trace=$2
    shift 2
    {
        sed "s|^module: |module: $here/../wavecount/|" "$here/../wavecount/reduction.yml"
        echo "trace: {$trace}"
    } >"$out.yml"
    "$program" run "$out.yml" -s gpu.sms=1 -o "$out" "$@" >log 2>&1 ||
        fail "$trace: $(cat log)"
}

n=0
while read -r trace; do
    n=$((n + 1))
    run "w$n" "$trace" --trace vcd,fst
    sh "$tools/same_waves.sh" "w$n/run.vcd" "w$n/run.fst" || fail "$trace: they differ"
done <<'END'
scope: 'gpu.sm0.smem.*', start: 300, stop: 900
scope: 'gpu.sm0.warp0?', start: 500
scope: '*.bank07.busy'
start: 0, stop: 400
start: 100000000
END
[ $n -eq 5 ] || fail "$n windows"

run view "format: fst, scope: 'gpu.sm0.*'"
[ -f view/run.vcd ] && fail "there is a VCD too"
sh "$tools/check_gtkwave.sh" view/run.gtkw || fail "not all rows of view/run.gtkw"
line=$(grep -m 1 '\.sched0\.issue warp=0 ' view/events.log)
time=${line%% *}
rm -f view/state_*.txt
cat >view/own.gtkw <<'END'
[dumpfile] "run.fst"
[savefile] "own.gtkw"
@100000028
+{state} gpu.sm0.warp00.state[3:0]
@20
+{plain} gpu.sm0.warp00.state[3:0]
END
sh "$tools/check_gtkwave.sh" view/own.gtkw 0 state idle 0 plain idle \
    "$time" state issue "$time" plain issue || fail "states have no names of their own"
[ $failed -eq 0 ]
