#!/bin/sh
# cmake.sh SMWAVE CMAKE - CMake takes the program nvcc beside SMWAVE for a compiler of CUDA,
# configures a project of device code in two files, a library and a program in C++, builds
# it, and what it built runs.
. "$(dirname "$0")/../lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
smwave=$1
cmake=$2
root=$(cd "$(dirname "$smwave")/cuda" && pwd)
unset CUDACXX CUDAHOSTCXX CUDAFLAGS CUDAARCHS CMAKE_CUDA_COMPILER_LAUNCHER
cp -r "$here/project" "$work/project"
cd "$work" || exit 1

"$cmake" -S project -B build -DCMAKE_CUDA_COMPILER="$root/bin/nvcc" >log 2>&1 ||
    fail "configure: $(cat log)"
grep -q 'CUDA compiler identification is NVIDIA 12' log || fail "identified as: $(cat log)"
"$cmake" --build build >log 2>&1 || fail "build: $(cat log)"
for program in two_files from_cxx; do
    got=$(build/$program 2>&1) || fail "$program: exit code $?: $got"
    [ "$got" = 42 ] || fail "$program printed '$got' instead of 42"
done
# A header that changes has its source compiled again.
sed 's/20/10/' project/answer.h >answer.h && mv answer.h project/answer.h
"$cmake" --build build >log 2>&1 || fail "build again: $(cat log)"
got=$(build/two_files) && fail "two_files does not know of the header"
[ "$got" = 22 ] || fail "two_files printed '$got' instead of 22"
[ $failed -eq 0 ]
