#!/bin/sh
# signals.sh PROGRAM HERE - a first SIGINT, SIGTERM or SIGUSR1 lets the points that run
# finish, a second one stops them; in processes and in threads. A SIGKILL takes the workers
# along.
. "$(dirname "$0")/../lib.sh"

program=$1
here=$2
cd "$work" || exit 1

# Two points that take seconds, then many.
cat >slow.yml <<END
base: {target: $here/spin.yml}
grid: {icnt.latency: 11..30}
limits: {seconds: 3}
END

# Until the points that run have folders.
started() {
    tries=100
    while [ $((tries -= 1)) -gt 0 ]; do
        [ "$(find "$1/points" -name '*.part' 2>find.err | wc -l)" -ge 2 ] && return
        sleep 0.1
    done
    fail "$1: nothing runs"
}

one() { # NAME CODE ENDED OPTION SIGNAL...: points that have ended
    out=$1
    want=$2
    ended=$3
    option=$4
    shift 4
    "$program" sweep run slow.yml -o "$out" -j 2 $option >stdout 2>stderr &
    pool=$!
    started "$out"
    for signal in "$@"; do
        kill -s "$signal" $pool
        sleep 0.1
    done
    wait $pool
    code=$?
    [ $code -eq "$want" ] || fail "$out: exit $code, not $want: $(cat stderr)"
    n=$(find "$out/points" -name done.json | wc -l)
    [ "$n" -eq "$ended" ] || fail "$out: $n points have ended, not $ended"
    find "$out" -name '*.part' | grep . && fail "$out: something is left"
    grep -q '^20 points: 0 ok, '"$ended"' failed, '$((20 - ended))' not run$' stdout ||
        fail "$out: $(cat stdout)"
    grep -q '2 points will finish' stderr || fail "$out: $(cat stderr)"
    [ "$(wc -l <"$out/results.csv")" -eq 21 ] || fail "$out: $(cat "$out/results.csv")"
}

one int 130 2 '' INT
one term 143 2 '' TERM
one usr1 138 2 '' USR1
one int-twice 130 0 '' INT INT
one usr1-term 138 0 '' USR1 TERM
one usr1-usr1 138 2 '' USR1 USR1
one threads-int 130 2 --in-process INT
one threads-twice 130 0 --in-process INT INT

# Workers do not outlive a pool that is killed, and what they leave is removed.
"$program" sweep run slow.yml -o killed -j 2 >stdout 2>stderr &
pool=$!
started killed
workers=$(find killed/points -name '.*.part' | sed 's/.*-\([0-9]*\)\.part$/\1/')
kill -s KILL $pool
wait $pool 2>wait.err
sleep 0.2
for pid in $workers; do
    ! kill -s 0 "$pid" 2>kill.err || grep -q '^State:.Z' "/proc/$pid/status" 2>grep.err ||
        fail "worker $pid outlives its pool"
done
[ "$(find killed/points -name '.*.part' | wc -l)" -eq 2 ] || fail "the workers have ended"
"$program" sweep run slow.yml -o killed --only 0 >stdout 2>stderr
"$program" sweep run slow.yml -o killed --only 1 >stdout 2>stderr
find killed -name '*.part' | grep . && fail "killed: something is left"

[ $failed -eq 0 ]
