#!/bin/sh
# check_library.sh HOW CMAKE CC CXX - libsmwave as somebody else uses it, who has the
# example of the manual and none of this tree. HOW:
#
#   installed     a copy of model/ alone is configured, built, installed and moved; then
#                 find_package() and pkg-config build the example, with the shared library
#                 and with the static one; only smw_ names are seen; C++ compiles the headers
#   subdirectory  a copy of model/ inside another project, add_subdirectory(), both ways
#
# Everything happens in fresh directories.
set -eu

how=$1
cmake=$2
cc=$3
cxx=$4
root=$(cd "$(dirname "$0")/../.." && pwd)
chapter=$root/testbench/manual/10-library.md
. "$root/testbench/tools/fresh.sh"

# The example prints the line that the manual shows.
prints() {
    "$@" >printed || fail "failed: $*"
    [ -s printed ] || fail "prints nothing: $*"
    grep -qxF -f printed "$chapter" || fail "prints something else: $(cat printed)"
}

# only_smw WHAT NAME... - names that a linker sees
only_smw() {
    what=$1
    shift
    [ $# -gt 50 ] || fail "$what: only $# names"
    for name in "$@"; do
        case $name in
        smw_*) ;;
        *) fail "$what shows $name" ;;
        esac
    done
}

project() {
    cat <<END
cmake_minimum_required(VERSION 3.22)
project(example LANGUAGES C)
$1
add_executable(example example.c)
target_link_libraries(example PRIVATE smwave::smwave)
END
}

mkdir user
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$chapter" >user/example.c
[ -s user/example.c ] || fail "$chapter has no example"
# What is measured is not compiled here; less optimisation is quicker.
quick="-DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O1 -DCMAKE_C_COMPILER=$cc"

if [ "$how" = subdirectory ]; then
    cp -R "$root/model" user/smwave
    project 'add_subdirectory(smwave)' >user/CMakeLists.txt
    # shellcheck disable=SC2086
    quietly "$cmake" -S user -B static $quick
    quietly "$cmake" --build static -j 2 --target example
    prints static/example
    # shellcheck disable=SC2086
    quietly "$cmake" -S user -B shared $quick -DBUILD_SHARED_LIBS=ON
    quietly "$cmake" --build shared -j 2 --target example
    readelf -d shared/example | grep -q 'NEEDED.*libsmwave\.so\.' || fail "not shared"
    prints shared/example
    echo "add_subdirectory(): static, shared"
    exit 0
fi

# ---- alone, installed, moved ----

cp -R "$root/model" model
# shellcheck disable=SC2086
quietly "$cmake" -S model -B build $quick
quietly "$cmake" --build build -j 2
quietly "$cmake" --install build --prefix "$work/first"
rm -rf model build
mv first moved
if grep -rlF -e "$work" -e "$root" moved; then
    fail "a path of the build is installed"
fi
library=$(find moved -name libsmwave.a)
shared=$(find moved -name libsmwave.so)

# shellcheck disable=SC2046
only_smw libsmwave.so $(nm -D --defined-only "$shared" | awk '{ print $3 }')
# shellcheck disable=SC2046
only_smw libsmwave.a $(nm -g --defined-only "$library" | awk 'NF == 3 { print $3 }')
readelf -d "$shared" | awk '/NEEDED/ && !/\[(libc|ld-[a-z0-9_-]*)\.so\./' >log
[ ! -s log ] || fail "needs more than the C library: $(cat log)"
abi=$(sed -n 's/^#define SMW_ABI //p' moved/include/smwave.h)
readelf -d "$shared" | grep -q "SONAME.*\[libsmwave\.so\.$abi\]" || fail "no soname"

# ---- headers ----

for header in smwave.h smwave/err.h smwave/counters.h; do
    printf '#include <%s>\n#include <%s>\nint main(void) { return 0; }\n' \
        $header $header >alone.c
    cp alone.c alone.cc
    quietly "$cc" -std=c11 -Wall -Wextra -pedantic -Werror -Imoved/include -o alone alone.c
    for std in c++11 c++17; do
        quietly "$cxx" -std=$std -Wall -Wextra -pedantic -Werror -Imoved/include \
            -o alone alone.cc
    done
done

# ---- find_package() ----

for kind in shared static; do
    case $kind in
    static) project 'set(smwave_USE_STATIC_LIBS ON)
find_package(smwave 0.2 REQUIRED)' ;;
    *) project 'find_package(smwave 0.2 REQUIRED)' ;;
    esac >user/CMakeLists.txt
    quietly "$cmake" -S user -B "found-$kind" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_PREFIX_PATH="$work/moved"
    quietly "$cmake" --build "found-$kind"
    prints "found-$kind/example"
done

# ---- pkg-config ----

PKG_CONFIG_PATH=$work/$(dirname "$(find moved -name smwave.pc)")
export PKG_CONFIG_PATH
cflags=$(pkg-config --cflags smwave)
libs=$(pkg-config --libs smwave)
warn="-std=c11 -Wall -Wextra -pedantic -Werror"
# shellcheck disable=SC2086
quietly "$cc" $warn $cflags -o by-pkg user/example.c $libs
prints env LD_LIBRARY_PATH="$(dirname "$shared")" ./by-pkg
# shellcheck disable=SC2086
quietly "$cc" $warn $cflags -o by-pkg-static user/example.c "$library"
prints ./by-pkg-static

# ---- C++, and one version everywhere ----

cat >version.cc <<'END'
#include <cstdio>
#include <smwave.h>

int main()
{
    smw_err e = {};
    smw_config *c = smw_config_new();
    smw_options options = {};
    smw_device *d;

    if (!smw_config_preset(c, "gtx480", &e) ||
        (d = smw_open(c, &options, &e)) == nullptr) {
        std::puts(e.message);
        return 1;
    }
    std::printf("%s %d.%d.%d\n", smw_version(), SMW_VERSION_MAJOR, SMW_VERSION_MINOR,
                SMW_VERSION_PATCH);
    smw_close(d);
    smw_config_free(c);
    return 0;
}
END
# shellcheck disable=SC2086
quietly "$cxx" -std=c++11 -Wall -Wextra -pedantic -Werror $cflags -o version version.cc $libs
version=$(pkg-config --modversion smwave)
printed=$(LD_LIBRARY_PATH=$(dirname "$shared") ./version) || fail "C++: $printed"
[ "$printed" = "$version $version" ] || fail "versions: $printed, pkg-config $version"

echo "libsmwave $version: find_package, pkg-config, C++; shared and static"
