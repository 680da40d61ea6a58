#!/bin/sh
# What the programs that print times print on the h100 preset against what they printed on
# H100s: programs.sh SMWAVE PROGRAMS h100-programs.csv. Each row is within its bound, in
# percent, and the table says what the model says now. UPDATE=1 writes that anew.
. "$(dirname "$0")/../lib.sh"

smwave=$1 programs=$2 table=$3
unset SMWAVE_SET SMWAVE_OUT SMWAVE_LAUNCHES
SMWAVE_DEVICE=h100
export SMWAVE_DEVICE
cd "$work" || exit 1

for name in $(awk -F, '$1 != "program" && !seen[$1]++ { print $1 }' "$table"); do
    "$smwave" cc "$programs/$name.cu" -o program >log 2>&1 || fail "$name: $(cat log)"
    ./program >printed 2>log || fail "$name: it ends with $?: $(cat log)"
    # The numbers of each line, by what stands before them.
    awk -v program="$name" '
        {
            row = $0
            sub(/:.*| +(0 errors|right|[0-9]+[.]).*/, "", row)
            gsub(/,/, "", row)
            for (n = 1; match($0, /[0-9]+[.][0-9]+/); n++) {
                print program "," row "," n "," substr($0, RSTART, RLENGTH)
                $0 = substr($0, RSTART + RLENGTH)
            }
        }' printed >>model.csv
done

# Columns: program, row, number of the row, H100, lowest, highest, bound, model, error.
awk -F, -v OFS=, -v update="${UPDATE:-}" '
    NR == FNR { model[$1 "," $2 "," $3] = $4; next }
    $1 == "program" { print; next }
    {
        now = model[$1 "," $2 "," $3]
        if (now == "") {
            print $1 ": no row \"" $2 "\", number " $3 >"/dev/stderr"
            bad = 1
            next
        }
        off = 100 * (now / $4 - 1)
        rows++
        within += off <= 20 && off >= -20
        if (off > $7 || off < -$7) {
            printf "%s, %s, number %d: %s, on an H100 %s\n", $1, $2, $3, now, $4 >"/dev/stderr"
            bad = 1
        }
        if (update == "" && (now > 1.03 * $8 || now < 0.97 * $8)) {
            printf "%s, %s, number %d: the table says %s, and it is %s\n", $1, $2, $3, $8,
                now >"/dev/stderr"
            bad = 1
        }
        $8 = now
        $9 = sprintf("%.0f", off)
        print
    }
    END {
        printf "%d numbers, %d of them within 20 %%\n", rows, within >"/dev/stderr"
        exit bad || rows < 40
    }' model.csv "$table" >new.csv 2>verdict || fail "$(cat verdict)"
cat verdict
[ -z "${UPDATE:-}" ] || [ "$failed" -ne 0 ] || cp new.csv "$table"
[ "$failed" -eq 0 ]
