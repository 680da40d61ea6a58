#!/bin/sh
# kill.sh PROGRAM N [SEED [fst]] - N runs with waveforms killed (SIGKILL) and N interrupted
# (SIGINT), each at a random time between its start and its end. What is there afterwards
# must be of use: JSON that is whole, dumps that open; an interrupted run completes its
# files. Prints what was left.
# With "fst" an FST is written as well: one in some ten interrupted runs was seen to leave
# an FST that does not open.
set -u

program=$1
n=$2
seed=${3:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

fst=${4:+,$4}
"$program" run reduction-small --trace "vcd$fst" -o whole --timing whole.json \
    >stdout 2>stderr || fail "the whole run: $(cat stderr)"
length=$(awk -F'[:,]' '/"(startup_)?seconds"/ { s += $2 } END { print s * 1.2 + 0.02 }' \
    whole.json)

# A file is as that of the whole run, or it is not there.
whole_or_none() {
    for name in stats.json config.yml report.json; do
        [ -e "out/$name" ] || continue
        kept=$((kept + 1))
        if [ "$complete" = 1 ]; then
            cmp -s "out/$name" "whole/$name" || fail "$1: $name is not whole"
        else
            "$program" config show ./out/config.yml gpu.sms >stdout 2>stderr ||
                [ "$name" != config.yml ] || fail "$1: config.yml: $(cat stderr)"
            [ "$(tail -c 2 "out/$name" | tr -d '\n')" = "$(tail -c 2 "whole/$name" |
                tr -d '\n')" ] || fail "$1: $name is cut"
        fi
    done
}

one() { # SIGNAL DELAY
    rm -rf out
    "$program" run reduction-small --trace "vcd$fst" -o out >stdout 2>stderr &
    pid=$!
    sleep "$2"
    kill -s "$1" $pid 2>stderr
    wait $pid 2>stderr
    code=$?
    complete=0
    if [ $code -eq 0 ]; then
        complete=1
        ended=$((ended + 1))
    elif [ "$1" = KILL ] && [ $code -ne 137 ] ||
        [ "$1" = INT ] && [ $code -ne 130 ]; then
        fail "$1 after $2 s: exit $code"
    fi
    whole_or_none "$1 after $2 s"
    if [ -s out/run.vcd ]; then
        # the kernel may have copied only part of the last write
        [ "$(tail -c 1 out/run.vcd | wc -l)" -eq 1 ] || sed -i '$d' out/run.vcd
        if "$program" wave check out/run.vcd >stdout 2>stderr; then
            opened=$((opened + 1))
        elif grep -q 'ends in its\|ends before\|ends inside\|has no variables' stderr; then
            cut=$((cut + 1)) # before the first change
        else
            fail "$1 after $2 s: run.vcd: $(cat stderr)"
        fi
    fi
    if [ -n "$fst" ] && [ -s out/run.fst ]; then
        if "$program" wave check out/run.fst >stdout 2>stderr; then
            fst_opened=$((fst_opened + 1))
        else
            fst_cut=$((fst_cut + 1))
            [ "$1" = KILL ] || fail "$1 after $2 s: run.fst: $(cat stderr)"
        fi
    fi
}

for signal in KILL INT; do
    ended=0 kept=0 opened=0 cut=0 fst_opened=0 fst_cut=0
    for delay in $(awk -v n="$n" -v seed="$seed" -v most="$length" 'BEGIN {
        srand(seed); for (i = 0; i < n; i++) printf "%.4f\n", rand() * most }'); do
        one $signal "$delay"
    done
    echo "$n of SIG$signal: $ended came too late; whole JSON and YAML files $kept; run.vcd" \
        "opened $opened, cut in its declarations $cut; run.fst opened $fst_opened," \
        "refused $fst_cut; failures so far $failed"
done
[ $failed -eq 0 ]
