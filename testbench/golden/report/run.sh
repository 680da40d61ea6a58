#!/bin/sh
# The page of a run and the profile behind it: figures that add up to the counters, the
# same bytes from another directory and in any order of processes, nothing fetched, names
# from users without effect, and mistakes.
#
#   run.sh SMWAVE HERE
. "$(dirname "$0")/../lib.sh"
set -e

smwave=$1
here=$2
cd "$work"

# sum FILE KEY: of all numbers of an array in profile.json, or of those of a counter.
sum() {
    awk -v key="\"$2\":" '
        $1 == key {
            s = $0
            sub(/^[^:]*: */, "", s)
            gsub(/[^0-9,-]/, "", s)
            n = split(s, v, ",")
            for (i = 1; i <= n; i++) { all += v[i] }
        }
        END { printf "%.0f", all }' "$1"
}

counters() { # counters DIR SUFFIX: of shared memory
    echo $(($(sum "$1/stats.json" "shared.ld.$2") + $(sum "$1/stats.json" "shared.st.$2") + \
        $(sum "$1/stats.json" "shared.atom.$2")))
}

check() { # check WHAT IS WANTED
    if [ "$2" -ne "$3" ]; then
        fail "$1: $2, not $3"
    fi
}

for target in reduction-small stride padding halfwarp wide doubles atomics; do
    "$smwave" run $target --profile --trace none -o $target >/dev/null
    p=$target/profile.json
    cycles=0
    for class in issue pipe latency memory barrier idle; do
        cycles=$((cycles + $(sum $p $class)))
    done
    check "$target: cycles of SMs" $cycles $(($(sum $p cycles) * $(sum $p sms)))
    check "$target: instructions" "$(sum $p insts)" "$(sum $target/stats.json warp_insts)"
    check "$target: wavefronts" "$(sum $p wavefronts)" "$(counters $target wavefronts)"
    check "$target: conflicts" "$(sum $p conflicts)" "$(counters $target conflicts)"
    warps=0
    for class in ready latency memory barrier; do
        warps=$((warps + $(sum $p warp_$class)))
    done
    if [ $warps -gt "$(sum $target/stats.json sm.warp_cycles)" ]; then
        fail "$target: warps live longer than they are resident"
    fi
done

# The same from elsewhere, in another order, with a waveform that ends early beside it.
"$smwave" report reduction-small >said
test "$(cat said)" = reduction-small/report.html || fail "it does not say what it wrote"
mkdir other
(cd other && "$smwave" run reduction-small --profile --shuffle 7 --trace-stop 3000 -o x >/dev/null &&
    "$smwave" report x -o "$work/moved.html" >/dev/null)
cmp reduction-small/profile.json other/x/profile.json || failed=1
cmp reduction-small/report.html moved.html || failed=1
# Who is watched does not change what is watched.
(cd other && "$smwave" run reduction-small --trace-stop 3000 -o y >/dev/null)
for f in run.vcd events.log stats.json; do
    cmp other/x/$f other/y/$f || failed=1
done

awk -f "$here/text.awk" reduction-small/report.html >text
golden "$here/reduction-small.txt" text || true

# The dearest instructions are the first ones of their table, which may be scrolled.
"$smwave" report atomics >/dev/null
awk -f "$here/text.awk" atomics/report.html | awk -F ' [|] ' '
    /^Shared memory$/ { on = 1 }
    /^Global memory$/ { on = 0 }
    on && NF == 9 && $7 ~ /^[0-9]+$/ { print $7 }' >conflicts
test "$(head -n 1 conflicts)" = 62 || fail "the first row has $(head -n 1 conflicts) conflicts"
sort -rn conflicts | cmp - conflicts || fail "the rows are not in order of their conflicts"

# One file: whatever it names is inside.
if grep -E '(src|href)="[^#d]|url\(|@import|https?://' reduction-small/report.html |
    grep -vF 'http://www.w3.org/2000/svg'; then
    fail "the page asks for something outside"
fi

# Without the profile it says what would add it.
"$smwave" run reverse --trace none -o plain >/dev/null
"$smwave" report plain >/dev/null
test "$(grep -c 'Not recorded' plain/report.html)" -eq 4 || fail "what is missing is not told"

# The name of a configuration comes from anybody.
printf 'extends: gtx480\nname: "</title><script>alert(1)</script>"\n' >evil.yml
"$smwave" run reverse -c evil.yml --trace none -o evil >/dev/null
"$smwave" report evil >/dev/null
grep -q '&lt;script&gt;alert(1)' evil/report.html || fail "the name is not there"
if grep -q '<script>alert' evil/report.html; then
    fail "the name is markup"
fi

# A new run into the folder takes the page of the old one away.
"$smwave" run reverse --trace none -o reduction-small >/dev/null
if [ -e reduction-small/report.html ] || [ -e reduction-small/profile.json ]; then
    fail "what an earlier run was made into stays"
fi

refused() { # refused EXIT WORDS ARGUMENT...
    want=$1
    words=$2
    shift 2
    got=0
    "$smwave" report "$@" >out 2>err || got=$?
    if [ $got -ne "$want" ] || ! grep -qF -e "$words" err; then
        fail "report $*: exit $got, said:"
        cat err >&2
    fi
}
refused 2 "the folder of which run, or of which sweep?"
refused 2 "one folder at a time" a b
refused 2 "unknown option" --outptu x
refused 4 "there is no folder nowhere" nowhere
refused 4 "is no folder of a run" other
mkdir broken
echo '{"schema": 1,' >broken/stats.json
refused 4 "broken/stats.json: line 2" broken
echo '[]' >broken/stats.json
refused 4 "not an object" broken
refused 7 "no/such/dir" plain -o no/such/dir/x.html
# Whatever else such a file says, there is a page.
echo '{"kernels": [{"name": 5, "counters": [], "grid": {"a": 1}}, 7, null]}' >broken/stats.json
printf '{"issue": [1, "x"], "window": 1e300, "banks": -3, "launches": 9}' >broken/profile.json
printf '{"kernels": [{"instructions": [{"space": "shared"}, 4]}, []]}' >broken/explain.json
"$smwave" report broken >/dev/null || fail "strange files have no page"
[ $failed -eq 0 ]
