#!/bin/sh
# presets.sh PROGRAM CONFIGS - every preset is a device, and what `config show` prints of it
# loads back to the same; every value in its file has a source or says "assumed"; reverse,
# which uses nothing that any capability lacks, runs on it.
. "$(dirname "$0")/lib.sh"

program=$1
configs=$2
cd "$work" || exit 1
count=0

# Lines of a preset that give a value without a comment: their own, that of the map they
# are in, or one before them that speaks of all timings below it.
unsourced() {
    awk '
    { match($0, /^ */); here = RLENGTH }
    /^ *#/ || /^ *$/ { next }
    here <= map { map = 99 }
    here < timings { timings = 99 }
    /^(name|doc|extends):/ || /^  compute_capability:/ || /bank_mode: 4 B$/ { next }
    /^ *[a-z_0-9]+: *#/ { map = map < here ? map : here; next }
    /^ *[a-z_0-9]+: *$/ { next }
    /all timings below/ { timings = here }
    !/#/ && here <= map && here != timings { print FILENAME ":" FNR ":" $0 }
    BEGIN { map = timings = 99 }
    ' "$1"
}

for preset in $("$program" config list | sed -n '/^presets/,/^$/s/^  \([^ ]*\) .*/\1/p'); do
    count=$((count + 1))
    "$program" config check "$preset" >/dev/null &&
        "$program" config show "$preset" >first.yml &&
        "$program" config check first.yml >/dev/null &&
        "$program" config show first.yml >second.yml &&
        cmp first.yml second.yml || fail "$preset does not load back"
    "$program" run reverse -c "$preset" -o "$preset-out" --trace none >log 2>&1 &&
        cmp "$preset-out/config.yml" first.yml || {
        fail "$preset does not run reverse"
        cat log
    }
    case $preset in
    tiny | mean) continue ;;
    esac
    file=$configs/$preset.yml
    grep -q '^# .*compute capability [0-9]\.[0-9]' "$file" || fail "$file names no capability"
    grep -q '^# Sources: ' "$file" || fail "$file names no sources"
    [ -z "$(unsourced "$file")" ] || {
        fail "$file gives values without a source"
        unsourced "$file"
    }
done
echo "$count presets, $failed wrong"
[ $failed -eq 0 ] && [ $count -gt 0 ]
