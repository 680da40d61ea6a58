#!/bin/sh
# check_docs.sh [ROOT] - the documents and the code agree:
#
#   every rule that the code cites has a heading in model/SPEC.md, and the other way round
#   every rule that another document cites exists
#   every counter that names a rule names one that exists
#   every file that a document names exists
#
# A range in a comment ("BANK-1..5") cites each of its rules. That what the documents show
# works is the matter of check_commands.sh.
set -u

root=${1:-$(dirname "$0")/../..}
cd "$root" || exit 2
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

# Rules cited in the files read from standard input, a line each, ranges spelled out.
rules_in() {
    xargs grep -ohE '\b(BANK|COAL|L1|L2|DRAM|PART|CONST|LOCAL|GENERIC|FAULT|SIMT|SCHED|BAR|LAUNCH|SPLIT|PARAM|ISSUE|TIME|STAT|CHECK)-[0-9]+((\.\.|(,| and| to) )([A-Z0-9]+-)?[0-9]+)?' |
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

tr '\n' ' ' <model/smwave/counters.h | sed 's/X(/\n/g' |
    sed -n 's/^[a-z0-9_]*, "\([a-z0-9_.]*\)",.*"\([^"]*\)").*/\1 \2/p' >"$work/counters"
[ "$(wc -l <"$work/counters")" -gt 10 ] || offend "the table of counters cannot be read"
while read -r counter rule; do
    [ -z "$rule" ] || grep -qx -- "$rule" "$work/defined" ||
        offend "counter $counter: there is no rule $rule"
done <"$work/counters"

# ---- files: what looks like a path of this tree ----

for file in $documents; do
    grep -ohE '(^|[^A-Za-z0-9_./-])(model|traces|testbench|configs|cmake)/[A-Za-z0-9_./-]*[A-Za-z0-9_]' \
        "$file" | sed 's/^[^a-z]//' | LC_ALL=C sort -u | while read -r path; do
        [ -e "$path" ] || echo "$file: $path does not exist"
    done
done >"$work/missing"
[ -s "$work/missing" ] && offend "$(cat "$work/missing")"

[ $bad -eq 0 ] && echo "$(wc -l <"$work/defined") rules, $(wc -l <"$work/counters") counters, documents agree"
exit $bad
