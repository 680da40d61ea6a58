#!/bin/sh
# dask.sh PROGRAM - a sweep by a real Dask scheduler and two workers, started here: one of
# them is killed while it works, and the other one does the rest. The merged files must have
# the bytes of an undisturbed "sweep run -j 1". Then: nothing left to do, nobody at the
# address, no Dask, and mistakes.
. "$(dirname "$0")/lib.sh"

program=$1
cd "$work" || exit 1

# expect CODE WORDS ARGUMENT... - of "sweep run"
expect() {
    want=$1
    words=$2
    shift 2
    "$program" sweep run "$@" >said 2>&1
    got=$?
    [ $got -eq "$want" ] || fail "$*: exit $got, not $want: $(cat said)"
    grep -qF -e "$words" said || fail "$*: says $(cat said)"
}

# until_true SECONDS COMMAND...
until_true() {
    tries=$(($1 * 10))
    shift
    until "$@"; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep 0.1
    done
}

n_ended() {
    find got/points -name done.json 2>/dev/null | wc -l
}

some_ended() {
    [ "$(n_ended)" -ge "$1" ]
}

worker() {
    dask-worker --no-nanny --no-dashboard --nthreads 1 --local-directory "$work/$1" \
        --pid-file "$1.pid" --scheduler-file scheduler.json >"$1.log" 2>&1 &
    pids="$pids $!"
    eval "$1=$!"
}

cat >sweep.yml <<END
base: {target: padding}
grid: {config: [gtx480, k20x], sm.smem.latency: 20..51}
collect: [cycles, shared.ld.wavefronts]
END
"$program" sweep run sweep.yml -o want -j 1 >said 2>&1 || fail "undisturbed: $(cat said)"
points=$(wc -l <want/plan.jsonl)

dask-scheduler --no-dashboard --host 127.0.0.1 --port 0 --scheduler-file scheduler.json \
    >scheduler.log 2>&1 &
pids=$!
until_true 60 test -s scheduler.json || fail "no scheduler: $(cat scheduler.log)"
worker one
worker two
until_true 60 grep -q 'Registered to' one.log || fail "no first worker: $(cat one.log)"
until_true 60 grep -q 'Registered to' two.log || fail "no second worker: $(cat two.log)"
address=$(sed -n 's/.*"address": "\(tcp:[^"]*\)".*/\1/p' scheduler.json | head -1)

"$program" sweep run sweep.yml "$address" --on dask -o got >said 2>&1 &
run=$!
until_true 60 some_ended 8 || fail "nothing comes to an end"
# shellcheck disable=SC2154
kill -KILL "$two"
left=$((points - $(n_ended)))
wait "$run" || fail "exit $?: $(cat said)"
[ "$left" -gt 8 ] || fail "it was killed too late: $left points were left"
for name in results.csv results.sqlite plan.jsonl; do
    cmp "want/$name" "got/$name" || fail "$name is another"
done
for point in want/points/*; do
    diff -r "$point" "got/points/${point##*/}" >differs 2>&1 || fail "$(cat differs)"
done

# What has ended is not given to anybody.
rm -r got/dask
expect 0 "$points ok, 0 failed" sweep.yml "$address" --on dask -o got
[ ! -e got/dask ] || fail "it was given away again"

# A point that fails is a failed row, and no failure of the cluster.
sed 's/20\.\.51/[20, 0]/' sweep.yml >failing.yml
expect 8 '2 ok, 2 failed' failing.yml --on dask "$address"

expect 7 'no Dask scheduler answers at tcp://127.0.0.1:1' sweep.yml tcp://127.0.0.1:1 \
    --on dask -o nobody
mkdir bin
printf '#!/bin/sh\nexec /usr/bin/python3 -I -S "$@"\n' >bin/python3
chmod +x bin/python3
(PATH=$work/bin:$PATH; export PATH; expect 7 'apt install python3-distributed' sweep.yml \
    "$address" --on dask -o without; [ $failed -eq 0 ]) || failed=1
expect 2 "--on takes 'dask', not 'ray'" sweep.yml --on ray "$address"
expect 2 "needs the scheduler's address" sweep.yml --on dask
expect 2 'is the address of what?' sweep.yml "$address"
expect 2 'which sweep?' --on dask "$address"
expect 2 'no --only' sweep.yml "$address" --on dask --only 3
echo "$left of $points points were left when a worker was killed"
[ $failed -eq 0 ]
