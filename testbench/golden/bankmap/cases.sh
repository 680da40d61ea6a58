#!/bin/sh
# cases.sh PROGRAM DATA - every row of shared-memory-cases.csv and coalescing-cases.csv,
# every column, on every capability it speaks of, through "smwave bankmap".
. "$(dirname "$0")/../lib.sh"

program=$1
data=$2
here=$(dirname "$0")
cells=0

awk -f "$here/cases.awk" "$data/shared-memory-cases.csv" >"$work/shared.csv" || exit 1
awk -f "$here/cases.awk" "$data/coalescing-cases.csv" >"$work/global.csv" || exit 1

# compare COLUMN CASES - the answers in $work/out with that column. Shared: the column is
# "1+1 ; 1+1", the passes of each request, or a number of passes. Global: transactions, and
# their bytes in the column behind.
compare() {
    awk -F, -v column="$1" -v what="$what" '
        { sub(/\r$/, "") }
        FNR == 1 && NR == 1 { next }
        FNR == NR { name[FNR] = $1; requests[FNR] = $2; waves[FNR] = $3; degree[FNR] = $5
                    transactions[FNR] = $8; bytes[FNR] = $9; next }
        { gsub(/"[^"]*"/, "-") }
        FNR == 1 {
            for (i = 1; i <= NF; i++) {
                if ($i == column) {
                    c = i
                }
            }
            if (c == 0) {
                print "no column " column
                exit failed = 1
            }
            next
        }
        {
            want = $c
            if (name[FNR] != $1) {
                print what ": row " FNR " is " name[FNR] ", not " $1
                failed = 1
            }
            if (column ~ /transactions|sectors/) {
                got = transactions[FNR] " " bytes[FNR]
                want = want " " $(c + 1)
            } else {
                # no source says what 128 bits cost on 3.x; assumed: two half-warps
                if (want == "UNSOURCED") {
                    want = "1+1"
                }
                n = split(want, part, /[+;]/)
                most = sum = 0
                for (i = 1; i <= n; i++) {
                    sum += part[i]
                    most = part[i] + 0 > most ? part[i] + 0 : most
                }
                got = waves[FNR] " waves, degree " degree[FNR]
                want = sum " waves, degree " most
                if (column ~ /cc1x/) { # 1.x: each part is a request
                    got = got ", requests " requests[FNR]
                    want = want ", requests " n
                }
            }
            rows++
            if (got != want) {
                print what ": " $1 ": got " got ", want " want
                failed = 1
            }
        }
        END {
            if (rows == 0) {
                print what ": nothing compared"
                failed = 1
            }
            print rows + 0 >>"'"$work/cells"'"
            exit failed
        }
    ' "$work/out" "$2" || failed=$((failed + 1))
}

# shared COLUMN CC OPTION...
shared() {
    column=$1
    cc=$2
    shift 2
    what="shared on $cc $*"
    "$program" bankmap --cc "$cc" --space shared --op ld --patterns "$work/shared.csv" \
        "$@" >"$work/out" || failed=$((failed + 1))
    compare "$column" "$data/shared-memory-cases.csv"
}

global() {
    column=$1
    cc=$2
    shift 2
    what="global on $cc $*"
    "$program" bankmap --cc "$cc" --space global --op ld --patterns "$work/global.csv" \
        "$@" >"$work/out" || failed=$((failed + 1))
    compare "$column" "$data/coalescing-cases.csv"
}

for cc in 1.0 1.1 1.2 1.3; do
    shared cc1x_steps_half0+half1 $cc
done
for cc in 2.0 2.1; do
    shared cc2x_ways $cc
    global cc2x_L1_cached_transactions $cc
    global L2_only_32B_sectors $cc --l1 off
done
for cc in 3.0 3.5 3.7; do
    shared cc3x_ways_4byte_mode $cc
    shared cc3x_ways_4byte_mode $cc --bank-mode 4
    shared cc3x_ways_8byte_mode $cc --bank-mode 8
    global L2_only_32B_sectors $cc
    global cc2x_L1_cached_transactions $cc --l1 on
done
for cc in 5.0 5.2 5.3 6.0 6.1 6.2 7.0 7.5 8.0 8.6 8.7 8.9 9.0; do
    shared cc5x_9x_ways $cc
    global L2_only_32B_sectors $cc
done
for cc in 1.0 1.1; do
    global cc10_11_transactions $cc
done
for cc in 1.2 1.3; do
    global cc12_13_transactions $cc
done

cells=$(awk '{ n += $1 } END { print n + 0 }' "$work/cells")
echo "$cells cells compared, $failed columns differ"
[ "$failed" -eq 0 ] && [ "$cells" -gt 1000 ]
