#!/bin/sh
# probes.sh MODEL_BENCH KERNELS SOURCE BUILD [CMAKE_OPTION]... - what probes cost a model
# that nobody observes: at most 3 % of the host's instructions, counted by callgrind, of a
# model built without them. That one is built here, in BUILD, with the same options.
. "$(dirname "$0")/../lib.sh"

bench=$1
kernels=$2
source=$3
build=$4
shift 4

if ! command -v valgrind >/dev/null; then
    echo "probes: valgrind is missing; it counts the instructions (apt install valgrind)"
    exit 1
fi
if ! { cmake -S "$source" -B "$build" -DSMW_PROBES=OFF -DSMW_TESTS=OFF "$@" &&
    cmake --build "$build" --target model_bench; } >"$work/log" 2>&1; then
    tail -n 30 "$work/log"
    echo "probes: the model without them does not build"
    exit 1
fi

# A size and rows of that size.
measure() {
    "$bench" -n 1 -i -e "$1" -r "$2" -c "$work/with.csv" "$kernels" || exit 1
    "$build/testbench/bench/model_bench" -n 1 -i -e "$1" -r "$2" -c "$work/without.csv" \
        "$kernels" || exit 1
}
measure 14 'shared-14/gtx480/1' >"$work/log"
measure 14 'global-14/gtx480/all' >"$work/log"
measure 12 'matmul-12/h100/all' >"$work/log"

awk -F, '
    FNR == 1 { next }
    FNR == NR {
        without[$2] = $11
        next
    }
    {
        n++
        change = $2 in without ? 100 * ($11 / without[$2] - 1) : 100
        bad = change > 3 || $11 == without[$2] # equal: it was not built without
        printf "probes: %s: %.0f host instructions, %.0f without, %+.2f %%%s\n", $2, $11,
            without[$2], change, bad ? ": wrong" : ""
        failed = failed || bad
    }
    END {
        if (n != 3) {
            print "probes: three rows were to be measured, not " n + 0
            failed = 1
        }
        exit failed
    }' "$work/without.csv" "$work/with.csv"
