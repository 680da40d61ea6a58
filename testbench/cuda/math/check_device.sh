#!/bin/sh
# The math headers give the same bits on the model as on the host, where ulp measures
# them: check_device.sh ULP SMWAVE CLANG++ TABLE [ARGUMENTS of each function]
set -eu
ulp=$1 smwave=$2 clang=$3 table=$4 count=${5:-256}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$ulp" "$table" -n "$count" -w "$work"
# As smwave cc compiles.
"$clang" -x cuda --cuda-device-only -S -std=c++17 -O2 -nocudainc -nocudalib \
    --cuda-gpu-arch=sm_60 -Wno-unknown-cuda-version -Xclang -target-sdk-version=11.0 \
    -Xclang -target-feature -Xclang +ptx70 -isystem "$here/../include" -I "$here" \
    "$here/device.cu" -o "$work/device.ptx"
"$smwave" run "$work/device.yml" --trace none --check none -o "$work/out" \
    > "$work/log" 2>&1 || { grep WRONG "$work/log" || tail -n 20 "$work/log"; exit 1; }
