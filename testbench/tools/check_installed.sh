#!/bin/sh
# check_installed.sh CMAKE BUILD - the program of BUILD is installed, moved to another
# folder, renamed, and works there without this tree: nothing that is installed has a path
# of it, and runs, sweeps and reports are made in an empty directory.
set -eu

cmake=$1
build=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/testbench/tools/fresh.sh"

DESTDIR="$work/dest" quietly "$cmake" --install "$build" --prefix /opt/smwave --strip
mv dest/opt/smwave moved
# Archives are stripped by nobody; what they hold is in the shared libraries too.
for path in "$root" "$(cd "$build" && pwd)"; do
    if grep -rlF --exclude="*.a" -e "$path" moved >found; then
        fail "the path of the tree is in $(cat found)"
    fi
done
for file in bin/smwave include/smwave.h include/libvcd/vcd.h share/smwave/configs/gtx480.yml \
    share/smwave/configs/sweeps/padding.yml share/smwave/launches/reverse.yml \
    share/smwave/kernels/reverse.ptx share/smwave/kernels/reverse.cu \
    share/smwave/programs/reverse.cu share/smwave/programs/reverse.txt \
    share/doc/smwave/README.md; do
    [ -f "moved/$file" ] || fail "$file is not installed"
done
# What the build made of the tables of options is installed too.
for made in "$build"/man/*.[157] "$build"/completions/*; do
    name=${made##*/}
    [ "$name" != smwave.bash ] || name=completions/smwave
    [ -n "$(find moved/share -path "*/$name")" ] || fail "$made is not installed"
done
for file in "$root"/configs/*.yml "$root"/testbench/kernels/*.ptx; do
    [ -n "$(find moved/share -name "${file##*/}")" ] || fail "$file is not installed"
done

mv moved/bin/smwave moved/bin/model
mkdir empty
cd empty
model() {
    env -i PATH=/usr/bin:/bin HOME=/nonexistent "$work/moved/bin/model" "$@"
}

model run reverse -o out >../log 2>&1 || fail "run: $(cat ../log)"
[ -s out/stats.json ] || fail "run wrote no statistics"
cp out/stats.json ../builtin.json
model report out >../log 2>&1 || fail "report: $(cat ../log)"
# The launch file that is installed is the one inside, and finds its kernel.
model run "$work/moved/share/smwave/launches/reverse.yml" -o other >../log 2>&1 ||
    fail "run FILE: $(cat ../log)"
cmp other/stats.json ../builtin.json
# The preset of the installed file is the one inside.
model config show gtx480 >../inside
model config show "$work/moved/share/smwave/configs/gtx480.yml" >../outside
cmp ../inside ../outside
model sweep run padding -o points >../log 2>&1 || fail "sweep: $(cat ../log)"
[ -n "$(find points -name '*.csv')" ] || fail "the sweep wrote no table"
model report points >../log 2>&1 || fail "report of a sweep: $(cat ../log)"
echo "installed, moved, renamed: run, sweep, report"
