#!/bin/sh
# changes.sh DUMP.vcd REGEX [FROM [TO]] - a waveform as text, a line per change:
#
#   TIME SIGNAL VALUE
#
# of the signals whose path matches the extended regular expression REGEX, from time FROM
# up to and with time TO, both in the unit of the dump. Masks (32 bits and more) are
# printed as hexadecimal numbers, other vectors as decimal ones, states by the names that
# stand in state_warp.txt and state_bank.txt beside the dump. What a signal is at the
# beginning of the dump counts as a change.
set -u

if [ $# -lt 2 ] || [ $# -gt 4 ]; then
    echo "usage: $0 DUMP.vcd REGEX [FROM [TO]]" >&2
    exit 2
fi
if [ ! -r "$1" ]; then
    echo "$0: $1 cannot be read" >&2
    exit 2
fi
dir=$(dirname "$1")
[ -r "$dir/state_warp.txt" ] && warp=$dir/state_warp.txt || warp=/dev/null
[ -r "$dir/state_bank.txt" ] && bank=$dir/state_bank.txt || bank=/dev/null

# Regular expressions go through the environment: awk reads backslashes of -v itself.
SIGNALS=$2 awk -v from="${3:-0}" -v to="${4:--1}" '
    function number(bits,    i, n) {
        n = 0
        for (i = 1; i <= length(bits); i++) {
            n = 2 * n + substr(bits, i, 1)
        }
        return n
    }
    function hexadecimal(bits,    s) {
        while (length(bits) % 4 != 0) {
            bits = "0" bits
        }
        for (s = ""; bits != ""; bits = substr(bits, 5)) {
            s = s sprintf("%x", number(substr(bits, 1, 4)))
        }
        return "0x" s
    }
    function padded(bits, size) { # a VCD leaves out zeros on the left
        while (length(bits) < size) {
            bits = "0" bits
        }
        return bits
    }
    function value(bits, id) {
        if (bits ~ /[xz]/) {
            return "-"
        }
        if (id in table && (table[id], padded(bits, size[id])) in states) {
            return states[table[id], padded(bits, size[id])]
        }
        if (size[id] >= 32 && kind[id] != "integer") {
            return hexadecimal(padded(bits, size[id]))
        }
        return number(bits)
    }
    function show(id, text) {
        if (id in path && now >= from) {
            print now, path[id], text
        }
    }
    BEGIN { wanted = ENVIRON["SIGNALS"] }
    FILENAME != ARGV[3] { # the tables of states: 0011 ?colour?name
        if ($1 ~ /^[01]+$/) {
            text = $0
            sub(/^.*[?]/, "", text)
            states[FILENAME, $1] = text
        }
        next
    }
    $1 == "$scope" { scope[++depth] = $3; next }
    $1 == "$upscope" { depth--; next }
    $1 == "$var" {
        name = ""
        for (i = 1; i <= depth; i++) {
            name = name scope[i] "."
        }
        name = name $5
        if (name ~ wanted) {
            path[$4] = name
            size[$4] = $3
            kind[$4] = $2
            if ($5 == "state") {
                table[$4] = ARGV[1]
            } else if ($5 == "op") {
                table[$4] = ARGV[2]
            }
            n++
        }
        next
    }
    /^\$/ { next }
    /^#/ {
        now = substr($0, 2) + 0
        if (to >= 0 && now > to) {
            exit
        }
        next
    }
    /^[bB]/ { show($2, value(substr($1, 2), $2)); next }
    /^s/ {
        id = $0
        sub(/^.* /, "", id)
        text = substr($0, 2, length($0) - length(id) - 2)
        gsub(/\\040/, " ", text)
        show(id, text)
        next
    }
    /^[01xz]/ {
        id = substr($0, 2)
        show(id, kind[id] == "event" ? "event" : value(substr($0, 1, 1), id))
    }
    END {
        if (n == 0) {
            print "no signal matches " wanted >"/dev/stderr"
            exit 1
        }
    }' "$warp" "$bank" "$1"
