#!/bin/sh
# fails.sh PROGRAM HERE MEMORY - points that fail, each in its own way, cost a row each:
# a deadlock, wrong data, too much memory (not with MEMORY=no), a full disk, a bad key, a
# bad value, a missing file, a crash, a kill, a time limit. The others are as they are
# alone; what the machine was the cause of is run again, the rest with --failed only.
. "$(dirname "$0")/../lib.sh"

program=$1
here=$2
memory=$3
cd "$work" || exit 1

# The worker of a point: the folder it writes into is called after it.
worker_of() {
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28; do
        for part in out/points/."$1".*.part; do
            if [ -d "$part" ]; then
                part=${part%.part}
                echo "${part##*-}"
                return
            fi
        done
        sleep 0.1
    done
}

# No file may grow beyond 200 blocks, whatever this shell takes for one.
(ulimit -f 200 && exec "$program" sweep run "$here/fails.yml" -o out -j 12 >stdout 2>stderr) &
pool=$!
# A sanitizer would report a SIGSEGV in its own way.
crash=SEGV
[ "$memory" = yes ] || crash=ABRT
pid=$(worker_of 000008)
kill -s $crash "$pid" || fail "no worker of point 8: '$pid'"
pid=$(worker_of 000009)
kill -s KILL "$pid" || fail "no worker of point 9: '$pid'"
wait $pool
code=$?
[ $code -eq 8 ] || fail "exit $code, not 8: $(cat stderr)"
[ -s stderr ] && fail "stderr: $(cat stderr)"

cat >want <<'END'
status,exit,error,case
ok,0,,good
failed,5,"faults.ptx:310: deadlock: nothing is left to happen and warps are still waiting, in kernel loop_counts",deadlock
failed,1,"'d' is wrong in 64 of 64 elements; the first is [0]: got 63, expected 0",wrong
failed,70,more than 200 MiB of memory,memory
failed,7,stats.json: File too large,disk
failed,3,bad-key.yml:2: unknown configuration key 'sm.smem.bankz'; did you mean 'sm.smem.banks'?,key
failed,3,"sm.onchip.partition: compute capability 2.0 has no 40/24 split; it has 48/16, 16/48; gpu.what_if=true allows others",value
failed,4,nowhere.ptx: No such file or directory,module
failed,139,killed by signal 11 (Segmentation fault),crash
failed,137,killed by signal 9 (Killed),kill
failed,6,more than 8 s of wall time,time
ok,0,,last
END
# without what the columns are of
sed -n 's/^[^,]*,[^,]*,//; s/,\(case\|good\|deadlock\|wrong\|memory\|disk\|key\|value\|module\|crash\|kill\|time\|last\),.*/,\1/p' \
    out/results.csv >got
if [ "$memory" = no ]; then
    sed -i '/,memory$/d; s/139,killed by signal 11 (Segmentation fault)/134,killed by signal 6 (Aborted)/' \
        want got
fi
diff want got || fail "results.csv is not as it should be"
find out -name '*.part' | grep . && fail "something is left of the killed workers"

"$program" run "$here/good.yml" --trace none -o alone >stdout 2>stderr ||
    fail "alone: $(cat stderr)"
grep -v '"stall\.' alone/stats.json >alone/stats # no column asks the points for them
for point in 000000 000011; do
    cmp alone/stats out/points/$point/stats.json || fail "$point is not as alone"
done

"$program" sweep status out >stdout 2>stderr
[ $? -eq 8 ] || fail "status: $(cat stderr)"
[ "$memory" = no ] || grep -q '^12 points: 2 ok, 10 failed$' stdout ||
    fail "status says $(cat stdout)"
grep -q '^  point 8: killed by signal ' stdout ||
    fail "status does not say which: $(cat stdout)"

# Again: memory, disk, crash, kill and time; then all but two.
"$program" sweep run "$here/fails.yml" -o out --seconds 0.2 >stdout 2>stderr
[ $? -eq 8 ] || fail "resumed: $(cat stderr)"
[ "$memory" = no ] || grep -q '^fails: 12 points, 5 to run$' stdout ||
    fail "resumed: $(cat stdout)"
"$program" sweep run "$here/fails.yml" -o out --seconds 0.2 --failed --only 0-2,5-7,11 \
    >stdout 2>stderr
[ $? -eq 8 ] || fail "--failed: $(cat stderr)"
grep -q '^fails: 7 points, 5 to run$' stdout || fail "--failed: $(cat stdout)"

# A limit of cycles is part of what a point is: it is not the machine's matter.
{
    printf 'base: {target: %s/spin.yml}\n' "$here"
    printf 'grid: {sm.scheduler.policy: [lrr, gto]}\nlimits: {cycles: 20000}\n'
} >cycles.yml
"$program" sweep run cycles.yml -o cycles >stdout 2>stderr
[ $? -eq 8 ] || fail "cycles: $(cat stderr)"
grep -q 'failed,6,"spin.ptx:[0-9]*: more than 20000 cycles, in kernel spin",lrr' \
    cycles/results.csv || fail "cycles: $(cat cycles/results.csv)"
"$program" sweep run cycles.yml -o cycles >stdout 2>stderr
grep -q '^cycles: 2 points, 0 to run$' stdout || fail "cycles again: $(cat stdout)"

[ $failed -eq 0 ]
