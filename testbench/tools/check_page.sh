#!/bin/sh
# Does a page of "smwave report" work in a browser?
#
#   check_page.sh FILE.html [FILE.png]
#
# Opens it in a headless Chromium, lets its #selftest sort every table, point at every
# chart and use every filter, and fails on what that finds, on any message of the console,
# and on a page that does not draw in a narrow window. FILE.png: a wide picture of it.
# A missing chromium is a failure.
set -eu

say() {
    echo "check_page: $*" >&2
}

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    say "usage: check_page.sh FILE.html [FILE.png]"
    exit 2
fi
if ! command -v chromium >/dev/null; then
    say "chromium is missing"
    exit 1
fi
page=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

browse() { # browse OPTION... URL
    timeout 120 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars \
        --disable-dev-shm-usage --no-first-run --disable-extensions \
        --user-data-dir="$work/profile" --enable-logging=stderr "$@" \
        >"$work/out" 2>"$work/err" || {
        say "chromium failed"
        tail -20 "$work/err" >&2
        exit 1
    }
    if grep -F ":CONSOLE" "$work/err" >&2; then
        say "the page speaks to the console"
        exit 1
    fi
}

shoot() { # shoot WIDTH,HEIGHT
    browse --window-size="$1" --screenshot="$work/$1.png" "file://$page"
    if [ "$(wc -c <"$work/$1.png")" -lt 20000 ]; then
        say "$1: the picture is empty"
        exit 1
    fi
}

browse --window-size=1280,1600 --dump-dom "file://$page#selftest"
said=$(sed -n 's/.*<p id="selftest">\([^<]*\)<.*/\1/p' "$work/out")
case $said in
"selftest passed: "*) ;;
*)
    say "${said:-the page did not test itself}"
    exit 1
    ;;
esac
shoot 420,1600
if [ $# -eq 2 ]; then
    shoot 1280,1600
    cp "$work/1280,1600.png" "$2"
fi
echo "$(basename "$page"): $said"
