#!/bin/sh
# Remake the PTX of kernels.cu for the devices of published.csv.
#
#   sh testbench/fidelity/published/make_ptx.sh
#
# Needs clang 14 with its PTX back end; nvcc of CUDA 13 begins with capability 7.5.
# clang begins with 2.0 in turn: for 1.x the text is made with 32-bit addresses, as
# those devices have, and what differs is rewritten: the target, and that generic addresses,
# which came with 2.0, are global ones in kernels' parameters.
set -eu

cd "$(dirname "$0")"
clang=${CLANG:-clang-14}

compile() # capability, file, more options
{
    arch=$1 to=$2
    shift 2
    "$clang" -x cuda --cuda-device-only --cuda-gpu-arch="$arch" -nocudainc -nocudalib \
        -Wno-unknown-cuda-version -Xclang -fcuda-short-ptr -mllvm -nvptx-short-ptr \
        -O2 -S "$@" -o "$to" kernels.cu
}

compile sm_20 tesla.new -m32
sed -e 's/^\.target sm_20/.target sm_10/' -e 's/cvta\.to\.global\.u32/mov.u32/' \
    tesla.new >tesla.ptx
rm tesla.new
compile sm_20 fermi.ptx
compile sm_35 kepler.ptx
