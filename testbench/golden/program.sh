#!/bin/sh
# program.sh SMWAVE FILE.cu DEVICES [ARCH] - FILE.cu, as each clang that is here compiles it
# (for sm_ARCH), prints FILE.txt on DEVICES and ends with 0. A * of FILE.txt stands for a number, that of a time.
# find_clangs in lib.sh tells which clangs; without any it fails.
. "$(dirname "$0")/lib.sh"

smwave=$1
source=$2
wanted=${source%.cu}.txt
arch=${4:+-arch=sm_$4}
for name in $(env | sed -n 's/^\(SMWAVE_[A-Z_]*\)=.*/\1/p'); do
    unset "$name"
done
export SMWAVE_DEVICE="$3"

# Like golden, line by line, with patterns.
matches() {
    awk '
        NR == FNR { want[++n] = $0; next }
        { got[++m] = $0 }
        END {
            for (i = 1; i <= n || i <= m; i++) {
                pattern = want[i]
                gsub(/[][\\.^$+?(){}|]/, "\\\\&", pattern)
                gsub(/\*/, "[0-9]+([.][0-9]+)?", pattern)
                if (i > n || i > m || got[i] !~ "^" pattern "$") {
                    printf "line %d: wanted  %s\n        is      %s\n", i, want[i], got[i]
                    exit 1
                }
            }
        }' "$1" "$2"
}

find_clangs
for clang in $clangs; do
    if ! SMWAVE_CLANG=$clang "$smwave" cc $arch "$source" -o "$work/program" \
        >"$work/log" 2>&1
    then
        fail "$clang: $source: $(cat "$work/log")"
        continue
    fi
    [ -s "$work/log" ] && fail "$clang: $source: not silent: $(cat "$work/log")"
    "$work/program" >"$work/printed" 2>"$work/log" ||
        fail "$clang: $source: exit code $?: $(cat "$work/log")"
    if grep -q '\*' "$wanted"; then
        matches "$wanted" "$work/printed" || fail "$clang: $source"
    else
        golden "$wanted" "$work/printed" || fail "$clang: $source"
    fi
done
[ $failed -eq 0 ]
