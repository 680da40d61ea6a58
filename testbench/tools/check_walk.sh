#!/bin/sh
# check_walk.sh FILE BUILD - the commands of a document print what stands there.
#
# In blocks marked "console" a line "$ command" is run, and must print the lines that
# follow it, up to the next command; "..." stands for any lines. Commands run in one empty
# directory, one after the other, with the programs of BUILD on the PATH and with the tree
# of the sources at testbench/, as for a reader who stands in its root. A document without
# such a command fails.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
file=$1
build=$(cd "$2" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
bad=0

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

# N.sh is the N-th command, N.want what it must print, N.line where it stands.
awk -v dir="$work" '
    /^```console$/ { on = 1; next }
    /^```$/ { on = 0 }
    on && /^\$ / {
        n++
        print substr($0, 3) >(dir "/" n ".sh")
        print NR >(dir "/" n ".line")
        printf "" >(dir "/" n ".want")
        next
    }
    on && n > 0 { print >(dir "/" n ".want") }' "$file"

mkdir "$work/here"
ln -s "$root/testbench" "$work/here/testbench"
n=1
while [ -f "$work/$n.sh" ]; do
    (cd "$work/here" && PATH="$build:$PATH" sh "../$n.sh") >"$work/$n.got" 2>&1
    if ! same_lines "$work/$n.want" "$work/$n.got"; then
        echo "$file:$(cat "$work/$n.line"): this prints something else now: $(cat "$work/$n.sh")"
        diff "$work/$n.want" "$work/$n.got"
        bad=1
    fi
    n=$((n + 1))
done
if [ $n -eq 1 ]; then
    echo "$file: no command to try was found"
    bad=1
fi
[ $bad -eq 0 ] && echo "$file: $((n - 1)) commands print what stands there"
exit $bad
