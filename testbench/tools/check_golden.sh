#!/bin/sh
# Build and run the host reference of testbench/golden/kernels and compare what it
# computes with what is committed: reference.txt, the .npy files, printf.txt, and every
# hash in the launch files. Also checks the outputs measured on a device.
#
#   sh testbench/tools/check_golden.sh [-u]
#
# -u replaces reference.txt, the .npy files, printf.txt and the hashes instead.
set -eu

golden=$(cd "$(dirname "$0")/../golden" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

cd "$golden/kernels"
${CC:-cc} -std=c11 -O1 -Wall -Wextra -ffp-contract=off -o "$tmp/reference" \
    reference*.c -lm
mkdir "$tmp/out"
"$tmp/reference" "$tmp/out" "$golden/measured/kernels.csv"

if [ "${1:-}" = -u ]; then
    cp "$tmp/out/"* .
    while read -r file name count hash; do
        sed -i "s/\({\(buffer\|symbol\): $name,.*fnv1a: \"\)[^\"]*/\1$hash/" "$file"
    done <reference.txt
fi

status=0
for f in "$tmp/out/"*; do
    cmp "$f" "$(basename "$f")" || status=1
done
while read -r file name count hash; do
    if ! grep -q "{\(buffer\|symbol\): $name,.*count: $count, fnv1a: \"$hash\"" "$file"; then
        echo "$file: $name does not expect $count elements of $hash" >&2
        status=1
    fi
done <reference.txt
[ $status = 0 ] && echo "golden outputs agree"
exit $status
