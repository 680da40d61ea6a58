#!/bin/sh
# pgo.sh - build smwave with gcc for what it does most: once with counters in it, a few
# runs that are counted, once more with what they said. The program is build/pgo/smwave;
# when build/release/smwave is there too, they must write the same bytes.
set -eu

cd "$(dirname "$0")/../.."
. testbench/tools/install.sh

echo "== counting build"
cmake --preset pgo-train
cmake --build --preset pgo-train -j "$(cores)"

echo "== runs"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find build/pgo -name '*.gcda' -exec rm -f {} +
program=$PWD/build/pgo/smwave
train() {
    echo "   $*"
    "$program" run "$@" -o "$work/out" >/dev/null
}
for device in gtx480 k20x h100; do
    train reduction-small -c $device --trace none
    train reverse -c $device --trace none
    train padding -c $device --trace none
done
train reduction --trace none
train reverse
train reduction-small --trace vcd
for kernel in matmul histogram scan bitonic double transpose warp stencil; do
    train testbench/golden/kernels/$kernel.yml --trace none
done

echo "== build with what was counted"
cmake --preset pgo
cmake --build --preset pgo -j "$(cores)"

if [ -x build/release/smwave ]; then
    echo "== the same bytes as build/release"
    sh testbench/golden/same.sh "$PWD/build/release/smwave" "$program" reverse \
        reduction-small padding testbench/golden/kernels/*.yml
fi
