# shellcheck shell=sh
# lib.sh - what test scripts begin with: . "$(dirname "$0")/lib.sh"
# work is an empty directory that goes away at the end, as do the processes of pids; fail
# says what is wrong and counts it, so that a script ends with: [ $failed -eq 0 ]
set -u

work=$(mktemp -d) || exit 1
pids=
trap 'kill $pids 2>/dev/null || :; rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

# golden WANT GOT - GOT is as the committed file WANT. If it is not, it fails with the first
# line that differs, its place, and how to accept the new one: with UPDATE=1 WANT is written
# instead. Read it before you commit it.
golden() {
    if [ "${UPDATE:-}" = 1 ]; then
        cp "$2" "$1"
        return
    fi
    cmp -s "$1" "$2" && return
    case $1 in
    /*) where=$1 ;;
    *) where=$PWD/$1 ;;
    esac
    awk -v where="testbench/${where##*/testbench/}" '
        NR == FNR { want[++n] = $0; next }
        { got[++m] = $0 }
        function shown(line, there) { return there ? line : "(the end)" }
        END {
            for (i = 1; i <= n && i <= m && want[i] "" == got[i] ""; i++) { }
            printf "%s:%d: differs\n  wanted  %s\n  is      %s\n", where, i,
                shown(want[i], i <= n), shown(got[i], i <= m)
        }' "$1" "$2"
    echo "  if the new one is right:" \
        "UPDATE=1 ctest --test-dir ${SMW_BUILD:-BUILD} -R '^${SMW_TEST:-TEST}\$'"
    failed=$((failed + 1))
    return 1
}

# find_clangs - sets clangs to the compilers of CUDA C++ that a test uses, and says which
# they are: of the versions that are tested all that are here, or, if SMW_CLANGS names
# some, those, each of which has to be here. Without any the test fails.
find_clangs() {
    clangs=
    for clang in ${SMW_CLANGS:-clang-14 clang-16 clang-19}; do
        if command -v "$clang" >"$work/found"; then
            clangs="$clangs $clang"
            echo "with $clang: $("$clang" --version | head -n 1)"
        elif [ -n "${SMW_CLANGS:-}" ]; then
            fail "SMW_CLANGS: there is no $clang: apt-get install $clang"
        else
            echo "without $clang, which is not here"
        fi
    done
    [ -n "$clangs" ] || fail "there is no clang: apt-get install clang-14"
}

# counters FOLDER N - those of launch N in a folder that "smwave exec" or "smwave run" wrote,
# of kernels of C++.
counters() {
    awk -v nth="$2" '/"name": "_Z/ { n++ } n == nth' "$1/stats.json" | sed '/^    }/,$d'
}
