#!/bin/sh
# threads.sh PROGRAM TARGET... - how many threads compute the SMs must not show: every file
# a run writes, what it prints and how it ends is the same with one and with several, on
# several devices, in faults too, and where a run is cut off.
. "$(dirname "$0")/lib.sh"

program=$1
shift
count=0
several="2 5"

run() { # DIRECTORY TARGET OPTION...
    directory=$work/$1
    target=$2
    shift 2
    rm -rf "$directory"
    mkdir "$directory"
    (cd "$directory" && NO_COLOR=1 "$program" run "$target" --trace none -o out "$@" \
        >stdout 2>stderr
    echo "exit $?" >>stderr)
}

same() { # TARGET OPTION...
    run one "$@"
    for threads in $several; do
        run many "$@" --threads $threads
        diff -r "$work/one" "$work/many" >"$work/differ" ||
            fail "$*: $threads threads show: $(head -n 5 "$work/differ")"
        count=$((count + 1))
    done
}

ended() { # HOW - so did the last run with one thread
    grep -q "^exit $1\$" "$work/one/stderr" || fail "$1: $(cat "$work/one/stderr")"
}

for preset in gtx480 8800gtx k20x h100; do
    for target in reverse reduction-small; do
        same $target -c $preset
        ended 0
    done
done
same reduction-small -c gtx480 --max-cycles 3000
ended 6
same reduction-small -c gtx480 -s icnt.queue=1
same reduction-small -c gtx480 -s icnt.latency=1
same reduction-small -c gtx480 -s l2.latency=1 -s icnt.clock=2GHz
same reduction-small -c k20x -s icnt.latency=1 -s icnt.clock=2GHz
same reverse -c gtx480 -s gpu.sms=1
ended 0
several=3
for target in "$@"; do
    same "$target" -c gtx480 -s gpu.what_if=true
done

[ $failed -eq 0 ] && echo "$count runs in threads are what they are without"
[ $failed -eq 0 ]
