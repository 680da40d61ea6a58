#!/bin/sh
# trace_bench.sh - what waveforms cost, in processor time, user and system.
#
#   trace_bench.sh [-n RUNS] [-s STEPS] [-c] [-q] [-h HISTORY -l LABEL] SMWAVE BENCH
#
# SMWAVE is the program; BENCH the folder with cpu_time, trace_values and, where SystemC
# is installed, trace_systemc. Everything is run RUNS times (7), one after the other in
# turn, and medians are shown:
#
#   reduction-small on gtx480, the program as a whole: without waveforms; the first SM as
#   VCD; all of it as VCD, into a file and thrown away; all of it as FST. A change is a
#   line of the dump, first values included; its cost is what the run takes longer than
#   the one without waveforms, the save file and events.log included.
#
#   64 signals of 32 bits over STEPS steps (20000), all of which change at each: libvcd
#   beside fprintf and SystemC's sc_trace, into a file and thrown away.
#
#   ring.yml on gtx480, once: 2,000 cycles around its first 16-way conflict, kept in a
#   ring until then, and all of it, hundreds of megabytes that go through a pipe.
#
# -c: CSV. -q: without the last. -h, -l: append the first table's rows to a history
# (history.sh). Run it on a quiet machine.
set -eu

runs=7 steps=20000 csv=0 quick=0 history='' label=''
usage() {
    echo "usage: trace_bench.sh [-n RUNS] [-s STEPS] [-c] [-q] [-h HISTORY -l LABEL]" \
        "SMWAVE BENCH" >&2
    exit 2
}
while getopts n:s:cqh:l: o; do
    case $o in
    n) runs=$OPTARG ;;
    s) steps=$OPTARG ;;
    c) csv=1 ;;
    q) quick=1 ;;
    h) history=$OPTARG ;;
    l) label=$OPTARG ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
if [ $# -ne 2 ] || { [ -n "$history" ] && [ -z "$label" ]; }; then
    usage
fi
smwave=$1 bench=$2
testbench=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ---- what is run ----

# The launch file with another trace: line, or none.
launch() {
    sed -e '/^trace:/d' -e "s,^module: \.\./,module: $testbench/," \
        "$testbench/launches/reduction-small.yml"
    [ -z "${1:-}" ] || echo "trace: {scope: '$1'}"
}
launch >"$work/all.yml"
launch 'gpu.sm0.*' >"$work/one.yml"
ln -s /dev/null "$work/null.vcd"

rows="untraced one_sm_vcd vcd vcd_discarded"
if "$smwave" run "$work/all.yml" -o "$work/try" --trace fst >/dev/null 2>&1; then
    rows="$rows fst"
else
    echo "trace_bench.sh: this smwave writes no FST" >&2
fi
writers="libvcd fprintf"
if [ -x "$bench/trace_systemc" ]; then
    writers="$writers sc_trace"
else
    echo "trace_bench.sh: no trace_systemc: SystemC was not found" >&2
fi

run() {
    case $1 in
    untraced) set -- "$1" all none ;;
    one_sm_vcd) set -- "$1" one vcd ;;
    vcd) set -- "$1" all vcd ;;
    vcd_discarded) set -- "$1" all "$work/null.vcd" ;;
    fst) set -- "$1" all fst ;;
    esac
    time=$("$bench/cpu_time" "$smwave" run "$work/$2.yml" -c gtx480 --trace "$3" \
        -o "$work/$1" --force)
    echo "run,$1,$time"
}

write() { # WRITER PATTERN FILE
    program=trace_values
    if [ "$1" = sc_trace ]; then
        program=trace_systemc
    fi
    "$bench/$program" "$1" "$2" "$steps" "$3" 2>/dev/null | tail -n 1
}

# ---- how large it was ----

size() {
    if [ -f "$1" ]; then
        wc -c <"$1" | tr -d ' '
    else
        echo 0
    fi
}

changes() {
    sed '1,/^[$]enddefinitions/d' "$1" | grep -c '^[^#$]'
}

about_runs() {
    all=$(changes "$work/vcd/run.vcd")
    echo "size,untraced,0,0"
    echo "size,one_sm_vcd,$(changes "$work/one_sm_vcd/run.vcd"),$(size "$work/one_sm_vcd/run.vcd")"
    echo "size,vcd,$all,$(size "$work/vcd/run.vcd")"
    echo "size,vcd_discarded,$all,0"
    echo "size,fst,$all,$(size "$work/fst/run.fst")"
    for name in warp_insts thread_insts cycles; do
        awk -v name="\"$name\":" '{
                gsub(/[ ,]+/, " ")
                for (i = 1; i < NF; i++) {
                    sum += $i == name ? $(i + 1) : 0
                }
            }
            END { printf "about,%s%.0f\n", name, sum }' "$work/untraced/stats.json"
    done | tr -d '":' | sed -e 's/insts/insts,/' -e 's/cycles/cycles,/'
}

measure() {
    i=0
    while [ "$i" -lt "$runs" ]; do
        for row in $rows; do
            run "$row"
        done
        for pattern in random counters; do
            for writer in $writers; do
                echo "file,$(write "$writer" "$pattern" "$work/$writer.vcd")"
                echo "discarded,$(write "$writer" "$pattern" "$work/null.vcd")"
            done
        done
        i=$((i + 1))
    done
    about_runs
}

# "ring,WHAT,BYTES,NANOSECONDS"
rings() {
    set -- "$bench/cpu_time" "$smwave" run "$testbench/bench/ring.yml" -c gtx480 --force
    time=$("$@" -o "$work/ring" --trace vcd --trace-ring 2000 --trace-on 'conflict>=16')
    echo "ring,ring,$(size "$work/ring/run.vcd"),$time"
    mkfifo "$work/whole.vcd"
    wc -c <"$work/whole.vcd" | tr -d ' ' >"$work/whole" &
    time=$("$@" -o "$work/long" --trace "$work/whole.vcd")
    wait
    echo "ring,whole,$(cat "$work/whole"),$time"
}

# ---- the tables ----

measure >"$work/measured"
if [ "$quick" = 0 ]; then
    rings >>"$work/measured"
fi
awk -F, -v csv="$csv" -v rows="$rows" -v writers="$writers" -v history="$history" \
    -v label="$label" '
function add(key, ns) {
    times[key, ++n[key]] = ns
}

# In ascending order; the median of n times.
function median(key,    i, j, x) {
    for (i = 1; i <= n[key]; i++) {
        x = times[key, i]
        for (j = i - 1; j > 0 && sorted[j] > x; j--) {
            sorted[j + 1] = sorted[j]
        }
        sorted[j + 1] = x
    }
    return sorted[int((n[key] + 1) / 2)]
}

function run_row(row, title,    ms, each) {
    if (index(" " rows " ", " " row " ") == 0) {
        return
    }
    ms = median(row) / 1e6
    if (row == "untraced") {
        base = ms
    }
    each = n_changes[row] > 0 ? sprintf("%.0f", (ms - base) * 1e6 / n_changes[row]) : ""
    if (csv) {
        printf "run,%s,%d,%.3f,%s,%d,%.2f\n", row, n_changes[row], ms, each,
            bytes[row], ms / base
    } else {
        printf "%-32s %9.1f %9d %9s %9d %9.1f\n", title, ms, n_changes[row], each,
            bytes[row], ms / base
    }
    if (history != "") {
        printf "%s,reduction-small %s/gtx480/all,%d,%d,%d,,%.6f,%.6f,,,\n", label, row,
            about["warp_insts"], about["thread_insts"], about["cycles"],
            sorted[1] / 1e9, ms / 1e3 >>history
    }
}

function write_row(where, pattern, writer,    key, each) {
    key = where SUBSEP writer SUBSEP pattern
    if (!(key in n)) {
        return
    }
    each = median(key) / n_changes[key]
    if (writer == "libvcd") {
        first = each
    }
    if (csv) {
        printf "%s,%s %s,%d,%.3f,%.1f,%d,%.2f\n", where, pattern, writer,
            n_changes[key], each * n_changes[key] / 1e6, each, bytes[key], each / first
    } else {
        printf "%-10s %-10s %-10s %9.1f %9.1f %9.1f %9.1f\n", pattern, writer, where,
            each, 1e3 / each, bytes[key] / n_changes[key], each / first
    }
}

function ring_row(row, title) {
    if (csv) {
        printf "ring,%s,,%.3f,,%d,%.2f\n", row, ring_ns[row] / 1e6, bytes[row],
            bytes[row] / bytes["ring"]
    } else {
        printf "%-32s %9.1f %19s %9d %9.1f\n", title, ring_ns[row] / 1e6, "",
            bytes[row], bytes[row] / bytes["ring"]
    }
}

$1 == "run" { add($2, $3) }
$1 == "ring" {
    bytes[$2] = $3
    ring_ns[$2] = $4
}
$1 == "size" {
    n_changes[$2] = $3
    bytes[$2] = $4
}
$1 == "about" { about[$2] = $3 }
$1 == "file" || $1 == "discarded" {
    key = $1 SUBSEP $2 SUBSEP $3
    add(key, $5)
    n_changes[key] = $4
    bytes[key] = $6
}

END {
    if (csv) {
        print "what,row,changes,ms,ns_per_change,bytes,times"
    } else {
        printf "%-32s %9s %9s %9s %9s %9s\n", "reduction-small, gtx480", "ms", "changes",
            "ns/change", "bytes", "times"
    }
    run_row("untraced", "without waveforms")
    run_row("one_sm_vcd", "first SM, VCD")
    run_row("vcd", "all, VCD")
    run_row("vcd_discarded", "all, VCD thrown away")
    run_row("fst", "all, FST")
    if (!csv) {
        printf "\n%-32s %9s %9s %9s %9s\n", "64 signals of 32 bits", "ns/change",
            "M/s", "bytes/ch.", "times"
    }
    split("random counters", patterns, " ")
    count = split(writers, writer, " ")
    for (p = 1; p <= 2; p++) {
        for (w = 1; w <= count; w++) {
            write_row("file", patterns[p], writer[w])
        }
        for (w = 1; w <= count; w++) {
            write_row("discarded", patterns[p], writer[w])
        }
    }
    if ("ring" in ring_ns) {
        if (!csv) {
            printf "\n%-32s %9s %19s %9s %9s\n", "ring.yml, gtx480", "ms", "", "bytes",
                "times"
        }
        ring_row("ring", "2,000 cycles around a conflict")
        ring_row("whole", "all of it")
    }
}' "$work/measured"
