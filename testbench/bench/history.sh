#!/bin/sh
# history.sh HISTORY.csv OUT.svg - how fast the model was over time: thread instructions
# per second (medians) of every row of model_bench's history, a panel per device. Needs
# gnuplot; the same history gives the same picture.
set -eu

if [ $# -ne 2 ]; then
    echo "usage: history.sh HISTORY.csv OUT.svg" >&2
    exit 2
fi
history=$1
out=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A file of points per row, and the program that draws them. A label is "DATE VERSION;
# machine; remarks": the tick shows it in lines.
awk -F, -v work="$work" '
    BEGIN {
        n_colors = split("#1f77b4 #d62728 #2ca02c #9467bd #ff7f0e #8c564b #e377c2 " \
                         "#17becf #7f7f7f #bcbd22", colors, " ")
    }
    NR == 1 {
        for (i = 1; i <= NF; i++) {
            at[$i] = i
        }
        if (!("label" in at && "row" in at && "thread_insts" in at &&
              "median_seconds" in at)) {
            print "history.sh: this is no history: " $0 >"/dev/stderr"
            exit failed = 1
        }
        next
    }
    {
        label = $at["label"]
        row = $at["row"]
        seconds = $at["median_seconds"]
        if (split(row, part, "/") != 3 || seconds + 0 <= 0) {
            print "history.sh: line " NR ": " $0 >"/dev/stderr"
            exit failed = 1
        }
        if (!(label in place)) {
            place[label] = ++n
            text = label
            gsub(/["\\]/, "", text)
            gsub(/; */, "\\n", text)
            ticks = ticks (n > 1 ? ", " : "") "\"" text "\" " n
        }
        if (!(part[2] in draw)) {
            panels = panels (panels == "" ? "" : " ") part[2]
            draw[part[2]] = ""
        }
        if (!(part[1] in color)) {
            color[part[1]] = colors[n_works++ % n_colors + 1]
        }
        file = row
        gsub("/", "_", file)
        file = work "/" file ".csv"
        if (!(row in seen)) {
            seen[row] = 1
            draw[part[2]] = draw[part[2]] (draw[part[2]] == "" ? "" : ", ") \
                "\"" file "\" using 1:2 with linespoints pt 7 ps 0.5 lw 1.5 dt " \
                (part[3] == "1" ? 2 : 1) " lc rgb \"" color[part[1]] "\" title \"" \
                part[1] (part[3] == "1" ? ", 1 SM" : "") "\""
        }
        printf "%d,%.3f\n", place[label], $at["thread_insts"] / seconds / 1e6 >file
    }
    END {
        if (failed) {
            exit 1
        }
        if (n == 0) {
            print "history.sh: nothing measured yet" >"/dev/stderr"
            exit 1
        }
        program = work "/draw.gp"
        print "n = " n "\nticks = '\''" ticks "'\''\npanels = \"" panels "\"" >program
        for (device in draw) {
            print "draw_" device " = '\''" draw[device] "'\''" >program
        }
    }' "$history"
{
    printf 'out = "%s"\n' "$work/history.svg"
    cat "$work/draw.gp" "$here/history.gp"
} >"$work/all.gp"
LC_ALL=C gnuplot "$work/all.gp"
cp "$work/history.svg" "$out"
