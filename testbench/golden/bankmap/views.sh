#!/bin/sh
# views.sh PROGRAM DIRECTORY - what people see.
#
# DIRECTORY holds, for each case NAME, its arguments NAME.args (one per line) and the
# output NAME.out. The picture as SVG is written as well, if the case is of one device: it
# must be well-formed XML that shows as many cells as the text.
. "$(dirname "$0")/../lib.sh"

program=$1
directory=$2
here=$(dirname "$0")
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac
case $here in
/*) ;;
*) here=$PWD/$here ;;
esac
count=0

cd "$directory" || exit 1
for args in *.args; do
    name=${args%.args}
    set --
    while IFS= read -r word; do
        set -- "$@" "$word"
    done <"$args"
    "$program" bankmap "$@" >"$work/out" 2>"$work/err" || {
        echo "$name: exit $?"
        cat "$work/err"
        failed=$((failed + 1))
        continue
    }
    count=$((count + 1))
    golden "$name.out" "$work/out"
    if awk 'length($0) > 96 { exit 1 }' "$work/out"; then :; else
        echo "$name: a line is too wide"
        failed=$((failed + 1))
    fi
    case " $* " in
    *" --cc "* | *" -c "*)
        "$program" bankmap "$@" --svg "$work/picture.svg" >/dev/null 2>&1 || {
            echo "$name: no SVG"
            failed=$((failed + 1))
        }
        awk -f "$here/xml.awk" "$work/picture.svg" || {
            echo "$name: the SVG is not well-formed"
            failed=$((failed + 1))
        }
        # The passes of the text's grid and of the SVG's are as many.
        text=$(awk 'substr($0, 1, 6) ~ /^ *[0-9]+  $/ {
                for (i = 3; i <= NF; i++) n += $i != "." } END { print n + 0 }' "$work/out")
        svg=$(grep -c 'class="pass"' "$work/picture.svg")
        case " $* " in
        *" global "*) ;;
        *)
            [ "$text" -eq "$svg" ] || {
                echo "$name: $text cells as text, $svg as SVG"
                failed=$((failed + 1))
            }
            ;;
        esac
        ;;
    esac
done
echo "$count pictures, $failed not as expected"
[ "$failed" -eq 0 ] && [ "$count" -gt 0 ]
