#!/bin/sh
# commands.sh PROGRAM - the commands that "smwave sweep commands" prints and the scripts that
# "smwave sweep slurm" writes, run without a cluster: by xargs, and by an sbatch that runs
# each task at once. The merged files must have the bytes of "sweep run -j 1"; what has
# ended must not be run again; paths may hold anything but a line end. Then "smwave sweep
# diff" of folders.
set -u

program=$1
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

same() { # DIR
    for name in results.csv results.sqlite plan.jsonl; do
        cmp "want/$name" "$1/$name" || fail "$1: $name is another"
    done
}

sweep="it's a \$weep.yml"
cat >"$sweep" <<'END'
name: its
base: {target: reverse}
grid:
  config: [gtx480, k20x]
  sm.smem.latency: [20, 30, 40, 50, 60, 70, 80]
collect: [cycles, shared.ld.wavefronts]
END
"$program" sweep run "$sweep" -o want -j 1 >log 2>&1 || fail "$(cat log)"

# One command a line: the last chunk is shorter.
"$program" sweep commands "$sweep" -o 'out "1' --chunk 4 >all.sh 2>err || fail "$(cat err)"
[ "$(wc -l <all.sh)" -eq 4 ] || fail "not four commands: $(cat all.sh)"
grep -q -- '--only 12-13$' all.sh || fail "no short chunk at the end: $(cat all.sh)"
(cd / && tr '\n' '\0' <"$work/all.sh" | xargs -0 -n 1 -P 2 sh -c) >log 2>&1 ||
    fail "$(cat log)"
"$program" sweep merge 'out "1' >log 2>&1 || fail "$(cat log)"
same 'out "1'
"$program" sweep commands "$sweep" -o 'out "1' >left 2>&1
[ -s left ] && fail "all has ended, and yet: $(cat left)"

# A part is run by the plan that is there, as long as it is the sweep's, with where too.
cat >part.yml <<'END'
base: {target: reverse}
grid: {config: [gtx480, k20x], sm.smem.latency: [20, 30, 40]}
where: ['config == "k20x" || sm.smem.latency > 20']
collect: [cycles]
END
"$program" sweep run part.yml -o part-want -j 1 >log 2>&1 || fail "$(cat log)"
"$program" sweep plan part.yml -o part >log 2>&1 || fail "$(cat log)"
for only in 4 1-2 0,3; do
    "$program" sweep run part.yml -o part --only $only >log 2>&1 || fail "$only: $(cat log)"
done
"$program" sweep merge part >log 2>&1 || fail "$(cat log)"
cmp part-want/results.csv part/results.csv || fail "where: results.csv is another"
for change in 's/, 40]/]/' 's/, 40]/, 40, 50]/' 's/> 20/> 30/' 's/k20x\]/gtx580]/' \
    's/, 40]/, 41]/'; do
    sed "$change" part.yml >changed.yml
    "$program" sweep run changed.yml -o part --only 1-3 >log 2>&1
    [ $? -eq 4 ] || fail "$change: it runs: $(cat log)"
    grep -q 'the plan in part is not that of this sweep file' log || fail "$(cat log)"
done

# Two arrays and a merge; the second one waits for the first, the merge for the second.
mkdir bin
cat >bin/sbatch <<'END'
#!/bin/sh
# runs what it is given; its job is the number of lines of the file calls
echo "$*" >>"$CALLS"
id=$(wc -l <"$CALLS")
spec=
for word in "$@"; do
    case $word in
    --array=*) spec=${word#--array=} ;;
    -*) ;;
    *) break ;;
    esac
done
while [ "${1#-}" != "$1" ]; do
    shift
done
SLURM_JOB_ID=$id
SLURM_CPUS_PER_TASK=2
export SLURM_JOB_ID SLURM_CPUS_PER_TASK
if [ -z "$spec" ]; then
    sh "$@" >"merge-$id.log" 2>&1 || exit
else
    for part in $(echo "${spec%%%*}" | tr , ' '); do
        for task in $(seq "${part%-*}" "${part#*-}"); do
            SLURM_ARRAY_TASK_ID=$task sh "$@" >>"array-${id}_$task.log" 2>&1 || exit
        done
    done
fi
echo "$id;cluster"
END
chmod +x bin/sbatch
CALLS=$work/calls
PATH=$work/bin:$PATH
export CALLS PATH
out="out's \$2"
"$program" sweep run "$sweep" -o "$out" --only 4-7 >log 2>&1 || fail "$(cat log)"
"$program" sweep slurm "$sweep" -o "$out" --chunk 2 --max-array 5 --max-running 3 --cpus 2 \
    --submit >log 2>&1 || fail "submit: $(cat log) $(cat "$out"/slurm/*.log)"
cat >want.calls <<'END'
--parsable --array=0-1,4%3 array.sh 0
--parsable --dependency=afterany:1 --array=0-1%3 array.sh 5
--parsable --dependency=afterany:2 merge.sh
END
diff want.calls calls || fail "it is not submitted so"
for line in '# its: 14 points, 4 have ended; 5 tasks of up to 2 points' 'array 1' \
    'array 2' 'merge 3'; do
    grep -qxF "$line" log || fail "the log does not say '$line': $(cat log)"
done
grep -qx 'points 12-13 on ?, attempt 1' "$out"/slurm/array-2_1.log ||
    fail "$(cat "$out"/slurm/array-*.log)"
same "$out"
rm calls
"$program" sweep slurm "$sweep" -o "$out" --submit >log 2>&1 || fail "$(cat log)"
[ "$(cat calls)" = "--parsable merge.sh" ] || fail "all has ended, and yet: $(cat calls)"
echo 'exit 3' >bin/sbatch
"$program" sweep slurm "$sweep" -o "$out" --submit >log 2>&1
[ $? -eq 7 ] || fail "a failing sbatch: $(cat log)"
grep -qx 'smwave: error: the jobs could not be submitted' log || fail "$(cat log)"

# Of a folder and its table nothing differs; of another device the cycles do.
"$program" sweep diff want "$out" >log 2>&1 || fail "two folders: $(cat log)"
"$program" sweep diff want want/results.csv >log 2>&1 || fail "its table: $(cat log)"
"$program" sweep diff want/results.csv "$out" >log 2>&1 || fail "a table: $(cat log)"
sed 's/{target: reverse}/{target: reverse, set: {sm.pipe.iadd.latency: 24}}/; s/, 80\]/]/' \
    "$sweep" >other.yml
"$program" sweep run other.yml -o other -j 2 >log 2>&1 || fail "$(cat log)"
"$program" sweep diff want other --csv >log 2>&1
[ $? -eq 1 ] || fail "another latency: exit $?"
[ "$(grep -c ',cycles,.*,different$' log)" -eq 12 ] || fail "$(cat log)"
[ "$(grep -c ',80,status,ok,,,,different$' log)" -eq 2 ] || fail "$(cat log)"
grep -q ',wavefronts,' log && fail "the wavefronts differ: $(cat log)"
"$program" sweep diff want other -t 'cycles=50%' -t status=any >log 2>&1 ||
    fail "within thresholds: $(cat log)"
sed '/^  config/d' "$sweep" >one.yml
"$program" sweep run one.yml -o one -j 2 >log 2>&1 || fail "$(cat log)"
"$program" sweep diff want one >log 2>&1
[ $? -eq 2 ] || fail "other parameters: $(cat log)"
grep -q "'config'" log || fail "$(cat log)"
[ "$failed" -eq 0 ] && echo "as expected"
