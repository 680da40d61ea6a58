#!/bin/sh
# verdicts.sh PROGRAM [SEEDS [FIRST [DIR]]] - the verdicts of "--check global" on kernels that
# race and their twins that do not, of 50,000 seeds from FIRST on (100000), which are some
# 96,000 kernels, on a device of 9.0; those that fail are written to DIR. Six minutes on a
# 2.5 GHz Xeon. PROGRAM is smwave_verdicts of a build.
set -eu

program=${1:?"usage: verdicts.sh PROGRAM [SEEDS [FIRST [DIR]]]"}
dir=${4:-verdicts-failed}
mkdir -p "$dir"
exec "$program" -n "${2:-50000}" -s "${3:-100000}" --preset h100 --keep "$dir"
