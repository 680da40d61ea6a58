#!/bin/sh
# compare.sh - two builds in one run: how many times as fast is the new one?
#
#   compare.sh [-n RUNS] [-i] [-m] OLD NEW KERNELS_DIR [ROW_GLOB]...
#
# OLD and NEW are build folders with the same flags, each with testbench/bench/model_bench
# and smwave. Each row runs RUNS times (7) in both, in turn, and each turn gives a ratio of
# seconds, old to new; the median of the ratios is shown, with the least and the greatest.
# Other work on the machine disturbs both of a turn, and so the ratio less than either.
# -i: also the ratio of host instructions inside the simulation loop, which is exact
# (callgrind, some 50 times slower). -m: a Markdown table, else CSV.
#
# Rows: those of the globs, else reductions in shared and in global memory on one SM and on
# all, conflicts, a matrix product, a chain of loads, launches. Without globs there is also
# a line for what all waveforms of reduction-small add to its run (VCD, elapsed time: a second
# thread may write).
set -eu

usage() {
    echo "usage: compare.sh [-n RUNS] [-i] [-m] OLD NEW KERNELS_DIR [ROW_GLOB]..." >&2
    exit 2
}

runs=7 count= markdown=0 traces=0
while getopts n:im o; do
    case $o in
    n) runs=$OPTARG ;;
    i) count=-i ;;
    m) markdown=1 ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 3 ] || usage
old=$1 new=$2 kernels=$3
shift 3
if [ $# -eq 0 ]; then
    traces=1
    set -- 'shared-16/gtx480/1' 'shared-20/gtx480/all' 'shared-20/h100/all' \
        'global-16/gtx480/1' 'global-20/gtx480/all' 'conflict-14/gtx480/1' \
        'matmul-14/gtx480/1' 'chase-10/gtx480/1' 'reverse-8/gtx480/1'
fi
testbench=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# measure BUILD TURN [-i] ROW_GLOB: appends to seconds or insts "row,turn,build,value"
measure() {
    build=$1 turn=$2
    shift 2
    rm -f "$work/rows.csv"
    "$build/testbench/bench/model_bench" -n 1 -c "$work/rows.csv" -l "$turn" \
        ${1:+-r "$1"} ${2:+"$2"} "$kernels" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        exit 1
    }
    # columns of the history are found by name
    awk -F, -v turn="$turn" -v build="$build" -v dir="$work" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        {
            value = "," turn "," (build == "'"$old"'" ? "old" : "new") ","
            print $at["row"] value $at["median_seconds"] >>(dir "/seconds")
            if ($at["host_insts"] != "") {
                print $at["row"] value $at["host_insts"] >>(dir "/insts")
            }
        }' "$work/rows.csv"
}

# traced BUILD TURN NAME: the time that waveforms of everything add
sed -e '/^trace:/d' -e "s,^module: \.\./,module: $testbench/," \
    "$testbench/launches/reduction-small.yml" >"$work/all.yml"
traced() {
    for trace in none vcd; do
        "$new/testbench/bench/cpu_time" -e "$1/smwave" run "$work/all.yml" -c gtx480 \
            --trace $trace -o "$work/out" --force
    done >"$work/times"
    awk -v turn="$2" -v build="$3" '
        { ns[NR] = $1 }
        END { print "vcd of reduction-small," turn "," build "," ns[2] - ns[1] }
    ' "$work/times" >>"$work/seconds"
}

: >"$work/seconds"
: >"$work/insts"
for glob; do
    turn=1
    while [ $turn -le "$runs" ]; do
        measure "$old" $turn "$glob"
        measure "$new" $turn "$glob"
        turn=$((turn + 1))
    done
    if [ -n "$count" ]; then
        measure "$old" count "$glob" -i
        measure "$new" count "$glob" -i
    fi
done
if [ $traces -eq 1 ]; then
    turn=1
    while [ $turn -le "$runs" ]; do
        traced "$old" $turn old
        traced "$new" $turn new
        turn=$((turn + 1))
    done
fi

# The ratios of each row in order, then their middle and ends.
awk -F, -v markdown=$markdown -v insts="$work/insts" '
    function show(row, r, n, counted,    i, j, t, middle) {
        for (i = 2; i <= n; i++) {
            for (j = i; j > 1 && r[j] < r[j - 1]; j--) {
                t = r[j]; r[j] = r[j - 1]; r[j - 1] = t
            }
        }
        middle = n % 2 ? r[(n + 1) / 2] : (r[n / 2] + r[n / 2 + 1]) / 2
        printf markdown ? "| %s | %.2f | %.2f | %.2f | %s |\n" : "%s,%.3f,%.3f,%.3f,%s\n",
            row, middle, r[1], r[n], counted
    }
    BEGIN {
        while ((getline line < insts) > 0) {
            split(line, f, ",")
            host[f[1], f[3]] = f[4]
        }
        if (markdown) {
            print "| row | seconds, old : new | least | greatest | instructions |"
            print "|---|---:|---:|---:|---:|"
        } else {
            print "row,seconds,least,greatest,instructions"
        }
    }
    $2 == "count" { next }
    !($1 in turns) { order[++rows] = $1 }
    $3 == "old" { before[$1] = $4 }
    $3 == "new" { ratio[$1, ++turns[$1]] = before[$1] / $4 }
    $3 == "old" { turns[$1] += 0 }
    END {
        for (k = 1; k <= rows; k++) {
            row = order[k]
            for (i = 1; i <= turns[row]; i++) {
                r[i] = ratio[row, i]
            }
            counted = (row, "new") in host ? \
                sprintf("%.3f", host[row, "old"] / host[row, "new"]) : ""
            show(row, r, turns[row], counted)
        }
    }' "$work/seconds"
