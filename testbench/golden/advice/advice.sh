#!/bin/sh
# advice.sh PROGRAM DIR - what --explain says a remedy would gain, against the kernel that
# has the remedy: cycles within a tenth, and the cycles saved too; the answers of all
# three runs are what the launch file expects.
. "$(dirname "$0")/../lib.sh"

program=$1
here=$2

# cycles ARGUMENT... - of the only launch
cycles() {
    "$program" run "$@" --trace none --json -o "$work/out" >"$work/stats.json" ||
        fail "$*: exit $?"
    awk '/"cycles":/ {gsub(/[^0-9]/, ""); print; exit}' "$work/stats.json"
}

# field NAME RULE - of the first advice of the rule in explain.json
field() {
    awk -v name="\"$1\":" -v rule="\"$2\"" '
        $1 == "\"rule\":" {on = index($2, rule)}
        on && $1 == name {gsub(/[",]/, "", $2); print $2; exit}' "$work/out/explain.json"
}

# near A B - do they differ by at most a tenth of B?
near() {
    awk -v a="$1" -v b="$2" 'BEGIN {d = a > b ? a - b : b - a; exit !(10 * d <= b)}'
}

# file, rule, kernel with the remedy, the line that costs most
while read -r name rule fixed place; do
    "$program" run "$here/$name.yml" --trace none --explain 0 --gains 8 -o "$work/out" \
        >"$work/text" || fail "$name: exit $?"
    before=$(field cycles "$rule")
    said=$(field cycles_without "$rule") # the heaviest: of all lines, if it is several
    grep -q "\"place\": \"$place\"" "$work/out/explain.json" ||
        fail "$name: nothing is said of $place"
    after=$(cycles "$here/$name.yml" --launch "kernel.0=$fixed")
    echo "$name: $before cycles, $said without $rule, $after with the remedy"
    near "$said" "$after" || fail "$name: $said cycles predicted, $after measured"
    near $((before - said)) $((before - after)) ||
        fail "$name: gain of $((before - said)) cycles predicted, $((before - after)) measured"
done <<END
transpose uncoalesced transpose_rows advice.cu:14
tile bank-conflicts tile_padded advice.cu:50
reduction bank-conflicts sum_rows advice.cu:107
histogram bank-conflicts histogram_bins advice.cu:141
product uncoalesced product_along advice.cu:170
END
[ $failed -eq 0 ]
