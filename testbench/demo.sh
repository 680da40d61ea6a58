#!/bin/sh
# demo.sh - from a fresh clone to a waveform: installs what is missing, builds, runs the
# two first kernels.
set -eu

cd "$(dirname "$0")/.."
. testbench/tools/install.sh

# shellcheck disable=SC2086
need $build_packages
cmake --preset release
cmake --build --preset release --target smwave -j "$(cores)"

smwave=build/release/smwave
for kernel in reverse reduction; do
    echo
    echo "== smwave run $kernel"
    $smwave run $kernel
done

echo
echo "Look at the waveforms (sudo apt install gtkwave):"
for kernel in reverse reduction; do
    echo "    gtkwave smwave-out/$kernel/run.gtkw"
done
