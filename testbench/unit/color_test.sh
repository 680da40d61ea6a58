#!/bin/sh
# color_test.sh PROGRAM - colour stands on a terminal (which script(1) is), unless NO_COLOR
# says no or the terminal is dumb, and nowhere else.
set -u

program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset NO_COLOR
TERM=xterm
export TERM
escape=$(printf '\033')
failed=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

# colours LINE - LINE colours what it prints on a terminal and stops when told so
colours() {
    script -qec "$program $1" /dev/null </dev/null >out
    grep -qF "${escape}[" out || fail "$1: no colour on a terminal"
    NO_COLOR='' script -qec "$program $1" /dev/null </dev/null >out
    grep -qF "${escape}[" out || fail "$1: an empty NO_COLOR says nothing"
    NO_COLOR=1 script -qec "$program $1" /dev/null </dev/null >out
    [ -s out ] || fail "$1: says nothing"
    grep -F "${escape}[" out | grep -qv "${escape}\[K" && fail "$1: colour in spite of NO_COLOR"
    TERM=dumb script -qec "$program $1" /dev/null </dev/null >out
    grep -F "${escape}[" out | grep -qv "${escape}\[K" && fail "$1: colour on a dumb terminal"
    # shellcheck disable=SC2086
    eval "$program $1" >out 2>&1
    grep -qF "${escape}[" out && fail "$1: colour in a file"
}

colours 'config check nowhere'
colours 'bankmap --cc 2.0 --stride 2'
colours 'bankmap --stride 2'
colours 'occupancy --cc 2.0 --threads 192 --regs 20 --table'
colours 'run reverse --trace none -o out.d'
colours 'run reverse --trace none -o out.d --explain 3'
echo "$failed failures"
[ $failed -eq 0 ]
