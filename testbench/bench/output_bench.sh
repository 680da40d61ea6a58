#!/bin/sh
# output_bench.sh - what each output of a run costs in instructions of the host, and how
# many bytes it is.
#
#   output_bench.sh [-c] SMWAVE [TARGET [OPTION]...]
#
# TARGET (reduction-small) is run with --trace none and OPTIONs, then with one output
# more, under callgrind: neither clock nor load has a say in it, and the processes that a
# run starts are counted too. Printed are millions of instructions, how many times the run
# without an output that is, and the KB of its folder beyond the three files of every run.
# Outputs that commands make of a folder ("report", "wave view") are without their run.
#
# -c: CSV, with whole numbers.
set -eu

csv=0
usage() {
    echo "usage: output_bench.sh [-c] SMWAVE [TARGET [OPTION]...]" >&2
    exit 2
}
while getopts c o; do
    case $o in
    c) csv=1 ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || usage
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
[ $# -ge 1 ] || set -- reduction-small
if ! command -v valgrind >/dev/null; then
    echo "output_bench: valgrind is missing; it counts the instructions (apt install valgrind)" >&2
    exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Instructions of a command and of the processes that it starts.
count() {
    rm -f "$work"/count.*
    valgrind --tool=callgrind --trace-children=yes --callgrind-out-file="$work/count.%p" \
        "$program" "$@" >"$work/text" 2>"$work/err" || {
        tail -n 5 "$work/err" >&2
        exit 1
    }
    sed -n 's/^summary: *\([0-9]*\).*/\1/p' "$work"/count.* | awk '{n += $1} END {print n}'
}

bytes() { # of the folder, without the files of every run
    find "$1" -type f ! -name stats.json ! -name config.yml ! -name report.json \
        -printf '%s\n' | awk '{n += $1} END {print n + 0}'
}

row() { # NAME INSTRUCTIONS BYTES
    if [ $csv -eq 1 ]; then
        echo "\"$1\",$2,$3"
    else
        awk -v name="$1" -v n="$2" -v base="$none" -v bytes="$3" 'BEGIN {
            printf "%-30s %10.1f %8.3f %10.1f\n", name, n / 1e6, n / base, bytes / 1024}'
    fi
}

# NAME OPTION... - of a run
of_run() {
    name=$1
    shift
    rm -rf "$work/out"
    n=$(count run "$@" -o "$work/out")
    row "$name" "$n" "$(bytes "$work/out")"
}

rm -rf "$work/out"
none=$(count run "$@" --trace none -o "$work/out")
if [ $csv -eq 1 ]; then
    echo "output,host_insts,bytes"
else
    printf '%-30s %10s %8s %10s\n' output 'M insts' times KB
fi
row none "$none" "$(bytes "$work/out")"
of_run --json "$@" --trace none --json
of_run '--stats FILE.csv' "$@" --trace none --stats "$work/stats.csv"
of_run --blocks "$@" --trace none --blocks
of_run '--pipeline konata' "$@" --trace none --pipeline konata
of_run '--timeline perfetto' "$@" --trace none --timeline perfetto
of_run --profile "$@" --trace none --profile
of_run '--explain 5 --gains 0' "$@" --trace none --explain 5 --gains 0
of_run '--explain 5, 4 further runs' "$@" --trace none --explain 5 --gains 4
of_run '--check none' "$@" --trace none --check none
of_run '--check full' "$@" --trace none --check full
of_run '--check global' "$@" --trace none --check global
of_run '--trace vcd' "$@" --trace vcd
of_run '--trace vcd, all views' "$@" --trace vcd \
    --view banks,scheduler,pipeline,coalescer,memory,warp=0,bank=0
of_run '--trace fst' "$@" --trace fst
row why "$(count why "$1")" 0

# Of a folder that is there.
"$program" run "$@" --trace vcd --profile --explain 5 -o "$work/made" >"$work/text"
before=$(bytes "$work/made")
n=$(count report "$work/made")
row 'report, of a run' "$n" $(($(bytes "$work/made") - before))
before=$(bytes "$work/made")
n=$(count wave view "$work/made" --view banks)
row 'wave view, of a run' "$n" $(($(bytes "$work/made") - before))
