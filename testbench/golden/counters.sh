#!/bin/sh
# counters.sh PROGRAM KERNELS.csv FILE.yml... - counters that no device changes equal
# those a real one counted. A launch file's name begins with the id of its row.
. "$(dirname "$0")/lib.sh"

program=$1
table=$2
shift 2

for file in "$@"; do
    name=$(basename "$file" .yml)
    "$program" run "$file" -o "$work/out" --trace none --stats "$work/stats.csv" \
        >"$work/stdout" 2>"$work/stderr" || {
        echo "$name: exit $?"
        cat "$work/stderr"
        failed=$((failed + 1))
        continue
    }
    awk -F, -v id="${name%%-*}" -v name="$name" '
        BEGIN {
            counter["shared_ld_insts"] = "shared.ld.insts"
            counter["shared_st_insts"] = "shared.st.insts"
            counter["global_ld_insts"] = "global.ld.insts"
            counter["global_st_insts"] = "global.st.insts"
            counter["warps"] = "warps"
        }
        FNR == NR { got[$3] = $4; next }
        /^#/ { next }
        $1 == "id" { for (i = 1; i <= NF; i++) column[i] = $i; next }
        $1 + 0 == id + 0 {
            found = 1
            for (i = 1; i <= NF; i++) {
                c = counter[column[i]]
                if (c != "" && got[c] != $i) {
                    print name ": " c " is " got[c] ", the device counted " $i
                    wrong = 1
                }
            }
        }
        END { if (!found) print name ": no such row"; exit wrong || !found }
    ' "$work/stats.csv" "$table" || failed=$((failed + 1))
done
echo "$# rows, $failed differ"
[ $failed -eq 0 ] && [ $# -gt 0 ]
