# timed.sh - shell functions for the tests of this directory; to be sourced. $program is
# smwave, $here this directory, $work a scratch directory, $trace what --trace takes.

# timed_run NAME SPACE OPS PATTERNS.csv LIMIT BANK_MODE OPTION... - run every access of
# PATTERNS.csv in time and write $work/NAME.counts: a line per launch,
# "ROW OP TYPE counter=value ...".
timed_run() {
    run_name=$1 run_space=$2 run_ops=$3 run_csv=$4 run_limit=$5 run_mode=$6
    shift 6
    rm -rf "$work/$run_name.d"
    mkdir "$work/$run_name.d"
    awk -v module="$here/../../kernels/pattern.ptx" -v space="$run_space" \
        -v ops="$run_ops" -v limit="$run_limit" -v bank_mode="$run_mode" \
        -v wide_atoms="${wide_atoms:-1}" -v dir="$work/$run_name.d" \
        -f "$here/launches.awk" "$run_csv" || return 1
    : >"$work/$run_name.counts"
    for run_file in "$work/$run_name.d"/*.yml; do
        run_base=${run_file%.yml}
        while IFS= read -r line; do
            # shellcheck disable=SC2059
            printf "$line"
        done <"$run_base.oct" >"$run_base.tab"
        "$program" run "$run_file" -o "$run_base.out" --trace "${trace:-none}" "$@" \
            >"$run_base.stdout" 2>"$run_base.stderr" || {
            echo "$run_name: exit $?"
            cat "$run_base.stderr"
            return 1
        }
        awk -f "$here/counters.awk" "$run_base.out/stats.json" "$run_base.list" \
            >>"$work/$run_name.counts" || return 1
    done
}
