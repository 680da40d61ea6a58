#!/bin/sh
# The math headers give the same bits on the model as on the host, where math_ulp
# measures them, and intrinsics do what they say:
# check_device.sh ULP SMWAVE CLANG++ TABLE [ARGUMENTS of each function]
set -eu
ulp=$1 smwave=$2 clang=$3 table=$4 count=${5:-256}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compile() { # NAME ARCHITECTURE: as smwave cc compiles
    "$clang" -x cuda --cuda-device-only -S -std=c++17 -O2 -nocudainc -nocudalib \
        --cuda-gpu-arch="$2" -Wno-unknown-cuda-version -Xclang -target-sdk-version=11.0 \
        -Xclang -target-feature -Xclang +ptx70 -isystem "$here/../include" -I "$here" \
        "$here/$1.cu" -o "$work/$1.ptx"
}

run() { # NAME
    "$smwave" run "$work/$1.yml" --trace none --check none -o "$work/out_$1" \
        > "$work/log" 2>&1 || { grep -A4 error: "$work/log" || cat "$work/log"; exit 1; }
}

"$ulp" "$table" -n "$count" -w "$work"
compile device sm_60
run device

compile intrinsics sm_75
cat > "$work/intrinsics.yml" <<'EOF'
module: intrinsics.ptx
config: a100
buffers:
  wrong: {type: s32, count: 4096, init: {fill: -1}}
launches:
  - {kernel: intrinsics, grid: [32], block: [128], args: [wrong]}
expect: # else the line of intrinsics.cu
  - {buffer: wrong, count: 4096, equals: {fill: 0}}
EOF
run intrinsics
