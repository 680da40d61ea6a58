#!/bin/sh
# sustained.sh STREAM_PRESETS: what a preset sustains is what sustained.csv says, and a table
# or a bound that says otherwise is found. Both tables have the same loops.
set -eu
program=$1
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "sustained: $*" >&2
    cat "$dir"/out* "$dir"/err* >&2
    exit 1
}

loops() {
    sed '/^#/d' "$1" | cut -d, -f1,2 | LC_ALL=C sort
}

loops "$here/presets.csv" >"$dir/out.bounds"
loops "$here/sustained.csv" >"$dir/out.table"
cmp -s "$dir/out.bounds" "$dir/out.table" || fail "presets.csv and sustained.csv differ"

run() {
    "$program" -o -b "$dir/bounds" -s "$dir/table" "$here/.." 8800gt >"$dir/out" 2>"$dir/err"
}

cp "$here/presets.csv" "$dir/bounds"
cp "$here/sustained.csv" "$dir/table"
run || fail "8800gt is not as kept"
grep '^8800gt,' "$dir/table" >"$dir/out.kept"
grep '^8800gt,' "$dir/out" | cmp -s - "$dir/out.kept" || fail "8800gt is printed otherwise"

sed 's/^8800gt,copy,\([^,]*,[^,]*\),[^,]*/8800gt,copy,\1,50.0/' "$here/sustained.csv" >"$dir/table"
sed 's/^8800gt,read,80,98/8800gt,read,80,85/' "$here/presets.csv" >"$dir/bounds"
! run || fail "neither a wrong table nor a wrong bound was found"
grep -q '8800gt copy makes .* by the table 50.0' "$dir/err" || fail "the table"
grep -q '8800gt read is not within 80.0 to 85.0' "$dir/err" || fail "the bound"
