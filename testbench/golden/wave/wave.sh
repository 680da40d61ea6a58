#!/bin/sh
# wave.sh PROGRAM - "smwave wave": dumps compared, rows of both the same, what is no dump
# refused, and a save file that lies beside its dump.
. "$(dirname "$0")/../lib.sh"

smwave=$1
cd "$work" || exit 1

# expect CODE TEXT COMMAND...: the exit code, and TEXT in what it prints.
expect() {
    code=$1
    text=$2
    shift 2
    "$@" >out 2>&1
    got=$?
    [ "$got" -eq "$code" ] || fail "$*: exit $got, not $code: $(cat out)"
    grep -qF -e "$text" out || fail "$*: does not say '$text': $(cat out)"
}

"$smwave" run reverse -o a >log || exit 1
"$smwave" run reverse -o b >log || exit 1
"$smwave" run reverse -o c -s sm.smem.latency=50 >log || exit 1
"$smwave" run reverse -o d -c 8800gtx >log || exit 1

# The same run, and one whose shared memory answers two cycles earlier.
expect 0 "no difference in" "$smwave" wave compare --diff a b
expect 1 "first difference at time 705714 (unit 1 ps): gpu.sm0.sched0.inst" \
    "$smwave" wave compare --diff a c/run.vcd
grep -q 'a/run.vcd: ld.shared.u32 %r11, \[%r10\]' out || fail "the instruction: $(cat out)"
expect 1 "variables are in a/run.vcd only" "$smwave" wave compare --diff a d

# What is configured otherwise is listed; what happens differently is the difference.
"$smwave" run reverse -o part -s sm.onchip.partition=16/48 >log || exit 1
expect 0 "30 variables are configured otherwise" "$smwave" wave compare --diff a part
grep -q "gpu.sm0.onchip.shared_kb: 48, 16" out || fail "the partition: $(cat out)"
"$smwave" run staircase -o s32 >log || exit 1
"$smwave" run staircase -o s16 -s gpu.what_if=true -s sm.smem.banks=16 >log || exit 1
expect 1 "gpu.sm0.smem.xbar.wavefronts" "$smwave" wave compare --diff s32 s16
grep -q "^    gpu.sm0.smem.bank16.busy" out || fail "bank16 is not named: $(cat out)"
grep -q "^    and 56 more" out || fail "not the rest of 64: $(cat out)"

# All of a dump, and of its save files.
expect 0 "variables," "$smwave" wave check a s32/run.vcd
grep -q "run.gtkw: [0-9]* rows" out || fail "no rows of run.gtkw"
cp -r a wrong
sed "s/sched0.warp/sched0.wrap/" a/run.gtkw >wrong/run.gtkw
expect 4 "the dump has no variable gpu.sm0.sched0.wrap" "$smwave" wave check wrong
cp a/run.gtkw wrong
rm wrong/state_warp.txt
expect 4 "there is no translate file state_warp.txt" "$smwave" wave check a wrong
printf "#9\n" >>wrong/run.vcd
expect 4 "goes back" "$smwave" wave check wrong
printf "#9" >>part/run.vcd
expect 4 "ends in the middle of a line" "$smwave" wave check part
expect 2 "which dump?" "$smwave" wave check

# 32 banks against 16: the rows that both have, under names that each resolves.
expect 0 "twinwave a/run.vcd a/run.compare.gtkw + d/run.vcd d/run.compare.gtkw" \
    "$smwave" wave compare a d --view overview,banks
for view in compare compare.banks; do
    for run in a d; do
        sed -n 's/^+{\([^}]*\)}.*/\1/p; s/^#{\([^}]*\)}.*/\1/p; s/^-\(.\)/\1/p' \
            "$run/run.$view.gtkw" | grep -v ': \|IPC\|gtx\|wavefronts' >"$run.rows"
    done
    cmp a.rows d.rows || fail "$view has other rows for the second"
    grep -q 'bank15' a.rows || fail "$view has no bank15"
    grep -q 'bank16' a.rows && fail "$view has a bank16, which one has not"
done
expect 2 "is both dumps" "$smwave" wave compare a a

# Fourteen SMs that do nothing are one row.
"$smwave" wave view a --view memory >log || fail "no view of the memory"
grep -qx -e "-idle sms" a/run.memory.gtkw || fail "idle SMs are not folded"

# What there is, in words. The directory of a run, its VCD and its FST say the same; a
# pattern is of paths or of a scope; JSON says the same again.
"$smwave" wave list a >list || fail "no list of a run"
[ "$(wc -l <list)" -eq $(($(grep -c '^.var' a/run.vcd) + 1)) ] ||
    fail "the list has other signals than the dump"
grep -q '^gpu\.sm0\.l1\.mshrs  *level  *9  *fills  *fills under way$' list ||
    fail "mshrs: $(grep mshrs list | head -1)"
grep -q '^gpu\.sm0\.l1\.mshr_free  *level  *9  *entries  *MSHR entries that are free$' list ||
    fail "mshr_free: $(grep mshr list | head -2)"
grep -q '^gpu\.sm0\.warp03\.inst  *text  *-  *-  *next instruction$' list || fail "a text"
grep -q '^gpu\.cycle  *clock' list || fail "the clock"
expect 0 "gpu.sm3.l1.hit" "$smwave" wave list a/run.vcd '*.l1'
grep -v '^signal\|^gpu\.sm[0-9]*\.l1\.' out && fail "more than the pattern"
expect 0 '"path": "gpu.dispatcher.kernel"' "$smwave" wave list a 'gpu.dispatcher*' --json
expect 0 '"doc": "kernel that began last"' "$smwave" wave list a 'gpu.dispatcher*' --json
"$smwave" wave list a --json >json || fail "no JSON"
[ "$(grep -c '"path"' json)" -eq $(($(wc -l <list) - 1)) ] || fail "JSON has other signals"

# Every signal of the model says what it is, and names views that there are.
grep '"doc": null' json && fail "a signal without words"
for view in $(sed -n 's/.* views=\([^ ]*\) .*/\1/p' a/run.vcd | tr , '\n' | sort -u); do
    case $view in
    warp | bank) numbered=$view=0 ;;
    *) numbered=$view ;;
    esac
    expect 0 "gtkwave" "$smwave" wave view a --view "$numbered"
done

# The views that a run writes are those of its dump.
all=banks,scheduler,pipeline,coalescer,memory,warp=1,bank=3
for config in gtx480 8800gtx; do
    "$smwave" run reverse -o views --force -c "$config" --view "$all" >log || exit 1
    mkdir -p "views.$config"
    cp views/*.gtkw "views.$config"
    "$smwave" wave view views --view "overview,$all" >log || fail "no views of a dump"
    for file in "views.$config"/*.gtkw; do
        cmp "$file" "views/${file##*/}" || fail "$config: the run wrote another one"
    done
done
[ "$(echo "views.gtx480"/*.gtkw | wc -w)" -eq 8 ] || fail "there are not eight views"

# A dump that says nothing of its signals still opens: they are what their types are.
mkdir silent
sed '/^.comment signal /d' a/run.vcd >silent/run.vcd
expect 0 "does not say what its signals are" "$smwave" wave view silent
grep -q 'gpu.sm0.l1.mshrs\[8:0\]' silent/run.gtkw || fail "no row of a silent dump"
expect 2 "there is the overview" "$smwave" wave view silent --view banks
expect 0 "does not say what its signals are" "$smwave" wave list silent
grep -q '^gpu\.sm0\.l1\.mshrs  *bits  *9  *-  *-$' out || fail "a type: $(cat out)"
# One that says something its type does not allow is believed its type.
sed 's/\(signal gpu.sm[*].l1.mshrs kind=\)level/\1event/' a/run.vcd >silent/run.vcd
expect 0 "bits" "$smwave" wave list silent 'gpu.sm0.l1.mshrs'
expect 0 "gtkwave" "$smwave" wave view silent --view memory

expect 2 "has no signal 'mshrs'" "$smwave" wave list a mshrs
expect 2 "not '*' as well" "$smwave" wave list a '*' '*'
expect 2 "which dump?" "$smwave" wave list
expect 2 "check takes --json only" "$smwave" wave check a --diff
expect 2 "list takes --json only" "$smwave" wave list a --diff
expect 7 "No such file" "$smwave" wave list nowhere.vcd
"$smwave" run reverse --trace none -o none >log || exit 1
expect 7 "none has no waveform" "$smwave" wave list none
expect 7 "with --trace vcd -o none" "$smwave" wave compare a none
expect 4 "this is no VCD" "$smwave" wave list a/stats.json

# What is no dump of ours.
expect 7 "No such file" "$smwave" wave view nowhere.vcd
expect 4 "this is no VCD" "$smwave" wave view a/stats.json
printf '$timescale 1 ps $end\n$enddefinitions $end\n#0\n' >other.vcd
expect 4 "was not written by smwave" "$smwave" wave view other.vcd
expect 4 "was not written by smwave" "$smwave" wave list other.vcd
head -c 3000 a/run.vcd >head.vcd
expect 4 "the file ends in its header" "$smwave" wave view head.vcd
expect 2 "no such warp" "$smwave" wave view a --view warp=99
expect 2 "did you mean 'banks'?" "$smwave" wave view a --view bnaks
expect 4 "the file ends in its header" "$smwave" wave list head.vcd
expect 2 "which dump?" "$smwave" wave view
expect 2 "takes two dumps" "$smwave" wave compare a

# Cut anywhere among the changes, it still opens; its words are gone without their files.
size=$(wc -c <a/run.vcd)
mkdir cut
head -c $((size - 1000)) a/run.vcd >cut/run.vcd
expect 0 "states will be numbers" "$smwave" wave view cut --view banks
[ -s cut/run.banks.gtkw ] || fail "no save file of the dump that was cut"

# Beside the dump, wherever that is.
mkdir elsewhere
"$smwave" run reverse -o here --trace elsewhere/x.vcd --view banks >out || fail "elsewhere"
grep -q 'gtkwave elsewhere/x.banks.gtkw' out || fail "the summary names no save file"
grep -q '^\[dumpfile\] "x.vcd"' elsewhere/x.gtkw || fail "x.gtkw names another dump"
[ -s elsewhere/x.banks.gtkw ] && [ -s elsewhere/state_bank.txt ] || fail "files are missing"

# An FST is read as well: by this program, or by fst2vcd where it has no FST.
if "$smwave" --version | grep -q 'VCD, FST'; then
    "$smwave" run reverse -o both --trace vcd,fst --view banks >log || exit 1
    expect 0 "no difference in" "$smwave" wave compare --diff both/run.vcd both/run.fst
    expect 1 "first difference at time 705714" "$smwave" wave compare --diff both/run.fst c
    expect 0 "variables" "$smwave" wave check both/run.fst
    "$smwave" wave list both/run.fst >fst.list || fail "no list of an FST"
    "$smwave" wave list both >vcd.list || fail "no list of its VCD"
    cmp fst.list vcd.list || fail "the FST has other signals"
    "$smwave" wave check both/run.vcd both/run.fst both/run.fst >out
    [ "$(grep -c variables out)" -eq 3 ] || fail "said twice: $(cat out)"
    cp both/run.fst.gtkw saved
    expect 0 "gtkwave both/run.fst.gtkw" "$smwave" wave view both/run.fst
    cmp saved both/run.fst.gtkw || fail "another save file of run.fst"
    mkdir fst
    cp both/run.fst both/*.txt both/stats.json both/events.log fst
    expect 0 "gtkwave fst/run.banks.gtkw" "$smwave" wave view fst --view banks
    expect 0 "run.banks.gtkw" "$smwave" wave check fst
    size=$(wc -c <both/run.fst)
    for part in 2 3 5 9; do # whatever the reader makes of it
        head -c $((size / part)) both/run.fst >fst/run.fst
        expect 4 "this is no FST, or it is damaged" "$smwave" wave check fst
    done
    tr '\000' '\001' <both/run.fst >fst/run.fst
    expect 4 "this is no FST, or it is damaged" "$smwave" wave view fst
fi
[ $failed -eq 0 ]
