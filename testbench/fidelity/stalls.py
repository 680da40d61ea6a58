#!/usr/bin/env python3
"""stalls.py SMWAVE CASE... - stall reasons of cases of cases.csv: model / H100, as a table.

Warps stalled for a reason per issue, second of two launches. Cases that are for judging are
refused: nobody looks at them while something is tuned.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REASONS = ["not_selected", "wait", "short_scoreboard", "long_scoreboard", "imc_miss", "barrier",
           "branch_resolve", "no_instruction", "math_pipe_throttle", "mio_throttle",
           "lg_throttle"]
OTHER_NAME = {"branch_resolve": "branch_resolving"}  # the profiler's


def table(name):
    with open(f"{HERE}/{name}", newline="") as f:
        return {r["id"]: r for r in csv.DictReader(f)}


def buffer(how, words, seed):
    if how == "iota":
        kind, init = "u32", "iota: [0, 1]"
    elif how == "f":
        kind, init = "f32", f"random: {{seed: {seed}, modulo: 17, offset: -8}}"
    else:
        kind, init = "u32", f"random: {{seed: {seed}, mask: 0x{how[2:]}}}"
    return f"{{type: {kind}, count: {words}, init: {{{init}}}}}"


def run(smwave, case):
    launch = (f"  - {{kernel: {case['kernel']}, grid: [{case['grid_x']}, {case['grid_y']}], "
              f"block: [{case['block_x']}, {case['block_y']}], shared: {case['shared']}, "
              f"args: [a, b, c, {case['n']}, {case['m']}]}}\n")
    with tempfile.TemporaryDirectory() as work:
        with open(f"{work}/case.yml", "w") as f:
            f.write(f"module: {HERE}/kernels.ptx\nconfig: h100\nbuffers:\n"
                    f"  a: {buffer(case['a'], case['a_words'], 262)}\n"
                    f"  b: {buffer(case['b'], case['b_words'], 263)}\n"
                    f"  c: {{type: u8, count: {4 * int(case['c_words'])}, init: zero}}\n"
                    f"launches:\n{launch}{launch}")
        out = subprocess.run([smwave, "run", f"{work}/case.yml", "--json", "-o", f"{work}/out"],
                             check=True, capture_output=True, text=True).stdout
    return json.loads(out)["kernels"][1]["counters"]


def show(v):
    return f"{v:.0f}" if v >= 100 else f"{v:.1f}"


def main(smwave, wanted):
    cases, truth = table("cases.csv"), table("h100.csv")
    print("| case | kernel | blocks x threads | " + " | ".join(REASONS) + " |")
    print("|---" * (3 + len(REASONS)) + "|")
    for i in wanted:
        case = cases[i]
        if case["set"] != "tune":
            sys.exit(f"stalls: case {i} is for judging")
        counters = run(smwave, case)
        cells = []
        for why in REASONS:
            model = counters[f"stall.{why}"] / counters["stall.selected"]
            device = float(truth[i]["stall_" + OTHER_NAME.get(why, why)] or 0)
            cells.append(f"{show(model)} / {show(device)}" if max(model, device) >= 0.05 else "")
        blocks = int(case["grid_x"]) * int(case["grid_y"])
        threads = int(case["block_x"]) * int(case["block_y"])
        print(f"| {i} | `{case['kernel']}` | {blocks} x {threads} | " + " | ".join(cells) + " |",
              flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
