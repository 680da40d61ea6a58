"""faults.py PROGRAM INTERPOSE [--every N] [--files N] [--class NAME]... [--scenario NAME]... - each
call that a command makes of the system fails once, one after the other: allocations,
processes and threads, files that are opened, read, written, named, closed, folders that
are made. INTERPOSE is the object of interpose.c.

A command whose call failed ends with a code of the manual's that fits what failed, and
says so on standard error; it never ends by a signal and never hangs; it leaves nothing
allocated that it frees otherwise, unless it has no memory. rules.py has what holds of its
files. One that ends with code 0 has written and printed all.

Of allocations and of writes that come short every N-th is tried, of the other calls every
N-th of --files (default: each). Prints how many calls failed, class by class; exit 1 if a rule is
broken.
"""

import argparse
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

import rules

CLASSES = ["none", "allocate", "fork", "open", "read", "write", "short", "rename",
           "mkdir", "close"]  # of interpose.c
STATE = struct.Struct(f"=QQQq{len(CLASSES)}Q64s")

FILES = {3, 4, 7}  # a configuration, an input, any other file
CODES = {"allocate": FILES | {70}, "fork": {7, 70}, "open": FILES, "read": FILES,
         "write": {7}, "short": set(), "rename": {7}, "mkdir": {7}, "close": FILES}
WORDS = {"allocate": ["out of memory", "Cannot allocate memory",
                      "thread 2 of 2: Resource temporarily unavailable",
                      "no thread for a worker: Resource temporarily unavailable"],
         "fork": ["Resource temporarily unavailable"],
         "open": ["Too many open files"],
         "read": ["Input/output error"],
         "write": ["No space left on device"],
         "rename": ["Input/output error"],
         "mkdir": ["Permission denied"],
         "close": ["Input/output error"]}
# Where the cause is not known, the file is named.
OF_LIBRARIES = ["could not be read", "could be written", "is not whole",
                "unable to open database", "disk I/O error", "is full", "malformed", "no memory for"]


class Faults(rules.Bench):
    def __init__(self, program, interpose, scenario, top):
        base = {**os.environ, "NO_COLOR": "1", "LC_ALL": "C"}
        super().__init__(program, scenario, top, base)
        self.state = self.top / "state"
        self.faulted = {**base, "LD_PRELOAD": interpose, "FAULTS_STATE": str(self.state)}
        self.disturb("none", 0)
        _, self.live, self.count, _ = self.look()

    def disturb(self, kind, nth):
        """The command with its nth call of the kind failing; None if it hangs."""
        self.reset()
        self.state.write_bytes(STATE.pack(CLASSES.index(kind), nth, 0, 0,
                                          *[0] * len(CLASSES), b""))
        try:
            return self.run(environment=self.faulted)
        except subprocess.TimeoutExpired:
            return None

    def look(self):
        """Did it fail, what is live, how many calls of each class, the name of the call."""
        _, _, fired, live, *rest = STATE.unpack(self.state.read_bytes())
        return (bool(fired), live, dict(zip(CLASSES, rest)),
                rest[-1].rstrip(b"\0").decode())

    def judge_end(self, kind, done, fired, live):
        code = done.returncode
        said = done.stderr.decode()
        if code == 0:
            if done.stdout != self.good_stdout:
                yield "it printed something else"
            return
        if not fired:
            yield f"exit {code} though nothing failed: {said[-300:]}"
            return
        if code not in CODES[kind] | ({8} if self.scenario.is_sweep else set()):
            yield f"exit {code}: {said[-300:]}"
        shown = said + (done.stdout.decode() if code == 8 else "")
        if not any(word in shown for word in WORDS.get(kind, []) + OF_LIBRARIES):
            yield f"exit {code}, and it does not say what failed: {shown[-300:]}"
        if kind != "allocate" and live > self.live:
            yield f"{live} allocations are left, not {self.live}"

    def try_one(self, kind, nth):
        """What is wrong, a line each; did the call fail, and did it end the command?"""
        done = self.disturb(kind, nth)
        fired, live, _, what = self.look()
        if done is None:
            return [f"{what}: it does not end"], fired, True
        wrong = list(self.judge_end(kind, done, fired, live))
        wrong += self.wrong(done.returncode != 0)
        if done.returncode != 0:
            wrong += self.wrong_again()
        return [f"{what}: {line}" for line in wrong], fired, done.returncode != 0


def numbers(kind, count, o):
    step = o.every if kind in ("allocate", "short") else o.files
    return range(1 + step // 2, count + 1, step)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("interpose")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--files", type=int, default=1)
    parser.add_argument("--class", dest="kinds", action="append", choices=CLASSES[1:])
    parser.add_argument("--scenario", dest="names", action="append",
                        choices=[s.name for s in rules.SCENARIOS])
    o = parser.parse_args()
    failed = 0
    total = {kind: [0, 0] for kind in CLASSES[1:]}
    with tempfile.TemporaryDirectory() as work:
        for scenario in rules.SCENARIOS:
            if o.names and scenario.name not in o.names:
                continue
            bench = Faults(os.path.abspath(o.program), os.path.abspath(o.interpose),
                           scenario, pathlib.Path(work) / scenario.name)
            for kind in o.kinds or CLASSES[1:]:
                for nth in numbers(kind, bench.count[kind], o):
                    wrong, fired, ended = bench.try_one(kind, nth)
                    total[kind][0] += fired
                    total[kind][1] += ended
                    failed += len(wrong)
                    for line in wrong:
                        print(f"FAILED: {scenario.name}, {kind} {nth}: {line}",
                              flush=True)
    for kind, (fired, ended) in total.items():
        if fired > 0:
            print(f"{kind}: {fired} failed, {ended} of which ended the command")
    print(f"{sum(f for f, _ in total.values())} calls failed; {failed} rules broken")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
