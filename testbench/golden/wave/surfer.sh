#!/bin/sh
# surfer.sh PROGRAM PYTHON - what a run leaves for Surfer: command files that have the rows
# of the save files for GTKWave, and mapping files, as Surfer documents them.
. "$(dirname "$0")/../lib.sh"

smwave=$1
python=$2
check=$(cd "$(dirname "$0")" && pwd)/check_surfer.py
cd "$work" || exit 1

all=banks,scheduler,pipeline,coalescer,memory,warp=0,bank=3
files="run run.banks run.scheduler run.pipeline run.coalescer run.memory run.warp0 run.bank3"

"$smwave" run staircase -o stairs --view "$all" >log || exit 1
"$smwave" run reduction-small -o sums --view "$all" >log || exit 1
for run in stairs sums; do
    "$python" "$check" $run $files >out 2>&1 || fail "$run: $(cat out)"
done
"$smwave" run reverse -o narrow -c 8800gtx --trace-scope 'gpu.sm0' --view "$all" >log || exit 1
"$python" "$check" narrow $files >out 2>&1 || fail "narrow: $(cat out)"

# The same from the dump alone.
cp stairs/run.banks.sucl saved
"$smwave" wave view stairs --view banks >log || fail "no view of a dump"
cmp saved stairs/run.banks.sucl || fail "the dump's view has other commands"

# The checker sees what is wrong.
wrong() {
    cp -r stairs wrong
    sed "$1" "stairs/$2" >"wrong/$2"
    cmp -s "stairs/$2" "wrong/$2" && fail "sed $1 changes nothing"
    "$python" "$check" wrong run run.banks >out 2>&1 && fail "sed $1: not seen"
    grep -q "$3" out || fail "sed $1: $(cat out)"
    rm -r wrong
}
wrong 's/sched0.warp$/sched0.wrap/' run.sucl "no variable"
wrong 's/^item_rename/rename_item/' run.sucl "is no command"
wrong 's/item_set_format Unsigned/item_set_format Decimal/' run.sucl "no format"
wrong '0,/group_fold_recursive/s///' run.sucl "row\|item"
wrong '/variable_add gpu.sm0.smem.bank00/d' run.banks.sucl "row\|item\|group"
wrong 's/^Name = //' .surfer/mappings/state_warp.map "no name"
wrong 's/^Bits = .*/Bits = 1/' .surfer/mappings/state_warp.map "more than 1 bits\|not of 1 bits"

# A run into the same directory takes away what the last one left, and follows no link.
mkdir away
touch away/state_warp.map stairs/.surfer/mappings/mine.map
"$smwave" run staircase -o stairs --trace none >log || exit 1
[ ! -e stairs/run.sucl ] || fail "run.sucl is still there"
[ "$(ls stairs/.surfer/mappings)" = mine.map ] || fail "mappings are still there"
rm -r stairs/.surfer
ln -s ../away stairs/.surfer
"$smwave" run staircase -o stairs >log || exit 1
[ ! -L stairs/.surfer ] && [ -s stairs/.surfer/mappings/state_warp.map ] ||
    fail "a link is still there"
[ ! -s away/state_warp.map ] && [ ! -e away/mappings ] || fail "it followed a link"
[ $failed -eq 0 ]
