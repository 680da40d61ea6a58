#!/bin/sh
# Boxes of drawn tensors leave in shared and in global memory what they left on an H100, and fault
# where they did: boxes.sh SMWAVE BULK.CU TENSOR_LOADS.CSV TENSOR_STORES.CSV
. "$(dirname "$0")/../lib.sh"

smwave=$1 source=$2 loads=$3 stores=$4
unset SMWAVE_SET SMWAVE_OUT SMWAVE_LAUNCHES
SMWAVE_DEVICE=h100
export SMWAVE_DEVICE
cd "$work" || exit 1

"$smwave" cc -arch=sm_90a "$source" -o bulk >log 2>&1 || fail "$source: $(cat log)"

# A fault ends the program; its last line then says which case it was.
ask() { # what, how many, of whom
    from=0
    : >"$1.csv"
    while :; do
        ./bulk "$1" "$2" "$from" >>"$1.csv" 2>log && break
        tail -1 log | grep -qx '[0-9][0-9]*' || { fail "$1: $(cat log)"; break; }
        from=$(($(tail -1 log) + 1))
    done
    awk -F, '$3 == 0' "$3" >wanted
    grep -vxFf "$1.csv" wanted >missing && fail "$1, measured and not here: $(head -5 missing)"
    rows=$(grep -c . wanted)
    [ "$rows" -ge "$4" ] || fail "$1: $rows rows, $4 are wanted"
}

ask loads 400 "$loads" 312
ask stores 452 "$stores" 263
[ "$failed" -eq 0 ]
