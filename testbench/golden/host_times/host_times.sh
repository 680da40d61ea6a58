# What a program's events tell of the h100 preset against what they told on an H100:
# host_times.sh SMWAVE host_times.cu h100-host.csv. Rows "call_" are of the host's own clock,
# which is not modelled.
. "$(dirname "$0")/../lib.sh"

smwave=$1 program=$2 table=$3
unset SMWAVE_DEVICE SMWAVE_SET SMWAVE_OUT SMWAVE_LAUNCHES
SMWAVE_DEVICE=h100
export SMWAVE_DEVICE
cd "$work" || exit 1

"$smwave" cc -arch=sm_75 "$program" -o host_times >log 2>&1 || fail "cc: $(cat log)"
./host_times 1 65536 >model.csv 2>log || fail "it ends with $?: $(cat log)"
./host_times first >>model.csv 2>log || fail "first: it ends with $?: $(cat log)"

# The model prints three equal times; the table has one.
awk -F, -v most=20 '
    BEGIN {
        # What the host and its streams cost: every row is within the bound.
        n = split("events events_behind empty empty_behind spin spin_behind stream_empty " \
                  "two_kernels records records_behind kernel_record spin5_record_behind " \
                  "device_sync stream_sync event_sync nothing_sync side_by_side " \
                  "side_by_side_behind ping_pong graph graph_behind graph_10_times " \
                  "graph_10_times_behind up_pinned_async down_pinned_async down_pinned " \
                  "first_launch second_launch third_launch first_of_another", \
                  name, " ")
        for (i = 1; i <= n; i++) {
            strict[name[i]] = 1
        }
    }
    NR == FNR { us[$1 "," $2 "," $3] = $4; next }
    $1 == "what" || $1 ~ /^call_/ { next }
    !(($1 "," $2 "," $3) in us) { print "not in the table: " $0; bad = 1; next }
    {
        off = 100 * ($5 / us[$1 "," $2 "," $3] - 1)
        rows++
        if (off > most || off < -most) {
            away++
            if ($1 in strict) {
                printf "%s: %+.0f %% of %s us\n", $0, off, us[$1 "," $2 "," $3]
                bad = 1
            }
        }
        seen[$1] = 1
    }
    END {
        for (i = 1; i <= n; i++) {
            if (!(name[i] in seen)) {
                print "no row of " name[i]
                bad = 1
            }
        }
        printf "%d rows, %d of them off by more than %d %%\n", rows, away, most
        exit bad || rows < 600 || away > rows * 0.15
    }' "$table" model.csv >verdict || fail "$(cat verdict)"
cat verdict
[ "$failed" -eq 0 ]
