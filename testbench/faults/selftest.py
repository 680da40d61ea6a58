"""selftest.py INTERPOSE - faults.py and kills.py find what they are there to find: a
program that ends well, and the same with one fault of its own each - results cut, gone or
left over, a code, a silence, a signal, no end, a message that says something else. And the
object of interpose.c makes the call fail that it is told to."""

import os
import pathlib
import stat
import sys
import tempfile

import faults
import rules

# Copies a line into a result, beside it first; what it does wrong is in MISTAKE.
PROGRAM = """#!/bin/sh
fail() {
    [ "$MISTAKE" = silent ] || echo "smwave: error: out/stats.json: $1" >&2
    rm -f out/stats.json.part
    [ "$MISTAKE" = left ] && echo '{}' >out/stats.json.part
    [ "$MISTAKE" = cut ] && printf '{"a"' >out/stats.json
    [ "$MISTAKE" = signal ] && kill -s SEGV $$
    [ "$MISTAKE" = hangs ] && exec sleep 100
    [ "$MISTAKE" = zero ] && exit 0
    [ "$MISTAKE" = code ] && exit 5
    [ "$MISTAKE" = never ] && : >out/never
    exit 7
}
[ -e out/never ] && exit 7
mkdir -p out
echo mine >out/.smwave
[ -n "$FAILING" ] && fail "$FAILING"
echo '{"a": 1}' >out/stats.json.part && mv out/stats.json.part out/stats.json
"""

MISTAKES = {"silent": "does not say", "left": "nobody asked", "cut": "not the",
            "signal": "exit -11", "hangs": "does not end", "zero": "missing",
            "code": "exit 5", "never": "nobody asked"}
NO_SPACE = "No space left on device"


class Told(faults.Faults):
    """A command that fails as it is told to; no object is between it and the system."""

    def __init__(self, program, top):
        self.mistake = self.failing = ""
        super().__init__(str(program), "", rules.Scenario("run", "run"), top)

    def disturb(self, kind, nth):
        self.faulted = {**self.environment, "MISTAKE": self.mistake,
                        "FAILING": self.failing}
        done = super().disturb(kind, nth)
        fired = kind != "none"
        self.state.write_bytes(faults.STATE.pack(
            0, 0, fired, 0, *[0] * len(faults.CLASSES), b"write"))
        return done

    def found(self, mistake, failing):
        self.mistake, self.failing = mistake, failing
        return self.try_one("write", 1)[0]


def check_rules(work):
    program = work / "program"
    program.write_text(PROGRAM)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    told = Told(program, work / "told")
    assert told.found("", NO_SPACE) == [], told.found("", NO_SPACE)
    assert any("does not say" in line for line in told.found("", "it is Monday"))
    rules.TIMEOUT = 2
    for mistake, words in MISTAKES.items():
        lines = told.found(mistake, NO_SPACE)
        assert any(words in line for line in lines), (mistake, lines)


def check_streams():
    good = {"run.vcd": b"$date\n#0\n1!\n#1\n0!\n", "stats.json": b"{}\n"}
    cut = {"run.vcd": good["run.vcd"][:12]}
    assert rules.wrong_files(cut, good, None, True) == []
    assert rules.wrong_files(cut, good, None, False)
    other = b"".join(b"#%d\n" % i for i in range(2, 40))
    assert rules.wrong_files({"run.vcd": other}, good, None, True)
    assert rules.wrong_files({}, good, {"stats.json": b"{}\n"}, True)
    table = {"results.csv": b"a\n1\n2\n", "points/000000/done.json": b"{}"}
    assert rules.wrong_sweep({"results.csv": b"a\n1\n"}, table)
    assert rules.wrong_sweep({"points/000000/done.json": b"{"}, table)
    assert rules.wrong_sweep({"points/.000000.1-2.part": b""}, table)


def check_object(work, interpose):
    """It counts and refuses: of a shell that writes a file."""
    script = work / "write"
    script.write_text("#!/bin/sh\necho one >out/stats.json || exit 7\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    (work / "shell").mkdir()
    (work / "shell" / "out").mkdir()
    bench = object.__new__(faults.Faults)
    bench.program, bench.top = str(script), work / "shell"
    bench.scenario, bench.out = rules.Scenario("run", "run"), work / "shell" / "out"
    bench.before, bench.environment = {}, dict(os.environ)
    bench.state = bench.top / "state"
    bench.faulted = {**os.environ, "LC_ALL": "C", "LD_PRELOAD": interpose,
                     "FAULTS_STATE": str(bench.state)}
    done = bench.disturb("none", 0)
    fired, _, count, _ = bench.look()
    assert done.returncode == 0 and not fired, done
    assert count["write"] == 1 and count["open"] >= 1, count
    done = bench.disturb("write", 1)
    assert done.returncode == 7 and bench.look()[0], done
    assert (bench.out / "stats.json").read_bytes() == b""
    done = bench.disturb("allocate", 1)
    assert bench.look()[0], "the first allocation did not fail"


def main():
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        check_rules(work)
        check_streams()
        check_object(work, os.path.abspath(sys.argv[1]))


if __name__ == "__main__":
    main()
