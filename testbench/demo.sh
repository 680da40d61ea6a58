#!/bin/sh
# demo.sh - from a fresh clone to a waveform: installs what is missing, builds, runs the
# two first kernels and a CUDA program.
set -eu

cd "$(dirname "$0")/.."
. testbench/tools/install.sh

# shellcheck disable=SC2086
need $build_packages clang
cmake --preset release
cmake --build --preset release --target smwave smwave_cudart -j "$(cores)"

smwave=build/release/smwave
for kernel in reverse reduction; do
    echo
    echo "== smwave run $kernel"
    $smwave run $kernel
done

echo
echo "== smwave run reduction.cu"
$smwave run -o smwave-out/reduction.cu reduction.cu

echo
echo "Look at the waveforms (sudo apt install gtkwave):"
for kernel in reverse reduction; do
    echo "    gtkwave smwave-out/$kernel/run.gtkw"
done
