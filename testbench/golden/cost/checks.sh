#!/bin/sh
# checks.sh PROGRAM KERNELS - what the checks cost, in instructions of the host counted by
# callgrind, in the reduction in shared memory: "fast" at most 5 % more than "none", "full"
# at most three times as much, "global" four times. Of 32 blocks, without what one block takes with all that
# comes before it.
set -u

program=$1
kernels=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! command -v valgrind >/dev/null; then
    echo "checks: valgrind is missing; it counts the instructions (apt install valgrind)"
    exit 1
fi

# LEVEL BLOCKS
count() {
    cat >"$work/run.yml" <<END
module: $kernels/reduction.ptx
config: gtx480
buffers:
  q: {type: f32, count: $(($2 * 512)), init: {fill: 0.5}}
  sums: {type: f32, count: $2}
launches:
  - {kernel: cal_sum_ker, grid: [$2], block: [512], shared: 2048,
     args: [q, sums, $(($2 * 512))]}
expect: [{buffer: sums, count: $2, equals: {fill: 256}}]
trace: {format: none}
END
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" run \
        "$work/run.yml" -s gpu.sms=1 --check "$1" -o "$work/out" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        exit 1
    }
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/log"
}

for level in none fast full global; do
    few=$(count $level 1) && many=$(count $level 32) || exit 1
    echo "$level $((many - few))"
done >"$work/costs"
awk '
    { cost[$1] = $2 }
    END {
        fast = 100 * (cost["fast"] / cost["none"] - 1)
        full = cost["full"] / cost["none"]
        global = cost["global"] / cost["none"]
        bad = fast > 5 || full > 3 || global > 4 || cost["none"] < 1000000
        printf "checks: %d host instructions, fast %+.2f %%, full %.2f times, global %.2f\n",
            cost["none"], fast, full, global
        exit bad
    }' "$work/costs"
