#!/bin/sh
# init.sh PROGRAM KERNELS FAILING - what "smwave init" writes runs.
#
# For every kernel of KERNELS/*.ptx a launch file is written and run. It passes, or fails
# as FAILING says, a line "MODULE KERNEL CODE" each; the file's comments speak of that. A
# kernel listed there that passes is an offence as well.
. "$(dirname "$0")/lib.sh"

program=$1
kernels=$(cd "$2" && pwd)
failing=$3
count=0
other=0

# The launch file says what could be wrong if it ends with that code.
explained() {
    case $2 in
    1) grep -q "If an access is out of bounds" "$1" ;;
    5) grep -q "after a deadlock" "$1" ;;
    6) grep -q "If it never ends" "$1" ;;
    *) false ;;
    esac
}

# ptx kernel: without a kernel the only one
check() {
    name=$(basename "$1" .ptx)
    file=$work/$name-$2.yml
    if [ "$2" = - ]; then
        "$program" init "$1" -o "$file" >"$work/said" 2>&1
    else
        "$program" init "$1" "$2" -o "$file" >"$work/said" 2>&1
    fi || {
        echo "$name $2: no launch file"
        cat "$work/said"
        failed=$((failed + 1))
        return
    }
    "$program" run "$file" --trace none --max-cycles 1000000 -o "$work/out" --force \
        >"$work/said" 2>&1
    code=$?
    count=$((count + 1))
    [ $code -eq 0 ] || other=$((other + 1))
    want=$(awk -v m="$name" -v k="$2" '$1 == m && $2 == k { print $3 }' "$failing")
    if [ "$code" -ne "${want:-0}" ]; then
        echo "$name $2: exit $code, not ${want:-0}"
        head -3 "$work/said"
        failed=$((failed + 1))
    elif [ $code -ne 0 ] && ! explained "$file" $code; then
        echo "$name $2: exit $code, of which the file does not speak"
        failed=$((failed + 1))
    fi
}

for ptx in "$kernels"/*.ptx; do
    list=$("$program" init "$ptx" -o - 2>&1 >"$work/only" | sed -n 's/^    //p')
    for kernel in ${list:--}; do
        check "$ptx" "$kernel"
    done
done
echo "$count kernels, $other end with a fault their files speak of, $failed wrong"
[ "$failed" -eq 0 ] && [ "$count" -gt 100 ]
