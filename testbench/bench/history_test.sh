#!/bin/sh
# history_test.sh HISTORY_SH HISTORY.csv - every measurement in the history is drawn, the
# same way each time; what is no history is refused.
set -u

script=$1
history=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

if ! command -v gnuplot >/dev/null; then
    echo "FAILED: gnuplot is missing (apt install gnuplot-nox)"
    exit 1
fi
sh "$script" "$history" "$work/a.svg" && sh "$script" "$history" "$work/b.svg" || exit 1
cmp "$work/a.svg" "$work/b.svg" || failed=1

# A line per row; the pictures of two histories differ.
rows=$(sed 1d "$history" | cut -d, -f2 | sort -u | wc -l)
lines=$(grep -c 'id="gnuplot_plot_' "$work/a.svg")
if [ "$lines" -ne "$rows" ]; then
    echo "FAILED: $lines lines drawn of $rows rows"
    failed=1
fi
sed '$d' "$history" >"$work/shorter.csv"
sh "$script" "$work/shorter.csv" "$work/c.svg" || failed=1
if cmp -s "$work/a.svg" "$work/c.svg"; then
    echo "FAILED: a measurement less, and the same picture"
    failed=1
fi

# refuse WHAT TEXT
refuse() {
    printf '%s\n' "$2" >"$work/bad.csv"
    if sh "$script" "$work/bad.csv" "$work/bad.svg" 2>"$work/err" ||
        ! grep -q '^history.sh: ' "$work/err" || [ -e "$work/bad.svg" ]; then
        echo "FAILED: $1"
        failed=1
    fi
}
header=$(sed 1q "$history")
refuse "an empty history" "$header"
refuse "another table" "a,b,c"
refuse "a row without a time" "$header
x,shared-16/gtx480/1,1,1,1,1,,,,,"
exit $failed
