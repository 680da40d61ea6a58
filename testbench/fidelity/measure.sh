#!/bin/sh
# measure.sh OUT [SOURCE]... - what a real device does with cases.csv, all of it or only the cases
# whose kernels are in SOURCE.cu, by hand, on a machine with a device, the CUDA toolkit and the
# vendor's profiler: OUT/plain.csv (answers, time back to back), warm.csv,
# fresh.csv and cold.csv (cycles of each launch; caches as the launch before left them, the same
# with buffers that the host has just written, or flushed), counters.csv
# and stalls.csv (one cold launch). make_table.py makes the committed table of them.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=$1
arch=${ARCH:-sm_90}
shift
[ $# -ne 0 ] || set -- kernels code programs tasks chores errands duties labours
mkdir -p "$out"
cd "$out"
head -n 1 "$here/cases.csv" >asked.csv
cubins=
for source in "$@"; do
    awk -F, -v source="$source" '$3 == source' "$here/cases.csv" >>asked.csv
    nvcc -O2 -arch="$arch" -cubin "$here/$source.cu" -o "$source.cubin"
    cubins="$cubins $source.cubin"
done
nvcc -O2 -o measure "$here/measure.cu" -lcuda
{
    nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks.max.sm --format=csv,noheader
    nvcc --version | tail -n 2
    ncu --version | tail -n 1
    date -u +%Y-%m-%d
} >conditions.txt
# shellcheck disable=SC2086
./measure asked.csv 3 $cubins >plain.csv

ncu --query-metrics >known.txt 2>/dev/null
# known METRIC... - those that the device has, separated by commas
known() {
    for metric in "$@"; do
        if grep -q "^${metric%%.*} " known.txt; then
            printf '%s,' "$metric"
        else
            echo "no $metric" >&2
        fi
    done | sed 's/,$//'
}
profile() { # NAME CACHE LAUNCHES METRICS
    # shellcheck disable=SC2086
    ncu --clock-control none --cache-control "$2" --csv --page raw --print-units base \
        --metrics "$4" ./measure asked.csv "-$3" $cubins >"$1.raw"
    grep '^"' "$1.raw" >"$1.csv"
    rm "$1.raw"
}
cycles="sm__cycles_active.max sm__cycles_active.avg gpc__cycles_elapsed.max gpu__time_duration.sum"
# shellcheck disable=SC2086
profile warm none 8 "$(known $cycles)"
# shellcheck disable=SC2086
profile fresh none 8f "$(known $cycles)"
# shellcheck disable=SC2086
profile cold all 3 "$(known $cycles)"
# shellcheck disable=SC2046
profile counters all 1 "$(known sm__cycles_active.max gpc__cycles_elapsed.max \
    smsp__inst_executed.sum smsp__thread_inst_executed.sum smsp__inst_issued.sum sm__warps_launched.sum \
    smsp__inst_executed_op_shared_ld.sum smsp__inst_executed_op_shared_st.sum smsp__inst_executed_op_shared_atom.sum \
    smsp__inst_executed_op_global_ld.sum smsp__inst_executed_op_global_st.sum \
    smsp__inst_executed_op_global_atom.sum smsp__inst_executed_op_global_red.sum \
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum \
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum l1tex__data_pipe_lsu_wavefronts_mem_shared.sum \
    l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum \
    l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum \
    l1tex__t_requests_pipe_lsu_mem_global_op_st.sum l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum \
    l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum \
    lts__t_sectors_op_read.sum lts__t_sectors_op_write.sum lts__t_sectors_op_atom.sum lts__t_sectors_op_red.sum \
    lts__t_sectors_op_read_lookup_hit.sum lts__t_requests.sum \
    dram__bytes_read.sum dram__bytes_write.sum \
    sm__icc_requests.sum sm__icc_requests_lookup_miss.sum idc__requests.sum idc__requests_lookup_miss.sum \
    gcc__requests.sum gcc__requests_lookup_miss.sum)"
stalls=
for why in barrier branch_resolving dispatch_stall drain gmma imc_miss lg_throttle long_scoreboard \
    math_pipe_throttle membar mio_throttle misc no_instruction not_selected selected short_scoreboard \
    sleeping tex_throttle wait; do
    stalls="$stalls smsp__average_warps_issue_stalled_${why}_per_issue_active.ratio"
done
# shellcheck disable=SC2086
profile stalls none 2 "$(known $stalls smsp__issue_active.sum smsp__warps_active.sum)"
rm -f measure known.txt asked.csv ./*.cubin
