#!/bin/sh
# as_written.sh PROGRAM TARGET... - all counters of a target whose instructions run as they
# are written, TARGET.csv beside this script.
. "$(dirname "$0")/../lib.sh"

program=$1
here=$(cd "$(dirname "$0")" && pwd)
shift

for target in "$@"; do
    "$program" run "$target" -s ptx.schedule=as_written --trace none -o "$work/out" \
        --stats "$work/stats.csv" >"$work/stdout" 2>&1 || {
        fail "$target: exit $?"
        cat "$work/stdout"
    }
    golden "$here/$target.csv" "$work/stats.csv"
done
[ "$failed" -eq 0 ]
