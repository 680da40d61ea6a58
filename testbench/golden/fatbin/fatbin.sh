#!/bin/sh
# fatbin.sh PROGRAM MAKE_SAMPLES KERNELS - what "smwave fatbin" lists and takes out, and
# what it says to files that are not as they should be.
. "$(dirname "$0")/../lib.sh"

program=$1
make_samples=$2
kernels=$(cd "$3" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
export NO_COLOR=1

"$make_samples" "$work" "$kernels" || exit 1
cd "$work" || exit 1

# How well a version of zstd or LZ4 packs is its own matter: so is what lies behind it.
steady() {
    sed 's/at byte [0-9][0-9][0-9]*$/at byte N/
        s/"\(stored\|offset\)": [0-9][0-9][0-9]*/"\1": N/'
}

"$program" fatbin list prog parts.o lib.a text.o one.fatbin code.o >said ||
    fail "list: exit $?"
steady <said >list
golden "$here/list.txt" list
"$program" fatbin list --json prog >said || fail "list --json: exit $?"
steady <said >list
golden "$here/list.json" list

# What comes out is what went in.
"$program" fatbin extract prog -o out/deep >said || fail "extract: exit $?"
golden "$here/extract.txt" said
for file in out/deep/prog.1.sm_75.ptx out/deep/prog.2.sm_90a.ptx; do
    cmp "$file" "$kernels/reverse.ptx" || fail "$file is not reverse.ptx"
done
cmp out/deep/prog.4.sm_80.ptx "$kernels/saxpy.ptx" || fail "saxpy.ptx is another"
"$program" fatbin list out/deep/prog.3.sm_80.cubin | grep -q staticReverse ||
    fail "machine code is not as it was"
"$program" ptx check out/deep/*.ptx >said || fail "ptx check: exit $?"
"$program" fatbin extract lib.a -q >said || fail "extract lib.a: exit $?"
[ -s said ] && fail "--quiet: $(cat said)"
cmp lib.1.sm_80.ptx "$kernels/saxpy.ptx" || fail "lib.1.sm_80.ptx is no saxpy.ptx"
for arch in sm_90a compute_90a 90a; do
    "$program" fatbin extract prog --arch $arch -o "only" >said || fail "$arch: exit $?"
    [ "$(cat said)" = only/prog.2.sm_90a.ptx ] || fail "$arch: $(cat said)"
done

# Mistakes: what is said, and the exit code.
try() {
    echo "\$ smwave $*"
    { "$program" "$@" >/dev/null; } 2>&1
    echo "exit $?"
}
{
    try fatbin
    try fatbin lost
    try fatbin list
    try fatbin list --arch sm_80 prog
    try fatbin list nothing prog
    try fatbin extract prog --json
    try fatbin extract prog lib.a
    try fatbin extract prog --arch sm_20
    try fatbin extract damaged.o
    try fatbin list damaged.o said
} >mistakes
golden "$here/mistakes.txt" mistakes
[ "$failed" -eq 0 ]
