#!/bin/sh
# check_nulls.sh - every function of model/smwave.h is called with NULL in
# model/gpu/nulls_test.c.
set -eu

cd "$(dirname "$0")/../.."
missing=0
for name in $(grep -oE '\bsmw_[a-z0-9_]+\(' model/smwave.h | sort -u); do
    grep -qF "$name" model/gpu/nulls_test.c || {
        echo "model/gpu/nulls_test.c does not call $name)"
        missing=1
    }
done
exit $missing
