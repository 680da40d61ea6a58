#!/usr/bin/env python3
"""fidelity --csv --stalls -t cases -s tune | stalls.py CASE... - why warps do not issue: a table.

Model / H100 of the cases of cases.csv that are named. Cases that are for judging are refused:
nobody looks at them while something is tuned.
"""
import csv
import sys

REASONS = ["not_selected", "wait", "short_scoreboard", "long_scoreboard", "imc_miss", "barrier",
           "branch_resolve", "no_instruction", "math_pipe_throttle", "mio_throttle",
           "lg_throttle"]


def show(v):
    return f"{v:.0f}" if v >= 100 else f"{v:.1f}"


def count(shape):
    x, y = shape.split("x")
    return int(x) * int(y)


def cell(row, why):
    model, device = (float(row[f"stall_{why}_{of}"]) for of in ("model", "device"))
    return f"{show(model)} / {show(device)}" if max(model, device) >= 0.05 else ""


def main(wanted):
    rows = {r["id"]: r for r in csv.DictReader(sys.stdin) if r["table"] == "cases"}
    print("| case | kernel | blocks x threads | " + " | ".join(REASONS) + " |")
    print("|---" * (3 + len(REASONS)) + "|")
    for i in wanted:
        if i not in rows:
            sys.exit(f"stalls: no case {i} in the table")
        if rows[i]["set"] != "tune":
            sys.exit(f"stalls: case {i} is for judging")
        cells = [cell(rows[i], why) for why in REASONS]
        print(f"| {i} | `{rows[i]['kernel']}` | {count(rows[i]['grid'])} x "
              f"{count(rows[i]['block'])} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main(sys.argv[1:])
