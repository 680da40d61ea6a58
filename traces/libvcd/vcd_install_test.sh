#!/bin/sh
# vcd_install_test.sh CMAKE CC - the library alone is configured, built, installed, moved
# to another folder, and found there by CMake and by pkg-config; the examples are built
# against it both ways, and what they write is read by vcd2fst.
set -eu

cmake=$1
cc=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "$*"
    exit 1
}

quietly() {
    "$@" >log 2>&1 || {
        cat log
        fail "failed: $*"
    }
}

for tool in pkg-config vcd2fst; do
    command -v $tool >/dev/null || fail "$tool is missing"
done

quietly "$cmake" -S "$here" -B build -DCMAKE_C_COMPILER="$cc" -DVCD_TESTS=OFF
quietly "$cmake" --build build
quietly "$cmake" --install build --prefix "$work/first"
[ -f first/include/libvcd/vcd.h ] || fail "no header"
mv first moved
grep -rqF -e "$work" -e "$here" moved && fail "a path of the build is installed"

quietly "$cmake" -S "$here/examples" -B by-cmake -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_PREFIX_PATH="$work/moved"
quietly "$cmake" --build by-cmake
PKG_CONFIG_PATH=$(dirname "$(find "$work/moved" -name libvcd.pc)")
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion libvcd)" = 0.1.0 ] || fail "pkg-config: version"
mkdir by-pkg
# Names that a linker sees: those of vcd.h.
shared=$(find "$work/moved" -name libvcd.so)
readelf -d "$shared" | grep -q 'SONAME.*\[libvcd\.so\.0\]' || fail "no soname"
nm -D --defined-only "$shared" | awk '{ print $3 }' >names
[ "$(wc -l <names)" -gt 20 ] || fail "libvcd.so: names"
while read -r name; do
    grep -q "[ *]$name(" moved/include/libvcd/vcd.h || fail "libvcd.so shows $name"
done <names
LD_LIBRARY_PATH=$(dirname "$shared")
export LD_LIBRARY_PATH

# The static one gives the same bytes.
quietly "$cmake" -S "$here/examples" -B by-cmake-static -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_PREFIX_PATH="$work/moved" -Dlibvcd_USE_STATIC_LIBS=ON
quietly "$cmake" --build by-cmake-static
readelf -d by-cmake-static/bus | grep -q libvcd && fail "not static"
readelf -d by-cmake/bus | grep -q libvcd || fail "not shared"

for example in counter bus; do
    # shellcheck disable=SC2046
    quietly "$cc" -std=c11 -Wall -Wextra -Werror $(pkg-config --cflags libvcd) \
        -o by-pkg/$example "$here/examples/$example.c" $(pkg-config --libs libvcd)
    for how in by-cmake by-cmake-static by-pkg; do
        "./$how/$example" "$how/$example.vcd" >"$how/$example.txt" || fail "$how/$example"
        quietly vcd2fst "$how/$example.vcd" "$how/$example.fst"
    done
    cmp by-cmake/$example.vcd by-pkg/$example.vcd
    cmp by-cmake/$example.txt by-pkg/$example.txt
    cmp by-cmake-static/$example.vcd by-pkg/$example.vcd
    ! "./by-pkg/$example" nowhere/x.vcd 2>log || fail "$example writes nowhere"
done

tail -n 3 by-pkg/counter.vcd >got
printf '1!\nb1010 "\n#20\n0!\n' | tail -n 3 >want
diff want got || fail "counter.vcd"
bytes=$(wc -c <by-pkg/bus.vcd)
cat >want <<END
bus.state
bus.owner
bus.address[15:0]
bus.data[95:0]
bus.grant
bus.load
bus.memory.address[15:0]
$((bytes)) bytes
END
diff want by-pkg/bus.txt || fail "bus"
