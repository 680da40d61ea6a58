#!/bin/sh
# Pages in a real browser: of runs with and without a profile, with bank conflicts, with a
# fault; of a sweep. A page that is broken is found.
#
#   browser.sh SMWAVE TOOLS HERE FAULTS
set -eu
smwave=$1
tools=$2
here=$3
faults=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

page() { # page NAME ARGUMENT...
    name=$1
    shift
    "$smwave" run "$@" --trace none -o "$name" >/dev/null 2>&1 || true
    "$smwave" report "$name" -o "$name.html" >/dev/null
    sh "$tools/check_page.sh" "$name.html"
}

page small reduction-small --profile
page bare reverse
page conflicts padding --profile -c 8800gtx
page fault "$faults/bounds.yml" --profile
"$smwave" sweep run "$here/small.yml" -o sweep >/dev/null 2>&1 || true
"$smwave" report sweep -o sweep.html >/dev/null
sh "$tools/check_page.sh" sweep.html

# What a table without order, a chart without data, an error on the way and a word that
# is cut come to.
sed 's/sign \* (a - b)/0/' small.html >unsorted.html
sed 's/id="d-activity"/id="d-nothing"/' small.html >silent.html
sed 's/"use strict";/"use strict"; console.log("?");/' small.html >talks.html
sed 's/viewBox="0 0 520 72"/viewBox="9 0 511 72"/' small.html >cut.html
for broken in unsorted silent talks cut; do
    if cmp -s small.html $broken.html; then
        echo "$broken: the page was not changed" >&2
        exit 1
    fi
    if sh "$tools/check_page.sh" $broken.html 2>/dev/null; then
        echo "$broken: not found" >&2
        exit 1
    fi
done
