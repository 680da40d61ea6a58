#!/bin/sh
# man.sh PROGRAM MAN COMPLETIONS - every command and sub-command answers -h, --help and
# --usage, and its help and its page have the same options; each completion knows every
# option, preset, key and counter; the examples of the pages of files are files that smwave
# takes. MAN and COMPLETIONS: where the build wrote them.
set -u

program=$1
man=$2
completions=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
NO_COLOR=1
export NO_COLOR
unset ARGP_HELP_FMT
failed=0
n=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

# The names below "Commands:".
commands_of() { # COMMAND...
    "$program" "$@" --help | awk '/^Commands:/ { on = 1; next } !NF { on = 0 } on { print $1 }' |
        grep -vx help
}

# The options in front of what they mean, without their values.
options_of_help() {
    grep -E '^ {2,6}-' | sed 's/^  *//; s/  .*//' | tr ', ' '\n\n' |
        grep '^-' | sed 's/=.*//' | LC_ALL=C sort -u
}

# The same of a page: the terms of its section OPTIONS.
options_of_page() { # FILE
    awk '/^\.SH / { on = $0 == ".SH OPTIONS" } on && term { print; term = 0 }
        on && /^\.TP/ { term = 1 }' "$1" | sed 's/\\f[BIR]//g; s/\\-/-/g' | tr ', ' '\n\n' |
        grep '^-' | sed 's/=.*//' | LC_ALL=C sort -u
}

# The words of a list of a completion.
words_of() { # FILE NAME
    lines=0
    [ "$1" != smwave.fish ] || lines=1
    grep -F -A $lines "'$2'" "$completions/$1" | tail -n 1 | sed "s/.*echo '//; s/'.*//" |
        tr ' ' '\n'
}

check_command() { # PAGE COMMAND...
    page=$man/$1.1
    shift
    n=$((n + 1))
    for option in --help -h '-?' --usage; do
        "$program" "$@" "$option" >"$work/out$option" 2>"$work/err" </dev/null ||
            fail "smwave $* $option: exit $?"
        [ ! -s "$work/err" ] || fail "smwave $* $option: $(cat "$work/err")"
        [ -s "$work/out$option" ] || fail "smwave $* $option says nothing"
    done
    cmp -s "$work/out--help" "$work/out-h" || fail "smwave $*: -h is not --help"
    cmp -s "$work/out--help" "$work/out-?" || fail "smwave $*: -? is not --help"
    "$program" help "$@" >"$work/out-help" || fail "smwave help $*"
    cmp -s "$work/out--help" "$work/out-help" || fail "smwave help $*: is not --help"
    for option in -V --version; do
        case $("$program" "$@" $option </dev/null) in
        "smwave "[0-9]*) ;;
        *) fail "smwave $* $option" ;;
        esac
    done
    awk 'length > 79' "$work/out--help" | grep . && fail "smwave $* --help: wide lines"
    [ -f "$page" ] || {
        fail "smwave $* has no page"
        return
    }
    options_of_help <"$work/out--help" >"$work/help"
    options_of_page "$page" >"$work/page"
    diff "$work/help" "$work/page" || fail "smwave $*: --help (<) and $page (>) differ"
    [ "$(wc -l <"$work/help")" -ge 6 ] || fail "smwave $*: options were not found"
    for file in smwave.bash _smwave smwave.fish; do
        words_of "$file" "options ${*:-smwave}" | sed 's/=$//' | LC_ALL=C sort -u |
            diff "$work/help" - || fail "smwave $*: --help (<) and $file (>) differ"
    done
    # --usage has the letters of options without a value in one word, and wraps lines.
    tr -s ' \n' '  ' <"$work/out--usage" | tr '[] =' '\n' >"$work/usage"
    grep '^--' "$work/help" | while read -r option; do
        grep -qxF -e "$option" "$work/usage" || echo "$option"
    done | grep . && fail "smwave $* --usage lacks these"
}

# "smwave-sweep-run.1" is about smwave sweep run.
for page in "$man"/*.1; do
    name=$(basename "$page" .1)
    # shellcheck disable=SC2046
    check_command "$name" $(echo "${name#smwave}" | tr '-' ' ')
done
for command in $(commands_of); do
    [ -f "$man/smwave-$command.1" ] || fail "there is no smwave-$command.1"
    for sub in $(commands_of "$command"); do
        [ -f "$man/smwave-$command-$sub.1" ] || fail "there is no smwave-$command-$sub.1"
    done
done
[ "$n" -gt 20 ] || fail "only $n commands were found"

for section in launch.5 config.5 sweep.5 stats.7; do
    [ -s "$man/smwave-$section" ] || fail "there is no smwave-$section"
done

# ---- names ----

"$program" config list | awk '/^presets/ { kind = "preset" } /^keys/ { kind = "key" }
    kind != "" && /^  [a-z0-9]/ { print kind, $1 }' >"$work/names"
"$program" stats list | awk '{ print "counter", $1 }' >>"$work/names"
[ "$(wc -l <"$work/names")" -gt 150 ] || fail "names were not found"
for kind in preset key counter; do
    sed -n "s/^$kind //p" "$work/names" | LC_ALL=C sort -u >"$work/known"
    page=config.5
    [ $kind != counter ] || page=stats.7
    sed -n 's/\\-/-/g; s/^\\fB\(.*\)\\fR$/\1/p' "$man/smwave-$page" | LC_ALL=C sort -u |
        LC_ALL=C comm -23 "$work/known" - | grep . && fail "smwave-$page lacks these"
    for file in smwave.bash _smwave smwave.fish; do
        words_of $file "${kind}s" | LC_ALL=C sort -u | diff "$work/known" - ||
            fail "$file: ${kind}s (<) and those it offers (>) differ"
    done
done

# ---- the first example of each page about a kind of file ----

example() { # PAGE
    awk '/^\.EX/ && !done { on = 1; next } /^\.EE/ { if (on) done = 1; on = 0 } on' \
        "$man/$1" | sed 's/^  //; s/\\-/-/g; s/\\(aq/'\''/g; s/\\(ha/^/g; s/\\(dq/"/g'
}

example smwave-config.5 >device.yml
"$program" config check device.yml >out 2>&1 || fail "smwave-config.5: $(cat out)"
[ "$("$program" config show device.yml sm.scheduler.policy)" = lrr ] ||
    fail "smwave-config.5: the example is read otherwise"
example smwave-sweep.5 >sweep.yml
"$program" sweep run sweep.yml -o sweep >out 2>&1 || fail "smwave-sweep.5: $(cat out)"
grep -q '^latency: 5 points$' out || fail "smwave-sweep.5: $(cat out)"
example smwave-launch.5 >launch.yml
cp "$here/../kernels/reverse.ptx" .
"$program" run launch.yml --trace none -q >out 2>&1 || fail "smwave-launch.5: $(cat out)"
[ ! -s out ] || fail "--quiet: $(cat out)"

# ---- the examples of the commands that need no more than a kernel ----

mkdir examples
cp reverse.ptx examples
for page in init config devices stats wave ptx; do
    sed -n '/^# EXAMPLES/,$s/^  \(smwave .*\)/\1/p' "$here/smwave-$page.1.txt" >commands
    [ -s commands ] || fail "smwave-$page.1 has no examples"
    while IFS= read -r line; do
        (cd "$work/examples" && eval "\"$program\" ${line#smwave }") >out 2>&1 </dev/null ||
            fail "smwave-$page.1: $line: $(cat out)"
    done <commands
done

# ---- quiet ----

quiet() { # COMMAND... - says nothing and ends well
    "$program" "$@" --quiet >out 2>&1 || fail "smwave $* --quiet: exit $?"
    [ ! -s out ] || fail "smwave $* --quiet: $(cat out)"
    "$program" "$@" >out 2>&1 || fail "smwave $*: exit $?"
    [ -s out ] || fail "smwave $* says nothing either"
}

quiet run reverse -o run
quiet init reverse.ptx staticReverse --force
quiet wave view run --view banks
quiet wave check run
quiet report run
quiet config check gtx480
quiet ptx check reverse.ptx
quiet sweep plan sweep.yml -o plan --no-estimate
cat >tiny.yml <<'EOF'
base: {target: reverse, config: tiny}
grid: {sm.l1.ways: [2, 4]}
EOF
quiet sweep run tiny.yml -o tiny
quiet sweep merge tiny.yml -o tiny
"$program" run reverse --trace none -o run -q --json | grep -q '"schema": 1' ||
    fail "run --quiet --json prints no stats.json"
sed 's/63, -1/62, -1/' launch.yml >wrong.yml
"$program" run wrong.yml --trace none -q >out 2>err
[ $? -eq 1 ] || fail "run --quiet: a wrong result is not exit 1"
[ ! -s out ] || fail "run --quiet: $(cat out)"
grep -q error err || fail "run --quiet hides an error"

echo "$n commands, $failed failures"
[ $failed -eq 0 ]
