"""track.py PROGRAM - what "run" leaves for the tools of others, read by others.

pipeline.kanata by a reader of the Kanata log format, timeline.json by one of the Trace
Event Format, blocks.csv by Python's csv: each holds to its format, and all add up to the
counters of stats.json. Both recordings end where they were told to, and say so.
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

TARGETS = {  # and the devices they run on
    "reverse": ["gtx480", "h100"],
    "staircase": ["gtx480"],
    "reduction-small": ["gtx460", "v100"],
    "atomics": ["k80"],
    "wide": ["h100"],
    "golden/kernels/printf.yml": ["gtx480"],
    "golden/kernels/clusters.yml": ["h100"],  # but for the launch that takes no time
}


def run(program, out, *options):
    return subprocess.run([program, "run", *options, "--trace", "none", "-o", str(out)],
                          capture_output=True, text=True)


def read_kanata(path):
    """The instructions of a Kanata log: id -> thread, texts, stages, end."""
    lines = path.read_text().splitlines()
    assert lines[0] == "Kanata\t0004", lines[0]
    insts, cycle, retired = {}, None, 0
    for line in lines[1:]:
        word = line.split("\t")
        if word[0] == "C=":
            assert cycle is None
            cycle = int(word[1])
            continue
        if word[0] == "C":
            assert int(word[1]) > 0, "time goes on"
            cycle += int(word[1])
            continue
        number = int(word[1])
        if word[0] == "I":
            assert number == len(insts), "ids are given in order"
            insts[number] = {"thread": int(word[3]), "text": "", "more": "", "open": None,
                             "begin": cycle, "stages": [], "end": None}
            continue
        inst = insts[number]
        assert inst["end"] is None, f"{line}: after its end"
        if word[0] == "L":
            inst["text" if word[2] == "0" else "more"] += word[3]
        elif word[0] == "S":
            assert inst["open"] is None, f"{line}: two stages at once"
            inst["open"] = (word[3], cycle)
        elif word[0] == "E":
            name, start = inst["open"]
            assert name == word[3] and start < cycle, line
            inst["stages"].append((name, start, cycle))
            inst["open"] = None
        elif word[0] == "R":
            assert inst["open"] is None and int(word[2]) == retired, line
            retired += 1
            inst["end"], inst["flushed"] = cycle, word[3] == "1"
        else:
            raise AssertionError(f"'{line}' is no command")
    assert all(i["end"] is not None for i in insts.values())
    return list(insts.values())


def issued(inst):
    return [start for name, start, _ in inst["stages"] if name == "issue"]


def check_kanata(insts):
    for inst in insts:
        assert inst["text"].count(": ") and ":" in inst["text"].rsplit("  ", 1)[1], inst
        for (_, _, end), (_, start, _) in zip(inst["stages"], inst["stages"][1:]):
            assert end <= start, inst
        assert len(issued(inst)) == (not inst["flushed"]), inst
        if inst["stages"]:
            assert inst["stages"][0][1] >= inst["begin"]
            assert inst["stages"][-1][2] <= inst["end"], inst
    for thread in {i["thread"] for i in insts}:  # one issues after the other
        at = [issued(i)[0] for i in insts if i["thread"] == thread and issued(i)]
        assert at == sorted(at), thread


def check_timeline(path):
    """Every slice lies inside those it begins in; returns the events."""
    events = json.loads(path.read_text())["traceEvents"]
    tracks = {}
    for event in events:
        assert event["ph"] in "MXCi" and event["name"], event
        if event["ph"] == "X":
            tracks.setdefault((event["pid"], event["tid"]), []).append(event)
        elif event["ph"] == "C":
            assert all(isinstance(v, int) for v in event["args"].values())
    named = {(e["pid"], e.get("tid")) for e in events if e["ph"] == "M"}
    for track, slices in tracks.items():
        assert track in named and (track[0], None) in named, track
        slices.sort(key=lambda s: (s["ts"], -s["dur"]))
        above = []
        for s in slices:
            while above and above[-1] <= s["ts"]:
                above.pop()
            assert not above or s["ts"] + s["dur"] <= above[-1], (track, s)
            above.append(s["ts"] + s["dur"])
    return events


def counters(out):
    total = {}
    for kernel in json.loads((out / "stats.json").read_text())["kernels"]:
        for name, value in kernel["counters"].items():
            if isinstance(value, int):
                total[name] = total.get(name, 0) + value
    return total


def check_blocks(out):
    with open(out / "blocks.csv", newline="") as f:
        rows = [{k: v if k == "kernel" else int(v) for k, v in row.items()}
                for row in csv.DictReader(f)]
    names = list(rows[0])
    states = names[names.index("issue"):names.index("shared_wavefronts")]
    total = counters(out)

    def same(what, wanted):
        assert what == wanted, (out, what, wanted)

    same(len(rows), total["blocks"])
    same(sum(r["warps"] for r in rows), total["warps"])
    same(sum(r["warp_insts"] for r in rows), total["warp_insts"])
    same(sum(r[s] for r in rows for s in states), total["sm.warp_cycles"])
    for column, name in (("shared_wavefronts", "shared.{}.wavefronts"),
                         ("shared_conflicts", "shared.{}.conflicts"),
                         ("global_requests", "global.{}.requests"),
                         ("global_sectors", "global.{}.sectors")):
        same(sum(r[column] for r in rows),
             sum(total[name.format(op)] for op in ("ld", "st", "atom")))
    for r in rows:
        assert r["ended"] == 1 and r["end"] - r["begin"] == r["cycles"] > 0, r
        assert sum(r[s] for s in states) <= r["warps"] * r["cycles"], r
    return rows


def check_target(program, work, target, device):
    out = work / f"{pathlib.Path(target).stem}-{device}"
    if "/" in target:
        target = str(pathlib.Path(__file__).parents[2] / target)
    done = run(program, out, target, "-c", device, "--pipeline", "konata", "--timeline",
               "perfetto", "--blocks", "--record-max", "1000000",
               *(["--launch", "launches.3.functional=false"] if "clusters" in target else []))
    assert done.returncode == 0 and "record-max" not in done.stderr, done.stderr
    rows = check_blocks(out)
    insts = read_kanata(out / "pipeline.kanata")
    check_kanata(insts)
    assert len({i["thread"] for i in insts}) == sum(r["warps"] for r in rows)
    events = check_timeline(out / "timeline.json")
    slices = [e for e in events if e["ph"] == "X" and "result after" in e.get("args", {})]
    answered = [i for i in insts if i["stages"][-1][0] not in ("memory",)]
    if (target, device) == ("reverse", "gtx480"):  # elsewhere one may stand for several
        assert len(insts) == counters(out)["warp_insts"]
    assert len(answered) <= len(slices) <= len(insts), (len(slices), len(insts))
    blocks = [e for e in events if e["ph"] == "X" and e["name"].startswith("block ")]
    assert len(blocks) == sum(r["warps"] for r in rows)
    assert any(e["ph"] == "C" for e in events)


def check_window(program, work):
    """--record-max and --record-from: as many as said, and a message where they end."""
    out = work / "window"
    asked = ["reduction-small", "--pipeline", "konata:block", "--timeline", "perfetto"]
    done = run(program, out, *asked, "--record-max", "500")
    assert "pipeline and timeline end at cycle" in done.stderr, done.stderr
    insts = read_kanata(out / "pipeline.kanata")
    assert 450 <= len(insts) <= 500, len(insts)
    first = max(at for i in insts for at in issued(i))
    check_timeline(out / "timeline.json")
    done = run(program, out, *asked, "--record-max", "500", "--record-from", str(first))
    insts = read_kanata(out / "pipeline.kanata")
    assert insts and min(i["begin"] for i in insts) >= first
    threads = {i["thread"] for i in insts}
    blocks = {i["more"].split(",")[0] for i in insts}
    assert len(threads) == len(blocks), "a thread is a block"


def check_stopped(program, work):
    """Of a run that is stopped: what did not issue is flushed."""
    out = work / "stopped"
    done = run(program, out, "reduction-small", "--pipeline", "konata", "--timeline",
               "perfetto", "--blocks", "--max-cycles", "3000")
    assert done.returncode == 6, done.returncode
    insts = read_kanata(out / "pipeline.kanata")
    check_kanata(insts)
    assert any(i["flushed"] for i in insts)
    assert max(i["end"] for i in insts) <= 3001
    check_timeline(out / "timeline.json")
    assert ",0," in (out / "blocks.csv").read_text()


def check_same(program, work):
    """Neither the order of the model's processes nor recording changes anything."""
    asked = ["reduction-small", "--pipeline", "konata", "--timeline", "perfetto", "--blocks"]
    run(program, work / "once", *asked)
    run(program, work / "shuffled", *asked, "--shuffle", "7")
    run(program, work / "alone", "reduction-small")
    for name in ("pipeline.kanata", "timeline.json", "blocks.csv", "stats.json"):
        once = (work / "once" / name).read_bytes()
        assert once == (work / "shuffled" / name).read_bytes(), name
    assert (work / "once" / "stats.json").read_bytes() == \
        (work / "alone" / "stats.json").read_bytes()


def check_mistakes(program, work):
    for options, text in ((["--pipeline", "kanata"], "--pipeline is konata"),
                          (["--timeline", "chrome"], "--timeline is perfetto"),
                          (["--record-max", "5"], "--record-max goes with"),
                          (["--blocks", "--record-from", "5"], "--record-from goes with"),
                          (["--pipeline", "konata", "--record-max", "0"], "takes 1 to"),
                          (["--blocks", "--threads", "2"], "does not go with")):
        done = run(program, work / "mistake", "reverse", *options)
        assert done.returncode == 2 and text in done.stderr, (options, done.stderr)


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        for target, devices in TARGETS.items():
            for device in devices:
                check_target(program, work, target, device)
        check_window(program, work)
        check_stopped(program, work)
        check_same(program, work)
        check_mistakes(program, work)


main()
