#!/bin/sh
# product.sh SMWAVE [N...] - cycles of the four products of product.ptx on the model against those of
# an H100 (product.csv, warm: the second launch), for each N (128). Fails if one is more than 25 % off
# or an answer is wrong.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
smwave=$1
shift
[ $# -ne 0 ] || set -- 128
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
bad=0
for n in "$@"; do
    {
        echo "module: $here/../kernels/product.ptx"
        echo "config: h100"
        echo "buffers:"
        for m in a b; do
            echo "  $m: {type: f16, count: $((n * n)), init: {random: {seed: 262, modulo: 17, offset: -8}}}"
        done
        for k in naive shared async mma; do
            echo "  $k: {type: f32, count: $((n * n)), init: zero, dump: $k.raw}"
        done
        echo "launches:"
        for k in naive shared async mma; do
            grid="[$((n / 16)), $((n / 16))], block: [16, 16]"
            [ "$k" != mma ] || grid="[$((n / 64)), $((n / 32))], block: [128]"
            for i in first second; do
                echo "  - {kernel: product_$k, grid: $grid, args: [a, b, $k, $n]} # $i"
            done
        done
    } >"$out/product.yml"
    "$smwave" run "$out/product.yml" --trace none -o "$out/run" --force >"$out/text" || {
        cat "$out/text"
        exit 1
    }
    for k in shared async mma; do
        cmp "$out/run/naive.raw" "$out/run/$k.raw" || bad=1
    done
    awk -v n="$n" -v table="$here/product.csv" '
        BEGIN {
            while ((getline line < table) > 0) {
                if (split(line, f, ",") == 7 && f[1] == n) { warm[f[2]] = f[3] }
            }
        }
        /^product_/ { kernel = $1; sub(/\(.*/, "", kernel) }
        $1 == "cycles" && NF > 2 && ++seen[kernel] == 2 {
            gsub(",", "", $2)
            off = 100 * ($2 / warm[kernel] - 1)
            printf "%-4d %-15s %7d  H100 %7d  %+5.1f %%\n", n, kernel, $2, warm[kernel], off
            bad += off > 25 || off < -25
            rows++
        }
        END { exit bad > 0 || rows != 4 }' "$out/text" || bad=1
done
exit $bad
