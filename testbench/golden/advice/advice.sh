#!/bin/sh
# advice.sh PROGRAM DIR DEVICE - what --explain says a remedy would gain, against the
# kernel that has the remedy: the cycles saved within a tenth, and the cycles; the answers
# of all three runs are what the launch file expects.
#
# A remedy may do more than spare the cost that the advice is about. Where it does, as the
# comments say, it has to gain what was foretold at least.
. "$(dirname "$0")/../lib.sh"

program=$1
here=$2
device=$3

# first_launch FIELD - of stats.json
first_launch() {
    awk -v name="\"$1\":" '
        $1 == name {gsub(/[^0-9]/, ""); print; exit}' "$work/out/stats.json"
}

# field NAME RULE - of the first advice of the rule in explain.json
field() {
    awk -v name="\"$1\":" -v rule="\"$2\"" '
        $1 == "\"rule\":" {on = index($2, rule)}
        on && $1 == name {gsub(/[",]/, "", $2); print $2; exit}' "$work/out/explain.json"
}

# near PERCENT A B - do they differ by at most so much of B?
near() {
    awk -v p="$1" -v a="$2" -v b="$3" 'BEGIN {d = a > b ? a - b : b - a; exit !(100 * d <= p * b)}'
}

# simulate TARGET SETTING OPTION... - a built-in target, or a launch file of this folder
simulate() {
    target=$1 setting=$2
    shift 2
    [ ! -f "$here/$target.yml" ] || target=$here/$target.yml
    "$program" run "$target" -c "$device" --trace none --launch "$setting" "$@" \
        -o "$work/out" >"$work/text" || fail "$target on $device, $setting: exit $?"
}

# percent: how far the cycles may be off; "more": the remedy does more; gain: how far the
# cycles saved may be off, if not 10 %; of "more", how much more than before may be
# foretold
while read -r devices name rule plain remedy place percent gain; do
    case ,$devices, in
    *,all,* | *,$device,*) ;;
    *) continue ;;
    esac
    simulate "$name" "$plain" --explain 0 --gains 8
    before=$(field cycles "$rule")
    said=$(field cycles_without "$rule") # the heaviest: of all lines, if it is several
    grep -q "\"place\": \"$place\"" "$work/out/explain.json" ||
        fail "$name: nothing is said of $place"
    simulate "$name" "$remedy"
    after=$(first_launch cycles)
    echo "$device, $name, $remedy: $before cycles, $said without $rule, $after with the remedy"
    if [ "$percent" = more ]; then
        [ $(((100 + ${gain:-0}) * before)) -gt $((100 * said)) ] && [ "$said" -gt "$after" ] ||
            fail "$name: $before, $said and $after cycles do not fall"
        continue
    fi
    near "$percent" "$said" "$after" ||
        fail "$name: $said cycles predicted, $after measured"
    near "${gain:-10}" $((before - said)) $((before - after)) ||
        fail "$name: gain of $((before - said)) cycles predicted, $((before - after)) measured"
done <<END
v100,gtx480 transpose uncoalesced kernel.0=transpose_columns kernel.0=transpose_rows advice.cu:14 10
all transpose uncoalesced kernel.0=transpose_ahead kernel.0=transpose_rows advice.cu:199 10
all tile bank-conflicts kernel.0=tile_columns kernel.0=tile_padded advice.cu:50 10
all padding bank-conflicts kernel.0=tile_32 kernel.0=tile_33 teach_tile.cu:17 10
all reduction bank-conflicts kernel.0=sum_strided kernel.0=sum_rows advice.cu:107 10
v100,gtx480 histogram bank-conflicts kernel.0=histogram_threads kernel.0=histogram_bins advice.cu:141 10
# Which refreshes of the memory a launch so short meets is a tenth of its time.
h100 histogram bank-conflicts kernel.0=histogram_threads kernel.0=histogram_bins advice.cu:141 10 35
v100,h100 product uncoalesced kernel.0=product_down kernel.0=product_along advice.cu:170 10
# A twentieth is left of it, and the words of b, which are read a row at a time then, stay in the L1.
gtx480 product uncoalesced kernel.0=product_down kernel.0=product_along advice.cu:170 20
# Loads of transpose_columns wait for the stores before them; those to shared memory do not.
h100 transpose uncoalesced kernel.0=transpose_columns kernel.0=transpose_rows advice.cu:14 more
# A quarter of the instructions is for the strided index.
v100,gtx480 tree bank-conflicts kernel.0=tree_strided kernel.0=tree_rows advice.cu:217 more
# Its conflicts cost next to nothing there: less than another beginning of the accesses does.
h100 tree bank-conflicts kernel.0=tree_strided kernel.0=tree_rows advice.cu:217 more 1
END
[ $failed -eq 0 ]
