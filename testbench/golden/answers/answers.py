"""answers.py PROGRAM ROOT - what commands print with --json is what its schema says.

schemas/NAME.json is the JSON Schema (2020-12) of each answer of ANSWERS and of each file
of FILES. Every schema is used, no object may have a key that it does not name, and what
a broken command prints is no JSON.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

ANSWERS = {  # schema: command lines; {kernels} and the like are paths
    "counters": [["stats", "list", "--json"], ["stats", "explain", "--json"],
                 ["stats", "explain", "shared.ld", "--json"]],
    "rules": [["stats", "rules", "--json"]],
    "config_list": [["config", "list", "--json"]],
    "config_keys": [["config", "explain", "--json"], ["config", "explain", "sm.smem", "-j"]],
    "config_values": [["config", "show", "h100", "--json"],
                      ["config", "show", "k80", "sm.smem.latency", "--json"]],
    "config_check": [["config", "check", "gtx480", "--json"],
                     ["config", "check", "{sweep_file}", "-j"],
                     ["config", "check", "k80", "-s", "sm.smem.banks=64", "--json"]],
    "devices": [["devices", "--json"]],
    "device": [["devices", "gtx480", "--json"]],
    "occupancy": [["occupancy", "--cc", "2.0", "-t", "192", "-r", "20", "--json"],
                  ["occupancy", "--cc", "9.0", "--batch", "{blocks}", "--json"]],
    "bankmap": [["bankmap", "--cc", "2.0", "--stride", "2", "--json"],
                ["bankmap", "--cc", "1.3", "--addr", "0,4,,12", "--json"]],
    "bankmap_global": [["bankmap", "-c", "h100", "--space", "global", "--op", "st", "--index",
                        "3 * tid", "--json"]],
    "bankmap_rows": [["bankmap", "--cc", "2.0", "--space", "shared", "--op", "ld",
                      "--patterns", "{patterns}", "--json"]],
    "ptx_forms": [["ptx", "list", "--json"]],
    "ptx_kernels": [["ptx", "list", "{kernels}/saxpy.ptx", "--json"],
                    ["ptx", "list", "{kernels}/reduction.ptx", "--json"]],
    "ptx_insts": [["ptx", "disasm", "{kernels}/saxpy.ptx", "--json"],
                  ["ptx", "schedule", "{kernels}/reverse.ptx", "-k", "staticReverse", "-j"]],
    "ptx_check": [["ptx", "check", "{kernels}/saxpy.ptx", "{broken}", "--json"]],
    "sweep_plan": [["sweep", "plan", "{sweep_file}", "-o", "{planned}", "--json"]],
    "sweep_diff": [["sweep", "diff", "{diff}/_before.csv", "{diff}/_after.csv", "--by",
                    "n,config", "--all", "--json"],
                   ["sweep", "diff", "{sweep}", "{sweep}", "--json"]],
    "stats_diff": [["stats", "diff", "{diff}/_a.json", "{diff}/_b.json", "--json"],
                   ["stats", "diff", "{diff}/_a.json", "{diff}/_a.json", "-j", "--all"]],
    "sweep_status": [["sweep", "status", "{sweep}", "--json"],
                     ["sweep", "run", "{sweep_file}", "-o", "{sweep}", "--json"],
                     ["sweep", "merge", "{sweep}", "--json"]],
    "signals": [["wave", "list", "{run}/run.vcd", "--json"]],
    "wave_view": [["wave", "view", "{traced}", "--view", "banks,warp=1", "--json"]],
    "wave_check": [["wave", "check", "{traced}", "--json"],
                   ["wave", "check", "{traced}", "{cut}", "{run}/stats.json", "-j"]],
    "wave_compare": [["wave", "compare", "{traced}", "{quick}", "--json"]],
    "wave_diff": [["wave", "compare", "--diff", "{traced}", "{traced}", "--json"],
                  ["wave", "compare", "--diff", "{traced}", "{quick}", "--json"]],
    "why": [["why", "reverse", "--json"], ["why", "reverse", "--cycle", "938", "--parts", "4",
                                           "-j"]],
    "stats": [["run", "reverse", "--trace", "none", "-o", "{other}", "--json"]],
}
FILES = {  # schema: files that runs left, of prepare()
    "stats": ["run/stats.json", "fault/stats.json"],
    "timeline": ["run/timeline.json"],
    "explain": ["run/explain.json", "fault/explain.json"],
    "profile": ["run/profile.json", "fault/profile.json"],
    "report": ["run/report.json", "fault/report.json", "wrong/report.json"],
}
SWEEP = """base: {target: reverse}
grid: {sm.smem.latency: [26, 52], launch.launches.0.args.1: [64, 65000]}
"""
BROKEN = """.version 6.4
.target sm_30
.address_size 64
.visible .entry f()
{
    add.nonsense %r1, %r2;
    ret;
}
"""
BLOCKS = "threads,regs,shared\n128,32,1024\n2048,32,0\n"
PATTERNS = "name,width_bytes,active_mask,{}\nall,4,ffffffff,{}\n".format(
    ",".join(f"lane{i}" for i in range(32)), ",".join(str(4 * i) for i in range(32)))


def strict(schema, name):
    """No object of it takes what it does not name."""
    if isinstance(schema, list):
        for part in schema:
            strict(part, name)
    elif isinstance(schema, dict):
        if schema.get("type") == "object":
            assert schema.get("additionalProperties") not in (None, True), name
        for part in schema.values():
            strict(part, name)


class Schemas:
    def __init__(self, folder):
        self.by_name = {}
        self.used = set()
        for path in sorted(folder.glob("*.json")):
            schema = json.loads(path.read_text())
            jsonschema.Draft202012Validator.check_schema(schema)
            strict(schema, path.name)
            self.by_name[path.stem] = jsonschema.Draft202012Validator(schema)

    def check(self, name, text, where):
        self.used.add(name)
        error = jsonschema.exceptions.best_match(
            self.by_name[name].iter_errors(json.loads(text)))
        assert error is None, f"{where}: {error.json_path}: {error.message}"


def prepare(program, root, work):
    """Folders and files that the commands are about."""
    (work / "blocks.csv").write_text(BLOCKS)
    (work / "patterns.csv").write_text(PATTERNS)
    (work / "sweep.yml").write_text(SWEEP)
    subprocess.run([program, "sweep", "run", "sweep.yml"], cwd=work, capture_output=True)
    (work / "broken.ptx").write_text(BROKEN)
    story = ["--trace", "none", "--explain", "2", "--profile"]
    for out, code, words in (
            ("run", 0, ["reduction-small", "--timeline", "perfetto", "--explain", "2",
                        "--profile"]),
            ("traced", 0, ["reverse"]),
            ("quick", 0, ["reverse", "-s", "sm.smem.latency=50", "-s",
                          "sm.onchip.partition=16/48"]),
            ("fault", 1, ["reverse", *story, "--launch", "launches.0.args.1=65000"]),
            ("wrong", 1, ["reverse", *story, "--launch", "launches.0.args.1=63"])):
        done = subprocess.run([program, "run", *words, "-o", out], cwd=work,
                              capture_output=True, text=True)
        assert done.returncode == code, (words, done.returncode, done.stderr)
    (work / "cut.vcd").write_bytes((work / "traced/run.vcd").read_bytes()[:-3])
    return {"kernels": root / "testbench/kernels", "blocks": work / "blocks.csv",
            "patterns": work / "patterns.csv", "run": work / "run", "other": work / "other",
            "diff": root / "testbench/golden/diff", "broken": work / "broken.ptx", "sweep_file": work / "sweep.yml",
            "planned": work / "planned", "traced": work / "traced", "quick": work / "quick",
            "cut": work / "cut.vcd", "sweep": work / "smwave-out/sweep.sweep"}


def answer(program, *words):
    done = subprocess.run([program, *map(str, words), "--json"], capture_output=True,
                          text=True)
    return done.returncode, json.loads(done.stdout)


def check_answers(program, paths):
    """What they say, where a schema cannot tell."""
    code, files = answer(program, "ptx", "check", paths["kernels"] / "saxpy.ptx",
                         paths["broken"])
    assert code == 4 and [f["ok"] for f in files] == [True, False], (code, files)
    assert files[1]["errors"][0]["line"] == 6, files
    code, checked = answer(program, "config", "check", "gtx480", "-s", "sm.smem.banks=64")
    assert code == 3 and not checked["ok"] and "what_if" in checked["errors"][0]["hint"], checked
    code, plan = answer(program, "sweep", "plan", paths["sweep_file"], "-o",
                        paths["planned"])
    assert (code, plan["points"], plan["refused"]) == (0, 4, 0), (code, plan)
    assert [d["values"] for d in plan["dimensions"]] == [2, 2], plan
    code, rows = answer(program, "stats", "diff", paths["diff"] / "_a.json",
                        paths["diff"] / "_b.json")
    cycles = next(r for r in rows if r["name"] == "cycles")
    assert code == 1 and (cycles["a"], cycles["b"], cycles["difference"],
                          cycles["percent"]) == (1000, 1010, 10, 1), cycles
    code, dumps = answer(program, "wave", "check", paths["traced"], paths["cut"])
    assert code == 4 and [d["ok"] for d in dumps] == [True, False], (code, dumps)
    assert dumps[0]["dump"].endswith("traced/run.vcd"), dumps
    assert "run.gtkw" in [f["file"] for f in dumps[0]["save_files"]], dumps
    assert "middle of a line" in dumps[1]["error"]["message"], dumps
    code, diff = answer(program, "wave", "compare", "--diff", paths["traced"], paths["quick"])
    assert (code, diff["same"], diff["difference"]["signal"]) == (
        1, False, "gpu.sm0.sched0.inst"), (code, diff)
    assert len(diff["configured"]) == 30, len(diff["configured"])
    code, diff = answer(program, "wave", "compare", "--diff", paths["traced"], paths["traced"])
    assert (code, diff["same"], diff["difference"]) == (0, True, None), (code, diff)
    code, pairs = answer(program, "wave", "compare", paths["traced"], paths["quick"])
    assert code == 0 and pairs[0]["b"]["save_file"].endswith(
        "quick/run.compare.gtkw"), (code, pairs)
    rules = answer(program, "stats", "rules")[1]
    explained = json.loads((paths["run"] / "explain.json").read_text())
    assert rules == explained["rules"] and rules, "other rules than explain.json has"


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    schemas = Schemas(pathlib.Path(__file__).parent / "schemas")
    with tempfile.TemporaryDirectory() as name:
        paths = prepare(program, root, pathlib.Path(name))
        for schema, commands in ANSWERS.items():
            for words in commands:
                line = [program] + [w.format(**paths) for w in words]
                done = subprocess.run(line, capture_output=True, text=True)
                assert done.returncode in (0, 1, 3, 4, 8), (line, done.stderr)
                schemas.check(schema, done.stdout, " ".join(words))
        for schema, files in FILES.items():
            for file in files:
                schemas.check(schema, (pathlib.Path(name) / file).read_text(), file)
        check_answers(program, paths)
        status = json.loads(subprocess.run(
            [program, "sweep", "status", str(paths["sweep"]), "--json"],
            capture_output=True, text=True).stdout)
        assert status["points"] == 4 and status["failed"] == len(status["failures"]) == 2
        for words in (["run", paths["sweep_file"], "-o", paths["sweep"]], ["merge", paths["sweep"]]):
            code, said = answer(program, "sweep", *words)
            written = [said.pop(key) for key in ("results", "database", "page")]
            assert said == status, (said, status)
            assert all(pathlib.Path(p).is_file() for p in written), written
    assert schemas.used == set(schemas.by_name), set(schemas.by_name) - schemas.used
    for words in (["occupancy", "--cc", "2.0", "--batch", "/nowhere", "--json"],
                  ["config", "show", "gtx48", "--json"], ["stats", "explain", "x", "-j"],
                  ["ptx", "check", "--json", "/nowhere"],
                  ["wave", "check", "/nowhere", "--json"],
                  ["wave", "compare", "/nowhere", "/nowhere", "--json"],
                  ["stats", "diff", "/nowhere", "/nowhere", "--json"], ["bankmap", "--stride", "2", "--json"],
                  ["sweep", "run", "partition", "--only", "0", "--json"], ["sweep", "merge", "/nowhere", "--json"]):
        done = subprocess.run([program, *words], capture_output=True, text=True)
        assert done.returncode != 0 and done.stdout == "" and done.stderr, words


if __name__ == "__main__":
    main()
