#!/bin/sh
# schedule.sh PROGRAM KERNELS - what "smwave ptx schedule" prints of two small kernels, and
# that nothing is moved of text that runs as it is written.
. "$(dirname "$0")/../lib.sh"

program=$1
kernels=$2
here=$(cd "$(dirname "$0")" && pwd)

"$program" ptx schedule "$kernels/reverse.ptx" -k staticReverse -c h100 >"$work/reverse" ||
    fail "reverse: exit $?"
golden "$here/reverse.txt" "$work/reverse"
"$program" ptx schedule "$kernels/saxpy.ptx" -c gtx480 >"$work/saxpy" ||
    fail "saxpy: exit $?"
golden "$here/saxpy.txt" "$work/saxpy"

printf 'extends: h100\nptx: {schedule: as_written}\n' >"$work/as_written.yml"
"$program" ptx schedule "$kernels/reverse.ptx" -c "$work/as_written.yml" >"$work/all" ||
    fail "as written: exit $?"
grep -q '\^' "$work/all" && fail "something is moved of what runs as it is written"
[ "$(grep -c ':$' "$work/all")" -eq 2 ] || fail "reverse.ptx has two kernels"
awk '/:$/ { last = 0; next }
    $1 < last { bad = 1 }
    { last = $1 }
    END { exit bad || NR < 10 }' "$work/all" || fail "lines are not in order"

"$program" ptx schedule "$kernels/reverse.ptx" -k nothing >"$work/none" 2>"$work/err" &&
    fail "a kernel that there is not"
grep -q 'nothing' "$work/err" || fail "the kernel is not named"
[ "$failed" -eq 0 ]
