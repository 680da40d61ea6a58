#!/bin/sh
# check_docs.sh [ROOT [BUILD]] - the documents and the code agree:
#
#   every rule that the code cites has a heading in model/SPEC.md, and the other way round
#   every rule that another document cites exists
#   every counter that names a rule names one that exists
#   every file that a document names exists
#   every function that model/SPEC.md cites beside a file is defined in that file, and
#   every other one somewhere in the model; and so the tests that a rule names
#
# A range in a comment ("BANK-1..5") cites each of its rules. With BUILD, a build directory:
# every configuration key names a rule, and every test that a rule names without a file is
# one that ctest knows ("*" stands for any letters). That what the documents show works is
# the matter of check_commands.sh.
set -u

root=${1:-$(dirname "$0")/../..}
cd "$root" || exit 2
build=${2:-}
spec=model/SPEC.md
documents="README.md NEWS.md model/SPEC.md model/DESIGN.md model/DEVIATIONS.md
    $(echo testbench/manual/*.md)"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
bad=0

offend() {
    echo "$*"
    bad=1
}

# What rules may be called: the word before the number of any heading.
words=$(sed -n 's/^### \([A-Z0-9]*\)-[0-9]*: .*/\1/p' $spec | LC_ALL=C sort -u |
    tr '\n' '|')

# Rules cited in the files read from standard input, a line each, ranges spelled out.
rules_in() {
    xargs grep -ohE "\\b(${words%|})-[0-9]+((\\.\\.|(,| and| to) )([A-Z0-9]+-)?[0-9]+)?" |
        awk '{
            prefix = $0
            sub(/-.*/, "", prefix)
            match($0, /-[0-9]+/)
            first = substr($0, RSTART + 1, RLENGTH - 1)
            last = first
            rest = substr($0, RSTART + RLENGTH)
            if (rest ~ /^\.\./ || rest ~ /^ to /) {
                sub(/^.*[^0-9]/, "", rest)
                last = rest
            } else if (rest ~ /-[0-9]+$/) {
                second = rest
                sub(/^.*[ ]/, "", second)
                print second
            }
            for (i = first + 0; i <= last + 0; i++) {
                print prefix "-" i
            }
        }' | LC_ALL=C sort -u
}

for file in $documents; do
    [ -f "$file" ] || offend "$file is missing"
done
[ $bad -eq 0 ] || exit 1

# ---- rules ----

sed -n 's/^### \([A-Z0-9]*-[0-9]*\): .*/\1/p' $spec >"$work/listed"
LC_ALL=C sort "$work/listed" | uniq -d | while read -r id; do
    echo "$spec: $id has two headings"
done >"$work/twice"
[ -s "$work/twice" ] && offend "$(cat "$work/twice")"
LC_ALL=C sort -u "$work/listed" >"$work/defined"

find model traces testbench -name '*.[ch]' -type f | rules_in >"$work/cited"
for id in $(LC_ALL=C comm -23 "$work/cited" "$work/defined"); do
    offend "$id is cited in the code but has no heading in $spec"
done
for id in $(LC_ALL=C comm -13 "$work/cited" "$work/defined"); do
    offend "$spec: nothing in the code cites $id"
done
for file in $documents; do
    for id in $(echo "$file" | rules_in | LC_ALL=C comm -23 - "$work/defined"); do
        offend "$file: there is no rule $id"
    done
done

# ---- counters: the last string of each entry of the table ----

tr '\n' ' ' <model/stat/counters.h | sed 's/X(/\n/g' |
    sed -n 's/^[a-z0-9_]*, "\([a-z0-9_.]*\)",.*"\([^"]*\)").*/\1 \2/p' >"$work/counters"
[ "$(wc -l <"$work/counters")" -gt 10 ] || offend "the table of counters cannot be read"
while read -r counter rule; do
    [ -z "$rule" ] || grep -qx -- "$rule" "$work/defined" ||
        offend "counter $counter: there is no rule $rule"
done <"$work/counters"

# ---- functions: `name()` ... in `file` ----

# Names cited, a line each: the file they are said to be in, "-" for none ("test" for none
# in what begins "- Test:"), and the name. Of several names before one file each is said to be
# there; "; " and ". " separate.
awk '
    function flush_text(    rest, before, word, n, i, names, none) {
        rest = text
        text = ""
        n = 0
        none = rest ~ /^- Test: / ? "test" : "-"
        while (match(rest, /`[^`]+`/)) {
            before = substr(rest, 1, RSTART - 1)
            word = substr(rest, RSTART + 1, RLENGTH - 2)
            rest = substr(rest, RSTART + RLENGTH)
            if (before ~ /[;.] /) {
                for (i = 1; i <= n; i++) { print none, names[i] }
                n = 0
            }
            if (none == "test" && word ~ /^[a-z0-9_*-]+$/) {
                names[++n] = word
            } else if (word ~ /^[a-z0-9_]+\(\)$/) {
                names[++n] = substr(word, 1, length(word) - 2)
            } else if (word ~ /^[A-Za-z0-9_\/.]+\.[ch]$/ && before ~ / in $/) {
                for (i = 1; i <= n; i++) { print word, names[i] }
                n = 0
            }
        }
        for (i = 1; i <= n; i++) { print none, names[i] }
    }
    /^$/ || /^- / || /^#/ || /^\|/ { flush_text() }
    { sub(/^ +/, ""); text = text $0 " " }
    END { flush_text() }' $spec >"$work/functions"
[ "$(wc -l <"$work/functions")" -gt 100 ] || offend "$spec: its functions cannot be read"

# Is the function NAME defined in one of the files? Not only declared.
defines() { # NAME FILE...
    name=$1
    shift
    awk -v name="$name" '
        FNR == 1 { head = 0 }
        /^[A-Za-z_]/ && match($0, "(^|[ *])" name "\\(") || /^#define/ && $2 ~ "^" name "\\(" {
            head = 1
        }
        head && /;/ && !/\{/ { head = 0 }
        head && (/^\{/ || /\{$/ || /^#/) { found = 1; exit }
        END { exit !found }' "$@"
}
grep -v '^test ' "$work/functions" | LC_ALL=C sort -u | while read -r file name; do
    case $file in
    -) files=$(grep -lw -- "$name" model/*/*.[ch]) ;;
    */*) files=$file ;;
    *) files=$(find model traces testbench -name "$file") ;;
    esac
    # shellcheck disable=SC2086
    if [ -z "$files" ] || ! defines "$name" $files; then
        [ "$file" = - ] && file="the model"
        echo "$spec: $name() is not defined in $file"
    fi
done >"$work/undefined"
[ -s "$work/undefined" ] && offend "$(cat "$work/undefined")"

# ---- files: what looks like a path of this tree ----

for file in $documents; do
    grep -ohE '(^|[^A-Za-z0-9_./-])(model|traces|testbench|configs|cmake)/[A-Za-z0-9_./-]*[A-Za-z0-9_]' \
        "$file" | sed 's/^[^a-z]//' | LC_ALL=C sort -u | while read -r path; do
        [ -e "$path" ] || echo "$file: $path does not exist"
    done
done >"$work/missing"
[ -s "$work/missing" ] && offend "$(cat "$work/missing")"

# ---- keys and tests, as the program and ctest list them ----

if [ -n "$build" ]; then
    build=$(cd "$build" && pwd) || exit 2
    "$build/smwave" config explain | awk '/^[^ ]/ { key = $1; print key; next }
        $1 == "rule" && $3 == "of" { print key, $2 }' >"$work/keys"
    [ "$(grep -cv ' ' "$work/keys")" -gt 50 ] || offend "the keys cannot be read"
    for key in $(grep -v ' ' "$work/keys"); do
        rule=$(sed -n "s/^$key //p" "$work/keys")
        grep -qx -- "${rule:-none}" "$work/defined" ||
            offend "configuration key $key: there is no rule ${rule:-named in its table};" \
                "write one in $spec"
    done
    ctest --test-dir "$build" -N | sed -n 's/^ *Test *#[0-9]*: //p' >"$work/tests"
    for name in $(sed -n 's/^test //p' "$work/functions"); do
        grep -qx -- "$(echo "$name" | sed 's/\*/.*/')" "$work/tests" ||
            offend "$spec: there is no test $name"
    done
fi

[ $bad -eq 0 ] && echo "$(wc -l <"$work/defined") rules, $(wc -l <"$work/counters") counters, documents agree"
exit $bad
