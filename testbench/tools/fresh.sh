# shellcheck shell=sh
# fresh.sh - sourced by checks that build or install in a fresh directory: work is that
# directory, which goes away at the end, and the present one.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "$*"
    exit 1
}

# quietly COMMAND... - what it prints is shown only if it fails, which ends the check.
quietly() {
    "$@" >log 2>&1 || {
        cat log
        fail "failed: $*"
    }
}
