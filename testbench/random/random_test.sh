#!/bin/sh
# random_test.sh SMWAVE_RANDOM: a mistake in one instruction is found, made small and told,
# and the same seed tells the same again.
set -eu
program=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "random_test: $*" >&2
    cat "$dir/out" >&2
    exit 1
}

for op in xor selp sub popc; do
    status=0
    "$program" -n 60 --plant "$op" --keep "$dir" >"$dir/out" || status=$?
    [ "$status" -eq 1 ] || fail "a wrong $op ends with $status"
    grep -q 'differs: .* interpreter 0x.* model 0x' "$dir/out" || fail "$op: no difference told"
    seed=$(sed -n 's/^seed \([0-9]*\) .*differs.*/\1/p' "$dir/out" | head -n 1)
    grep -q "$op\." "$dir/$seed.ptx" || fail "the program kept has no $op"
    rm -f "$dir"/*.ptx
done

status=0
"$program" -n 1 -s "$seed" --plant popc --shrink >"$dir/out" || status=$?
[ "$status" -eq 1 ] || fail "made smaller: $status"
sed -n '/^made smaller/,$p' "$dir/out" | grep -q "popc\." || fail "the small program has no popc"

for wrong in video:vmad async:mbarrier tile:mma tile:ldmatrix tex:tex tex:suld bulk:cp tensor:cp \
    cluster:mapa cluster:getctarank; do
    group=${wrong%:*} op=${wrong#*:}
    status=0
    "$program" -n 60 --group "$group" --plant "$op" >"$dir/out" || status=$?
    [ "$status" -eq 1 ] || fail "a wrong $op of $group ends with $status"
done

status=0
"$program" -n 5 >"$dir/out" || status=$?
[ "$status" -eq 0 ] || fail "nothing planted, and yet $status"
