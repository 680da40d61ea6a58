#!/bin/sh
# clean.sh PROGRAM LAUNCH_FILE... - "--check full" has nothing to say of these kernels, and
# it changes no result and no counter.
. "$(dirname "$0")/../lib.sh"

program=$1
shift
count=0

for file in "$@"; do
    for level in none full; do
        if ! "$program" run "$file" --check $level --trace none -o "$work/$level" \
            >"$work/$level.out" 2>"$work/$level.err" || [ -s "$work/$level.err" ]; then
            echo "$file: --check $level has something to say"
            cat "$work/$level.err"
            failed=$((failed + 1))
        fi
    done
    cmp "$work/none/stats.json" "$work/full/stats.json" &&
        sed 's,/none$,/full,' "$work/none.out" | cmp - "$work/full.out" || {
        echo "$file: --check full counts otherwise"
        failed=$((failed + 1))
    }
    count=$((count + 1))
done
echo "$count launch files, $failed not as expected"
[ "$failed" -eq 0 ] && [ "$count" -gt 0 ]
