# timed.sh - shell functions for the tests of this directory; to be sourced. $program is
# smwave, $here this directory, $work a scratch directory, $trace what --trace takes.

# timed_write NAME SPACE OPS PATTERNS.csv LIMIT BANK_MODE CONFIG - launch files for every
# access of PATTERNS.csv, in $work/NAME.d; see launches.awk. CONFIG may be empty.
timed_write() {
    rm -rf "$work/$1.d"
    mkdir "$work/$1.d"
    awk -v module="$here/../../kernels/pattern.ptx" -v space="$2" -v ops="$3" \
        -v limit="$5" -v bank_mode="$6" -v wide_atoms="${wide_atoms:-1}" -v config="$7" \
        -v dir="$work/$1.d" -f "$here/launches.awk" "$4" || return 1
    for write_file in "$work/$1.d"/*.oct; do
        while IFS= read -r line; do
            # shellcheck disable=SC2059
            printf "$line"
        done <"$write_file" >"${write_file%.oct}.tab"
    done
}

# timed_run NAME SPACE OPS PATTERNS.csv LIMIT BANK_MODE OPTION... - run every access of
# PATTERNS.csv in time and write $work/NAME.counts: a line per launch,
# "ROW OP TYPE counter=value ...".
timed_run() {
    run_name=$1
    timed_write "$1" "$2" "$3" "$4" "$5" "$6" "" || return 1
    shift 6
    : >"$work/$run_name.counts"
    for run_file in "$work/$run_name.d"/*.yml; do
        run_base=${run_file%.yml}
        # As written: an assembler would count instead of adding 1.
        "$program" run "$run_file" -o "$run_base.out" --trace "${trace:-none}" \
            -s ptx.schedule=as_written "$@" \
            >"$run_base.stdout" 2>"$run_base.stderr" || {
            echo "$run_name: exit $?"
            cat "$run_base.stderr"
            return 1
        }
        awk -f "$here/counters.awk" "$run_base.out/stats.json" "$run_base.list" \
            >>"$work/$run_name.counts" || return 1
    done
}
