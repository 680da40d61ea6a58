#!/bin/sh
# limit.sh PROGRAM - where warps stand when a run reaches its limit, and where their time went,
# is the same whether somebody watched them or not.
. "$(dirname "$0")/lib.sh"

program=$1
cd "$work" || exit 1
compared=0

# TARGET CONFIG CYCLES
stands() {
    for trace in none vcd; do
        "$program" run "$1" -c "$2" -s gpu.sms=2 --max-cycles "$3" --trace $trace \
            --force -o out >/dev/null 2>$trace.txt
        [ $? -eq 6 ] || fail "$*: not the limit: $(cat $trace.txt)"
    done
    grep -qE 'stands? at' none.txt || fail "$*: nobody stands anywhere"
    cmp -s none.txt vcd.txt || fail "$*: $(diff vcd.txt none.txt | head -6)"
    compared=$((compared + 1))
}

for cycles in 700 1100 1300 1700 2300; do
    stands reduction-small gtx480 $cycles
done
for cycles in 720 900 1700 1900 2300; do # between, code and parameters are fetched
    stands reduction-small h100 $cycles
done
[ $compared -eq 10 ] || fail "$compared runs"
[ $failed -eq 0 ]
