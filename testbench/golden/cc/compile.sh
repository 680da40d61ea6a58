#!/bin/sh
# compile.sh SMWAVE - smwave cc compiles, with each clang that find_clangs in lib.sh finds: what
# the headers offer, barriers that loads do not cross, several architectures, objects that
# are to be linked.
. "$(dirname "$0")/../lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
smwave=$1
root=$(dirname "$smwave")/cuda
cd "$work" || exit 1
# a folder of this test alone: others compile at the same time
export TMPDIR="$work/tmp"
mkdir "$TMPDIR"

cc() {
    "$smwave" cc "$@" >log 2>&1 || fail "$SMWAVE_CLANG: cc $*: $(cat log)"
}

has() { # FILE PATTERN
    grep -q "$2" "$1" || fail "$SMWAVE_CLANG: $1 has no '$2'"
}

# Stores (S) and loads (L) of shared memory and barriers (B) in the order of the text, a
# word for each kernel.
order() {
    awk '/\.entry/ { printf " " }
        /st\.shared/ { printf "S" }
        /ld\.shared/ { printf "L" }
        /bar\.sync/ { printf "B" }' "$1"
}
right=" SBLBSBL SBLLSBL"

# A line for each kernel that has a body: its name and its directives.
directives() {
    awk '/\.entry/ { sub(/.*\.entry /, ""); sub(/\(.*/, ""); name = $1; said = "" }
        /^\.(explicit|req|max|min)/ { sub(/[ \t]*(\/\/.*)?$/, ""); said = said " " $0 }
        /^{/ && name { sub(/__intern__.*/, "", name); print name said; name = "" }' "$1" |
        LC_ALL=C sort
}

# LINE, in wrong.cu alone, is refused with MESSAGE at PLACE.
refuses() { # ARCH PLACE MESSAGE LINE
    echo "$4" >wrong.cu
    "$smwave" cc -arch="$1" -c wrong.cu >log 2>&1 && fail "$clang: compiled: $4"
    has log "$2: error: .*$3"
}

find_clangs
for clang in $clangs; do
    export SMWAVE_CLANG=$clang
    cc -ptx "$here/barrier.cu" -o barrier.ptx
    [ "$(order barrier.ptx)" = "$right" ] ||
        fail "$clang: accesses of shared memory cross barriers: $(order barrier.ptx)"
    if [ $clang = clang-14 ]; then # with its own barrier they do, and that is seen
        cc -DOF_CLANG -ptx "$here/barrier.cu" -o barrier.ptx
        [ "$(order barrier.ptx)" != "$right" ] ||
            fail "$clang: its own barrier holds, so the headers need none of theirs"
    fi
    for arch in sm_35 sm_52 sm_90; do
        cc -arch=$arch -ptx "$here/features.cu" -o features.ptx
        "$smwave" ptx check features.ptx >log 2>&1 || fail "$clang, $arch: $(cat log)"
        has features.ptx "^\.target $arch"
        has features.ptx '\.file.*features\.cu'
        has features.ptx '\.loc'
    done
    for std in c++11 c++20; do
        cc -std=$std -c "$here/features.cu" -o features.o
    done
    cc -gencode arch=compute_60,code=sm_60 -gencode arch=compute_90,code=sm_90 \
        -maxrregcount 32 -c "$here/features.cu" -o features.o
    "$smwave" fatbin list features.o >list 2>&1
    has list 'compute_60'
    has list 'compute_90'
    "$smwave" fatbin extract features.o -o texts >log 2>&1
    has "$(ls texts/*sm_90.ptx)" '^\.maxnreg 32'
    cc -rdc=true -G -c "$here/features.cu" -o linked.o
    nm linked.o >names
    has names ' U smwaveRegisterLinkedBinary$'
    cc -default-stream per-thread -c "$here/features.cu" -o thread.o
    nm thread.o >names
    has names ' U cudaEventRecord_ptsz$'
    cc -use_fast_math -ptx "$here/barrier.cu" -o fast.ptx

    cc -ptx "$here/textures.cu" -o textures.ptx
    has textures.ptx 'tex\.2d\.v4\.f32\.f32'
    has textures.ptx 'sust\.b\.2d\.b32\.clamp'

    for options in "-arch=sm_90" "-arch=sm_90 -G" "-arch=sm_90a -rdc=true" "-arch=sm_100"; do
        # shellcheck disable=SC2086
        cc $options -ptx "$here/clusters.cu" -o clusters.ptx
        "$smwave" ptx check clusters.ptx >log 2>&1 || fail "$clang, $options: $(cat log)"
        directives clusters.ptx >got
        LC_ALL=C sort "$here/clusters.txt" >want
        cmp -s want got || fail "$clang, $options: $(diff want got)"
        grep -q smwave_cluster_marks clusters.ptx && fail "$clang, $options: marks are left"
    done
    kernel='k(int *p) { *p = 1; }'
    refuses sm_75 ^wrong.cu:1:17 'from -arch=sm_90 on' "__global__ void __cluster_dims__(2) $kernel"
    refuses sm_90 ^wrong.cu:1:17 'constant expression' "__global__ void __cluster_dims__(2, 0) $kernel"
    has log '^hint: the numbers of __cluster_dims__ are constants of 1 or more'
    refuses sm_90 ^wrong.cu:1:17 'no matching' "__global__ void __cluster_dims__(1, 1, 1, 2) $kernel"
    refuses sm_90 ^wrong.cu:1 'clusters of 4 blocks, and __launch_bounds__ says 2 at most' \
        "__global__ void __launch_bounds__(32, 1, 2) __cluster_dims__(4) $kernel"
    refuses sm_90 ^wrong.cu:1 'is no kernel' "__device__ void __cluster_dims__(2) $kernel"

    cc -arch=sm_90 -c "$here/copies.cu" -o copies.o
    cc -arch=sm_90 -ptx "$here/copies.cu" -o copies.ptx
    "$smwave" ptx check copies.ptx >log 2>&1 || fail "$clang: $(cat log)"
    [ "$(grep -c 'cp\.async\.bulk\.tensor\.[1-5]d\.' copies.ptx)" = 10 ] ||
        fail "$clang: copies.ptx has not all copies"
    refuses sm_60 'barrier.h:[0-9]*:2' 'from compute capability 7.0 on' '#include <cuda/barrier>'

    # headers stand alone, in programs of C too
    for x in c c++ cu; do
        for file in "$root"/include/*.h; do
            case $x-$file in
            c-*/cuda_[fb]*16.h | c-*/cuda_fp8.h | c-*/mma.h) ;; # these have classes
            *) echo "#include \"$file\"" ;;
            esac
        done >all.$x
        cc -x $x -c all.$x -o all.o
    done

    printf '#define K k << <1, 2>> >(p)\n__global__ void k(int *p) {}\nint main() { int *p = 0;\n  k << <1, 2>> >(p); }\n' >odd.cu
    cc -c odd.cu -o odd.o
    # where an error is, the source says, not the copy with its brackets joined
    sed 's/k << <1/nothing << <1/' odd.cu >wrong.cu
    "$smwave" cc -c wrong.cu >log 2>&1 && fail "$clang: compiled an unknown kernel"
    has log '^wrong.cu:4:3: error'
    echo '#include <cublas_v2.h>' >blas.cu
    "$smwave" cc -c blas.cu >log 2>&1 && fail "$clang: compiled without a header"
    has log 'hint: cuBLAS'
done
[ -z "$(ls "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"
[ $failed -eq 0 ]
