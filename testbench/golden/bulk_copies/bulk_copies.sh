#!/bin/sh
# Bulk stores and reductions leave in memory what they left on an H100, for each operation,
# with drawn places and sizes: bulk_copies.sh SMWAVE BULK.CU BULK_COPIES.CSV
. "$(dirname "$0")/../lib.sh"

smwave=$1 source=$2 table=$3
unset SMWAVE_SET SMWAVE_OUT SMWAVE_LAUNCHES
SMWAVE_DEVICE=h100
export SMWAVE_DEVICE
cd "$work" || exit 1

"$smwave" cc -arch=sm_90a "$source" -o bulk >log 2>&1 || fail "$source: $(cat log)"
./bulk copies >copies.csv 2>log || fail "it ends with $?: $(cat log)"
diff "$table" copies.csv >differs || fail "measured (<) and here (>): $(head -20 differs)"
rows=$(grep -c , copies.csv)
[ "$rows" -eq 113 ] || fail "$rows rows, a heading and 112 are wanted"
[ "$failed" -eq 0 ]
