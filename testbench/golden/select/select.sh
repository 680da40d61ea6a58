#!/bin/sh
# select.sh PROGRAM TOOLS HERE - windows and rings that begin, end and are written by what
# happens: where they lie, against the log of the whole run; what is in them, against a
# window of the same cycles; the same in an FST, where there is one; the same for every
# order of the model's processes.
. "$(dirname "$0")/../lib.sh"

program=$1
tools=$2
here=$3
cd "$work" || exit 1
formats=vcd
"$program" run reverse -o probe --trace fst >log 2>&1 && formats=vcd,fst

run() { # OUT FILE OPTION... - the exit code is in $code, what it says in OUT.txt
    out=$1
    file=$2
    shift 2
    "$program" run "$here/$file" -s gpu.sms=2 -o "$out" "$@" >"$out.txt" 2>&1
    code=$?
}

body() { # the changes of a dump, without what its comments say
    sed -n '/^\$enddefinitions/,$p' "$1/run.vcd"
}

begin() { # the time at which a dump begins
    body "$1" | sed -n '2s/#//p'
}

at() { # PATTERN N - the time of the Nth line of the whole run's log that matches
    grep -E -e "$1" whole/events.log | sed -n "$2{s/ .*//p;q;}"
}

# The window of the cycles that OUT says it covers, of the whole run, is the same.
same_as_cycles() { # OUT FILE OPTION...
    out=$1
    file=$2
    shift 2
    cycles=$(sed -n 's/.*, cycles \([0-9]*\) to \([0-9]*\)$/\1 \2/p' "$out.txt")
    [ -n "$cycles" ] || {
        fail "$out: no cycles: $(cat "$out.txt")"
        return
    }
    run by_cycle "$file" --trace vcd --trace-start "${cycles% *}" \
        --trace-stop $((${cycles#* } + 1)) "$@"
    body "$out" | grep -v '^\$comment' >a
    body by_cycle | grep -v '^\$comment' >b
    cmp -s a b || fail "$out: not as the window $cycles: $(diff a b | head -5)"
}

same_as_fst() { # OUT - of some: it takes its time
    case $formats,$1 in
    *,block | *,source | *,r_*)
        [ $formats = vcd ] || sh "$tools/same_waves.sh" "$1/run.vcd" "$1/run.fst" ||
            fail "$1: the FST differs"
        ;;
    esac
}

check() { # OUT TIME OPTION... - it begins at TIME
    out=$1
    time=$2
    shift 2
    run "$out" tiles.yml --trace $formats "$@"
    [ $code -eq 0 ] || fail "$*: exit $code: $(cat "$out.txt")"
    [ "$(begin "$out")" = "$time" ] ||
        fail "$*: begins at $(begin "$out"), not at $time"
    same_as_fst "$out"
    checked=$((checked + 1))
}
checked=0

ring() { # OUT PATTERN N OPTION... - written at the Nth such line, 300 cycles before it
    out=$1
    time=$(at "$2" "$3")
    shift 3
    run "$out" tiles.yml --trace $formats --trace-ring 400 --trace-after '100 cycles' "$@"
    [ $code -eq 0 ] || fail "$*: exit $code: $(cat "$out.txt")"
    grep -q "^$time cycle [0-9]* gpu\.trigger " "$out/events.log" ||
        fail "$*: not written at $time: $(grep trigger "$out/events.log")"
    grep -q '^\[markername\] .*trigger' "$out/run.gtkw" || fail "$*: no marker"
    same_as_fst "$out"
    same_as_cycles "$out" tiles.yml
    checked=$((checked + 1))
}

run whole tiles.yml --trace vcd
[ $code -eq 0 ] || fail "the whole run: exit $code"
bar=$(grep -n 'bar\.sync' "$here/../../kernels/teach_tile.ptx" | sed -n '2s/:.*//p')
pc=$("$program" ptx disasm "$here/../../kernels/teach_tile.ptx" | awk '
    /^tile_33:/ { inside = 1; next }
    inside && first == "" { first = $1 }
    inside && /bar\.sync/ { printf "0x%x", $1 - first; exit }')

# ---- windows ----
check kernel "$(at kernel_start 2)" --trace-start kernel=2
check name "$(at kernel_start 1)" --trace-start kernel=tile_33 --trace-stop kernel=tile_33
same_as_cycles name tiles.yml
check block "$(at block_start 3)" --trace-start block=2 --trace-stop block=2
same_as_cycles block tiles.yml
check place "$(at block_start 8)" --trace-start 'block=(0,1,0)'
check conflict "$(at 'conflict .*degree=32' 1)" --trace-start 'conflict>=17'
check barrier "$(at 'barrier\.release' 1)" --trace-start barrier
check line "$(at 'issue.*bar\.sync' 1)" --trace-start "pc=teach_tile.ptx:$bar"
same_as_cycles line tiles.yml
check offset "$(at 'issue.*bar\.sync' 1)" --trace-start "pc=tile_33+$pc"
check source "$(at 'issue.*line="teach_tile\.cu:21"' 1)" \
    --trace-start pc=teach_tile.cu:21 --trace-stop '400 cycles'
same_as_cycles source tiles.yml
last=$(at kernel_end 1)
run stops tiles.yml --trace vcd --trace-stop kernel=1
[ "$(sed -n '/dumpoff/{g;p;};/^#/h' stops/run.vcd | sed 's/#//')" -gt "$last" ] ||
    fail "the window ends before the kernel does"
same_as_cycles stops tiles.yml

# ---- rings ----
ring r_conflict 'conflict .*degree=32' 1 --trace-on 'conflict>=8'
ring r_barrier 'barrier\.release' 1 --trace-on barrier
ring r_block block_start 3 --trace-on block=2
ring r_kernel kernel_start 2 --trace-on kernel=2
ring r_line 'issue.*bar\.sync' 1 --trace-on "pc=teach_tile.ptx:$bar"
run r_cycle tiles.yml --trace vcd --trace-ring 100 --trace-on cycle=500
grep -q ', cycles 450 to 550$' r_cycle.txt || fail "cycle: $(cat r_cycle.txt)"
same_as_cycles r_cycle tiles.yml
run r_end tiles.yml --trace vcd --trace-ring 100 --trace-scope '/sched[01]/'
same_as_cycles r_end tiles.yml --trace-scope '/sched[01]/'

# What never comes is said, and the dump opens.
run never tiles.yml --trace $formats --trace-on 'conflict>=32' --trace-stop 500
grep -q '^smwave: warning: conflict>=32 did not come: ' never.txt ||
    fail "never: $(cat never.txt)"
[ $code -eq 0 ] || fail "never: exit $code"
[ "$(body never | grep -c '^#')" -eq 1 ] || fail "never: more than an instant"
run late tiles.yml --trace vcd --trace-start 1000000
grep -q '^smwave: warning: the run did not reach cycle 1000000: ' late.txt ||
    fail "late: $(cat late.txt)"
run late tiles.yml --trace vcd --trace-start cycle=1000000
grep -q '^smwave: warning: the run did not reach cycle=1000000: ' late.txt ||
    fail "late, by its name: $(cat late.txt)"

# ---- how a run ends ----
run stuck stuck.yml --trace $formats --trace-on deadlock --trace-ring 50
[ $code -eq 5 ] || fail "stuck: exit $code"
grep -q '^[0-9]* cycle [0-9]* gpu\.trigger deadlock$' stuck/events.log || fail "stuck: log"
same_as_cycles stuck stuck.yml
run wild wild.yml --trace $formats --trace-on fault --trace-ring 50
[ $code -eq 1 ] || fail "wild: exit $code"
same_as_cycles wild wild.yml
grep -q '^\[markername\] .*first fault, trigger' wild/run.gtkw || fail "wild: marker"
run no_deadlock wild.yml --trace vcd --trace-on deadlock --trace-ring 50
grep -q 'deadlock did not come' no_deadlock.txt || fail "a fault is no deadlock"

# ---- the launch file says the same ----
{
    sed "s|^module: |module: $here/|" "$here/tiles.yml"
    echo "trace: {format: vcd, scope: ['gpu.sm0.*', gpu.dispatcher], start: 'kernel=2',"
    echo "        stop: 0, depth: 3, ring: 200, on: 'conflict>=8', after: 50 cycles}"
} >key.yml
"$program" run key.yml -s gpu.sms=2 -o by_key >by_key.txt 2>&1 || fail "$(cat by_key.txt)"
run by_option tiles.yml --trace vcd --trace-scope 'gpu.sm0.*' \
    --trace-scope gpu.dispatcher --trace-start kernel=2 --trace-depth 3 --trace-ring 200 \
    --trace-on 'conflict>=8' --trace-after 50
sed 's/tiles/key/' by_option/run.vcd | cmp - by_key/run.vcd || fail "file and options differ"
"$program" run key.yml -s gpu.sms=2 -o mixed --trace-on barrier --trace-start 0 \
    >mixed.txt 2>&1 || fail "$(cat mixed.txt)"
grep -q 'gpu.trigger barrier' mixed/events.log || fail "an option does not win"

# ---- any order of the processes ----
for seed in 1 2 3; do
    rm -rf same
    run same tiles.yml --trace $formats --trace-ring 400 --trace-after '100 cycles' \
        --trace-on 'conflict>=8' --shuffle $seed
    diff -r r_conflict same || fail "seed $seed shows"
done
[ $checked -eq 14 ] || fail "$checked windows and rings"
[ $failed -eq 0 ]
