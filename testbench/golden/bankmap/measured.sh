#!/bin/sh
# measured.sh PROGRAM DATA - every row of the H100's shared_patterns.csv (loads, stores,
# atomics) and global_patterns.csv (loads, stores) through "smwave bankmap": all counts
# that the device had are equal.
. "$(dirname "$0")/../lib.sh"

program=$1
data=$2/h100

# compare SPACE OP "OURS=THEIRS ..." - columns, ours a column or one minus another.
compare() {
    file=$data/$1_patterns.csv
    "$program" bankmap --cc 9.0 --space "$1" --op "$2" --patterns "$file" >"$work/out" || {
        echo "$1 $2: exit $?"
        failed=$((failed + 1))
        return
    }
    awk -F, -v pairs="$3" -v what="$1 $2" '
        BEGIN {
            n_pairs = split(pairs, pair, " ")
            for (i = 1; i <= n_pairs; i++) {
                split(pair[i], side, "=")
                ours[i] = side[1]
                theirs[i] = side[2]
            }
        }
        { sub(/\r$/, "") }
        FNR == NR && FNR == 1 { for (i = 1; i <= NF; i++) our_column[i] = $i; next }
        FNR == NR {
            n_ours++
            for (i = 1; i <= NF; i++) {
                value[FNR, our_column[i]] = $i
            }
            conflicts = value[FNR, "wavefronts"] - value[FNR, "ideal_wavefronts"]
            value[FNR, "conflicts"] = conflicts
            next
        }
        FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        {
            n_theirs++
            if (value[FNR, "name"] != $column["name"]) {
                print what ": row " FNR " is another pattern"
                failed = 1
            }
            for (i = 1; i <= n_pairs; i++) {
                want = $column[theirs[i]]
                if (want == "") {
                    continue # the device was not asked
                }
                compared++
                if (value[FNR, ours[i]] != want) {
                    print what ": " $column["name"] ": " ours[i] " is " \
                        value[FNR, ours[i]] ", the device counted " want
                    failed = 1
                }
            }
        }
        END {
            print what ": " n_theirs " patterns, " compared + 0 " counts compared"
            exit failed || n_ours != n_theirs || compared == 0
        }
    ' "$work/out" "$file" || failed=$((failed + 1))
}

compare shared ld "wavefronts=ld_wavefronts conflicts=ld_conflicts"
compare shared st "wavefronts=st_wavefronts conflicts=st_conflicts"
compare shared atom "wavefronts=atom_wavefronts"
compare global ld \
    "requests=ld_requests sectors=ld_sectors lines=ld_l2_requests sectors=ld_l2_sectors"
compare global st \
    "requests=st_requests sectors=st_sectors lines=st_l2_requests sectors=st_l2_sectors"
[ "$failed" -eq 0 ]
