#!/bin/sh
# Remake the PTX of testbench/kernels from the .cu files beside it.
#
#   sh testbench/tools/make_ptx.sh [OUTDIR]
#
# OUTDIR defaults to testbench/kernels. Needs nvcc of CUDA 13.0 (in $NVCC, in PATH or in
# /usr/local/cuda). Paths in .file lines are cut to the bare name, so the bytes depend on
# the compiler alone.
set -eu

here=$(cd "$(dirname "$0")/../kernels" && pwd)
out=$(cd "${1:-$here}" && pwd)
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}

cd "$here"
for source in *.cu; do
    arch=sm_75
    if [ "$source" = redux.cu ] || [ "$source" = tiles.cu ] ||
        [ "$source" = product.cu ]; then
        arch=sm_80 # the first that has what they use
    elif [ "$source" = half_axpy.cu ] || [ "$source" = clusters.cu ]; then
        arch=sm_90 # the first that has clusters, and sums of bf16 in memory
    fi
    "$nvcc" -ptx -arch=$arch -lineinfo "$source" -o "$out/.new.ptx"
    sed 's|^\([[:space:]]*\.file[[:space:]]*[0-9]* "\).*/|\1|' "$out/.new.ptx" \
        >"$out/${source%.cu}.ptx"
    rm "$out/.new.ptx"
done
