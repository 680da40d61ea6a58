#!/bin/sh
# check_packages.sh CMAKE CC DIR - the Debian packages are built as the preset "deb" says,
# only with less optimisation, which is quicker; lintian has nothing to say against them.
# They are left in DIR, for check_chroot.sh.
set -eu

cmake=$1
cc=$2
dir=$3
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$dir"
mkdir -p "$dir"

quietly() {
    "$@" >"$dir/log" 2>&1 || {
        tail -n 50 "$dir/log"
        echo "failed: $*"
        exit 1
    }
}

cd "$root" # where presets are looked for
quietly "$cmake" --preset deb -B "$dir/build" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_C_FLAGS_RELEASE=-O1
quietly "$cmake" --build "$dir/build" -j 2
cd "$dir/build"
quietly "$(dirname "$cmake")/cpack" -G DEB
mv ./*.deb "$dir"
cd "$dir"

for package in smwave libsmwave1 libsmwave-dev libvcd0 libvcd-dev; do
    [ -f "$(ls ${package}_*.deb)" ] || exit 1
done
if ! lintian --allow-root --fail-on error,warning ./*.deb; then
    echo "lintian has objections"
    exit 1
fi
for file in build/man/*.[157]; do
    dpkg-deb -c smwave_*.deb | grep -q "/${file##*/}\.gz$" ||
        { echo "${file##*/} is not in the package"; exit 1; }
done
rm -rf build log
echo "five packages, lintian is content"
