#!/bin/sh
# check_format.sh CLANG_FORMAT - every C file is as clang-format 14 writes it, and no line
# is longer than 88 columns, comments included, which clang-format leaves alone.
set -u

cd "$(dirname "$0")/../.." || exit 1
# The table of presets is generated.
files=$(find model traces testbench -name '*.[ch]' ! -name presets_table.c | LC_ALL=C sort)
[ -n "$files" ] || exit 1
bad=0
# shellcheck disable=SC2086
LC_ALL=C awk 'length($0) > 88 {
        print FILENAME ":" FNR ": " length($0) " columns, 88 are allowed"
        bad = 1
    }
    END { exit bad }' $files || bad=1
# shellcheck disable=SC2086
"$1" --dry-run --Werror --style=file $files || bad=1
exit $bad
