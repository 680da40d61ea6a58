#!/bin/sh
# occupancy.sh PROGRAM DATA DIRECTORY - "smwave occupancy" against every row of the
# published calculator's graphs and of what the runtime of an H100 and an H200 answered
# (DATA), and the tables for people against DIRECTORY/*.txt.
. "$(dirname "$0")/../lib.sh"

program=$1
data=$2
directory=$3
rows=0

# compare NAME CC COLUMN: $work/in.csv gives column COLUMN (1 blocks, 2 warps) of
# $work/want.
compare() {
    if ! "$program" occupancy --cc "$2" --batch "$work/in.csv" >"$work/out.csv"; then
        echo "$1: the program fails"
        failed=$((failed + 1))
        return
    fi
    cut -d, -f"$3" "$work/out.csv" | sed 1d >"$work/got"
    n=$(wc -l <"$work/want")
    rows=$((rows + n))
    if [ "$n" -eq 0 ] || ! cmp -s "$work/got" "$work/want"; then
        echo "$1: other answers"
        paste -d, "$work/in.csv" "$work/out.csv" | sed 1d | paste -d, - "$work/want" |
            awk -F, -v c="$3" '$(NF - 4 + c) != $NF' | head
        failed=$((failed + 1))
    fi
}

for cc in 3.5 6.0; do
    awk -F, -v cc="$cc" 'NR == 1 { print "threads,regs,shared" }
        $1 == cc { print $2 "," $3 "," $4 }' "$data/occupancy-cases.csv" >"$work/in.csv"
    awk -F, -v cc="$cc" '$1 == cc { print $5 }' "$data/occupancy-cases.csv" >"$work/want"
    compare "calculator, $cc" "$cc" 2
done
awk -F, 'NR == 1 { print "threads,regs,shared,carveout"; next }
    { print $1 ",10," $2 "," ($3 < 0 ? "" : $3 "%") }' "$data/h100/occupancy.csv" \
    >"$work/in.csv"
sed 1d "$data/h100/occupancy.csv" | tr -d '\r' | cut -d, -f4 >"$work/want"
compare "H100" 9.0 1
awk -F, 'NR == 1 { print "threads,regs,shared,carveout,cache"; next }
    { print $1 "," $2 "," $3 + $4 "," ($5 < 0 ? "" : $5 "%") "," $6 }' \
    "$data/h200/occupancy.csv" >"$work/in.csv"
sed 1d "$data/h200/occupancy.csv" | cut -d, -f7 >"$work/want"
compare "H200" 9.0 1

# One block at a time says the same as the batch.
for block in 256,40,32768,9.0 192,21,4096,2.0 1025,10,0,9.0 1056,32,0,6.0 512,17,0,1.0 64,10,49152,3.0; do
    threads=${block%%,*}
    rest=${block#*,}
    regs=${rest%%,*}
    rest=${rest#*,}
    shared=${rest%%,*}
    cc=${rest#*,}
    printf 'shared,threads,regs\n%s,%s,%s\n' "$shared" "$threads" "$regs" >"$work/in.csv"
    "$program" occupancy --cc "$cc" --batch - <"$work/in.csv" >"$work/want"
    "$program" occupancy --cc "$cc" -t "$threads" -r "$regs" --shared "$shared" 2>/dev/null \
        >"$work/got"
    cmp "$work/got" "$work/want" || failed=$((failed + 1))
    rows=$((rows + 1))
done

for want in "$directory"/*.txt; do # first line: # and the arguments
    args=$(sed -n '1s/^# //p' "$want")
    {
        echo "# $args"
        # shellcheck disable=SC2086
        NO_COLOR=1 "$program" occupancy $args --table
    } >"$work/got" 2>&1
    rows=$((rows + 1))
    golden "$want" "$work/got"
done
echo "$rows answers, $failed files not as expected"
[ "$failed" -eq 0 ]
