#!/bin/sh
# complete.sh SHELL COMPLETIONS - asks SHELL (bash, zsh or fish) what it offers for each line
# of complete_cases.txt.
set -u

shell=$1
completions=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir home files
HOME=$work/home
TERM=dumb
export HOME TERM
cd files || exit 1
touch here.yml hero.txt have.vcd mine.ptx more.txt some.csv
failed=0
n=0

# The lines, those behind whose last word another one is asked for with a blank.
while IFS='|' read -r line rest; do
    line=${line% }
    case $line in
    '#'* | '') continue ;;
    smwave | *' sweep' | *' config' | *' stats' | *' wave' | *' ptx') line="$line " ;;
    esac
    printf '%s\n' "$line" >>"$work/lines"
    printf '%s\n' "$rest" >>"$work/expected"
done <"$here/complete_cases.txt"

ask() { # answers each line of the input by words, a line each, and ==
    if [ "$shell" = zsh ]; then
        timeout 100 zsh -f "$here/complete.zsh" "$completions"
        return
    fi
    while IFS= read -r line; do
        if [ "$shell" = bash ]; then
            bash --norc "$here/complete.bash" "$completions/smwave.bash" "$line"
        else
            timeout 60 fish -N -c 'source $argv[1]; complete -C $argv[2]' \
                "$completions/smwave.fish" "$line" | cut -f 1
        fi
        echo '=='
    done
}

ask <"$work/lines" >"$work/answers" 2>"$work/errors"
if [ -s "$work/errors" ]; then
    echo "FAILED: errors:"
    cat "$work/errors"
    failed=1
fi
exec 3<"$work/expected" 4<"$work/answers"
while IFS= read -r line; do
    IFS='|' read -r offered others <&3
    words=
    over=no
    while IFS= read -r word <&4; do
        [ "$word" != == ] || {
            over=yes
            break
        }
        words="$words $word"
    done
    n=$((n + 1))
    [ $over = yes ] || {
        echo "FAILED: '$line' was not answered"
        failed=$((failed + 1))
    }
    for word in $offered; do
        case "$words " in
        *" $word "*) continue ;;
        esac
        echo "FAILED: '$line' does not offer $word, but:$words"
        failed=$((failed + 1))
    done
    for word in $others; do
        case "$words " in
        *" $word "*)
            echo "FAILED: '$line' offers $word"
            failed=$((failed + 1))
            ;;
        esac
    done
done <"$work/lines"

# bash breaks words at =, and then completes what stands behind it.
if [ "$shell" = bash ]; then
    for line in 'smwave run -s sm.scheduler.policy=g' 'smwave run --check=g'; do
        case $(bash --norc "$here/complete.bash" "$completions/smwave.bash" "$line" broken) in
        gto | global) ;;
        *)
            echo "FAILED: '$line', broken at ="
            failed=$((failed + 1))
            ;;
        esac
    done
fi

[ $n -gt 30 ] || {
    echo "only $n lines were asked for"
    exit 1
}
echo "$shell: $n lines, $failed failures"
[ $failed -eq 0 ]
