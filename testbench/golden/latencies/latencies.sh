#!/bin/sh
# latencies.sh PROGRAM [PRESET...] - idle latencies as kernels see them (latencies.cu), on
# every preset that stands for a device: the model must be within the tolerance of what
# latencies.csv cites of it.
#
# The rows of a preset become launches of one file, each into a buffer of its own, and
# what that file expects are the figures cited. Global loads may use the L1 (-dlcm=ca).
. "$(dirname "$0")/../lib.sh"

program=$1
shift
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
cp "$here/latencies.ptx" "$work" && cd "$work" || exit 1
[ $# -gt 0 ] || set -- $("$program" config list |
    sed -n '/^presets/,/^$/s/^  \([^ ]*\) .*/\1/p' | grep -vx -e tiny -e mean)

# The launch file of a preset. One thread where lanes do not matter, so that no request is
# split. Global loads have a buffer per launch, for lines that no cache has yet; it holds
# the distance to the next line.
launch_file() {
    awk -F, -v preset="$1" '
        $1 != preset { next }
        {
            n++
            threads = 32
            name = $2 ($3 == "" ? "" : "_" $3)
            args = name ($3 == "" ? "" : ", " $3)
        }
        $2 == "barrier" { threads = 32 * $3; args = name }
        $2 ~ /^(l1|l2|dram)_load$/ {
            threads = 1
            args = args ", " name "_lines"
            buffers = buffers "  " name "_lines: {type: u64, count: 17408, " \
                "init: {fill: 4352}}\n"
        }
        {
            buffers = buffers "  " name ": {type: f32, count: 1, init: zero}\n"
            launches = launches "  - {kernel: " $2 ", grid: [1], block: [" threads \
                "], args: [" args "]}\n"
            expect = expect "  - {buffer: " name ", count: 1, equals: {fill: " $4 \
                "}, tolerance: " $5 "}\n"
        }
        END {
            printf "module: latencies.ptx\nbuffers:\n%slaunches:\n%sexpect:\n%s",
                buffers, launches, expect
            exit n == 0
        }' "$here/latencies.csv"
}

for preset in "$@"; do
    launch_file "$preset" >"$preset.yml" || {
        echo "$preset: nothing is cited; add what was measured on such a device, with its" \
            "source, to testbench/golden/latencies/latencies.csv"
        failed=1
        continue
    }
    l1=true
    case $("$program" config show "$preset" gpu.compute_capability) in
    1.*) l1=false ;; # no L1
    esac
    # An addition that nobody reads waits for each latency: an assembler would drop it.
    # Sixteen loads are too few to meet refreshes as often as many do.
    "$program" run "$preset.yml" -c "$preset" -s sm.l1.global=$l1 -s dram.refi=0 \
        -s ptx.schedule=as_written --trace none \
        -o "$preset-out" >log 2>&1 || {
        echo "$preset: not as cited"
        grep -A3 'error:' log
        failed=1
        continue
    }
    echo "$preset: $(grep -c equals: "$preset.yml") latencies as cited"
done
exit $failed
