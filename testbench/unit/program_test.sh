#!/bin/sh
# program_test.sh PROGRAM - what the program does around a run: exit codes, the output
# directory, files, signals. PROGRAM is built with fake_smw.c.
set -u

program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
NO_COLOR=1
export NO_COLOR
failed=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

# check WHAT CODE ARGUMENT... - run, keep stdout and stderr, compare the exit code
check() {
    what=$1
    code=$2
    shift 2
    "$program" "$@" >stdout 2>stderr
    got=$?
    [ $got -eq "$code" ] || {
        fail "$what: exit $got, not $code"
        cat stdout stderr
    }
}

says() { # FILE TEXT
    grep -qF -- "$2" "$1" || {
        fail "$what: $1 does not say '$2'"
        cat "$1"
    }
}

launch() { # FILE KERNEL ARGS EXPECT
    cat >"$1" <<EOF
module: kernels.ptx
config: gtx480
buffers:
  d: {type: s32, count: 64, init: {iota: [0, 1]}}
symbols:
  coef: {fill: 0.5}
launches:
  - {kernel: $2, grid: [4], block: [64], args: $3}
expect: [$4]
trace: {format: none}
EOF
}

echo kernels >kernels.ptx
launch good.yml reverse "[d, 64]" "{buffer: d, equals: {iota: [63, -1]}},
  {buffer: d, sum: 2016}, {symbol: coef, count: 2, equals: {fill: 0.5}},
  {symbol: coef, type: u32, equals: {fill: 0x3f000000}},
  {buffer: d, fnv1a: 9ff05cd31c7edb25}"
launch wrong.yml reverse "[d, 64]" "{buffer: d, equals: {iota: [0, 1]}}"
launch near.yml reverse "[d, 64]" "{buffer: d, equals: {iota: [62, -1]}, tolerance: 1}"
launch hello.yml hello "[]" ""
launch fault.yml fault "[d, 64]" "{buffer: d, sum: 0}"
launch hang.yml hang "[d, 64]" ""
launch spin.yml spin "[]" ""

# ---- exit codes ----
check "wrong result" 1 run wrong.yml
says stderr "wrong.yml:9:10: error: 'd' is wrong in 64 of 64 elements"
says stderr "the first is [0]: got 63, expected 0"
says stdout "WRONG"
check "tolerance" 0 run near.yml
check "fault" 1 run fault.yml
says stderr "kernels.ptx:1: error: shared store of 4 bytes at 0x1000: outside of 256 bytes"
says stderr "    kernels"
says stderr "in kernel fault, block (0,0,0), thread (7,0,0), cycle 1"
says stderr "instruction: st.shared.u32 [%r1], %r2"
says stderr "source: kernels.cu:12"
says smwave-out/fault/report.json '"status": "fault"'
says smwave-out/fault/report.json '"line": 12'
check "deadlock" 5 run hang.yml
says stderr "warp 1 waits at a barrier"
check "limit" 6 run spin.yml --max-cycles 1000
says smwave-out/spin/stats.json '"status": "limit"'
check "printf" 0 run hello.yml
says stdout "hello from the kernel"
check "printf with JSON" 0 run hello.yml --json
says stderr "hello from the kernel"
cmp -s stdout smwave-out/hello/stats.json || fail "--json is not stats.json"
check "bad split" 3 run good.yml -s sm.onchip.split=32/32
check "what if" 0 run good.yml -s sm.onchip.split=32/32 -s gpu.what_if=true
says smwave-out/good/stats.json '"what_if": true'
if [ -c /dev/full ]; then
    ln -s /dev/full full.json
    check "full disk" 7 run good.yml --stats full.json
    says stderr "full.json: "
    "$program" run good.yml >/dev/full 2>stderr
    [ $? -eq 7 ] || fail "standard output on a full disk"
fi
check "help" 0 --help
check "version" 0 --version
check "help of a command" 0 help run
check "no command" 2

# ---- a launch the device refuses, and what the model refuses about names ----
sed 's/block: \[64\]/block: [2048]/' good.yml >refused.yml
check "limits" 4 run refused.yml
says stderr "refused.yml:8:5: error: a block of 2048 threads, the device allows 1024"
sed 's/kernel: reverse/kernel: revers/' good.yml >refused.yml
check "kernel name" 4 run refused.yml
says stderr "refused.yml:8:14: error: there is no kernel 'revers'"
says stderr "hint: did you mean 'reverse'?"
sed 's/^  coef:/  coeff:/' good.yml >refused.yml
check "symbol name" 4 run refused.yml
says stderr "refused.yml:6:3: error: there is no variable 'coeff'"
sed 's/^module: .*/module: missing.ptx/' good.yml >refused.yml
check "no module" 4 run refused.yml
says stderr "refused.yml:1:9: error: missing.ptx: No such file or directory"
echo bad >bad.ptx
sed 's/^module: .*/module: bad.ptx/' good.yml >refused.yml
check "bad module" 4 run refused.yml
says stderr "bad.ptx:1:1: error: this is not the text of the kernels"
sed 's/count: 64, init/count: 1000000, init/' good.yml >refused.yml
check "memory" 4 run refused.yml
says stderr "refused.yml:4:3: error: the device's memory is full"
printf 'bank_mode: 8\n' | cat good.yml - >refused.yml
check "bank mode" 4 run refused.yml
says stderr "the capability has no choice of bank mode"
[ ! -e smwave-out/refused ] || fail "a refused launch wrote results"

# ---- the output directory ----
mkdir foreign
echo mine >foreign/notes.txt
check "foreign directory" 7 run good.yml -o foreign
says stderr "foreign is not empty and was not written by smwave"
[ ! -e foreign/stats.json ] || fail "a foreign directory was written into"
check "forced" 0 run good.yml -o foreign --force
[ -e foreign/stats.json ] && [ -e foreign/notes.txt ] || fail "--force"
mkdir empty
check "empty directory" 0 run good.yml -o empty
stale="run.vcd state_warp.txt stage_lsu.txt run.banks.gtkw"
mine="notes.txt notes.part state_.txt state_warp.txt.part.part run..gtk restate_warp.txt"
for file in $stale; do
    echo stale >"empty/$file"
    echo stale >"empty/$file.part" # of a run that was killed
done
for file in $mine; do
    echo mine >"empty/$file"
done
check "own directory" 0 run good.yml -o empty
for file in $stale; do
    [ ! -e "empty/$file" ] || fail "$file, an old result, stays"
    [ ! -e "empty/$file.part" ] || fail "$file.part of a killed run stays"
done
for file in $mine; do
    [ -e "empty/$file" ] || fail "$file is not ours and was removed"
done
check "nested directory" 0 run good.yml -o a/b/c/
check "file in the way" 7 run good.yml -o good.yml
check "below a file" 7 run good.yml -o good.yml/x

# ---- files: the same from everywhere ----
mkdir elsewhere
(cd elsewhere && "$program" run ../good.yml -o out --shuffle 7 --check full \
    --timing ../timing.json >/dev/null) || fail "from elsewhere"
for file in stats.json config.yml report.json; do
    cmp "a/b/c/$file" "elsewhere/out/$file" || fail "$file depends on where it runs"
done
grep -q "$work" -r elsewhere/out && fail "a path stands in the results"
says timing.json '"startup_seconds": 0.'
says timing.json '"thread_insts_per_second"'
check "config.yml loads" 0 config check a/b/c/config.yml
"$program" config show a/b/c/config.yml >again.yml
cmp a/b/c/config.yml again.yml || fail "config.yml does not load back"
check "statistics" 0 run good.yml --stats s.json --stats s.csv --stats s.txt
cmp s.json smwave-out/good/stats.json || fail "--stats FILE.json differs"
says s.csv "0,reverse,cycles,104,cycles"
says s.csv "0,reverse,occupancy.limiter,blocks,"
says s.txt "occupancy.blocks_per_sm"

# ---- signals ----
interrupt() { # SIGNAL CODE
    what="SIG$1"
    "$program" run spin.yml -o interrupted >stdout 2>stderr &
    pid=$!
    sleep 0.5
    kill -s "$1" $pid
    wait $pid
    got=$?
    [ $got -eq "$2" ] || fail "$what: exit $got, not $2"
    says interrupted/stats.json '"status": "interrupted"'
    says stderr "interrupted; results so far are in interrupted"
}
# A shell starts background jobs with SIGINT ignored; the program listens all the same.
interrupt INT 130
interrupt TERM 143

[ $failed -eq 0 ] && echo "all as expected"
[ $failed -eq 0 ]
