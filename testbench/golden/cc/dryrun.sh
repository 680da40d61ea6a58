#!/bin/sh
# dryrun.sh SMWAVE - the commands that smwave cc would run for some command lines are those
# of dryrun.txt. The compiler is a stand-in, so that they do not depend on what is installed.
. "$(dirname "$0")/../lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
smwave=$1
root=$(cd "$(dirname "$smwave")/cuda" && pwd -P)
printf '#!/bin/sh\nexit 1\n' >"$work/clang-19"
cp "$work/clang-19" "$work/clang-14"
chmod +x "$work"/clang-*
cd "$work" || exit 1
mkdir src
echo '__global__ void k() {}' >src/a.cu
echo 'int main() { k << <1, 2>> >(); }' >src/odd.cu
echo 'int f() { return 0; }' >src/b.cpp

say() { # CLANG WORD...
    clang=$1
    shift
    echo "\$ smwave cc $*"
    SMWAVE_CLANG=$work/$clang TMPDIR=/tmp "$smwave" cc --dryrun "$@" 2>&1 |
        grep -v '^#\$ \(PATH\|_THERE_\|TOP\|NVVMIR_LIBRARY_DIR\|INCLUDES\|LIBRARIES\)=' |
        sed "s|$work/||g; s|$root|ROOT|g"
    echo
}

{
    say clang-19 src/a.cu -o a
    say clang-14 -arch=sm_70 -O3 -g -lineinfo -Isrc -DN=3 -c src/a.cu -MD -MF a.d
    say clang-14 -gencode arch=compute_60,code=sm_60 -gencode arch=compute_90,code=sm_90 \
        -maxrregcount=40 -use_fast_math -c src/a.cu
    say clang-19 -rdc=true -Xcompiler -fPIC,-Wall src/a.cu src/b.cpp -shared -lcudart -lm
    say clang-19 -ptx -std=c++14 -default-stream per-thread src/odd.cu
    say clang-19 -dlink a.o b.o -o d.o
    say clang-19 -M src/a.cu -MT a.o
    say clang-19 src/none.cu
    say clang-19 -arhc=sm_60 src/a.cu
} >got
golden "$here/dryrun.txt" got
[ $failed -eq 0 ]
