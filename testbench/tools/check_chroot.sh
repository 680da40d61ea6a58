#!/bin/sh
# check_chroot.sh DIR - the packages in DIR are installed in a bare Debian, work there, and
# leave nothing when they are removed. Needs root and debootstrap, and the archive that this
# machine's apt uses.
set -eu

dir=$(cd "$1" && pwd)
work=$(mktemp -d)
bare=$work/debian
mounted=
clean() {
    [ -z "$mounted" ] || umount "$bare/proc"
    rm -rf --one-file-system "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM

fail() {
    echo "$*"
    exit 1
}

inside() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C \
        ${http_proxy:+http_proxy="$http_proxy"} DEBIAN_FRONTEND=noninteractive \
        chroot "$bare" "$@"
}

quietly() {
    "$@" >"$work/log" 2>&1 || {
        tail -n 50 "$work/log"
        fail "failed: $*"
    }
}

# Files, links and folders but those that apt, dpkg and ldconfig keep for themselves.
files() {
    (cd "$bare" && find . -path ./proc -prune -o -path ./var -prune -o -path ./tmp -prune \
        -o -path ./etc/ld.so.cache -prune -o -print | LC_ALL=C sort)
}

# shellcheck disable=SC1091
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
# shellcheck disable=SC2016
archive=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' |
    awk -v release="$codename" '$2 == release && $3 == "main" { print $1; exit }')
[ -n "$archive" ] || fail "apt knows no archive of $codename"

quietly debootstrap --variant=minbase "$codename" "$bare" "$archive"
mount -t proc proc "$bare/proc"
mounted=yes
# What the packages need comes first, and stays.
cp "$dir"/*.deb "$bare/tmp"
needs=$(for package in "$dir"/*.deb; do
    dpkg-deb -f "$package" Depends | tr ',' '\n' | sed 's/^ *//; s/ .*//'
done | grep -v '^lib\(smwave\|vcd\)[0-9]*$' | sort -u)
# shellcheck disable=SC2086
quietly inside apt-get install -y --no-install-recommends $needs
files >"$work/before"

quietly inside sh -c 'apt-get install -y --no-install-recommends /tmp/*.deb'
quietly inside sh -c 'cd /tmp && smwave --version && smwave run reverse -o out &&
    smwave run /usr/share/smwave/launches/reverse.yml -o out2 &&
    cmp out/stats.json out2/stats.json && smwave report out && smwave sweep run padding -o points'
[ -s "$bare/tmp/out/stats.json" ] || fail "a run wrote no statistics"
[ -n "$(ls "$bare"/tmp/points/*.csv)" ] || fail "a sweep wrote no table"
# The loader finds the libraries, and every link leads somewhere.
for library in libsmwave.so.1 libvcd.so.0; do
    inside ldconfig -p >"$work/log"
    grep -q "$library" "$work/log" || fail "the loader does not find $library"
done
inside dpkg -L smwave libsmwave1 libsmwave-dev libvcd0 libvcd-dev |
    grep '^/' | sort -u | while read -r file; do
    inside test -e "$file" || echo "$file is missing"
done >"$work/missing"
[ ! -s "$work/missing" ] || fail "$(cat "$work/missing")"
inside dpkg --audit >"$work/log"
[ ! -s "$work/log" ] || fail "$(cat "$work/log")"

quietly inside dpkg --purge smwave libsmwave-dev libvcd-dev libsmwave1 libvcd0
files >"$work/after"
diff "$work/before" "$work/after" || fail "this is left (>) or gone (<)"
inside ldconfig -p >"$work/log"
grep -q 'libsmwave\|libvcd' "$work/log" && fail "the loader still knows the libraries"
echo "installed in a bare $codename, run, removed"
