#!/bin/sh
# Every view of a run, in GTKWave.
#
#   check_views.sh SMWAVE PRESET BANKS NAME DUMPS
#
# Runs the built-in launch NAME (staircase, or one without conflicts) on PRESET, whose
# SMs have BANKS banks, below the current directory, with DUMPS: "run" (run.vcd) or "run
# run.fst" (run.fst as well). Without a display: each name that a save file has is one of
# its dump's, and its markers stand where events.log tells of what they mark. In GTKWave,
# each view has all its rows and markers, and rows show what events.log and the launch
# say:
#   before the kernel        warps and banks are idle
#   at the first issue       the instruction and its warp, how many warps there are
#                            and how many there are per cycle of that window
#   at the worst conflict    its degree
#   while it is served       which bank is busy, in words, as a mask and counted
# Then "smwave wave view" must make the same files from the dump alone.
set -eu

tools=$(cd "$(dirname "$0")" && pwd)
smwave=$1
preset=$2
banks=$3
name=$4
dumps=$5
out=views-$preset-$name
last=$((banks - 1))
views=banks,scheduler,pipeline,coalescer,memory,warp=0,bank=$last
list=vcd

fail() {
    echo "check_views: $preset $name: $*" >&2
    exit 1
}

case $dumps in
*fst*) list=vcd,fst ;;
esac
# As it is written: what is to be seen below is known of that order.
"$smwave" run "$name" -c "$preset" -s ptx.schedule=as_written -o "$out" --force --trace "$list" --view "$views" \
    >/dev/null

# ---- without a display ----

# The names a dump has, as GTKWave's loader knows them.
names_of() {
    case $1 in
    *.fst) fst2vcd -f "$1" ;;
    *) cat "$1" ;;
    esac | awk '/^\$scope/   { scope[++depth] = $3; next }
                /^\$upscope/ { depth--; next }
                /^\$var/     { path = ""
                               for (i = 1; i <= depth; i++) { path = path scope[i] "." }
                               print path $5 ($6 == "$end" ? "" : $6) }
                /^\$enddef/  { over = 1 }
                over         { next }' | LC_ALL=C sort
}

# The dump's end and the times that the markers should have, one per line: what there is
# once, which has one in any case, and the kernels and the barriers that have room.
marks_wanted() {
    awk '/^#/        { if (!off) { end = substr($0, 2) } }
         /^\$dumpoff/ { off = 1 }
         END         { print end }' "$out/run.vcd"
    awk '/\.xbar\.conflict / { match($0, /degree=[0-9]+/)
                               degree = substr($0, RSTART + 7, RLENGTH - 7) + 0
                               if (first == "") { first = $1 }
                               if (degree > most) { most = degree; worst = $1 } }
         /\.kernel_start /   { if (start == "") { start = $1 } }
         /\.kernel_end /     { over = $1 }
         /\.fault /          { if (fault == "") { fault = $1 } }
         END { print start; print first; print worst; print over; print fault }' "$out/events.log"
}
marks_wanted | awk 'NF > 0' | LC_ALL=C sort -u >"$out.marks"
{
    cat "$out.marks"
    awk '/\.kernel_start |\.barrier\.release / { print $1 }' "$out/events.log"
} | LC_ALL=C sort -u >"$out.events"

for dump in $dumps; do
    case $dump in
    run) file=run.vcd ;;
    *) file=$dump ;;
    esac
    names_of "$out/$file" >"$out.names"
    for save in "$out"/run*.gtkw; do
        if ! grep -q "^\[dumpfile\] \"$file\"" "$save"; then
            continue # the other dump's
        fi
        awk '/^\+\{/ { print $NF; next }
             /^#\{/  { for (i = 1; i <= NF; i++) { # "(0)" takes a bit
                          sub(/^\([0-9]+\)/, "", $i)
                          if ($i ~ /^gpu\./) { print $i }
                      } }' "$save" | LC_ALL=C sort -u >"$out.used"
        [ -s "$out.used" ] || fail "$(basename "$save") has no rows"
        lost=$(LC_ALL=C comm -13 "$out.names" "$out.used" | head -3)
        [ -z "$lost" ] || fail "$(basename "$save") names what $file does not have: $lost"
        awk '/^\*/ { for (i = 3; i <= NF; i++) { if ($i != -1) { print $i } } }' \
            "$save" | LC_ALL=C sort >"$out.used"
        lost=$(LC_ALL=C comm -23 "$out.marks" "$out.used")
        [ -z "$lost" ] || fail "$(basename "$save"): no marker at" $lost
        lost=$(LC_ALL=C comm -13 "$out.events" "$out.used")
        [ -z "$lost" ] || fail "$(basename "$save"): a marker of nothing at" $lost
        if grep -q '^\[markername\] .[.]$' "$save"; then
            fail "$(basename "$save") has a marker without words"
        fi
    done
    n=$(grep -c '^[+#]{bank[0-9][0-9]} ' "$out/$dump.banks.gtkw")
    [ "$n" -eq "$banks" ] || fail "$dump: the view of the banks has $n of them, not $banks"
done
if grep -q '^\[markername\].\{300\}' "$out"/run*.gtkw; then
    fail "a caption is longer than the picture is wide"
fi
grep -q '^\[markername\] A *start ' "$out/run.gtkw" || fail "no kernel's start has a name"

# ---- what is to be seen ----

# 229285 cycle 321 gpu.sm0.sched0.issue warp=0 inst="ld.param.u64 %rd1, [p]"
line=$(grep -m 1 '\.sched0\.issue warp=0 ' "$out/events.log")
time=${line%% *}
cycle=$(echo "$line" | cut -d ' ' -f 3)
inst=$(echo "$line" | sed 's/.* inst="\([^"]*\)".*/\1/')
start=$(awk '/\.kernel_start / { print $1 - 1; exit }' "$out/events.log")
worst=$(awk '/\.xbar\.conflict / { match($0, /degree=[0-9]+/)
                 degree = substr($0, RSTART + 7, RLENGTH - 7) + 0
                 if (degree > most) { most = degree; print $1, $3, degree } }' \
    "$out/events.log" | tail -1)
# The first line of the table with that instruction: "00000000 ld.param.u64 ...  a.cu:3".
code=$(awk -v "inst=$inst" 'index($0, " " inst "  ") { print substr($0, 10); exit }' \
    "$out/run.pcs.txt")
[ -n "$code" ] || fail "run.pcs.txt has no $inst"

# The warp is seen to issue for a cycle, and then to do what comes of it.
first=$(sed -n "s/^$time .* line=\"\([^\"]*\)\".*/\1/p" "$out/events.log" | sed 1q)
next=$(awk -v "cycle=$((cycle + 1))" '/^b[01]+ / && $2 == id { v = substr($1, 2)
         for (n = 0; v != ""; v = substr(v, 2)) { n = 2 * n + substr(v, 1, 1) }
         if (n == cycle) { print time; exit } }
     /^#/ { time = substr($0, 2) }
     $1 == "$var" && $5 == "cycle" && id == "" { id = $4 }' "$out/run.vcd")

# Two rows, and so a group, where a scheduler issues two at a time.
sched="sm0/sched0 inst"
rate=
after=R
if grep -q 'sched0\.second' "$out/run.banks.gtkw"; then
    sched=sm0/sched0/inst
else # that of the window of the first issue, at that issue: "TIME IPC"
    rate=$(awk '/\.sm0\.sched[0-9]*\.issue / {
                    w = int($3 / 64)
                    if (first == "") { first = w; time = $1 }
                    if (w == first) { n++ }
                } END { if (n > 0) { printf "%d %.10g", time, n / 64 } }' "$out/events.log")
    [ -n "$rate" ] || fail "nothing is issued"
fi
case $line in
*second=\"[!\"]*) after=X ;; # what comes behind the second waits for it
esac
# Of how many warps a block there is in the launch at that time.
case $name in
staircase) warps=1 ;;
*) warps=$(awk '/\.block_start / { sub(/.*blocks=/, ""); n = $1 }
                /\.issue / { print 16 * n; exit }' "$out/events.log") ;; # 512 threads
esac
# On 1.x, shared memory begins with 16 bytes of the launch and 8 of the argument.
bank=00
if [ "$banks" -eq 16 ]; then
    bank=06
fi

# ---- in GTKWave ----

check() { # SAVE [TIME PATH VALUE]...
    save=$1
    shift
    sh "$tools/check_gtkwave.sh" "$out/$save" "$@"
}

# The banks at the worst conflict: all lanes want one bank, and so many passes serve a
# warp or, on 1.x, half of it; they follow one another, so the bank is busy until behind
# the second.
check_worst() { # DUMP TIME CYCLE DEGREE
    grep -q "worst conflict" "$out/$1.banks.gtkw" || fail "no mark at the worst conflict"
    grep -q "^\*[^ ]* $2 " "$out/$1.banks.gtkw" ||
        fail "$1: the primary marker is not at the worst conflict"
    lanes=$((32 / $4))
    if [ "$banks" -eq 16 ]; then
        lanes=$((16 / $4))
    fi
    second=$(awk -v "at=$2" '/\.xbar\.wavefront / && $1 > at { print $1; exit }' \
        "$out/events.log")
    mask=$(printf "%0$((banks / 4))X" $((1 << ${bank#0})))
    check "$1.banks.gtkw" "$time" "$sched" "$inst" \
        "$2" cycle "$3" "$2" sm0/smem/xbar/degree "$4" \
        "$second" sm0/smem/xbar/lanes "$lanes" \
        "$second" "sm0/smem/busy banks[$last:0]" 1 \
        "$second" "sm0/smem/banks busy[$last:0]" "$mask" \
        "$second" "sm0/smem/banks busy[$last:0]/bank$bank" load_conflict \
        "$second" "sm0/smem/banks busy[$last:0]/bank01" idle
}

for dump in $dumps; do
    check "$dump.gtkw" "$time" cycle "$cycle" "$time" sm0/sched0/inst "$inst" \
        "$time" sm0/active_warps "$warps"
    if [ -n "$rate" ]; then
        check "$dump.scheduler.gtkw" "$time" sm0/sched0/inst "$inst" \
            "$time" sm0/sched0/warp 0 "$start" sm0/warps/warp00 idle \
            "${rate% *}" "sm0/IPC of 64" "${rate#* }"
    else
        check "$dump.scheduler.gtkw" "$time" sm0/sched0/inst "$inst" \
            "$time" sm0/sched0/warp 0 "$start" sm0/warps/warp00 idle
    fi
    check "$dump.warp0.gtkw" "$((time - 1))" sm0/warp00/inst "$inst" \
        "$((time - 1))" sm0/warp00/pc "$code" "$start" sm0/warp00 idle
    check "$dump.pipeline.gtkw" "$time" sm0/warps/warp00 I \
        "$next" sm0/warps/warp00 "$after" "$((time - 1))" sm0/warps/pc "$code" \
        "$time" sm0/sched0/line "$first" "$start" sm0/warps/warp00 -
    check "$dump.coalescer.gtkw" "$time" "$sched" "$inst"
    check "$dump.memory.gtkw" "$time" cycle "$cycle"
    check "$dump.bank$last.gtkw" "$time" "$sched" "$inst" \
        "$start" "sm0/smem/bank$last" idle
    if [ -n "$worst" ]; then
        # shellcheck disable=SC2086
        check_worst "$dump" $worst
    else
        check "$dump.banks.gtkw" "$time" "$sched" "$inst" \
            "$start" "sm0/smem/banks busy[$last:0]/bank00" idle
    fi
done

# Views from the dump alone.
rm -rf "$out.again"
mkdir "$out.again"
cp "$out"/* "$out.again"
rm "$out.again"/*.gtkw
"$smwave" wave view "$out.again/run.vcd" --view "$views" --view overview >/dev/null
for save in "$out.again"/run*.gtkw; do
    cmp "$out/$(basename "$save")" "$save"
done
rm -r "$out.again" "$out.names" "$out.used" "$out.marks" "$out.events"
