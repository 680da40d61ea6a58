#!/bin/sh
# A picture of a run's waveform, as GTKWave shows it.
#
#   screenshot.sh OUTDIR|FILE.gtkw FILE.png [FROM TO [ROW]]
#
# OUTDIR: its overview, run.gtkw; another view is named by its save file.
# FROM, TO: the part to be seen, in the dump's time units (default: what the save file
# says). ROW: scroll so that this row is the topmost (default 0). SIZE=WxH in the
# environment: the picture's size (default 1600x900).
# Needs gtkwave, Xvfb, xauth (by xvfb-run) and Python; with ImageMagick's convert the file is
# smaller.
set -eu

if [ $# -lt 2 ] || [ $# -eq 3 ] || [ $# -gt 5 ]; then
    echo "usage: screenshot.sh OUTDIR|FILE.gtkw FILE.png [FROM TO [ROW]]" >&2
    exit 2
fi
missing=
for tool in gtkwave:gtkwave xvfb-run:xvfb Xvfb:xvfb xauth:xauth python3:python3; do
    command -v "${tool%:*}" >/dev/null || missing="$missing ${tool#*:}"
done
if [ -n "$missing" ]; then
    echo "screenshot: missing:$missing (Debian, Ubuntu: apt install$missing)" >&2
    exit 1
fi
tools=$(cd "$(dirname "$0")" && pwd)
save=$1
if [ -d "$save" ]; then
    save=$save/run.gtkw
fi
if [ ! -f "$save" ]; then
    echo "screenshot: there is no $save" >&2
    exit 1
fi
dir=$(cd "$(dirname "$save")" && pwd)
name=$(basename "$save")
png=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

title=50 # pixels of height

# The same in a window as large as the picture.
size=${SIZE:-1600x900}
mkdir "$work/dir"
ln -s "$dir"/* "$work/dir"
rm "$work/dir/$name"
sed "s/^\[size\] .*/[size] ${size%x*} ${size#*x}/" "$dir/$name" >"$work/dir/$name"
save=$work/dir/$name

{
    if [ $# -ge 4 ]; then
        echo "set marker [gtkwave::getMarker]" # the zoom would take it away
        echo "gtkwave::setZoomRangeTimes $3 $4"
        echo "gtkwave::setMarker \$marker"
    fi
    if [ $# -ge 5 ]; then
        echo "gtkwave::setTraceScrollbarRowValue $5"
    fi
} >"$work/view.tcl"

cat >"$work/shoot.sh" <<'SHOOT'
set -eu
gtkwave -S "$WORK/view.tcl" "$SAVE" >"$WORK/out" 2>&1 &
viewer=$!
trap 'kill $viewer 2>/dev/null || true' EXIT
# Drawn when two pictures in a row are equal and not of one colour.
last=
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    sleep 1
    if ! kill -0 $viewer 2>/dev/null; then
        echo "screenshot: GTKWave ended" >&2
        cat "$WORK/out" >&2
        exit 1
    fi
    cp "$WORK/Xvfb_screen0" "$WORK/now"
    sum=$(cksum <"$WORK/now")
    if [ "$sum" = "$last" ]; then
        colors=$(python3 "$TOOLS/xwd_png.py" "$WORK/now" "$WORK/shot.png" "$TITLE")
        if [ "$colors" -gt 8 ]; then
            exit 0
        fi
    fi
    last=$sum
done
echo "screenshot: GTKWave drew nothing that stays" >&2
cat "$WORK/out" >&2
exit 1
SHOOT
# Xvfb keeps what it shows in a file of $work. Without the window's title, which says where
# the dump lies.
WORK=$work SAVE=$save TITLE=$title TOOLS=$tools \
    xvfb-run -a -s "-screen 0 ${size}x24 -fbdir $work" sh "$work/shoot.sh"
# Few colours and no dates: a small file, the same each time.
if command -v convert >/dev/null &&
    convert "$work/shot.png" +dither -colors 48 -strip \
        -define png:compression-level=9 -define png:exclude-chunks=date,time \
        "PNG8:$work/small.png" 2>/dev/null; then
    mv "$work/small.png" "$work/shot.png"
fi
mv "$work/shot.png" "$png"
echo "$png"
