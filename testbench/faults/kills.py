"""kills.py PROGRAM KILLS [--seed N] - commands killed (SIGKILL) at random
moments between their beginning and their end: runs with and without waveforms, sweeps in
processes and in threads, views of a waveform, pages. KILLS of them in all, the same number
of each command.

What is there afterwards is whole or absent, as rules.py has it; of what was being written
a file called .part may be left, which the next command removes. No process outlives the
one that was killed. The same command, begun again in the same folder, ends well and leaves
what an undisturbed one does. Prints how many came in time; exit 1 if a rule is broken.
"""

import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import rules

NAMES = ["run", "run-traced", "run-formats", "run-shown", "sweep", "sweep-threads",
         "wave-view", "wave-fst", "report", "report-sweep"]


class Kills(rules.Bench):
    def __init__(self, program, scenario, top):
        super().__init__(program, scenario, top,
                         {**os.environ, "NO_COLOR": "1", "LC_ALL": "C"})
        self.seconds = sorted(self.time_one() for _ in range(5))[2]

    def time_one(self):
        self.reset()
        begin = time.monotonic()
        self.run()
        return time.monotonic() - begin

    def kill(self, delay):
        """The command, killed after that time: its exit code."""
        self.reset()
        # In a session of its own: whoever is left of it is found by that.
        process = subprocess.Popen([self.program, *self.scenario.words], cwd=self.top,
                                   env=self.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True)
        time.sleep(delay)
        process.kill()
        code = process.wait()
        return code, self.outlived(process.pid)

    def outlived(self, session):
        """Workers die with their pool; that takes them a moment."""
        for _ in range(200):
            try:
                os.killpg(session, 0)
            except (ProcessLookupError, PermissionError):
                return []
            time.sleep(0.01)
        os.killpg(session, signal.SIGKILL)
        return ["a process outlives it"]

    def try_one(self, delay):
        code, wrong = self.kill(delay)
        if code not in (0, -signal.SIGKILL):
            wrong.append(f"exit {code}")
        wrong += self.wrong(code != 0, killed=True)
        return code != 0, wrong + self.wrong_again()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("kills", type=int)
    parser.add_argument("--seed", type=int, default=1)
    o = parser.parse_args()
    rng = random.Random(o.seed)
    failed = 0
    all_in_time = 0
    with tempfile.TemporaryDirectory() as work:
        for k, name in enumerate(NAMES):
            scenario = next(s for s in rules.SCENARIOS if s.name == name)
            bench = Kills(os.path.abspath(o.program), scenario,
                          pathlib.Path(work) / name)
            n = o.kills // len(NAMES) + (k < o.kills % len(NAMES))
            in_time = 0
            for _ in range(n):
                delay = rng.random() * bench.seconds
                killed, wrong = bench.try_one(delay)
                in_time += killed
                failed += len(wrong)
                for line in wrong:
                    print(f"FAILED: {name} killed after {delay:.4f} s: {line}",
                          flush=True)
            all_in_time += in_time
            print(f"{name}: {n} killed, {in_time} before their end", flush=True)
    print(f"{o.kills} killed, {all_in_time} before their end; {failed} rules broken")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
