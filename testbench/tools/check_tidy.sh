#!/bin/sh
# check_tidy.sh CLANG_TIDY BUILD - clang-tidy has nothing to say of any C file that BUILD
# compiles (compile_commands.json), by the rules of .clang-tidy.
set -u

tidy=$1
build=$2
cd "$(dirname "$0")/../.." || exit 1
commands=$build/compile_commands.json
files=$(git ls-files '*.c' 2>/dev/null || find model traces testbench -name '*.c')
said=$(mktemp) || exit 1
trap 'rm -f "$said"' EXIT

known=$(for file in $files; do
    grep -qF "$PWD/$file\"" "$commands" && echo "$file"
done)
n=$(echo "$known" | wc -l)
echo "$known" | xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 16 "$tidy" -p "$build" --quiet \
    --extra-arg=-Wno-ignored-optimization-argument \
    >"$said" 2>&1
status=$?
if [ $status -ne 0 ] || grep -qE ' (error|warning): ' "$said"; then
    grep -vE '^[0-9]+ warnings? generated|^Suppressed|^Use -' "$said"
    exit 1
fi
[ "$n" -gt 100 ] || {
    echo "only $n files of $commands are known here"
    exit 1
}
echo "$n files"
