#!/bin/sh
# batch.sh PROGRAM - forms of pattern files that "smwave bankmap" must take, and its rows.
. "$(dirname "$0")/../lib.sh"

program=$1
head="name,requests,wavefronts,ideal_wavefronts,conflict_degree,sectors,lines,transactions,bytes"

# expect NAME ROWS - standard input through the program: the heading, then ROWS.
expect() {
    name=$1
    rows=$2
    shift 2
    "$program" bankmap "$@" --patterns - >"$work/got" 2>"$work/err"
    code=$?
    printf '%s\n' "$head" >"$work/want"
    [ -z "$rows" ] || printf '%s\n' "$rows" >>"$work/want"
    if [ $code -ne 0 ] || ! cmp -s "$work/got" "$work/want" || [ -s "$work/err" ]; then
        echo "$name: exit $code"
        cat "$work/err"
        diff "$work/want" "$work/got"
        failed=$((failed + 1))
    fi
}

# table WHAT - patterns in one form or another: lanes at STRIDE * lane.
table() {
    awk -v what="$1" 'BEGIN {
        eol = what == "crlf" ? "\r\n" : "\n"
        columns = "name width mask lanes"
        if (what == "order") {
            columns = "lanes extra mask name width"
        }
        split(columns, order, " ")
        if (what == "mark") {
            printf "\357\273\277"
        }
        if (what == "comment") {
            print "# counted elsewhere\n"
        }
        for (row = 0; row <= 3; row++) {
            line = ""
            for (i = 1; i in order; i++) {
                line = line (i > 1 ? "," : "") field(order[i], row)
            }
            printf "%s%s", line, row == 3 && what == "unfinished" ? "" : eol
            if (what == "blank") {
                printf "\n"
            }
        }
    }
    function field(kind, row,    s, t) {
        if (kind == "width") return row == 0 ? "width_bytes" : 4
        if (kind == "mask") return row == 0 ? "active_mask" : row == 3 ? "0xF" : "ffffFFFF"
        if (kind == "extra") return row == 0 ? "\"a, b\"" : "\"x \"\"y\"\",\nz\""
        if (kind == "name") {
            if (row == 0) return "name"
            return what == "names" ? row == 1 ? "\"a,b\"" : "\"say \"\"hi\"\"\"" : "same"
        }
        for (t = 0; t < 32; t++) {
            s = s (t > 0 ? "," : "")
            if (row == 0) s = s "lane" t
            else if (row < 3 || t < 4) s = s (what == "hex" && t == 31 ? "0x" 80 - 3 : row * 4 * t)
            else if (what == "junk") s = s "none"
        }
        return s
    }'
}

rows="same,1,1,1,1,,,,
same,1,2,1,2,,,,
same,1,1,1,1,,,,"
for form in plain order crlf unfinished blank mark comment junk; do
    table $form | expect "$form" "$rows" --cc 2.0 --space shared --op ld
done
table names | expect names '"a,b",1,1,1,1,,,,
"say ""hi""",1,2,1,2,,,,
"say ""hi""",1,1,1,1,,,,' --cc 2.0 --space shared --op st
table plain | expect global 'same,2,,,,4,2,2x64,128
same,2,,,,8,2,32x32,1024
same,1,,,,2,1,4x32,128' --cc 1.1 --space global --op ld
table plain | expect half-warps 'same,2,2,2,1,,,,
same,2,4,2,2,,,,
same,1,1,1,1,,,,' --cc 1.2 --space shared --op ld
table plain | expect locked 'same,2,4,4,2,,,,
same,2,8,4,4,,,,
same,1,2,2,2,,,,' --cc 1.2 --space shared --op atom
table plain | sed 1q | expect heading "" --cc 9.0 --space global --op st
table plain | sed 's/ffffFFFF/0/; s/0xF/0/' | expect nobody 'same,0,0,0,0,,,,
same,0,0,0,0,,,,
same,0,0,0,0,,,,' --cc 9.0
table plain | sed 's/ffffFFFF/0/; s/0xF/0/' | expect 'nobody, global' 'same,0,,,,0,0,,0
same,0,,,,0,0,,0
same,0,,,,0,0,,0' --cc 9.0 --space global

# A configuration is a capability and its keys.
table plain >"$work/patterns.csv"
for pair in "gtx480:2.0" "tiny:2.0"; do
    "$program" bankmap -c "${pair%:*}" --patterns "$work/patterns.csv" >"$work/a" &&
        "$program" bankmap --cc "${pair#*:}" --patterns "$work/patterns.csv" >"$work/b" &&
        cmp "$work/a" "$work/b" || failed=$((failed + 1))
done

# Rows before a mistake are answered; a file that is not there is no output.
"$program" bankmap --cc 2.0 --patterns "$work/none.csv" >"$work/got" 2>/dev/null
[ $? -eq 4 ] && [ ! -s "$work/got" ] || {
    echo "a missing file: another exit code than 4, or output"
    failed=$((failed + 1))
}

# Many rows: as many as there are.
awk 'BEGIN {
    printf "name,width_bytes,active_mask"
    for (t = 0; t < 32; t++) printf ",lane%d", t
    printf "\n"
    for (row = 0; row < 100000; row++) {
        printf "row%d,4,ffffffff", row
        for (t = 0; t < 32; t++) printf ",%d", row % 40 * 4 * t
        printf "\n"
    }
}' >"$work/many.csv"
"$program" bankmap --cc 2.0 --patterns "$work/many.csv" | awk -F, '
    function gcd(a, b) { return b == 0 ? a : gcd(b, a % b) }
    NR > 1 && $3 != (((NR - 2) % 40) == 0 ? 1 : gcd(32, (NR - 2) % 40)) { wrong++ }
    END { if (NR != 100001 || wrong) { print NR " rows, " wrong + 0 " wrong"; exit 1 } }' ||
    failed=$((failed + 1))

[ "$failed" -eq 0 ] && echo "all forms taken"
