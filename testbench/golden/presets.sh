#!/bin/sh
# presets.sh PROGRAM - every preset is a device, and what `config show` prints of it loads
# back to the same.
set -u

program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
count=0
for preset in $("$program" config list | sed -n '/^presets/,/^$/s/^  \([^ ]*\) .*/\1/p'); do
    count=$((count + 1))
    "$program" config check "$preset" >/dev/null &&
        "$program" config show "$preset" >first.yml &&
        "$program" config check first.yml >/dev/null &&
        "$program" config show first.yml >second.yml &&
        cmp first.yml second.yml || {
        echo "$preset does not load back"
        failed=$((failed + 1))
    }
    # One that runs: the smallest kernel, with the same results in its own words.
    "$program" run reverse -c "$preset" -o "$preset-out" --trace none >log 2>&1 &&
        cmp "$preset-out/config.yml" first.yml || {
        echo "$preset does not run reverse"
        cat log
        failed=$((failed + 1))
    }
done
echo "$count presets, $failed wrong"
[ $failed -eq 0 ] && [ $count -gt 0 ]
