#!/bin/sh
# kernels.sh PROGRAM KERNELS.csv PRESET FILE.yml... - whole kernels on the model of the
# device that was measured (H100). A launch file's name begins with the id of its row.
#
# Every counter that the instructions alone decide equals the device's. Where requests in
# flight touch one line (the rows of "loose"), the device merged some of them before the
# L2, how many is a matter of its timing: there the requests at the L2 and the sectors
# written lie, on the device and here, between two bounds:
#   merged     every line (sector) that the kernel touches arrives once
#   unmerged   once for every request that touches it
. "$(dirname "$0")/../lib.sh"

program=$1
table=$2
preset=$3
shift 3

for file in "$@"; do
    name=$(basename "$file" .yml)
    "$program" run "$file" -c "$preset" -o "$work/out" --trace none \
        >"$work/stdout" 2>"$work/stderr" || {
        echo "$name: exit $?"
        cat "$work/stderr"
        failed=$((failed + 1))
        continue
    }
    awk -F, -v id="${name%%-*}" -v name="$name" '
        function product(text,    part) {
            split(text, part, "x")
            return part[1] * part[2] * part[3]
        }
        # distinct units of so many bytes that bytes first to last touch
        function units(first, last, unit) {
            return int(last / unit) - int(first / unit) + 1
        }
        function bound(what, merged, unmerged) {
            low[what] = merged
            high[what] = unmerged
        }
        # what the stores, and the loads alike, of copy_offset touch
        function bound_copy(    at, n) {
            n = product(row["grid"]) * product(row["block"])
            at = 4 * substr(row["config"], index(row["config"], "=") + 1)
            bound("l2_write_sectors", units(at, at + 4 * n - 1, 32),
                  row["global_st_sectors"])
            bound("l2_write_requests", units(at, at + 4 * n - 1, 128),
                  row["l1_tag_lookups"] / 2)
            bound("l2_read_requests", low["l2_write_requests"],
                  row["l1_tag_lookups"] / 2)
        }
        # one float per block
        function bound_sum(    n) {
            n = product(row["grid"])
            bound("l2_write_sectors", units(0, 4 * n - 1, 32), n)
            bound("l2_write_requests", units(0, 4 * n - 1, 128), n)
        }
        function compare(what, c) {
            compared++
            if (what in low) {
                if (got[c] < low[what] || got[c] > high[what]) {
                    wrong++
                    print name ": " c " is " got[c] + 0 ", not within " low[what] \
                        " to " high[what]
                }
                if (row[what] < low[what] || row[what] > high[what]) {
                    wrong++
                    print name ": " what ": the device counted " row[what] \
                        ", not within " low[what] " to " high[what]
                }
                print name ": " c " " got[c] + 0 ", the device " row[what] ", merged " \
                    low[what] ", unmerged " high[what]
            } else if (got[c] + 0 != row[what]) {
                wrong++
                print name ": " c " is " got[c] + 0 ", the device counted " row[what]
            }
        }
        BEGIN {
            loose[77] = loose[94] = loose[96] = loose[98] = 1
            spaces["shared"] = "ld st atom"
            spaces["global"] = "ld st"
        }
        FNR == NR {
            if (split($0, word, /"?: |"|,/) >= 4) {
                got[word[2]] = word[3] == "" ? word[4] : word[3]
            }
            next
        }
        { sub(/\r$/, "") }
        /^#/ { next }
        $1 == "id" { for (i = 1; i <= NF; i++) column[i] = $i; next }
        $1 + 0 == id + 0 { for (i = 1; i <= NF; i++) row[column[i]] = $i }
        END {
            if (row["id"] == "") {
                print name ": no such row"
                exit 1
            }
            if (row["id"] in loose && row["kernel"] == "copy_offset") {
                bound_copy()
            } else if (row["id"] in loose) {
                bound_sum()
            }
            for (s in spaces) {
                n = split(spaces[s], op, " ")
                for (i = 1; i <= n; i++) {
                    compare(s "_" op[i] "_insts", s "." op[i] ".insts")
                    if (s == "shared") {
                        compare("shared_" op[i] "_wavefronts",
                                "shared." op[i] ".wavefronts")
                    } else {
                        compare("global_" op[i] "_requests", "global." op[i] ".requests")
                        compare("global_" op[i] "_sectors", "global." op[i] ".sectors")
                    }
                }
            }
            compare("warps", "warps")
            compare("l1_tag_lookups", "l1.tag_lookups")
            compare("l1_ld_hit_sectors", "l1.ld.hit_sectors")
            compare("l2_read_sectors", "l2.read.sectors")
            compare("l2_write_sectors", "l2.write.sectors")
            compare("l2_read_requests", "l2.read.requests")
            compare("l2_write_requests", "l2.write.requests")
            exit wrong > 0 || compared != 19
        }
    ' "$work/out/stats.json" "$table" || failed=$((failed + 1))
done
echo "$# rows, 19 counters each, $failed rows differ"
[ $failed -eq 0 ] && [ $# -gt 0 ]
