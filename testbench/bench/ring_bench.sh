#!/bin/sh
# ring_bench.sh SMWAVE - how large a waveform is that shows a long run's first conflict of
# 16 ways: the whole run, and a ring of 2,000 cycles around it, in each format that the
# program has. Needs 500 MB for a file that is deleted again.
set -eu

[ $# -eq 1 ] || {
    echo "usage: ring_bench.sh SMWAVE" >&2
    exit 2
}
smwave=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

row() { # NAME FILE OPTION...
    name=$1
    file=$2
    shift 2
    if "$smwave" run "$here/ring_bench.yml" -o "$work/out" --trace "$work/$file" "$@" \
        >"$work/log" 2>&1; then
        printf '%-22s %12d bytes   %s\n' "$name" "$(wc -c <"$work/$file")" \
            "$(sed -n 's/^ *of .*, cycles/cycles/p' "$work/log")"
    else
        printf '%-22s %s\n' "$name" "$(sed -n '1s/^smwave: //p' "$work/log")"
    fi
    rm -rf "${work:?}/out" "$work/$file"
}

set -- --trace-on 'conflict>=16' --trace-ring 1000 --trace-after 1000
row 'whole run, VCD' all.vcd --trace-start 1
row 'ring, VCD' ring.vcd "$@"
row 'ring, VCD, gzip' ring.vcd.gz "$@"
row 'ring, FST' ring.fst "$@"
row 'ring of one SM, VCD' sm.vcd --trace-scope 'gpu.sm0.*' "$@"
