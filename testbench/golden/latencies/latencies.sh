#!/bin/sh
# latencies.sh PROGRAM [PRESET...] - idle latencies as kernels see them (latencies.cu), on
# every preset of which latencies.csv cites any: the model must be within the tolerance.
#
# The rows of a preset become launches of one file, each into a buffer of its own, and
# what that file expects are the figures cited. Global loads may use the L1 (-dlcm=ca).
set -u

program=$1
shift
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/latencies.ptx" "$work" && cd "$work" || exit 1
[ $# -gt 0 ] || set -- $(awk -F, 'NR > 1 { print $1 }' "$here/latencies.csv" | uniq)
failed=0
for preset in "$@"; do
    # One thread where lanes do not matter: no request is split. Lines that no cache has:
    # a buffer per launch, in steps of 4352 bytes.
    awk -F, -v preset="$preset" '
        $1 != preset { next }
        {
            n++
            name = $2 ($3 == "" ? "" : "_" $3)
            threads = $2 ~ /^(shared|const)/ ? 32 : 1
            args = $2 ~ /^(shared|const)/ ? $3 : $2 "_buffer"
            if ($2 == "const_load") {
                args = args ", 0"
            }
            if (args ~ /buffer/) {
                buffers = buffers "  " args ": {type: u64, count: 17408, " \
                    "init: {fill: 4352}}\n"
            }
            buffers = buffers "  " name ": {type: f32, count: 1, init: zero}\n"
            launches = launches "  - {kernel: " $2 ", grid: [1], block: [" threads \
                "], args: [" name ", " args "]}\n"
            expect = expect "  - {buffer: " name ", count: 1, equals: {fill: " $4 \
                "}, tolerance: " $5 "}\n"
        }
        END {
            printf "module: latencies.ptx\nbuffers:\n%slaunches:\n%sexpect:\n%s",
                buffers, launches, expect
            exit n == 0
        }' "$here/latencies.csv" >"$preset.yml" || {
        echo "$preset: nothing is cited"
        failed=1
        continue
    }
    l1=true
    case $("$program" config show "$preset" gpu.compute_capability) in
    1.*) l1=false ;; # no L1
    esac
    "$program" run "$preset.yml" -c "$preset" -s sm.l1.global=$l1 --trace none \
        -o "$preset-out" >log 2>&1 || {
        echo "$preset: not as cited"
        grep -A3 'error:' log
        failed=1
        continue
    }
    echo "$preset: $(grep -c equals: "$preset.yml") latencies as cited"
done
exit $failed
