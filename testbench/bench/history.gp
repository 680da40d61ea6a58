# history.gp - draws what history.sh prepared: panels stacked, a line per row.
#
# Set before: out (the SVG), ticks (label and place of each measurement), n (how many),
# panels (devices), colors (works); defined: draw_DEVICE strings with the lines to plot.
set terminal svg size 1200, 340 * words(panels) + 30 dynamic background rgb 'white' \
    font 'sans-serif,12'
set output out
set datafile separator ','
set logscale y
set format y '%g'
set ylabel 'million thread instructions/s'
set grid ytics lc rgb '#dddddd'
set border 3
set tics nomirror
set key outside right top font ',10' spacing 0.9
set xrange [0.5:n + 0.5]
set lmargin 10
set rmargin 46
set bmargin 5
eval 'set xtics (' . ticks . ') font ",10"'
set multiplot layout words(panels), 1
do for [panel in panels] {
    set title panel . ', without waveforms (dashed: one SM)'
    eval 'plot ' . value('draw_' . panel)
}
unset multiplot
