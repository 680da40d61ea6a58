#!/bin/sh
# same_waves.sh A B - two dumps show the same: scopes, variables, comments, and every
# value at every time. Each may be a VCD or an FST, which fst2vcd translates. Not
# compared: date, identifiers, and in which order the changes of one time stand. Prints
# the first differences; exit 1 if there is one.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL

# as_vcd FILE OUT
as_vcd() {
    case $1 in
    *.fst) fst2vcd -e -f "$1" -o "$2" ;;
    *) cp "$1" "$2" ;;
    esac
}

# The plain words of a dump: a line per scope and variable, per comment, and per change
# as "time variable value"; what fst2vcd adds for its own reader is left out.
cat >"$work/plain.awk" <<'EOF'
function decode(s,    out, c, i, n) {
    for (i = 1; i <= length(s); i++) {
        c = substr(s, i, 1)
        if (c != "\\") {
            out = out c
        } else if (substr(s, i + 1, 3) ~ /^[0-7][0-7][0-7]$/) {
            n = 64 * substr(s, i + 1, 1) + 8 * substr(s, i + 2, 1) + substr(s, i + 3, 1)
            out = out sprintf("<%d>", n)
            i += 3
        } else { # of letters the model's texts have none
            n = index(" !\"#$%&'()*+,-./0123456789:;<=>?@", substr(s, i + 1, 1))
            out = out (substr(s, i + 1, 1) == "\\" ? "<92>" : sprintf("<%d>", n + 31))
            i++
        }
    }
    gsub(/"/, "<34>", out)
    gsub(/'/, "<39>", out)
    gsub(/\?/, "<63>", out)
    return out
}

function vector(s) {
    if (s ~ /^x+$/ || s ~ /^z+$/) {
        return substr(s, 1, 1)
    }
    sub(/^0+/, "", s)
    return s == "" ? "0" : s
}

function change(id, value) {
    if (!(id in variable)) {
        print "no variable " id
    } else if (kind[id] == "event") {
        if (value == "1") {
            print time, variable[id], "fires" >>changes
        }
    } else {
        if (!(id in next_value)) {
            touched[++n_touched] = id
        }
        next_value[id] = value
    }
}

function finish(    i, id) {
    for (i = 1; i <= n_touched; i++) {
        id = touched[i]
        if (next_value[id] != last[id]) {
            print time, variable[id], next_value[id] >>changes
        }
        last[id] = next_value[id]
        delete next_value[id]
    }
    n_touched = 0
}

# A section that ends in $end, perhaps on a later line.
function section(    s) {
    s = $0
    while (s !~ /\$end[ \t]*$/ && (getline line) > 0) {
        s = s " " line
    }
    sub(/[ \t]*\$end[ \t]*$/, "", s)
    gsub(/[ \t]+/, " ", s)
    return s
}

/^#/ { finish(); time = substr($0, 2); if (first == "") { first = time }; next }
/^[01xz]/ { change(substr($0, 2), substr($0, 1, 1)); next }
/^b/ { change($2, vector(substr($1, 2))); next }
/^s/ { at = match($0, / [^ ]*$/); change(substr($0, at + 1), decode(substr($0, 2, at - 2))); next }
/^\$date/ { section(); next }
/^\$attrbegin/ { print section(); next }
/^\$timescale/ { s = section(); sub(/[ \t]+/, "", s); gsub(/ /, "", s); print s; next }
/^\$comment/ { s = section(); print s >>comments; next }
/^\$version/ { print section(); next }
/^\$scope/ { print section(); next }
/^\$upscope/ { print section(); next }
/^\$var/ {
    s = section()
    split(s, w, " ")
    id = w[4]
    if (!(id in variable)) {
        variable[id] = ++n_variables
        kind[id] = w[2]
        last[id] = w[2] == "string" ? "" : "x"
    }
    sub(/^[^ ]+ [^ ]+ [^ ]+ [^ ]+ /, "", s)
    print "variable", variable[id], w[2], w[3], s
    next
}
/^\$dumpoff/ { print time, 0, "off" >>changes; next }
/^\$(enddefinitions|dumpvars|end)/ { next }
{ print "what is this: " $0 }
END { finish(); print "from", first, "to", time }
EOF

for side in a b; do
    as_vcd "$1" "$work/$side.vcd"
    : >"$work/$side.changes"
    : >"$work/$side.comments"
    awk -v changes="$work/$side.changes" -v comments="$work/$side.comments" \
        -f "$work/plain.awk" "$work/$side.vcd" >"$work/$side.header"
    sort -k1,1n -k2,2n "$work/$side.changes" >"$work/$side.sorted"
    shift
done

for what in header comments sorted; do
    if ! cmp -s "$work/a.$what" "$work/b.$what"; then
        echo "the dumps differ ($what):"
        diff "$work/a.$what" "$work/b.$what" | head -10
        exit 1
    fi
done
n=$(wc -l <"$work/a.sorted")
echo "the same: $(grep -c '^variable' "$work/a.header") variables, $((n)) changes"
[ "$n" -gt 0 ]
