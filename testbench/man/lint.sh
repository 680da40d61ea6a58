#!/bin/sh
# lint.sh MAN TOOL - TOOL, mandoc or man, has nothing to say against the pages in MAN.
set -u

cd "$1" || exit 1
[ "$(ls ./*.[157] | wc -l)" -gt 20 ] || {
    echo "there are too few pages"
    exit 1
}
if [ "$2" = mandoc ]; then
    mandoc -T lint -W warning ./*.[157]
    exit
fi
failed=0
for page in ./*.[157]; do
    said=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null)
    [ -z "$said" ] || {
        echo "$page: $said"
        failed=1
    }
done
exit $failed
