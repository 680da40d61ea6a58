#!/bin/sh
# ptxfilter.sh PROGRAM TOOLS PTX - "smwave ptxfilter": what it answers, a line for a line
# at once and whatever comes; and a row of pcs that it translates in GTKWave. TOOLS: the
# folder of check_gtkwave.sh; PTX: reverse.ptx.
. "$(dirname "$0")/../lib.sh"

smwave=$1
tools=$2
ptx=$3
cd "$work" || exit 1

# answers WANT INPUT FILE...: INPUT is a format of printf, without arguments.
answers() {
    want=$1
    input=$2
    shift 2
    # shellcheck disable=SC2059
    printf "$input" | timeout 20 "$smwave" ptxfilter "$@" >out 2>err ||
        fail "$*: exit $?: $(cat err)"
    printf '%s\n' "$want" | cmp -s - out || fail "$input: $(cat out)"
}

"$smwave" run reverse -o a >log || exit 1
first='ld.param.u64 %rd1, [staticReverse_param_0]  reverse.cu:3'

# As GTKWave prints it, and shorter; from a table, a dump, a run and the PTX itself.
answers "$first" '00000000\n' a/run.pcs.txt
answers "$first" '0\n' a/run.vcd
answers "$first" '0' a
answers "$first" '00000000\n' "$ptx"
n=$(grep -c '^0' a/run.pcs.txt)
awk 'BEGIN { for (i = 0; i < '"$n"'; i++) { printf "%08x\n", i } }' >pcs
"$smwave" ptxfilter a <pcs >one
"$smwave" ptxfilter "$ptx" <pcs >two
sed -n 's/^0[0-9a-f]* //p' a/run.pcs.txt >table
cmp one table || fail "the answers are not the table"
cmp one two || fail "the PTX has other instructions than the table"
(cd a && echo 0 | "$smwave" ptxfilter) | grep -qxF "$first" || fail "no table found here"

# A warp without a block has the pc 0: no instruction of a kernel that never runs.
"$smwave" run stream -o b >log || exit 1
answers 00000000 '00000000\n' b
grep -q '^0.* \[stream_param_' b/run.pcs.txt || fail "stream has no instructions"
if grep l1_hungry b/run.pcs.txt; then
    fail "instructions of what is not launched"
fi

# The first file that knows a pc; what nobody knows, and what is no pc, comes back plain.
printf "00000007 ?red?mine\n0000ffff far\001away\n" >own.pcs.txt
answers "$first
.red?mine
far.away
10000
ffffffffffffffff
xxxxxxxx" '0\n7\nffff\n10000\nffffffffffffffff\nxxxxxxxx\n' own.pcs.txt a

# Whatever comes: a line for a line, without colours and escapes.
answers '
red?alarm
[31mred
0x0
00000000000000000
-1' '\n??red?alarm\n\033[31mred\n0x0\n00000000000000000\n-1\n' a
head -c 100000 /dev/zero | tr '\000' a >long
timeout 20 "$smwave" ptxfilter a <long >out || fail "a long line: $?"
[ "$(wc -c <out)" -eq 64 ] || fail "a long line is answered with $(wc -c <out) bytes"
head -c 300000 "$smwave" >bytes
lines=$(tr -dc '\n' <bytes | wc -c)
timeout 60 "$smwave" ptxfilter a <bytes >out || fail "any bytes: $?"
[ $(($(wc -l <out) - lines)) -le 1 ] || fail "$(wc -l <out) answers to $lines lines"
[ "$(tr -d '\n -~' <out | wc -c)" -eq 0 ] || fail "bytes that a terminal obeys"

# It waits for the next value, and a viewer has the answer to this one meanwhile.
mkfifo ask
timeout 20 "$smwave" ptxfilter a <ask >answer &
exec 3>ask
echo 0 >&3
for try in 1 2 3 4 5 6 7 8 9 10; do
    [ -s answer ] || sleep 1
done
grep -qxF "$first" answer || fail "no answer before the end ($try s)"
exec 3>&-
wait

# What is no table is refused; but a viewer, which would wait for ever, has its answers.
echo 0 | timeout 20 "$smwave" ptxfilter nowhere.pcs.txt >out 2>err
[ $? -eq 4 ] && grep -qx 0 out && grep -q 'nowhere.pcs.txt' err || fail "nowhere: $(cat err)"
echo "0 short" >broken.pcs.txt
echo 0 | timeout 20 "$smwave" ptxfilter broken.pcs.txt >out 2>err
[ $? -eq 4 ] && grep -qx 0 out && grep -q 'broken.pcs.txt:1' err || fail "broken: $(cat err)"
echo 0 | timeout 20 "$smwave" ptxfilter >out 2>err
[ $? -eq 4 ] && grep -q 'which table' err || fail "two tables: $(cat err)"

# A row of pcs in GTKWave, which hands all arguments over as one word.
line=$(grep -m 1 '\.sched0\.issue warp=0 ' a/events.log)
cat >a/own.gtkw <<END
[dumpfile] "run.vcd"
[savefile] "own.gtkw"
@4022
^>1 $smwave ptxfilter $work/a
+{pc} gpu.sm0.warp00.pc[31:0]
END
sh "$tools/check_gtkwave.sh" a/own.gtkw "$((${line%% *} - 1))" pc "$first" ||
    fail "GTKWave does not show the instruction"
[ $failed -eq 0 ]
