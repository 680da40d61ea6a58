#!/bin/sh
# check_format.sh CLANG_FORMAT - every C file is as clang-format 14 writes it.
set -u

cd "$(dirname "$0")/../.." || exit 1
find model traces testbench -name '*.[ch]' | sort |
    xargs "$1" --dry-run --Werror --style=file
