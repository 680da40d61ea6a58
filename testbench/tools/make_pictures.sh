#!/bin/sh
# The pictures of the README, from real runs.
#
#   make_pictures.sh SMWAVE [OUTDIR]
#
# OUTDIR defaults to traces/views; the plot of the sweep lies beside its file. Needs, besides
# what screenshot.sh does, chromium, gnuplot and ImageMagick.
set -eu

smwave=$1
tools=$(cd "$(dirname "$0")" && pwd)
out=$(cd "${2:-$tools/../../traces/views}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$smwave" run reverse -o "$work/reverse" >"$work/log"
SIZE=1600x1240 sh "$tools/screenshot.sh" "$work/reverse" "$out/overview.png"
"$smwave" run staircase -o "$work/staircase" --view banks >"$work/log"
SIZE=1600x1550 sh "$tools/screenshot.sh" "$work/staircase/run.banks.gtkw" "$out/banks.png"

# A page as a browser shows it: FILE.html FILE.png WIDTH,HEIGHT
page() {
    chromium --headless --no-sandbox --hide-scrollbars --window-size="$3" \
        --screenshot="$2" "file://$1" >"$work/log" 2>&1
    convert "$2" -colors 128 "PNG8:$2"
}

"$smwave" run reduction-small --trace none --profile -o "$work/profile" >"$work/log"
"$smwave" report "$work/profile" >"$work/log"
page "$work/profile/report.html" "$out/report.png" 1300,1560
"$smwave" sweep run partition -o "$work/sweep" >"$work/log"
cp "$work"/sweep/plots/cycles_per_load-*.png "$tools/../../configs/sweeps/partition.png"
