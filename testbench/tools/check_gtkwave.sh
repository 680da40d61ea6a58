#!/bin/sh
# Does GTKWave show all that a save file asks for, and the right values?
#
#   check_gtkwave.sh FILE.gtkw [TIME PATH VALUE]...
#
# Opens the file in a real GTKWave on a virtual display, from another directory, and
# compares its rows with those in the file, as a name that does not resolve would be
# missing, and its markers.
# Then, for each TIME (in the dump's units), the row PATH ("sm0/warps/warp01") must show
# VALUE. A missing gtkwave or xvfb-run is a failure.
set -eu

say() {
    echo "check_gtkwave: $*" >&2
}

if [ $# -lt 1 ] || [ $((($# - 1) % 3)) -ne 0 ]; then
    say "usage: check_gtkwave.sh FILE.gtkw [TIME PATH VALUE]..."
    exit 2
fi
for tool in gtkwave xvfb-run; do
    if ! command -v "$tool" >/dev/null; then
        say "$tool is missing"
        exit 1
    fi
done

tools=$(cd "$(dirname "$0")" && pwd)
save=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The rows the file asks for.
awk '
    /^[@\[^*>]/ { next }
    /^-/        { print substr($0, 2); next }
    /^[+#]\{/   { sub(/^[+#]\{/, ""); sub(/\}.*/, ""); print; next }
                { print }' "$save" >"$work/want"

# The markers it asks for: "*ZOOM PRIMARY A B C ... Z".
awk '/^\*/ { for (i = 3; i <= NF; i++) {
               if ($i != -1) { print substr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", i - 2, 1) "|" $i }
           } }' "$save" >"$work/want.marks"

times=
for arg in "$@"; do # the first of each three
    case $((${n:-0} % 3)) in
    0) times="$times $arg" ;;
    esac
    n=$((${n:-0} + 1))
done

if ! (cd / && WAVE_TIMES=$times timeout 120 xvfb-run -a \
    gtkwave -S "$tools/check_wave.tcl" "$save" >"$work/out" 2>"$work/err"); then
    say "gtkwave failed"
    cat "$work/out" "$work/err" >&2
    exit 1
fi
sed -n 's/^row|//p' "$work/out" >"$work/got"
if ! diff "$work/want" "$work/got" >"$work/diff"; then
    say "GTKWave does not show the rows of $(basename "$save") (< wanted, > shown):"
    head -20 "$work/diff" >&2
    exit 1
fi
sed -n 's/^mark|//p' "$work/out" >"$work/got.marks"
if ! diff "$work/want.marks" "$work/got.marks" >"$work/diff"; then
    say "GTKWave does not set the markers of $(basename "$save") (< wanted, > set):"
    head -20 "$work/diff" >&2
    exit 1
fi

bad=0
while [ $# -gt 0 ]; do
    if ! grep -Fxq "at|$1|$2|$3" "$work/out"; then
        say "at $1, $2 should show '$3':"
        grep -F "at|$1|$2|" "$work/out" >&2 || say "there is no such row"
        bad=1
    fi
    shift 3
done
if [ "$bad" -eq 0 ]; then
    echo "$(basename "$save"): $(wc -l <"$work/got") rows," \
        "$(wc -l <"$work/got.marks") markers, end at $(sed -n 's/^end|//p' "$work/out")"
fi
exit "$bad"
