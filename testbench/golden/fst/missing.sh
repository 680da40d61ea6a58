#!/bin/sh
# missing.sh PROGRAM - built without FST, it says so, and how to come by it.
. "$(dirname "$0")/../lib.sh"

program=$1
cd "$work" || exit 1
"$program" run reverse --trace vcd,fst -o out 2>stderr
[ $? -eq 2 ] && [ ! -e out ] &&
    grep -q '^smwave: error: --trace: this smwave was built without FST files$' stderr &&
    grep -q '^hint: .* install verilator and zlib1g-dev' stderr || {
    cat stderr
    exit 1
}
"$program" --version | grep -q '^waveforms: VCD.*; built without FST$'
