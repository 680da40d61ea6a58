#!/bin/sh
# output.sh PROGRAM FILE.yml EXPECTED - what a kernel prints, in block and thread order.
# With --json it goes to standard error, alone.
. "$(dirname "$0")/lib.sh"

"$1" run "$2" -o "$work/out" --trace none --json >"$work/stats.json" 2>"$work/printed" ||
    fail "$2: exit $?"
golden "$3" "$work/printed"
cmp "$work/stats.json" "$work/out/stats.json" || fail "--json prints other counters"
[ $failed -eq 0 ]
