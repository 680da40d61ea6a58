#!/bin/sh
# Remake latencies.ptx from latencies.cu. Needs nvcc of CUDA 13.0 (in $NVCC, in PATH or in
# /usr/local/cuda).
set -eu

cd "$(dirname "$0")"
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
"$nvcc" -ptx -arch=sm_75 latencies.cu -o latencies.new
sed '/^[[:space:]]*\/\/ \(begin\|end\) inline asm$/d' latencies.new >latencies.ptx
rm latencies.new
