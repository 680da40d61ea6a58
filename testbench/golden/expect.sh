#!/bin/sh
# expect.sh PROGRAM KERNELS - tolerances of expectations on both sides, buffers of all types there
# and back through files, launches under repeat, cooperative launches.
. "$(dirname "$0")/lib.sh"

program=$1
kernels=$2
cd "$work" || exit 1
compared=0

# CODE EXPECTATION TYPE FILL: what comes of a buffer of FILLs
judged() {
    cat >one.yml <<END
module: $kernels/reverse.ptx
buffers:
  d: {type: s32, count: 64, init: {iota: [0, 1]}}
  x: {type: $3, count: 5, init: {fill: $4}}
launches:
  - {kernel: staticReverse, grid: [1], block: [64], args: [d, 64]}
expect:
  - {buffer: x, $2}
END
    "$program" run one.yml --trace none --force -o out >said.txt 2>&1
    code=$?
    [ $code -eq "$1" ] || fail "$2 of $3 $4: exit $code: $(cat said.txt)"
    compared=$((compared + 1))
}

judged 0 'equals: {fill: 100}, relative: 0.01' f32 101
judged 1 'equals: {fill: 100}, relative: 0.0099' f32 101
judged 0 'equals: {fill: -100}, relative: 0.01' s32 -99
judged 1 'equals: {fill: -100}, relative: 0.009' s32 -99
judged 0 'equals: {fill: 100}, relative: 1e-9, tolerance: 1' f32 101
judged 0 'sum: 500, relative: 0.01' f32 101
judged 1 'sum: 500, relative: 0.009' f32 101
judged 0 'equals: {fill: 1}, ulp: 1' f32 1.00000012
judged 1 'equals: {fill: 1}, ulp: 1' f32 1.00000024
judged 0 'equals: {fill: 1}, ulp: 3' f16 1.003
judged 1 'equals: {fill: 1}, ulp: 2' f16 1.003
judged 0 'equals: {fill: -1e-45}, ulp: 2' f32 1e-45
judged 1 'equals: {fill: -1e-45}, ulp: 1' f32 1e-45
judged 1 'equals: {fill: nan}, ulp: 1000' f32 1
judged 1 'equals: {fill: nan}, relative: 1000' f32 1
judged 0 'equals: {fill: nan}' bf16 nan
judged 4 'equals: {fill: 1}, ulp: 1' s32 1
judged 4 'sum: 5, ulp: 1' f32 1
judged 4 'fnv1a: 0123456789abcdef, relative: 1' f32 1
judged 4 'equals: {fill: 1}, relative: -1' f32 1

# TYPE NAME: written by one run, read by the next
returns() {
    for file in x.npy x.raw; do
        init="{random: {seed: 3, $2}}"
        cat >there.yml <<END
module: $kernels/reverse.ptx
buffers:
  d: {type: s32, count: 64, init: {iota: [0, 1]}}
  x: {type: $1, count: 77, init: $init, dump: sub/$file}
launches:
  - {kernel: staticReverse, grid: [1], block: [64], args: [d, 64]}
END
        sed "s,init: {random.*,init: {file: there/sub/$file}}," there.yml >back.yml
        echo "expect: [{buffer: x, equals: $init}]" >>back.yml
        "$program" run there.yml --trace none --force -o there >/dev/null || fail "$1 there"
        "$program" run back.yml --trace none --force -o back >said.txt 2>&1 ||
            fail "$1 $file: $(cat said.txt)"
        compared=$((compared + 1))
    done
}

for type in f16 bf16 e4m3 e5m2 f32 f64; do
    returns $type 'uniform: [-2, 3]'
    returns $type 'normal: [0.5, 2]'
done
returns s16 'mask: 0xffff'
returns u64 'modulo: 1000'

# a ring of rounds, forth and back: 64 numbers turned round an odd number of times
cat >rounds.yml <<END
module: $kernels/reverse.ptx
buffers:
  d: {type: s32, count: 192, init: {iota: [0, 1]}}
launches:
  - repeat: {times: 3, var: i}
    launches:
      - repeat: {times: 1, var: k}
        launches:
          - {kernel: staticReverse, grid: [1], block: [64], args: [d, 64 + i * k]}
expect:
  - {buffer: d, count: 64, equals: {iota: [63, -1]}}
END
"$program" run rounds.yml --trace none --force -o out >said.txt 2>&1 || fail "$(cat said.txt)"
[ "$(grep -c '^staticReverse' said.txt)" = 3 ] || fail "not three rounds: $(cat said.txt)"

# 100 blocks are not on two SMs at once
cat >large.yml <<END
module: $kernels/reverse.ptx
buffers:
  d: {type: s32, count: 64}
launches:
  - {kernel: staticReverse, grid: [100], block: [64], args: [d, 64], cooperative: true}
END
"$program" run large.yml -c h100 -s gpu.sms=2 --trace none --force -o out >said.txt 2>&1
code=$?
[ $code -eq 4 ] || fail "exit $code: $(cat said.txt)"
grep -q 'a cooperative launch of 100 blocks: 64 are on the device at once' said.txt ||
    fail "$(cat said.txt)"

[ $compared -eq 48 ] || fail "$compared comparisons"
[ $failed -eq 0 ]
