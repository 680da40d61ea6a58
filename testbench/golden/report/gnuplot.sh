#!/bin/sh
# Plots of every kind, drawn by a real gnuplot: an SVG with the points and the words that
# it should have, and a PNG. The script draws the same from anywhere.
#
#   gnuplot.sh SMWAVE HERE
set -eu
export LC_ALL=C # as on a machine on which nobody has chosen a language
smwave=$1
here=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$smwave" sweep run "$here/small.yml" -j 2 -o one >run.out 2>&1 || true
"$smwave" sweep plot one >said 2>err || {
    cat err >&2
    exit 1
}
if [ -s err ]; then
    echo "gnuplot has something to say:" >&2
    cat err >&2
    exit 1
fi
bad=0
for name in cycles-by-stride-width-sm.smem.banks cycles-by-sm.scheduler.policy-stride \
    conflicts-by-stride-and-sm.smem.banks-width conflicts-against-cycles-width; do
    grep -q "^one/plots/$name.svg" said || {
        echo "$name is not named" >&2
        bad=1
    }
    case $(head -c 8 "one/plots/$name.png" | od -An -c | tr -d ' \n') in
    '211PNG\r\n032\n') ;;
    *)
        echo "$name.png is no PNG" >&2
        bad=1
        ;;
    esac
    grep -q '</svg>' "one/plots/$name.svg" || bad=1
done
has() { # has FILE COUNT WORDS: at least so many elements
    n=$(grep -c "$3" "one/plots/$1.svg" || true)
    if [ "$n" -lt "$2" ]; then
        echo "$1.svg: $n of $2 with $3" >&2
        bad=1
    fi
}
has cycles-by-stride-width-sm.smem.banks 1 "Cycles of .lt;a.* 'stride'"
has cycles-by-stride-width-sm.smem.banks 12 "use xlink:href='#gpPt"
has cycles-by-stride-width-sm.smem.banks 1 '>sm.smem.banks: 32<'
has cycles-by-sm.scheduler.policy-stride 1 '>gto<'
has conflicts-by-stride-and-sm.smem.banks-width 12 '<polygon'
has conflicts-against-cycles-width 1 '>Pareto front<'

mkdir elsewhere
cp one/plots/*.csv one/plots/*.gp elsewhere
for f in elsewhere/*.gp; do
    (cd elsewhere && gnuplot "${f##*/}")
    svg=${f##*/}
    cmp "elsewhere/${svg%.gp}.svg" "one/plots/${svg%.gp}.svg" || bad=1
done
exit $bad
