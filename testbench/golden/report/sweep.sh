#!/bin/sh
# Plots and the page of a sweep: their data and what the page says as committed, the same
# bytes from any number of workers and from another directory, nothing but the data and the
# script without gnuplot, and mistakes.
#
#   sweep.sh SMWAVE HERE
. "$(dirname "$0")/../lib.sh"
set -e

smwave=$1
here=$2
cd "$work"

# Nothing is drawn here: a PATH without gnuplot.
mkdir bin
for tool in sh cat cmp diff grep ls mkdir rm awk sed wc head cp; do
    ln -s "$(command -v $tool)" bin
done
PATH=$work/bin

got=0
"$smwave" sweep run "$here/small.yml" -j 2 -o one >run.out 2>&1 || got=$?
test $got -eq 8 || fail "points that fail: exit $got"
got=0
"$smwave" sweep plot one >plot.out 2>plot.err || got=$?
test $got -eq 7 || fail "without gnuplot: exit $got"
grep -q 'gnuplot is not installed' plot.err || fail "without gnuplot it says: $(cat plot.err)"
for f in one/plots/*.csv; do
    printf '== %s\n' "${f##*/}"
    cat "$f"
done >csv
golden "$here/small.csv.txt" csv || true
test "$(ls one/plots/*.gp | wc -l)" -eq 4 || fail "not four scripts"
"$smwave" report one >/dev/null
awk -f "$here/text.awk" one/report.html >text
golden "$here/small.txt" text || true

# The same from one worker, elsewhere.
mkdir other
(cd other && { "$smwave" sweep run "$here/small.yml" -j 1 >/dev/null 2>&1 || true; } &&
    { "$smwave" sweep plot smwave-out/small.sweep >/dev/null 2>&1 || true; } &&
    "$smwave" report smwave-out/small.sweep -o "$work/moved.html" >/dev/null)
cmp one/report.html moved.html || failed=1
for f in one/plots/*; do
    cmp "$f" "other/smwave-out/small.sweep/plots/${f##*/}" || failed=1
done

# What the file says does not become markup, and nothing is fetched.
if grep -E '<scheduling>|<a> |(src|href)="[^#d]|https?://' one/report.html |
    grep -vF 'http://www.w3.org/2000/svg'; then
    fail "the page has markup of its sweep, or asks for something outside"
fi

# Of a sweep that has not been run there is a page as well.
mkdir fresh
cp one/plan.jsonl one/sweep.yml one/.smwave fresh
"$smwave" report fresh >/dev/null || fail "a sweep that was not run has no page"
grep -q 'There is nothing to draw yet' fresh/report.html || fail "of nothing something is drawn"

refused() { # refused EXIT WORDS ARGUMENT...
    want=$1
    words=$2
    shift 2
    got=0
    "$smwave" sweep plot "$@" >out 2>err || got=$?
    if [ $got -ne "$want" ] || ! grep -qF -e "$words" err; then
        fail "sweep plot $*: exit $got, said:"
        cat err >&2
    fi
}
refused 2 "which sweep?"
refused 2 "against what?" one stride
refused 2 "one word too many" one a b c
refused 2 "need its X and Y" one --group width
refused 2 "--kind is line, bar, heat or pareto" one stride cycles --kind pie
refused 2 "--log is x, y or xy" one stride cycles --log z
refused 2 "did you mean 'cycles'?" one stride cycle
refused 2 "did you mean 'stride'?" one stride cycles --facet strid
refused 2 "is not a number" one stride sm.scheduler.policy
refused 2 "has no logarithm" one stride conflicts --log y
refused 2 "needs a third column" one stride width --kind heat
refused 4 "nothing to draw" fresh stride cycles
[ $failed -eq 0 ]
