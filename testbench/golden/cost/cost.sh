#!/bin/sh
# cost.sh MODEL_BENCH KERNELS COUNTS BUILD - what three short runs cost in instructions of
# the host, and one of them while stall.* are counted. Callgrind counts: neither clock nor
# load nor environment has a say in it.
#
# BUILD is COMPILER-MAJOR-KIND, as in gcc-12-lto (kinds: lto, the release preset; plain,
# CMake's own Release; other). COUNTS holds what each build cost when it was last looked
# at: build,row,warp_insts,host_insts. A count may differ by 3 % from it, up or down: what
# has become cheaper is written down too, or it could creep back unseen.
#
# A build that is not in COUNTS is held against the nearest that is: another version of the
# compiler, then another kind, then another compiler. Code differs then, so it may cost
# 30 % more, or anything less; so it may on a processor without AVX2, which runs other
# code.
#
# UPDATE=1 writes the counts of this build, instead of comparing.
. "$(dirname "$0")/../lib.sh"

bench=$1
kernels=$2
counts=$3
build=$4

if ! command -v valgrind >/dev/null; then
    echo "cost: valgrind is missing; it counts the instructions (apt install valgrind)"
    exit 1
fi

# A size, rows of that size, and options.
measure() {
    size=$1
    rows=$2
    shift 2
    "$bench" -n 1 -i "$@" -e "$size" -r "$rows" -c "$work/new.csv" "$kernels" || exit 1
}
measure 14 'shared-14/gtx480/1'
measure 14 'shared-14/gtx480/1' -s
measure 14 'global-14/gtx480/all'
measure 12 'matmul-12/h100/all'
awk -F, -v build="$build" 'NR > 1 { print build "," $2 "," $3 "," $11 }' \
    "$work/new.csv" >"$work/new"

if [ "${UPDATE:-}" = 1 ]; then
    if ! grep -q '^flags.* avx2' /proc/cpuinfo; then
        echo "cost: counts are written on a processor that has AVX2"
        exit 1
    fi
    {
        sed 1q "$counts"
        {
            sed 1d "$counts" | grep -v "^$build,"
            cat "$work/new"
        } | LC_ALL=C sort
    } >"$work/counts"
    cp "$work/counts" "$counts"
    echo "cost: wrote $build"
    exit 0
fi

# The recorded build nearest to this one: the same is 0 away, another version 1 and more.
near=$(sed 1d "$counts" | cut -d, -f1 | LC_ALL=C sort -u | awk -F- -v build="$build" '
    BEGIN { split(build, me) }
    {
        far = ($1 != me[1]) * 10000 + ($3 != me[3]) * 1000
        far += $2 > me[2] ? $2 - me[2] : me[2] - $2
        if (NR == 1 || far < least) {
            least = far
            near = $0
        }
    }
    END { print near }')
band=3
if [ "$near" != "$build" ]; then
    band=30
    echo "cost: no counts of $build; held against $near, $band % more is allowed"
fi
if ! grep -q '^flags.* avx2' /proc/cpuinfo; then
    band=30
    echo "cost: a processor without AVX2; $band % more is allowed"
fi
awk -F, -v near="$near" -v band=$band '
    FNR == NR {
        if ($1 == near) {
            insts[$2] = $3
            host[$2] = $4
        }
        next
    }
    {
        n++
        if (!($2 in host)) {
            printf "cost: %s: no count of %s\n", $2, near
            failed = 1
            next
        }
        change = 100 * ($4 / host[$2] - 1)
        bad = change > band || (band == 3 && change < -band) || $3 != insts[$2]
        printf "cost: %s: %.1f host instructions per warp instruction, %+.2f %%%s\n",
               $2, $4 / $3, change, bad ? ": too far" : ""
        if ($3 != insts[$2]) {
            printf "cost: %s: %d warp instructions, not %d: another program\n", $2, $3,
                   insts[$2]
        }
        failed = failed || bad
    }
    END {
        if (n != 4) {
            print "cost: four rows were to be measured, not " n + 0
            failed = 1
        }
        exit failed
    }' "$counts" "$work/new" && exit 0
echo "cost: if that is meant: UPDATE=1 ctest -R '^cost\$' and say why in the commit"
exit 1
