#!/bin/sh
# profile.sh [-m] [-k DIR] MODEL_BENCH KERNELS_DIR [ROW_GLOB]... - where the host
# instructions of model_bench's rows go: per warp instruction, by module, as CSV (-m: as a
# Markdown table), with how often the processes that matter run.
#
# Callgrind counts inside the simulation loop. An instruction belongs to the module of the
# source file it came from, also where that was inlined elsewhere; helpers of no module
# (model/base, mem.h) belong to the function they were inlined in. So the program must know
# its source lines: -g1, as in the release preset. -k keeps the profiles, one file per row,
# and takes those that are there. Rows: all of a size below 2^20, or those of the globs.
set -eu

usage() {
    echo "usage: profile.sh [-m] [-k DIR] MODEL_BENCH KERNELS_DIR [ROW_GLOB]..." >&2
    exit 2
}

markdown=0
keep=
while getopts mk: o; do
    case $o in
    m) markdown=1 ;;
    k) keep=$OPTARG ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 2 ] || usage
bench=$1
kernels=$2
shift 2
[ $# -gt 0 ] || set -- '*-16/*' '*-14/*' '*-10/*' '*-8/*'
command -v valgrind >/dev/null || {
    echo "profile.sh: valgrind is not installed" >&2
    exit 2
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -n "$keep" ] || keep=$work
mkdir -p "$keep"

for glob; do
    "$bench" -n 1 -r "$glob" -c "$work/rows.csv" -l profile "$kernels" >"$work/log" || {
        cat "$work/log" >&2
        exit 1
    }
done

# One profile: the self cost of every module, and the calls of the processes.
cat >"$work/split.awk" <<'AWK'
function module(file, outer) {
    if (file ~ /model\/(base\/|mem\/mem\.[ch])/) {
        return outer == "" ? "other" : module(outer, "")
    }
    if (file ~ /model\/engine\//) return "engine"
    if (file ~ /model\/comp\//) return "comp"
    if (file ~ /model\/isa\//) return "lanes"
    if (file ~ /model\/sm\/lsu|model\/mem\/rules_global|model\/mem\/cbank/) return "lsu"
    if (file ~ /model\/sm\//) return "sm"
    if (file ~ /model\/mem\/(smem|rules)/) return "smem"
    if (file ~ /model\/mem\/l1/) return "l1"
    if (file ~ /model\/mem\/icnt/) return "icnt"
    if (file ~ /model\/mem\/(l2|memory)/) return "l2"
    if (file ~ /model\/mem\/dram/) return "dram"
    if (file ~ /model\/(gpu|stat|cfg)\//) return "gpu"
    return "other"
}
# "(12) name" names 12, "(12)" uses the name.
function named(text, names,    id, at) {
    at = index(text, ")")
    id = substr(text, 1, at)
    if (length(text) > at) {
        names[id] = substr(text, at + 2)
    }
    return names[id]
}
/^(fl|fi|fe|cfi|cfl)=/ {
    at = index($0, "=")
    key = substr($0, 1, at - 1)
    name = named(substr($0, at + 1), files)
    if (key == "fl") {
        outer = name
    }
    if (key != "cfi" && key != "cfl") {
        now = module(name, outer)
        known += name ~ /model\//
    }
    next
}
/^c?fn=/ {
    at = index($0, "=")
    name = named(substr($0, at + 1), functions)
    sub(/[.\x27].*/, "", name)
    called = name
    next
}
/^calls=/ {
    split(substr($0, 7), count, " ")
    calls[called] += count[1]
    skip = 1 # the next line is the cost of what was called
    next
}
/^[-+*0-9]/ {
    if (!skip) {
        cost[now] += $2
    }
    skip = 0
}
END {
    if (!known) {
        print "profile.sh: the program does not know its source lines (-g1)" >"/dev/stderr"
        exit 1
    }
    n = split("engine comp sm lanes lsu smem l1 icnt l2 dram gpu other", m, " ")
    for (i = 1; i <= n; i++) {
        total += cost[m[i]]
    }
    printf "%s,%d,%.3f,%.0f", row, insts, wakes, total / insts
    for (i = 1; i <= n; i++) {
        printf ",%.1f", cost[m[i]] / insts
    }
    n = split("sm_step lsu_step xbar_step bank_step l1_step net_step l2_step dram_step", m,
              " ")
    for (i = 1; i <= n; i++) {
        printf ",%.3f", calls[m[i]] / insts
    }
    printf "\n"
}
AWK

# Columns of the history are found by name.
awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { print $at["row"], $at["warp_insts"], $at["activations"] / $at["warp_insts"] }
' "$work/rows.csv" >"$work/rows"

{
    echo "row,warp_insts,wakes,insts,engine,comp,sm,lanes,lsu,smem,l1,icnt,l2,dram,gpu,other,sm_step,lsu_step,xbar_step,bank_step,l1_step,net_step,l2_step,dram_step"
    while read -r row insts wakes; do
        profile=$keep/$(echo "$row" | tr / .).out
        [ -s "$profile" ] ||
            valgrind --tool=callgrind --callgrind-out-file="$profile" \
                --toggle-collect=bench_loop "$bench" -1 -r "$row" "$kernels" \
                >"$work/log" 2>&1 || {
            cat "$work/log" >&2
            exit 1
        }
        awk -v row="$row" -v insts="$insts" -v wakes="$wakes" -f "$work/split.awk" \
            "$profile"
    done <"$work/rows"
} >"$work/table.csv"

if [ $markdown -eq 0 ]; then
    cat "$work/table.csv"
    exit
fi
awk -F, '
    {
        printf "|"
        for (i = 1; i <= NF; i++) {
            format = "%.2f"
            if (NR == 1 || i <= 2) {
                format = "%s"
            } else if (i >= 4 && i <= 16) {
                format = "%.0f"
            }
            printf " " format " |", $i
        }
        printf "\n"
    }
    NR == 1 {
        printf "|---|"
        for (i = 2; i <= NF; i++) {
            printf "---:|"
        }
        printf "\n"
    }
' "$work/table.csv"
