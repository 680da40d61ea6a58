#!/usr/bin/env python3
"""make_table.py DIR - the table of what measure.sh wrote into DIR, on standard output.

One row per case. Cycles are of the SM that was active longest (sm__cycles_active.max): warm,
the median of launches 2 to 8, fresh, the same with
buffers that the host has written before each launch, and cold, the median of 3 launches after the caches were flushed.
us_back_to_back has no profiler in it. Counters are of one cold launch under their profiler names,
stall_X is smsp__average_warps_issue_stalled_X_per_issue_active of the second launch. A metric
that the profiler did not give is empty.
"""
import csv
import statistics
import sys

WARM, COLD, STALLS = 8, 3, 2


def rows(path):
    with open(path, newline="") as f:
        got = list(csv.DictReader(f))
    return got[1:]  # the first row has the units


def number(text):
    text = text.replace(",", "")
    return float(text) if text else None


def show(v):
    if v is None:
        return ""
    return str(int(v)) if v == int(v) else f"{v:.6g}"


def median(group, name):
    values = [number(r[name]) for r in group]
    return statistics.median(values) if None not in values else None


def main(where):
    with open(f"{where}/plain.csv") as f:
        plain = [line.strip().split(",") for line in f]
    warm, cold = rows(f"{where}/warm.csv"), rows(f"{where}/cold.csv")
    fresh = rows(f"{where}/fresh.csv")
    counters, stalls = rows(f"{where}/counters.csv"), rows(f"{where}/stalls.csv")
    n = len(plain)
    assert len(warm) == len(fresh) == WARM * n and len(cold) == COLD * n
    assert len(counters) == n and len(stalls) == STALLS * n
    timing = ("gpc__cycles", "gpu__time", "sm__cycles_active", "profiler__", "device__")
    asked = [m for m in counters[0]
             if "__" in m and m.endswith(".sum") and not m.startswith(timing)]
    why = [m for m in stalls[0] if m.startswith("smsp__average_warps_issue_stalled_")
           and m.endswith("_per_issue_active.ratio")]
    short = {m: "stall_" + m[len("smsp__average_warps_issue_stalled_"):
                            -len("_per_issue_active.ratio")] for m in why}
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["id", "output_fnv1a", "us_back_to_back", "warm_cycles", "warm_elapsed_cycles",
                  "warm_ns", "fresh_cycles", "cold_cycles", "cold_elapsed_cycles", "cold_ns"]
                 + asked + ["issue_active"] + [short[m] for m in why])
    for i, (case, fnv, us) in enumerate(plain):
        w = warm[i * WARM + 1:(i + 1) * WARM]
        c = cold[i * COLD:(i + 1) * COLD]
        s = stalls[i * STALLS + 1]
        assert w[0]["Kernel Name"] == c[0]["Kernel Name"] == s["Kernel Name"]
        times = [median(g, m) for g in (w, c) for m in
                 ("sm__cycles_active.max", "gpc__cycles_elapsed.max", "gpu__time_duration.sum")]
        f = median(fresh[i * WARM + 1:(i + 1) * WARM], "sm__cycles_active.max")
        times.insert(3, f)
        out.writerow([case, fnv, us] + [show(t) for t in times]
                     + [show(number(counters[i][m])) for m in asked]
                     + [show(number(s["smsp__issue_active.sum"]))]
                     + [show(number(s[m])) for m in why])


main(sys.argv[1])
