#!/bin/sh
# h100.sh PROGRAM DATA OPTION... - every access that was measured on an H100, run in time:
# the counters of each launch are those of the device. DATA: the folder of
# shared_patterns.csv and global_patterns.csv; OPTION: of the run, the device's preset.
. "$(dirname "$0")/../lib.sh"

program=$1
data=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/timed.sh"
export wide_atoms=0 # of 8 bytes: not measured

# compare NAME MEASURED.csv FIELDS - FIELDS: "OP:COLUMN=COUNTER ..."; a counter may be a sum
# "a+b". A column that is empty for a row was not measured there.
compare() {
    awk -F, -v name="$1" -v fields="$3" '
        BEGIN {
            n_fields = split(fields, field, " ")
            for (i = 1; i <= n_fields; i++) {
                split(field[i], part, /[:=]/)
                of_op[i] = part[1]
                col[i] = part[2]
                counter[i] = part[3]
            }
        }
        { sub(/\r$/, "") }
        FNR == NR && FNR == 1 {
            for (i = 1; i <= NF; i++) {
                at[$i] = i
            }
            next
        }
        FNR == NR {
            for (i = 1; i <= n_fields; i++) {
                want[FNR - 1, i] = $at[col[i]]
            }
            label[FNR - 1] = "id " $at["id"] " (" $at["name"] ", " $at["width_bytes"] " bytes)"
            rows[FNR - 1] = 0
            next
        }
        {
            n = split($0, word, " ")
            split("", value)
            for (i = 4; i <= n; i++) {
                split(word[i], part, "=")
                value[part[1]] = part[2]
            }
            row = word[1]
            op = word[2] == "red" ? "atom" : word[2]
            launches++
            for (i = 1; i <= n_fields; i++) {
                if (of_op[i] != op || want[row, i] == "") {
                    continue
                }
                got = value[counter[i]] + 0
                compared++
                rows[row]++
                if (got != want[row, i] + 0) {
                    wrong++
                    if (wrong <= 20) {
                        print name " " label[row] " " word[2] "." word[3] ": " \
                            counter[i] " is " got ", the device counted " want[row, i]
                    }
                }
            }
        }
        END {
            for (row in rows) {
                n_rows++
                if (rows[row] == 0) {
                    print name " " label[row] ": nothing compared"
                    wrong++
                }
            }
            print name ": " n_rows " rows, " launches " launches, " compared \
                " counters compared, " wrong + 0 " differ"
            exit wrong > 0 || compared == 0
        }
    ' "$2" "$work/$1.counts"
}

timed_run shared shared "ld st atom red" "$data/shared_patterns.csv" 49152 0 "$@" &&
    compare shared "$data/shared_patterns.csv" "
        ld:ld_wavefronts=shared.ld.wavefronts ld:ld_conflicts=shared.ld.conflicts
        st:st_wavefronts=shared.st.wavefronts st:st_conflicts=shared.st.conflicts
        atom:atom_wavefronts=shared.atom.wavefronts" || failed=1
timed_run global global "ld st" "$data/global_patterns.csv" 0 0 "$@" &&
    compare global "$data/global_patterns.csv" "
        ld:ld_requests=global.ld.requests ld:ld_sectors=global.ld.sectors
        ld:ld_l2_requests=l2.read.requests ld:ld_l2_sectors=l2.read.sectors
        st:st_requests=global.st.requests st:st_sectors=global.st.sectors
        st:st_l2_requests=l2.write.requests st:st_l2_sectors=l2.write.sectors" ||
    failed=1
exit $failed
