#!/bin/sh
# make_presets.sh [--check] - makes model/gpu/presets_table.c, the table of presets in
# libsmwave, from configs/*.yml. Needs a C compiler ($CC, else cc) and libfyaml. With
# --check nothing is written: exit 1 if the table of the tree is another.
set -eu

cd "$(dirname "$0")/../.."
table=model/gpu/presets_table.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"${CC:-cc}" -std=c11 -Wall -Wextra -I model -I testbench -o "$work/gen_presets" \
    testbench/tools/gen_presets.c testbench/io/yaml.c model/base/err.c -lfyaml
# In the order of their names, whatever the language of the session.
LC_ALL=C
export LC_ALL
"$work/gen_presets" "$work/table.c" configs/*.yml

if [ "${1:-}" = --check ]; then
    if ! diff -u "$table" "$work/table.c"; then
        echo "$table is not what configs/ says. Renew it: sh testbench/tools/make_presets.sh"
        exit 1
    fi
    echo "the table is what configs/ says"
elif ! cmp -s "$table" "$work/table.c"; then
    cp "$work/table.c" "$table"
    echo "$table is new: build again"
fi
