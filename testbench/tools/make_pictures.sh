#!/bin/sh
# The pictures of the README, from real runs.
#
#   make_pictures.sh SMWAVE [OUTDIR]
#
# OUTDIR defaults to traces/views.
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
