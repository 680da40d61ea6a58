#!/bin/sh
# check.sh - the gate: installs what is missing, builds with and without sanitizers, runs
# every test in both builds. What it says last is ctest's verdict on the release build.
set -eu

cd "$(dirname "$0")/.."
. testbench/tools/install.sh

# shellcheck disable=SC2086
need $build_packages git clang-format gtkwave xvfb xauth
for preset in asan release; do
    echo "== $preset: build"
    cmake --preset "$preset"
    cmake --build --preset "$preset" -j "$(cores)"
    echo "== $preset: tests"
    ctest --preset "$preset" -j "$(cores)"
done
