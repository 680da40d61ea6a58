#!/bin/sh
# Every view of a run, in GTKWave.
#
#   check_views.sh SMWAVE PRESET BANKS NAME
#
# Runs the built-in launch NAME (staircase, or one without conflicts) on PRESET, whose
# SMs have BANKS banks, below the current directory. Each view's save file must have its rows in GTKWave, the markers must stand
# where they should, and rows must show what events.log and the launch say:
#   before the kernel        warps and banks are idle
#   at the first issue       the instruction and its warp
#   at the worst conflict    its degree
#   while it is served       which bank is busy, in words, as a mask and counted
# Then "smwave wave view" must make the same files from the dump alone.
set -eu

tools=$(cd "$(dirname "$0")" && pwd)
smwave=$1
preset=$2
banks=$3
name=$4
out=views-$preset-$name
views=banks,scheduler,pipeline,coalescer,memory,warp=0,bank=$((banks - 1))

fail() {
    echo "check_views: $preset $name: $*" >&2
    exit 1
}

"$smwave" run "$name" -c "$preset" -o "$out" --force --view "$views" >/dev/null

# Names without a display: each row of each view is a variable of the dump.
awk '/^\$scope/   { scope[++depth] = $3; next }
     /^\$upscope/ { depth--; next }
     /^\$var/     { path = ""
                    for (i = 1; i <= depth; i++) { path = path scope[i] "." }
                    print path $5 ($6 == "$end" ? "" : $6) }
     /^\$enddef/  { exit }' "$out/run.vcd" | LC_ALL=C sort >"$out.names"
for save in "$out"/run*.gtkw; do
    awk '/^\+\{/ { print $NF; next }
         /^#\{/  { for (i = 1; i <= NF; i++) { if ($i ~ /^gpu\./) { print $i } } }' \
        "$save" | LC_ALL=C sort -u >"$out.used"
    [ -s "$out.used" ] || fail "$(basename "$save") has no rows"
    lost=$(LC_ALL=C comm -13 "$out.names" "$out.used" | head -3)
    [ -z "$lost" ] || fail "$(basename "$save") names what the dump does not have: $lost"
done
n=$(grep -c '^+{bank[0-9][0-9]} ' "$out/run.banks.gtkw")
[ "$n" -eq "$banks" ] || fail "the view of the banks has $n rows of banks, not $banks"

# 229285 cycle 321 gpu.sm0.sched0.issue warp=0 inst="ld.param.u64 %rd1, [p]"
line=$(grep -m 1 '\.sched0\.issue warp=0 ' "$out/events.log")
time=${line%% *}
cycle=$(echo "$line" | cut -d ' ' -f 3)
inst=$(echo "$line" | sed 's/.* inst="\([^"]*\)".*/\1/')
start=$(awk '/\.kernel_start / { print $1 - 1; exit }' "$out/events.log")
last=$((banks - 1))
worst=$(awk '/\.xbar\.conflict / { match($0, /degree=[0-9]+/)
                 degree = substr($0, RSTART + 7, RLENGTH - 7) + 0
                 if (degree > most) { most = degree; print $1, $3, degree } }' \
    "$out/events.log" | tail -1)

# On 1.x, shared memory begins with 16 bytes of the launch and 8 of the argument.
bank=00
if [ "$banks" -eq 16 ]; then
    bank=06
fi

# Two rows, and so a group, where a scheduler issues two at a time.
sched="sm0/sched0 inst"
if grep -q 'sched0\.second' "$out/run.banks.gtkw"; then
    sched=sm0/sched0/inst
fi

check() { # SAVE [TIME PATH VALUE]...
    save=$1
    shift
    sh "$tools/check_gtkwave.sh" "$out/$save" "$@"
}

check run.gtkw "$time" cycle "$cycle" "$time" sm0/sched0/inst "$inst"
check run.scheduler.gtkw "$time" sm0/sched0/inst "$inst" "$time" sm0/sched0/warp 0 \
    "$start" sm0/warps/warp00 idle
# The first line of the table with that instruction: "00000000 ld.param.u64 ...  a.cu:3".
code=$(awk -v "inst=$inst" 'index($0, " " inst "  ") { print substr($0, 10); exit }' \
    "$out/run.pcs.txt")
[ -n "$code" ] || fail "run.pcs.txt has no $inst"
check run.warp0.gtkw "$((time - 1))" sm0/warp00/inst "$inst" \
    "$((time - 1))" sm0/warp00/pc "$code" "$start" sm0/warp00 idle
# The warp is seen to issue for a cycle, and then to do what comes of it.
first=$(sed -n "s/^$time .* line=\"\([^\"]*\)\".*/\1/p" "$out/events.log" | sed 1q)
next=$(awk -v "cycle=$((cycle + 1))" '/^b[01]+ / && $2 == id { v = substr($1, 2)
         for (n = 0; v != ""; v = substr(v, 2)) { n = 2 * n + substr(v, 1, 1) }
         if (n == cycle) { print time; exit } }
     /^#/ { time = substr($0, 2) }
     $1 == "$var" && $5 == "cycle" && id == "" { id = $4 }' "$out/run.vcd")
check run.pipeline.gtkw "$time" sm0/warps/warp00 I "$next" sm0/warps/warp00 R \
    "$((time - 1))" sm0/warps/pc "$code" "$time" sm0/sched0/line "$first" \
    "$start" sm0/warps/warp00 -
check run.coalescer.gtkw "$time" "$sched" "$inst"
check run.memory.gtkw "$time" cycle "$cycle"
check "run.bank$last.gtkw" "$time" "$sched" "$inst" \
    "$start" "sm0/smem/bank$last" idle
if [ -n "$worst" ]; then
    # shellcheck disable=SC2086
    set -- $worst
    grep -q "worst conflict" "$out/run.banks.gtkw" || fail "no mark at the worst conflict"
    grep -q "^\*[^ ]* $1 " "$out/run.banks.gtkw" ||
        fail "the primary marker is not at the worst conflict"
    # all lanes want one bank, and so many passes serve a warp or, on 1.x, half of it;
    # they follow one another, so the bank is busy until behind the second
    lanes=$((32 / $3))
    if [ "$banks" -eq 16 ]; then
        lanes=$((16 / $3))
    fi
    second=$(awk -v "at=$1" '/\.xbar\.wavefront / && $1 > at { print $1; exit }' \
        "$out/events.log")
    mask=$(printf "%0$((banks / 4))X" $((1 << ${bank#0})))
    check run.banks.gtkw "$time" "$sched" "$inst" \
        "$1" cycle "$2" "$1" sm0/smem/xbar/degree "$3" \
        "$second" sm0/smem/xbar/lanes "$lanes" \
        "$second" "sm0/smem/busy banks[$last:0]" 1 \
        "$second" "sm0/smem/banks busy[$last:0]" "$mask" \
        "$second" "sm0/smem/banks busy[$last:0]/bank$bank" load \
        "$second" "sm0/smem/banks busy[$last:0]/bank01" idle
else
    check run.banks.gtkw "$time" "$sched" "$inst" \
        "$start" "sm0/smem/banks busy[$last:0]/bank00" idle
fi

# Views from the dump alone.
rm -rf "$out.again"
mkdir "$out.again"
cp "$out"/* "$out.again"
rm "$out.again"/*.gtkw
"$smwave" wave view "$out.again" --view "$views" --view overview >/dev/null
for save in "$out"/run*.gtkw; do
    cmp "$save" "$out.again/$(basename "$save")"
done
rm -r "$out.again" "$out.names" "$out.used"
