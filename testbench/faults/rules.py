"""What has to hold of a command that could not end as it wanted: the scenarios that
faults.py and kills.py disturb, and the rules they hold them to.

A result is whole, byte for byte as in an undisturbed run, or it is not there. A waveform
and the log of a run are written while it runs, for viewers that follow: what is there of
them is how the undisturbed one begins. Nothing else lies in the folder. The same command,
begun again in the same folder, ends as if nothing had been.
"""

import gzip
import io
import json
import pathlib
import re
import shutil
import subprocess
import zlib

TIMEOUT = 120  # seconds; none of the commands takes one

SWEEP = """base: {target: reverse, config: tiny}
grid: {sm.smem.latency: 21..23}
collect: [cycles, {name: ipc, value: warp_insts / cycles}]
"""

# Written while the run goes on. An FST has what a reader needs at its end.
STREAMS = {"run.vcd", "run.vcd.gz", "run.fst", "events.log"}
# What readers need of one that has no end; messages say that it lies there.
FST_NAMES = "run.fst.hier"
# The marker may be empty, of a command that ended before it was written.
MARKER = ".smwave"
# Written before the run, for viewers that follow it, and again with what it came to.
OF_THE_RUN = re.compile(r"run.*\.(gtkw|sucl)$")


class Scenario:
    """A command in a folder of its own, which writes into "out"; out is before it what the
    commands of "before" leave there."""

    def __init__(self, name, words, before=(), is_sweep=False, loose=False):
        self.name = name
        self.words = words.split()
        self.before = [b.split() for b in before]
        self.is_sweep = is_sweep
        self.loose = loose  # threads: the order of calls differs from run to run


TRACED = "run reverse -c tiny --trace {} -o out -q"

SCENARIOS = [
    Scenario("run", "run reverse -c tiny --trace none -o out"),
    Scenario("run-traced", TRACED.format("vcd")),
    Scenario("run-formats", TRACED.format("vcd.gz,fst") + " --view banks"),
    Scenario("run-shown", "run reverse -c tiny --trace none -o out --explain 3 --profile "
             "--check global --stats out/stats.csv --report out/found.sarif "
             "--pipeline=konata --timeline=perfetto --blocks"),
    Scenario("run-json", "run reverse -c tiny --trace none -o out --json --threads 2",
             loose=True),
    Scenario("sweep", "sweep run sweep.yml -j 1 -o out", is_sweep=True),
    Scenario("sweep-threads", "sweep run sweep.yml -j 2 --in-process -o out",
             is_sweep=True, loose=True),
    Scenario("wave-view", "wave view out --view overview,banks", [TRACED.format("vcd")]),
    Scenario("wave-fst", "wave view out", [TRACED.format("fst")]),
    Scenario("wave-gz", "wave check out/run.vcd.gz", [TRACED.format("vcd.gz")]),
    Scenario("wave-compare", "wave compare out/run.vcd out/run.fst --diff",
             [TRACED.format("vcd,fst")]),
    Scenario("wave-list", "wave list out --json", [TRACED.format("vcd")]),
    Scenario("report", "report out", [TRACED.format("none") + " --profile --explain 3"]),
    Scenario("report-sweep", "report out -o out/page.html",
             ["sweep run sweep.yml -j 1 -o out"]),
]


def snapshot(top):
    """Path below top -> bytes; of a folder None."""
    top = pathlib.Path(top)
    return {str(p.relative_to(top)): None if p.is_dir() else p.read_bytes()
            for p in sorted(top.rglob("*"))}


def restore(top, files):
    """top has these files and no others."""
    shutil.rmtree(top, ignore_errors=True)
    if files is None:
        return
    pathlib.Path(top).mkdir()
    for name, data in files.items():
        path = pathlib.Path(top) / name
        if data is None:
            path.mkdir()
        else:
            path.write_bytes(data)


def unpacked(data):
    """What can be read of a gzip file that may be cut."""
    got = zlib.decompressobj(31)
    try:
        return got.decompress(data)
    except zlib.error:
        return None


ENDING = 8  # lines, at most, that say how it ended


def is_beginning(name, data, whole):
    if name.endswith(".fst"):
        return True  # its blocks are filled in as they end; "wave check" tells
    if name.endswith(".gz"):
        data = unpacked(data) if data else b""
        whole = gzip.decompress(whole)
    if data is None or whole.startswith(data):
        return data is not None
    lines = data.splitlines(keepends=True)
    return whole.startswith(b"".join(lines[:-ENDING]))


def is_save_file_of_less(data, whole):
    """One of before the run, when nothing was known of its end: cut nowhere."""
    lines, wanted = data.splitlines(), whole.splitlines()
    return data.endswith(b"\n") and lines[0] == wanted[0] and lines[-1] == wanted[-1]


def ended_early(data):
    try:
        return json.loads(data).get("status", "complete") != "complete"
    except ValueError:
        return False


def is_of_less(name, data, report):
    """Results of a run that ended early, of which report.json says so: none is cut."""
    if report is None or not ended_early(report):
        return False
    if name.endswith((".json", ".sarif")):
        try:
            return isinstance(json.loads(data), dict)
        except ValueError:
            return False
    return name.endswith((".csv", ".kanata")) and data.endswith(b"\n")


def wrong_files(got, good, before, streams_left):
    """The files of a run, a view or a page that failed or was killed, one line each that
    breaks a rule."""
    wrong = []
    for name, data in got.items():
        base = name.rsplit("/", 1)[-1]
        if base == FST_NAMES and streams_left:
            continue
        if name not in good:
            wrong.append(f"{name}: nobody asked for it")
        elif data == good[name] or data is None:
            continue
        elif before is not None and data == before.get(name):
            continue  # as it was
        elif base == MARKER and data == b"":
            continue
        elif base in STREAMS and streams_left:
            if not is_beginning(base, data, good[name]):
                wrong.append(f"{name}: {len(data)} bytes that are not how it begins")
        elif streams_left and is_of_less(base, data, got.get("report.json")):
            continue
        elif OF_THE_RUN.match(base) and streams_left:
            if not is_save_file_of_less(data, good[name]):
                wrong.append(f"{name}: it is not whole")
        else:
            wrong.append(f"{name}: {len(data)} bytes, not the {len(good[name])} it has")
    for name in before or {}:
        if name not in got:
            wrong.append(f"{name}: it was there before")
    return wrong


def wrong_sweep(got, good):
    """The same of a sweep: points that failed are told, what is of others is as ever."""
    wrong = []
    for name, data in got.items():
        base = name.rsplit("/", 1)[-1]
        if data is None or data == good.get(name):
            continue
        folder = name[:len(name) - len(base)]
        if is_of_less(base, data, got.get(folder + "report.json")):
            continue
        if ".part" in name or (name not in good and base != "output.txt"):
            wrong.append(f"{name}: nobody asked for it")
        elif base == "done.json":
            try:
                if json.loads(data)["status"] != "failed":
                    wrong.append(f"{name}: another that is no failure")
            except (ValueError, KeyError):
                wrong.append(f"{name}: it is not whole")
        elif name == "results.csv":
            rows = data.decode().split("\n")
            if len(rows) != good[name].count(b"\n") + 1 or rows[-1] != "":
                wrong.append(f"{name}: a row is missing")
        elif name == "results.sqlite":
            if not data.startswith(b"SQLite format 3\0") or len(data) % 4096:
                wrong.append(f"{name}: it is not whole")
        elif base.endswith(".html"):
            if not data.rstrip().endswith(b"</html>"):
                wrong.append(f"{name}: it is not whole")
        elif base != MARKER or data != b"":
            wrong.append(f"{name}: {len(data)} bytes, not the {len(good[name])} it has")
    return wrong


def differences(got, good):
    """One line for each file that is another, is missing or too many."""
    return [f"{name}: " + ("missing" if name not in got else "too many"
                           if name not in good else "another")
            for name in sorted(set(got) | set(good))
            if got.get(name, "no") != good.get(name, "no")]


class Bench:
    """A scenario with its undisturbed run."""

    def __init__(self, program, scenario, top, environment):
        self.program = program
        self.scenario = scenario
        self.top = pathlib.Path(top)
        self.out = self.top / "out"
        self.environment = environment
        shutil.rmtree(self.top, ignore_errors=True)
        self.top.mkdir(parents=True)
        (self.top / "sweep.yml").write_text(SWEEP)
        for words in scenario.before:
            self.must(words)
        self.before = snapshot(self.out) if scenario.before else None
        self.good_stdout = self.must(scenario.words)
        self.good = snapshot(self.out)
        restore(self.top / "whole", self.good)

    def must(self, words):
        done = self.run(words)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(words)}: exit {done.returncode}: "
                             f"{done.stderr.decode()}")
        return done.stdout

    def run(self, words=None, environment=None):
        return subprocess.run([self.program, *(words or self.scenario.words)],
                              cwd=self.top, env=environment or self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=TIMEOUT)

    def reset(self):
        restore(self.out, self.before)

    def is_same_dump(self, name):
        """Blocks of an FST that could not be packed lie in it as they are."""
        words = ["wave", "compare", f"whole/{name}", f"out/{name}", "--diff"]
        return self.run(words).returncode == 0

    def wrong(self, failed, killed=False):
        """Rules that the folder breaks, after a command that failed or did not."""
        got = snapshot(self.out)
        if not failed:
            return [line for line in differences(got, self.good)
                    if line != "run.fst: another" or not self.is_same_dump("run.fst")]
        if killed:  # what it was at is named so, and the next one removes it
            got = {n: d for n, d in got.items() if ".part" not in n}
        if self.scenario.is_sweep:
            return wrong_sweep(got, self.good)
        return wrong_files(got, self.good, self.before,
                           self.scenario.name.startswith("run"))

    def wrong_again(self):
        """The same command in the same folder, undisturbed."""
        try:
            done = self.run()
        except subprocess.TimeoutExpired:
            return ["begun again: it does not end"]
        if done.returncode != 0:
            return [f"begun again: exit {done.returncode}: {done.stderr.decode()[-300:]}"]
        return ["begun again: " + line
                for line in differences(snapshot(self.out), self.good)]
