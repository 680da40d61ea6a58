#!/bin/sh
# missing.sh PROGRAM - built without FST, it says so, and how to come by it.
set -u

program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
"$program" run reverse --trace vcd,fst -o out 2>stderr
[ $? -eq 2 ] && [ ! -e out ] &&
    grep -q '^smwave: error: --trace: this smwave was built without FST files$' stderr &&
    grep -q '^hint: .* install verilator and zlib1g-dev' stderr || {
    cat stderr
    exit 1
}
"$program" --version | grep -q '^waveforms: VCD.*; built without FST$'
