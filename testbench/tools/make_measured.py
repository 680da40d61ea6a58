#!/usr/bin/env python3
"""Write a launch file for each row of testbench/golden/measured/kernels.csv.

    python3 testbench/tools/make_measured.py [OUTDIR]

OUTDIR defaults to the folder of the table. The inputs are those of the measurement:
reverse: 1024 words, seed 393, 16 bits each; cal_sum: N halves; other sums: N floats from
-8 to 8, seed 262; copies: 2^19 (offset) or 2^21 (stride) such floats. The output that the
hash covers: the first n words, the sums of the blocks, the first 65536 floats.
"""
import csv
import os
import sys

SMALL_FLOATS = "{random: {seed: 262, modulo: 17, offset: -8}}"


def dimensions(text):
    return "[%s]" % ", ".join(text.split("x")).replace(", 1, 1", "")


def settings(text):
    return {k: int(v) for k, v in (word.split("=") for word in text.split())}


def describe(row):
    """module, buffer lines, shared bytes, arguments, output buffer and its count"""
    kernel, s = row["kernel"], settings(row["config"])
    block = int(row["block"].split("x")[0])
    blocks = int(row["grid"].split("x")[0])

    if "n" in s:
        buffers = ["d: {type: s32, count: 1024, init: {random: {seed: 393, mask: 0xffff}}}"]
        shared = 0 if kernel == "staticReverse" else 4 * s["n"]
        return "reverse", buffers, shared, "d, %d" % s["n"], "d", s["n"]
    if "N" in s:
        init = "{fill: 0.5}" if kernel.startswith("cal_sum") else SMALL_FLOATS
        buffers = [
            "p: {type: f32, count: %d, init: %s}" % (s["N"], init),
            "bs: {type: f32, count: %d, init: zero}" % blocks,
        ]
        module = "reduction" if kernel.startswith("cal_sum") else "measured"
        shared = 0 if kernel == "cal_sum_ker0" else 4 * block
        return module, buffers, shared, "p, bs, %d" % s["N"], "bs", blocks
    count, step = (1 << 19, s["offset"]) if "offset" in s else (1 << 21, s["stride"])
    buffers = ["a: {type: f32, count: %d, init: %s}" % (count, SMALL_FLOATS)]
    return "measured", buffers, 0, "a, %d" % step, "a", 65536


def launch_file(row):
    module, buffers, shared, args, out, count = describe(row)
    lines = [
        "# Row %s of kernels.csv: %s, %s." % (row["id"], row["kernel"], row["config"]),
        "module: ../../kernels/%s.ptx" % module,
        "config: gtx480",
        "buffers:",
    ]
    lines += ["  " + b for b in buffers]
    lines += [
        "launches:",
        "  - {kernel: %s, grid: %s, block: %s, shared: %d, args: [%s]}"
        % (row["kernel"], dimensions(row["grid"]), dimensions(row["block"]), shared, args),
        "expect:",
        '  - {buffer: %s, count: %d, fnv1a: "%s"}' % (out, count, row["output_fnv1a"]),
    ]
    return "\n".join(lines) + "\n"


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    table = os.path.join(here, "..", "golden", "measured", "kernels.csv")
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(table)
    with open(table, newline="", encoding="ascii") as f:
        rows = list(csv.DictReader(line for line in f if not line.startswith("#")))
    for row in rows:
        name = "%03d-%s.yml" % (int(row["id"]), row["kernel"])
        with open(os.path.join(out, name), "w", encoding="ascii", newline="\n") as f:
            f.write(launch_file(row))


if __name__ == "__main__":
    main()
