#!/bin/sh
# check.sh - the gate: installs what is missing, builds with gcc, clang and sanitizers,
# compares what the compilers' builds write, runs every test. What it says last is
# ctest's verdict on the release build.
set -eu

cd "$(dirname "$0")/.."
. testbench/tools/install.sh

# shellcheck disable=SC2086
need $build_packages clang clang-19 git clang-format clang-tidy gtkwave xvfb xauth pkg-config valgrind \
    gnuplot-nox chromium slurmctld slurmd slurm-client munge \
    python3-jsonschema python3-yaml python3-pandas python3-matplotlib jupyter-nbconvert \
    python3-ipykernel g++ libmpfr-dev dpkg-dev file fakeroot lintian debootstrap \
    ccache strace python3-dask python3-distributed
# The compilers of CUDA programs that the tests must not go without.
SMW_CLANGS="clang-$(clang -dumpversion | cut -d. -f1) clang-19"
export SMW_CLANGS
need mandoc man-db groff zsh fish

# Several tests build again what the release has built, and the next run of this script most of it.
export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1

echo "== asan: build and tests"
cmake --preset asan
cmake --build --preset asan -j "$(cores)"
# What is built anew for a test, packages and libraries, is built once, by the release's tests.
# What judges figures, texts and pictures of runs that other tests make as well, and what compares
# whole runs with each other, needs no sanitizer.
ctest --preset asan -j "$(cores)" -LE slow \
    -E '^(advice|analysis|clean$|devices|dozen|everywhere_|format|docs|functional$|gpu_keys|init$|'\
'limits_generated|man_pages|orders|report_browser|shuffle_|sweeps_shipped|timed_|trace_select|'\
'trace_window|views_|why$)'

echo "== tsan: many simulations at once, calls by several threads"
cmake --preset tsan
cmake --build --preset tsan -j "$(cores)" --target test_threads test_api_fuzz
# This sanitizer wants to know where memory lies, which some kernels randomise too much.
fixed=
if setarch "$(uname -m)" -R true 2>/dev/null; then
    fixed="setarch $(uname -m) -R"
fi
$fixed ctest --preset tsan

echo "== release: build with gcc and with clang"
cmake --preset release
cmake --build --preset release -j "$(cores)"
cmake -S . -B build/clang -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Release \
    -DSMW_WERROR=ON -DSMW_TESTS=OFF
cmake --build build/clang --target smwave -j "$(cores)"

echo "== gcc and clang write the same bytes"
sh testbench/golden/same.sh "$PWD/build/release/smwave" "$PWD/build/clang/smwave" \
    reverse reduction-small testbench/golden/measured/0[0-5]*.yml

echo "== release: tests"
ctest --preset release -j "$(cores)"
