#!/bin/sh
# kill.sh PROGRAM POINTS KILLS [SEED] - a sweep of POINTS points (a multiple of 50) whose
# pool is killed (SIGKILL) at KILLS random moments, every second time after one of its
# workers, and resumed. The merged files must be those of an undisturbed run with one
# worker, and of one in threads; no worker outlives its pool.
. "$(dirname "$0")/../lib.sh"

program=$1
points=$2
kills=$3
seed=${4:-1}
cd "$work" || exit 1

cat >many.yml <<END
base: {target: reverse, config: gtx480}
grid:
  sm.smem.latency: 21..$((20 + points / 50))
  icnt.latency: 11..35
  sm.scheduler.policy: [lrr, gto]
collect: [cycles, {name: ipc, value: warp_insts / cycles}, shared.ld.conflicts]
END

now() {
    date +%s.%N
}

compare() { # WHAT DIR
    for file in results.csv results.sqlite; do
        cmp one/$file "$2/$file" || fail "$1: $file differs"
    done
    find "$2" -name '.*.part' | grep . && fail "$1: something is left"
}

before=$(now)
"$program" sweep run many.yml -o one -j 1 >stdout 2>stderr ||
    fail "one worker: $(cat stderr)"
after=$(now)
grep -q "^$points points: $points ok, 0 failed$" stdout || fail "$(cat stdout)"
"$program" sweep run many.yml -o threads --in-process -j 2 >stdout 2>stderr ||
    fail "threads: $(cat stderr)"
compare threads threads
diff -r one/points threads/points || fail "threads: the points differ"

# Workers that write now; the names of their folders end in their numbers.
workers() {
    find killed/points -name '.*.part' 2>find.err | sed 's/.*-\([0-9]*\)\.part$/\1/'
}

alone=0 hit=0 late=0
round=0
for delay in $(awk -v n="$kills" -v seed="$seed" -v a="$before" -v b="$after" 'BEGIN {
    srand(seed); for (i = 0; i < n; i++) printf "%.4f\n", rand() * (b - a) * 1.2 / n }'); do
    round=$((round + 1))
    "$program" sweep run many.yml -o killed -j 2 >stdout 2>stderr &
    pool=$!
    sleep "$delay"
    if [ $((round % 2)) -eq 0 ]; then
        try=0
        while [ $try -lt 20 ]; do
            try=$((try + 1))
            pid=$(workers | head -n 1)
            [ -n "$pid" ] && kill -s KILL "$pid" 2>kill.err && hit=$((hit + 1)) && break
        done
        sleep 0.02
    fi
    running=$(workers)
    kill -s KILL $pool 2>kill.err
    wait $pool 2>wait.err
    code=$?
    case $code in
    137) alone=$((alone + 1)) ;;
    0 | 8) late=$((late + 1)) ;;
    *) fail "round $round: exit $code: $(cat stderr)" ;;
    esac
    [ $code -ne 137 ] || sleep 0.05
    for pid in $running; do
        if [ $code -eq 137 ] && grep -q smwave "/proc/$pid/comm" 2>grep.err &&
            ! grep -q '^State:.Z' "/proc/$pid/status" 2>grep.err; then
            fail "round $round: worker $pid outlives its pool"
        fi
    done
done
"$program" sweep run many.yml -o killed -j 2 >stdout 2>stderr ||
    fail "resumed: $(cat stdout stderr)"
todo=$(sed -n '1s/.*, \([0-9]*\) to run$/\1/p' stdout)
compare killed killed
diff -r one/points killed/points || fail "killed: the points differ"
echo "$points points, $kills kills: $alone pools and $hit workers; $late had ended before;" \
    "${todo:-$points} points were left for the last run; failures $failed"
[ $failed -eq 0 ]
