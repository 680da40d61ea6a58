#!/bin/sh
# dozen.sh PROGRAM DIRECTORY - the dozen classic faults of dozen.cu: each is found, with
# the rule it breaks, at the lines marked with its name and at no other; nothing is said of
# the repaired twins. On the devices of both ages, for a fault is one on either.
. "$(dirname "$0")/../lib.sh"

program=$1
directory=$(cd "$2" && pwd)
count=0

wrong() {
    echo "$name on $config: $1"
    failed=$((failed + 1))
}

# Of each result one marked line among its places, else its first place.
lines() {
    awk -v name="$name" -v source="$directory/dozen.cu" '
        BEGIN {
            while ((getline line < source) > 0) {
                n++
                if (substr(line, length(line) - length(name) - 3) == " // " name) {
                    marked[n] = 1
                }
            }
        }
        function put() {
            if (first) {
                print hit ? hit : first
            }
            first = hit = 0
        }
        /"ruleId"/ { put() }
        /"startLine"/ {
            first = first ? first : $2
            hit = !hit && ($2 in marked) ? $2 : hit
        }
        END { put() }' "$work/out.sarif" | sort -nu
}

# KERNEL BLOCK ARGUMENTS RULE EXIT: RULE - for nothing to be said
try() {
    cat >"$work/run.yml" <<END
module: $directory/dozen.ptx
buffers:
  d: {type: s32, count: 64, init: {iota: [0, 1]}}
  p: {type: f32, count: 128, init: {fill: 0.5}}
  out: {type: s32, count: 128, init: zero}
launches:
  - {kernel: $name, grid: [1], block: [$1], args: [$2]}
trace: {format: none}
END
    count=$((count + 1))
    "$program" run "$work/run.yml" -c $config --check full --max-cycles 20000 \
        --report "$work/out.sarif" -o "$work/out" >"$work/stdout" 2>"$work/stderr"
    code=$?
    [ $code -eq "$4" ] || wrong "exit $code, not $4"
    rules=$(sed -n 's/^ *"ruleId": "\(.*\)",$/\1/p' "$work/out.sarif" | sort -u)
    if [ "$3" = - ]; then
        [ -z "$rules" ] || wrong "it is said to break $rules"
        [ ! -s "$work/stderr" ] || wrong "$(cat "$work/stderr")"
        return
    fi
    [ "$rules" = "$3" ] || wrong "it is said to break '$rules', not '$3'"
    lines >"$work/lines"
    grep -n "// $name\$" "$directory/dozen.cu" | cut -d: -f1 >"$work/marked"
    if [ "$3" = divergent-barrier ]; then # one of them is enough
        head -n 1 "$work/lines" | grep -Fxf - "$work/marked" >"$work/one"
        cp "$work/one" "$work/marked"
    fi
    cmp -s "$work/lines" "$work/marked" ||
        wrong "at lines '$(tr '\n' ' ' <"$work/lines")' instead of '$(tr '\n' ' ' <"$work/marked")'"
}

for config in gtx480 h100; do
    while read -r name block rule code arguments; do
        try "$block" "$arguments" "$rule" "$code"
    done <<END
reverse 64 race 1 d, 64
reverse 32 warp-race 0 d, 32
reverse_twin 64 - 0 d, 64
reverse_twin 32 - 0 d, 32
reduce_load 128 race 1 p, out
reduce_loop 128 race 1 p, out
reduce_twin 128 - 0 p, out
reduce_first 128 race 1 p, out
reduce_behind 128 race 1 p, out
reduce_behind_twin 128 - 0 p, out
same_word 64 race 1 d
same_word_twin 64 - 0 d
shared_past 64 out-of-bounds 1 d, 1
shared_past 64 out-of-bounds 1 d, 100000
shared_past 64 - 0 d, 0
global_past 96 out-of-bounds 1 d, 64
global_past_twin 96 - 0 d, 64
misaligned 63 misaligned 1 d, 1
misaligned 63 - 0 d, 4
divergent 64 divergent-barrier 1 d
divergent_twin 64 - 0 d
early_exit 64 - 0 d, 48
early_exit 64 - 0 d, 32
early_exit 64 - 0 d, 64
early_exit_counted 64 deadlock 5 d, 32
early_exit_counted 64 - 0 d, 48
early_exit_counted 64 - 0 d, 64
loop_threads 64 divergent-barrier 1 d
loop_threads_twin 64 - 0 d
loop_warps 64 deadlock 5 d
loop_warps_twin 64 - 0 d
loop_apart 64 divergent-barrier 1 d
loop_apart_twin 64 - 0 d
endless 64 cycle-limit 6 d, 64
endless 64 - 0 d, 63
edge 64 uninitialized-read 0 d, out
edge_twin 64 - 0 d, out
next_array 64 out-of-bounds 1 d, 1
next_array 64 out-of-bounds 1 d, -1
next_array 64 out-of-bounds 1 d, 64
next_array 64 - 0 d, 0
swapped 64 - 0 d, 4
END
done
echo "$count kernels, $failed not as expected"
[ "$failed" -eq 0 ] && [ "$count" -eq 84 ]
