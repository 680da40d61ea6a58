#!/bin/sh
# check_commands.sh ROOT BUILD [DOCUMENT...] - what documents show works: what README.md and
# the manual do, or the documents named.
#
# Each document has a directory of its own, in which everything happens in the order of the
# text; testbench, configs and model are there as they are in the tree. BUILD, a build
# directory without sanitizers, has the program.
#
#   a block behind a line that ends in "`NAME`:"   is written to the file NAME
#   blocks marked "console"   lines behind "$ " are run, "> " goes on with the line before;
#                             they must print what stands below, where "..." is any lines
#   links to files            the files exist
#
# The C example of the chapter about the library is compiled, linked and run, and must print
# the line that the chapter shows (not with documents named).
set -u

root=$(cd "$1" && pwd) || exit 2
build=$(cd "$2" && pwd) || exit 2
shift 2
example=testbench/manual/10-library.md
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
bad=0
commands=0
files=0

cd "$root" || exit 2

offend() {
    echo "$*"
    bad=1
}

# Does FILE2 hold the lines of FILE1, where "..." stands for any lines?
same_lines() {
    awk 'NR == FNR { want[++n] = $0; next }
        { got[++m] = $0 }
        END {
            j = 1
            for (i = 1; i <= n; i++) {
                if (want[i] == "...") {
                    if (i == n) {
                        exit 0
                    }
                    while (j <= m && got[j] != want[i + 1]) {
                        j++
                    }
                } else if (j > m || got[j++] != want[i]) {
                    exit 1
                }
            }
            exit j <= m
        }' "$1" "$2"
}

# The steps of document $1 into directory $2: N.sh and N.want, or N.name and N.file.
split_steps() {
    awk -v dir="$2" '
        function open_block(mark) {
            kind = ""
            if (mark == "console") {
                kind = "console"
            } else if (name != "") {
                kind = "file"
                n++
                print name >(dir "/" n ".name")
                printf "" >(dir "/" n ".file")
            }
        }
        /^```/ {
            inside = !inside
            if (inside) {
                open_block(substr($0, 4))
            }
            name = ""
            next
        }
        inside && kind == "file" { print >(dir "/" n ".file"); next }
        inside && kind == "console" && /^\$ / {
            n++
            print substr($0, 3) >(dir "/" n ".sh")
            printf "" >(dir "/" n ".want")
            goes_on = /(\\|\|)$/
            next
        }
        inside && kind == "console" && goes_on && /^> / {
            print substr($0, 3) >(dir "/" n ".sh")
            goes_on = /(\\|\|)$/
            next
        }
        inside && kind == "console" { print >(dir "/" n ".want"); next }
        !inside && NF > 0 {
            name = match($0, /`[^` \/]+`:$/) ? substr($0, RSTART + 1, RLENGTH - 3) : ""
        }' "$1"
}

check_steps() {
    document=$1
    steps=$work/steps
    here=$work/here
    rm -rf "$steps" "$here"
    mkdir "$steps" "$here"
    for part in testbench configs model; do
        ln -s "$root/$part" "$here/$part"
    done
    split_steps "$document" "$steps"
    n=1
    while [ -f "$steps/$n.sh" ] || [ -f "$steps/$n.name" ]; do
        if [ -f "$steps/$n.name" ]; then
            cp "$steps/$n.file" "$here/$(cat "$steps/$n.name")"
            files=$((files + 1))
        else
            (cd "$here" && PATH="$build:$PATH" sh "$steps/$n.sh") >"$steps/$n.got" 2>&1
            same_lines "$steps/$n.want" "$steps/$n.got" || {
                offend "$document: this prints something else now: $(cat "$steps/$n.sh")"
                diff "$steps/$n.want" "$steps/$n.got"
            }
            commands=$((commands + 1))
        fi
        n=$((n + 1))
    done
}

check_links() {
    grep -oE '\]\([^)#]+' "$1" | sed 's/^](//' | grep -v '^https*:' |
        while read -r link; do
            [ -e "$(dirname "$1")/$link" ] || echo "$1: there is no $link"
        done >"$work/links"
    [ -s "$work/links" ] && offend "$(cat "$work/links")"
}

if [ $# -gt 0 ]; then
    for document; do
        check_links "$document"
        check_steps "$document"
    done
    [ $commands -gt 0 ] || offend "$*: no command was found"
    echo "$commands commands, $files files"
    exit $bad
fi

for document in README.md testbench/manual/*.md; do
    check_links "$document"
    check_steps "$document"
done
[ $commands -gt 30 ] || offend "of the documents only $commands commands were found"
[ $files -gt 5 ] || offend "of the documents only $files files were found"

awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$example" >"$work/example.c"
if ! ${CC:-cc} -std=c11 -Wall -Wextra -Werror -I model "$work/example.c" \
    "$build/model/libsmwave.a" -o "$work/example"; then
    offend "$example: the C example does not compile"
elif ! "$work/example" >"$work/printed" || ! [ -s "$work/printed" ] ||
    ! grep -qxF -f "$work/printed" "$example"; then
    offend "$example: the C example prints something else: $(cat "$work/printed")"
fi

echo "$commands commands, $files files"
exit $bad
