#!/bin/sh
# explain.sh PROGRAM DIR TARGET... - "run --explain": its text to the letter, its sums
# against the counters of every TARGET, and nothing of it moves with --shuffle.
. "$(dirname "$0")/../lib.sh"

program=$1
here=$2
shift 2

# text NAME TARGET N - the report alone, without what depends on time, is NAME.txt.
text() {
    "$program" run "$2" -c gtx480 --trace none --explain "$3" -o "$work/out" |
        awk '/^explain:/ {on = 1} /^results in / {on = 0} on' |
        sed 's/cycle [0-9]*/cycle .../' >"$work/text"
    golden "$here/$1.txt" "$work/text"
    awk 'length > 100 {exit 1}' "$work/text" || fail "$1: longer than 100 columns"
}

# occupancy GRID - the advice on it of a launch that has room for 8 blocks on each of 15 SMs.
occupancy() {
    "$program" run stream -c gtx480 --trace none --explain 0 --gains 0 \
        --launch "launches.0.grid=[$1]" --launch buffers.table.count=200000 \
        --launch buffers.out.count=20000 --launch "expect=[]" -o "$work/out" |
        awk '/^    low-occupancy/ {on = 1; next} /^    ?[a-z]/ {on = 0} on'
}
[ -z "$(occupancy 120)" ] || fail "advice on the occupancy of a launch that is all resident"
case $(occupancy 121) in
*"limited by blocks"*"Larger blocks"*) ;;
*) fail "no advice on the occupancy of more blocks than are resident" ;;
esac

text reduction reduction-small 0
text strided "$here/strided.yml" 2

# sums of the instructions of each kernel, as "kernel counter value"
sums() {
    awk '
    function value() {
        gsub(/[",]/, "", $2)
        return $2
    }
    function sum(name) {
        total[k "." name] += value()
    }
    /"instructions": \[/ {k++; on = 1}
    /"worst": \[/ {on = 0}
    !on {next}
    $1 == "\"space\":" {space = value(); sub(/constant/, "const", space)}
    $1 == "\"op\":" {
        op = value()
        op = op == "load" ? "ld" : op == "store" ? "st" : "atom"
    }
    $1 == "\"executions\":" && !degree {sum(space "." op ".insts")}
    $1 == "\"degrees\":" {degree = $2 != "[]" && $2 != "[],"}
    degree && $1 ~ /^\]/ {degree = 0}
    $1 == "\"wavefronts\":" {sum(space "." op ".wavefronts")}
    $1 == "\"ideal_wavefronts\":" {sum(space "." op ".ideal")}
    $1 == "\"excess_wavefronts\":" {sum(space "." op ".conflicts")}
    $1 == "\"requests\":" && (space == "global" || space == "const") {
        sum(space "." op ".requests")
    }
    $1 == "\"sectors\":" && space == "global" {sum(space "." op ".sectors")}
    END {
        for (name in total) {
            if (total[name] != 0) {
                print name, total[name]
            }
        }
    }' "$1" | LC_ALL=C sort
}

counters() {
    awk '
    /"counters": \{/ {k++}
    {
        gsub(/[":,]/, " ")
        if ($1 ~ /^(shared|global|local)\.(ld|st|atom)\.(insts|wavefronts|ideal|conflicts|requests|sectors)$/ ||
            $1 ~ /^const\.ld\.(insts|requests)$/) {
            if ($2 != 0) {
                print k "." $1, $2
            }
        }
    }' "$1" | LC_ALL=C sort
}

for target in "$@"; do
    rm -rf "$work/out"
    if ! "$program" run "$target" --trace none --explain 5 -o "$work/out" >"$work/stdout"; then
        fail "$target: exit $?"
        continue
    fi
    sums "$work/out/explain.json" >"$work/sums"
    counters "$work/out/stats.json" >"$work/counters"
    [ -s "$work/sums" ] || fail "$target: nothing is explained"
    diff "$work/sums" "$work/counters" >"$work/diff" || {
        fail "$target: sums of instructions (<) are not the counters (>)"
        head -5 "$work/diff"
    }
    for seed in 1 2; do
        "$program" run "$target" --trace none --explain 5 -o "$work/shuffled" \
            --shuffle $seed | sed 's/shuffled$/out/' >"$work/stdout2"
        cmp "$work/stdout" "$work/stdout2" &&
            cmp "$work/out/explain.json" "$work/shuffled/explain.json" ||
            fail "$target: seed $seed shows"
    done
done

# N accesses per space and launch at most, in order of their excess
"$program" run "$here/strided.yml" --trace none --explain 7 -o "$work/out" >"$work/text"
awk '/^  worst shared access/ {n++; e = $5 - $8; if (n > 1 && e > last) {exit 1}; last = e}
    END {exit n != 7}' "$work/text" || fail "--explain 7: not the seven worst in order"
grep -q '"lane": 31' "$work/out/explain.json" || fail "explain.json has no lanes"

# without it nothing is left of it
"$program" run "$here/strided.yml" --trace none -o "$work/out" >"$work/text"
[ ! -e "$work/out/explain.json" ] || fail "explain.json of an earlier run is left"
grep -q '^explain' "$work/text" && fail "explained without --explain"

# what it takes
for bad in x -1 10001; do
    "$program" run reduction-small --explain $bad -o "$work/bad" >/dev/null 2>&1
    [ $? -eq 2 ] || fail "--explain $bad is taken"
done
echo "$# targets compared, $failed differences"
[ $failed -eq 0 ]
