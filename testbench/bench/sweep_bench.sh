#!/bin/sh
# sweep_bench.sh - how many points of a sweep are run in a second.
#
#   sweep_bench.sh [-n RUNS] [-p POINTS] [-j "1 2"] [-c] SMWAVE
#
# POINTS points (1000; a multiple of 50) of reverse, a kernel of 64 threads, by a pool of
# processes and in threads, with each number of workers. Everything is run RUNS times
# (3), in turn, and the best of them is shown: points per second of all, from the sweep
# file to the merged results; milliseconds a point; its processor time, user and system,
# of all processes; how points per second scale from the first number of workers. Beside
# it what the rest takes: merging what is there, and the plan. The last row is reverse
# alone, 100 times: a shell that starts the program for each.
#
# -c: CSV. Run it on a quiet machine.
set -eu

runs=3 points=1000 workers='1 2' csv=0
usage() {
    echo "usage: sweep_bench.sh [-n RUNS] [-p POINTS] [-j LIST] [-c] SMWAVE" >&2
    exit 2
}
while getopts n:p:j:c o; do
    case $o in
    n) runs=$OPTARG ;;
    p) points=$OPTARG ;;
    j) workers=$OPTARG ;;
    c) csv=1 ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || usage
program=$1
case $program in
*/*) program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program") ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >bench.yml <<END
base: {target: reverse, config: gtx480}
grid:
  sm.smem.latency: 21..$((20 + points / 50))
  icnt.latency: 11..35
  sm.scheduler.policy: [lrr, gto]
collect: [cycles, {name: ipc, value: warp_insts / cycles}]
END

# seconds NAME COMMAND...: append how long it took, and the processor time of all children
# before and after
seconds() {
    name=$1
    shift
    times >cpu
    before="$(date +%s.%N) $(tail -n 1 cpu)"
    "$@" >stdout 2>stderr || {
        cat stdout stderr
        exit 1
    }
    after=$(date +%s.%N)
    times >cpu
    echo "$name $before $after $(tail -n 1 cpu)" >>times
}

alone() {
    i=0
    while [ $i -lt 100 ]; do
        "$program" run reverse --trace none -o alone
        i=$((i + 1))
    done
}

run=0
while [ $run -lt "$runs" ]; do
    run=$((run + 1))
    for j in $workers; do
        for how in processes threads; do
            rm -rf out
            option=
            [ $how = processes ] || option=--in-process
            # shellcheck disable=SC2086
            seconds "$how/$j" "$program" sweep run bench.yml -o out -j "$j" $option
        done
    done
    seconds "merge/1" "$program" sweep merge out
    rm -rf planned
    seconds "plan/1" "$program" sweep plan bench.yml -o planned
    seconds "alone/1" alone
done

awk -v points="$points" -v csv=$csv '
function cpu(text,    part) { # 1m2.5s
    split(text, part, /[ms]/)
    return 60 * part[1] + part[2]
}

{
    s = $5 - $2
    if (!($1 in best)) {
        name[n++] = $1
    }
    if (!($1 in best) || s < best[$1]) {
        best[$1] = s
        took[$1] = cpu($6) + cpu($7) - cpu($3) - cpu($4)
    }
}

END {
    print csv ? "how,workers,points_per_second,milliseconds,cpu_milliseconds,scaling" \
              : sprintf("%-12s %8s %10s %10s %10s %8s", "", "workers", "points/s",
                        "ms/point", "cpu ms", "scaling")
    for (i = 0; i < n; i++) {
        split(name[i], part, "/")
        runs = part[1] == "alone" ? 100 : points
        s = best[name[i]] / runs
        if (!(part[1] in first)) {
            first[part[1]] = s
        }
        printf csv ? "%s,%s,%.1f,%.3f,%.3f,%.2f\n" \
                   : "%-12s %8s %10.1f %10.3f %10.3f %8.2f\n",
            part[1], part[2], 1 / s, 1000 * s, 1000 * took[name[i]] / runs,
            first[part[1]] / s
    }
}' times
