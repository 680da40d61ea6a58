#!/bin/sh
# analysis.sh SMWAVE [DIR] - makes in DIR what the notebook reads, and runs it there without
# a window: DIR/analysis.html and three pictures. Without DIR, in a folder that goes away,
# and the pictures are looked at: a test.
set -eu

smwave=$1
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -gt 1 ]; then
    mkdir -p "$2"
    cd "$2"
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    cd "$work"
fi
python=
for p in /usr/bin/python3 python3; do
    if "$p" -c 'import ipykernel, matplotlib, nbconvert, pandas' 2>/dev/null; then
        python=$p
        break
    fi
done
if [ -z "$python" ]; then
    echo "analysis: it takes jupyter-nbconvert, python3-ipykernel, python3-pandas and" \
        "python3-matplotlib (apt install)"
    exit 1
fi

"$smwave" sweep run "$here/sweep.yml" -o smwave-out/sweep.sweep --quiet >log 2>&1 || {
    cat log
    exit 1
}
"$smwave" run reduction-small --trace none --blocks \
    --launch buffers.global_sums.dump=sums.npy >log
# Nothing of the notebooks of whoever runs this.
export HOME="$PWD" IPYTHONDIR="$PWD/ipython" JUPYTER_CONFIG_DIR="$PWD/jupyter"
export MPLBACKEND=agg PYTHONWARNINGS=ignore
cp "$here/analysis.ipynb" .
"$python" -m nbconvert --execute --to html analysis.ipynb >log 2>&1 || {
    tail -n 30 log
    exit 1
}
for picture in latency blocks data; do
    "$python" - "$picture.png" <<'EOF'
import sys

import matplotlib.image

pixels = matplotlib.image.imread(sys.argv[1])[:, :, :3]
drawn = (pixels.min(axis=2) < 0.9).mean()
sys.exit(f"{sys.argv[1]}: nothing is drawn" if drawn < 0.005 else 0)
EOF
done
for word in dram.row_hits cal_sum_ker0; do
    grep -q "$word" analysis.html || {
        echo "analysis: the page does not say $word"
        exit 1
    }
done
