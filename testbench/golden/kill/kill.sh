#!/bin/sh
# kill.sh PROGRAM N [SEED [FORMATS]] - N runs with waveforms killed (SIGKILL) and N
# interrupted (SIGINT), each at a random time between its start and its end. What is there
# afterwards must be of use: JSON that is whole, dumps that open; an interrupted run
# completes its files. FORMATS: of the dumps, as --trace takes them. Prints what was left.
. "$(dirname "$0")/../lib.sh"

program=$1
n=$2
seed=${3:-1}
formats=${4:-vcd}
cd "$work" || exit 1

"$program" run reduction-small --trace "$formats" -o whole --timing whole.json \
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
    "$program" run reduction-small --trace "$formats" -o out >stdout 2>stderr &
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
    for format in $(echo "$formats" | tr , ' '); do
        [ -e "out/run.$format" ] || continue
        # of the last write a part may be there, which viewers bear
        if "$program" wave check "out/run.$format" >stdout 2>stderr || {
            [ "$1" = KILL ] && grep -q "ends in the middle of a line" stderr
        }; then
            opened=$((opened + 1))
        else
            fail "$1 after $2 s: run.$format: $(cat stderr)"
        fi
    done
}

for signal in KILL INT; do
    ended=0 kept=0 opened=0
    for delay in $(awk -v n="$n" -v seed="$seed" -v most="$length" 'BEGIN {
        srand(seed); for (i = 0; i < n; i++) printf "%.4f\n", rand() * most }'); do
        one $signal "$delay"
    done
    echo "$n of SIG$signal: $ended came too late; whole JSON and YAML files $kept;" \
        "dumps opened $opened; failures so far $failed"
done
[ $failed -eq 0 ]
