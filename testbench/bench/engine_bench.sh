#!/bin/sh
# engine_bench.sh - the engine beside SystemC: nanoseconds of processor time per event.
#
#   engine_bench.sh [-n RUNS] [-e EVENTS] [-r ROW] [-k K] [-i] [-c] ENGINE [SYSTEMC]
#
# ENGINE and SYSTEMC are the programs engine_bench and engine_systemc; engine_rows.h
# says what the rows are. Each row and K is run RUNS times (7) by both, alternately, for
# about EVENTS events (500000, at least 8 per process). Both must execute exactly the
# same number. -r, -k: these rows, these K only; may be repeated. -i: host instructions
# per event as well, by valgrind, the difference of two runs. -c: CSV. Run it on a quiet
# machine.
set -eu

runs=7 events=500000 rows= sizes= instructions=0 csv=0
while getopts n:e:r:k:ic o; do
    case $o in
    n) runs=$OPTARG ;;
    e) events=$OPTARG ;;
    r) rows="$rows $OPTARG" ;;
    k) sizes="$sizes $OPTARG" ;;
    i) instructions=1 ;;
    c) csv=1 ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo "usage: engine_bench.sh [-n RUNS] [-e EVENTS] [-r ROW] [-k K] [-i] [-c]" \
        "ENGINE [SYSTEMC]" >&2
    exit 2
fi
engine=$1 systemc=${2:-}

# count_insts PROGRAM ROW K EVENTS: "EVENTS INSTRUCTIONS" of a run as a whole
count_insts() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 |
        awk -v row="$2" '/ Collected : / { insts = $4 }
            index($0, row ",") == 1 { split($0, field, ","); n = field[3] }
            END { print n, insts }'
}

# insts WHO PROGRAM ROW K EVENTS
insts() {
    who=$1
    shift
    set -- "$1" "$2" "$3" "$4" "$(count_insts "$1" "$2" "$3" "$4")"
    set -- "$1" "$2" "$3" "$4" $5 $(count_insts "$1" "$2" "$3" "$(($4 * 2))")
    echo "insts,$who,$2,$3,$5,$6,$7,$8"
}

measure() {
    "$engine" | while IFS=, read -r row largest; do
        case " ${rows:-$row} " in
        *" $row "*) ;;
        *) continue ;;
        esac
        for k in ${sizes:-1 16 256 4096 65536}; do
            [ "$k" -le "$largest" ] || continue
            n=$((k * 8 > events ? k * 8 : events))
            i=0
            while [ "$i" -lt "$runs" ]; do
                echo "time,engine,$("$engine" "$row" "$k" "$n")"
                if [ -n "$systemc" ]; then
                    echo "time,systemc,$("$systemc" "$row" "$k" "$n" 2>/dev/null |
                        tail -n 1)"
                fi
                i=$((i + 1))
            done
            if [ "$instructions" = 1 ]; then
                n=$((k * 2 > 20000 ? k * 2 : 20000))
                insts engine "$engine" "$row" "$k" "$n"
                if [ -n "$systemc" ]; then
                    insts systemc "$systemc" "$row" "$k" "$n"
                fi
            fi
            echo "done,-,$row,$k"
        done
    done
}

measure | awk -F , -v csv="$csv" -v instructions="$instructions" '
# The sorted times of one program, in sorted[1..n]; returns n.
function sort(who,    i, j, n, x) {
    n = runs[who]
    for (i = 1; i <= n; i++) {
        x = ns[who, i]
        for (j = i - 1; j > 0 && sorted[j] > x; j--) {
            sorted[j + 1] = sorted[j]
        }
        sorted[j + 1] = x
    }
    return n
}

function mean(sum, n) {
    return n > 0 ? sprintf("%.2f (%d rows)", exp(sum / n), n) : "-"
}

BEGIN {
    if (csv) {
        print "row,K,events,best_ns,median_ns,systemc_best_ns,systemc_median_ns," \
            "ratio,insts,systemc_insts"
    } else {
        printf "%-14s %6s %9s %15s %15s %7s", "", "", "", "engine, ns", "SystemC, ns",
            "times"
        printf instructions ? " %16s\n" : "\n", "instructions"
        printf "%-14s %6s %9s %7s %7s %7s %7s %7s", "row", "K", "events", "best",
            "median", "best", "median", "median"
        printf instructions ? " %8s %7s\n" : "\n", "engine", "SystemC"
    }
}

$1 == "time" {
    ns[$2, ++runs[$2]] = $6 / $5
    if (!events) {
        events = $5
    } else if (events != $5) {
        printf "engine_bench.sh: %s, K = %s: %s events, not %s\n", $3, $4, $5,
            events > "/dev/stderr"
        failed = 1
    }
}

$1 == "insts" { insts[$2] = sprintf("%.0f", ($8 - $6) / ($7 - $5)) }

$1 == "done" {
    n = sort("engine")
    best = sorted[1]
    median = sorted[int((n + 1) / 2)]
    other_best = other = ratio = ""
    if ((n = sort("systemc")) > 0) {
        other_best = sprintf("%.1f", sorted[1])
        other = sorted[int((n + 1) / 2)]
        ratio = other / median
        group = $4 <= 256 ? "few" : "many"
        sum[group] += log(ratio)
        number[group]++
        flight[$3, $4] = other
        other = sprintf("%.1f", other)
        ratio = sprintf("%.2f", ratio)
    }
    mine[$3, $4] = median
    if (csv) {
        printf "%s,%s,%s,%.1f,%.1f,%s,%s,%s,%s,%s\n", $3, $4, events, best, median,
            other_best, other, ratio, insts["engine"], insts["systemc"]
    } else {
        printf "%-14s %6s %9s %7.1f %7.1f %7s %7s %7s", $3, $4, events, best, median,
            other_best, other, ratio
        printf instructions ? " %8s %7s\n" : "\n", insts["engine"], insts["systemc"]
    }
    fflush()
    split("", ns)
    split("", runs)
    split("", insts)
    events = 0
}

END {
    if (!csv && (number["few"] || number["many"])) {
        print "geometric mean, K <= 256:  " mean(sum["few"], number["few"])
        print "geometric mean, K >= 4096: " mean(sum["many"], number["many"])
        for (k = 1; k <= 256; k *= 256) {
            if (mine["port_line", k] && flight["txn_cb_ps", k]) {
                printf "a port message against SystemC txn_cb_ps, %d under way: %.2f\n",
                    k, flight["txn_cb_ps", k] / mine["port_line", k]
            }
        }
    }
    exit failed
}'
