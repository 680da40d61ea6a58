#!/bin/sh
# slurm.sh PROGRAM [SWEEP CHUNK] - a sweep through a real Slurm of two nodes, started here:
# submitted by "smwave sweep slurm --submit" as several arrays; one node is killed with all
# that runs on it while points are being written, and comes back later; one task is told
# that its time is nearly up. The merged files must have the bytes of an undisturbed
# "sweep run -j 1", every point must have been written once, and submitting again must
# find nothing to do.
set -u

program=$1
here=$(cd "$(dirname "$0")" && pwd)
sweep=${2:-$here/latency.yml}
chunk=${3:-8}
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac
work=$(mktemp -d)
# shellcheck source=cluster.sh
. "$here/cluster.sh"
trap 'cluster_stop; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
begin=$(date +%s)
failed=0

say() {
    echo "$(($(date +%s) - begin)) s: $*"
}

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

# Tell what was written about it, and end.
give_up() {
    [ -z "$*" ] || fail "$*"
    squeue
    for log in "$work"/cluster/log/* "$work"/got/slurm/*.log; do
        echo "== $log"
        tail -n 20 "$log"
    done
    exit 1
}

n_ended() {
    find got/points -name done.json 2>/dev/null | wc -l
}

some_ended() { # NUMBER
    [ "$(n_ended)" -ge "$1" ]
}

# A task on the first node, which has begun, hears that its time is nearly up, and asks for
# more. One that has nothing left to do does not.
tell() {
    for job in $(squeue -h -w n1 -t RUNNING -o %F_%K_%A); do
        log=got/slurm/array-${job%_*}.log
        if grep -qs ' on n1' "$log"; then
            scancel --quiet --batch --signal=USR1 "${job##*_}"
            (until_true 5 grep -q "^exit" "$log") # it keeps count in a variable
            grep -q 'queued again for the rest' "$log" && return 0
        fi
    done
    return 1
}

# The tasks that ran on the node that died are queued again.
are_restarted() { # JOB...
    for job in "$@"; do
        # of an array's id all tasks are shown
        scontrol -o show job "$job" | grep -q "^JobId=$job .* Restarts=[1-9]" || return 1
    done
}

is_over() {
    queue=$(squeue -h) && [ -z "$queue" ]
}

"$program" sweep run "$sweep" -o want -j 1 >log 2>&1 || give_up "undisturbed: $(cat log)"
points=$(wc -l <want/plan.jsonl)
say "$points points undisturbed"

cluster_start "$work/cluster" MaxArraySize=3 || give_up "no cluster"
"$program" sweep slurm "$sweep" -o got --chunk "$chunk" --max-running 4 --max-array 3 \
    --mem 500M --submit >submitted 2>&1 || give_up "$(cat submitted)"
[ "$(grep -c '^array [0-9]*$' submitted)" -ge 2 ] || give_up "no two arrays: $(cat submitted)"
grep -q '^merge [0-9]*$' submitted || give_up "no merge: $(cat submitted)"

# The node dies while it works.
until_true 60 some_ended $((points / 8)) || give_up "nothing comes to an end"
until_true 30 node_kill n2 || give_up "nothing runs on the second node"
lost=$(squeue -h -w n2 -t RUNNING -o %A) # as nobody knows yet
[ -n "$lost" ] || give_up "nothing ran on the second node"
say "a node is killed, $(n_ended) points have ended"

until_true 60 tell || give_up "no task of the first node is queued again"
# shellcheck disable=SC2086
until_true 60 are_restarted $lost || give_up "nobody misses the node"
say "its tasks are queued again, $(n_ended) points have ended"
node_start n2 || give_up "it does not come back"
until_true 600 is_over || give_up "the jobs do not end"
say "the queue is empty, $(n_ended) points have ended"

# An attempt on the node that nobody misses yet leaves no line.
again=$(grep -l 'attempt [2-9]' got/slurm/array-*.log | wc -l)
say "$again tasks were queued again"
[ "$again" -ge 2 ] || fail "the one that was told and one of the node's are at least two"
for name in results.csv results.sqlite plan.jsonl; do
    cmp "want/$name" "got/$name" || fail "$name is another"
done
[ "$(n_ended)" -eq "$points" ] || fail "$(n_ended) of $points points have ended"
[ -z "$(find got/points -name '.*.part')" ] || fail "something half written is left"
for point in want/points/*; do
    diff -r "$point" "got/points/${point##*/}" >log || fail "$(cat log)"
done
"$program" sweep status got >log 2>&1 || fail "status: exit $?: $(cat log)"

"$program" sweep slurm "$sweep" -o got --chunk "$chunk" >again 2>&1 || fail "$(cat again)"
grep -q "$points have ended; 0 tasks" again || fail "there is something left: $(cat again)"
say "$failed not as expected"
[ "$failed" -eq 0 ] || give_up
