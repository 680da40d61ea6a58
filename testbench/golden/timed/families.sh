#!/bin/sh
# families.sh PROGRAM DATA ROWS CC:PRESET:BANK_MODE... - the counters of a timed run are
# what the rule says: every access measured on an H100 (DATA: their folder) and ROWS random
# ones per space, on one device of each kind, against "smwave bankmap". BANK_MODE 0: the
# device has no choice.
. "$(dirname "$0")/../lib.sh"

program=$1
data=$2
rows=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
. "$here/timed.sh"

# The columns that both tables of the device have, then random rows.
accesses() { # MEASURED.csv SEED LIMIT
    awk -F, '
        { sub(/\r$/, "") }
        FNR == 1 {
            split("", at)
            for (i = 1; i <= NF; i++) {
                at[$i] = i
            }
            if (NR != 1) {
                next
            }
        }
        {
            line = $at["name"] "," $at["width_bytes"] "," $at["active_mask"]
            for (lane = 0; lane < 32; lane++) {
                line = line "," $at["lane" lane]
            }
            print line
        }
    ' "$1" && awk -v rows="$rows" -v seed="$2" -v limit="$3" -f "$here/random.awk" |
        sed 1d
}

# compare NAME OP RULE.csv COUNTS FIELDS - FIELDS: "COLUMN=COUNTER ..."
compare() {
    awk -F, -v name="$1" -v op="$2" -v fields="$5" '
        # "2x64+1x32" is 3
        function transactions(text,    part, i, n, sum) {
            n = split(text, part, "+")
            for (i = 1; i <= n; i++) {
                sum += part[i] + 0
            }
            return sum + 0
        }
        BEGIN {
            n_fields = split(fields, field, " ")
            for (i = 1; i <= n_fields; i++) {
                split(field[i], part, "=")
                col[i] = part[1]
                counter[i] = part[2]
            }
        }
        FNR == NR && FNR == 1 {
            for (i = 1; i <= NF; i++) {
                at[$i] = i
            }
            next
        }
        FNR == NR {
            label[FNR - 1] = $at["name"]
            for (i = 1; i <= n_fields; i++) {
                want[FNR - 1, i] = col[i] == "transactions" ? \
                    transactions($at[col[i]]) : $at[col[i]]
            }
            next
        }
        {
            n = split($0, word, " ")
            if (word[2] != op && !(op == "atom" && word[2] == "red")) {
                next
            }
            split("", value)
            for (i = 4; i <= n; i++) {
                split(word[i], part, "=")
                value[part[1]] = part[2]
            }
            rows[word[1]] = 1
            for (i = 1; i <= n_fields; i++) {
                got = value[counter[i]] + 0
                compared++
                if (want[word[1], i] == "" || got != want[word[1], i] + 0) {
                    wrong++
                    if (wrong <= 10) {
                        print name " " op " row " word[1] " (" label[word[1]] ", " \
                            word[3] "): " counter[i] " is " got ", by rule " col[i] \
                            " is " want[word[1], i]
                    }
                }
            }
        }
        END {
            for (row in rows) {
                n_rows++
            }
            print name " " op ": " n_rows + 0 " rows, " compared + 0 \
                " counters compared, " wrong + 0 " differ"
            exit wrong > 0 || compared == 0
        }
    ' "$3" "$4"
}

# rule OPTION... - what the rule says, of the family $cc, $mode
rule() {
    if [ "$mode" != 0 ]; then
        set -- "$@" --bank-mode "$mode"
    fi
    "$program" bankmap --cc "$cc" "$@"
}

# one SPACE OPS PATTERNS LIMIT - of the family $cc, $preset, $mode
one() {
    name="$cc $1"
    if [ "$mode" != 0 ]; then
        name="$name ($mode-byte banks)"
    fi
    timed_run run "$1" "$2" "$3" "$4" "$mode" -c "$preset" -s gpu.sms=1 || return 1
    one_failed=0
    for op in $2; do
        case "$1 $op" in
        *\ red) continue ;; # as atom
        shared\ *) fields="wavefronts=shared.$op.wavefronts
            ideal_wavefronts=shared.$op.ideal" ;;
        *) fields="requests=global.$op.requests sectors=global.$op.sectors
            transactions=global.$op.transactions bytes=global.$op.bytes" ;;
        esac
        case "$1 $op $cc" in
        *\ atom\ *) ;;
        global*\ [2789].*) fields="$fields lines=l1.tag_lookups" ;; # loads in the L1
        esac
        rule --space "$1" --op "$op" --patterns "$3" >"$work/rule.csv" &&
            compare "$name" "$op" "$work/rule.csv" "$work/run.counts" "$fields" ||
            one_failed=1
    done
    return $one_failed
}

accesses "$data/shared_patterns.csv" 1 16000 >"$work/shared.csv"
accesses "$data/global_patterns.csv" 2 1048576 >"$work/global.csv"
for family in "$@"; do
    cc=${family%%:*}
    mode=${family##*:}
    preset=${family#*:}
    preset=${preset%:*}
    limit=49152 wide=1 ops="ld st atom red"
    case $cc in
    1.[01]) limit=16000 ops="ld st" ;; # no atomics on shared memory
    1.*) limit=16000 wide=0 ;;         # those of 64 bits: 2.0
    esac
    export wide_atoms=$wide
    one shared "$ops" "$work/shared.csv" $limit || failed=1
    if [ "$mode" = 8 ]; then
        continue # global memory has no banks
    fi
    wide=1 ops="ld st atom red"
    case $cc in
    1.0) ops="ld st" ;; # no atomics on global memory
    1.1) wide=0 ;;      # those of 64 bits: 1.2
    esac
    export wide_atoms=$wide
    one global "$ops" "$work/global.csv" 0 || failed=1
done
exit $failed
