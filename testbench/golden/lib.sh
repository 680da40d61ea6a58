# shellcheck shell=sh
# lib.sh - what test scripts begin with: . "$(dirname "$0")/lib.sh"
# work is an empty directory that goes away at the end, as do the processes of pids; fail
# says what is wrong and counts it, so that a script ends with: [ $failed -eq 0 ]
set -u

work=$(mktemp -d) || exit 1
pids=
trap 'kill $pids 2>/dev/null; rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}
