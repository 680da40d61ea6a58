#!/bin/sh
# everywhere.sh PROGRAM PRESET CC SEEDS - the targets of targets.txt on one device. What its
# capability, which is CC, has must give right answers, the counters of counters.txt, and the same
# bytes whatever order the model's processes run in; the rest is refused with exit 4 and
# says why.
. "$(dirname "$0")/../lib.sh"

program=$1
preset=$2
cc=$3
seeds=$4
here=$(cd "$(dirname "$0")" && pwd)
mkdir "$work/here" "$work/elsewhere"
ran=0
refused=0

said=$("$program" config show "$preset" | sed -n 's/.*compute_capability: *"*\([0-9.]*\).*/\1/p')
[ "$said" = "$cc" ] || {
    echo "configs/$preset.yml: its first line names $cc, gpu.compute_capability is $said"
    exit 1
}

wrong() {
    echo "$preset $*"
    failed=$((failed + 1))
}

run() { # DIRECTORY OPTION...
    cd "$work/$1" && rm -rf out
    shift
    "$program" run "$file" -c "$preset" -s ptx.schedule=as_written -o out "$@" >stdout 2>stderr
    status=$?
    cd "$work" || exit 1
}

check_counters() {
    awk -v target="$target" -v cc="$cc" -v name="$preset $target" '
        FNR == NR {
            split($0, f, ",")
            got[f[1], f[3]] = f[4]
            next
        }
        $1 == "target" {
            for (i = 4; i <= NF; i++) {
                if ($i + 0 <= cc + 0) {
                    column = i
                }
            }
        }
        $1 == target && $column != "-" {
            if (got[$2, $3] != $column) {
                print name ": launch " $2 ": " $3 " is " got[$2, $3] ", not " $column \
                    " as testbench/golden/everywhere/counters.txt has it; a capability" \
                    " that differs needs a column of its own there"
                bad = 1
            }
        }
        END { exit bad }
    ' "$work/here/stats.csv" "$here/counters.txt" || failed=$((failed + 1))
}

# Cycles of launches 0 to 3: pitches of 256, 1536, 2048 and 2304 bytes.
check_camping() {
    awk -F, -v preset="$preset" -v cc="$cc" '
        $3 == "cycles" { cycles[$1] = $4 }
        function ratio(a, b, least, most) {
            r = cycles[b] == 0 ? 0 : cycles[a] / cycles[b]
            if (r < least || r > most) {
                printf "%s camping: launch %d is %.2f times launch %d, not %s to %s\n",
                    preset, a, r, b, least, most
                bad = 1
            }
        }
        END {
            if (cc >= 2) { # folded: no pitch is bad
                ratio(1, 3, 0.6, 1.6)
                ratio(2, 3, 0.6, 1.6)
            } else if (preset == "8800gtx") { # 6 partitions
                ratio(1, 3, 1.3, 99)
            } else { # 4 and 8
                ratio(2, 3, 1.3, 99)
            }
            exit bad
        }
    ' "$work/here/stats.csv" || failed=$((failed + 1))
}

check_run() {
    ran=$((ran + 1))
    check_counters
    if [ "$target" = camping ]; then
        check_camping
    fi
    seed=1
    while [ "$seed" -le "$seeds" ]; do
        run elsewhere --shuffle "$seed"
        diff -rq "$work/here/out" "$work/elsewhere/out" || wrong "$target: seed $seed shows"
        seed=$((seed + 1))
    done
}

sed '/^#/d' "$here/targets.txt" >"$work/targets"
while read -r target from to word why; do
    case $target in
    */*) file=$here/../$target.yml ;;
    *) file=$target ;;
    esac
    run here --stats "$work/here/stats.csv"
    if awk -v cc="$cc" -v from="$from" -v to="$to" \
        'BEGIN { exit !(cc + 0 >= from + 0 && cc + 0 <= to + 0) }'; then
        if [ $status -eq 0 ]; then
            check_run
        else
            wrong "$target: exit $status"
            head -n 3 "$work/here/stderr"
        fi
    elif [ $status -ne 4 ] || ! grep -qF "$word" "$work/here/stderr"; then
        wrong "$target: exit $status, to be refused ($why)"
        head -n 3 "$work/here/stderr"
    else
        refused=$((refused + 1))
    fi
done <"$work/targets"
echo "$preset: $ran run, $refused refused, $failed wrong"
[ $failed -eq 0 ] && [ $ran -gt 0 ]
