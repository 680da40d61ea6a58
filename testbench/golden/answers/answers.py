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
    "config_list": [["config", "list", "--json"]],
    "config_keys": [["config", "explain", "--json"], ["config", "explain", "sm.smem", "-j"]],
    "config_values": [["config", "show", "h100", "--json"],
                      ["config", "show", "k80", "sm.smem.latency", "--json"]],
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
    "sweep_status": [["sweep", "status", "{sweep}", "--json"]],
    "signals": [["wave", "list", "{run}/run.vcd", "--json"]],
    "why": [["why", "reverse", "--json"], ["why", "reverse", "--cycle", "938", "--parts", "4",
                                           "-j"]],
    "stats": [["run", "reverse", "--trace", "none", "-o", "{other}", "--json"]],
}
FILES = {"stats": "stats.json", "timeline": "timeline.json"}
SWEEP = """base: {target: reverse}
grid: {sm.smem.latency: [26, 52], launch.launches.0.args.1: [64, 65000]}
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
    subprocess.run([program, "run", "reduction-small", "-o", "run", "--timeline",
                    "perfetto"], cwd=work, check=True,
                   capture_output=True)
    return {"kernels": root / "testbench/kernels", "blocks": work / "blocks.csv",
            "patterns": work / "patterns.csv", "run": work / "run", "other": work / "other",
            "sweep": work / "smwave-out/sweep.sweep"}


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    schemas = Schemas(pathlib.Path(__file__).parent / "schemas")
    with tempfile.TemporaryDirectory() as name:
        paths = prepare(program, root, pathlib.Path(name))
        for schema, commands in ANSWERS.items():
            for words in commands:
                line = [program] + [w.format(**paths) for w in words]
                done = subprocess.run(line, capture_output=True, text=True)
                assert done.returncode in (0, 8), (line, done.stderr)
                schemas.check(schema, done.stdout, " ".join(words))
        for schema, file in FILES.items():
            schemas.check(schema, (paths["run"] / file).read_text(), file)
        status = json.loads(subprocess.run(
            [program, "sweep", "status", str(paths["sweep"]), "--json"],
            capture_output=True, text=True).stdout)
        assert status["points"] == 4 and status["failed"] == len(status["failures"]) == 2
    assert schemas.used == set(schemas.by_name), set(schemas.by_name) - schemas.used
    for words in (["occupancy", "--cc", "2.0", "--batch", "/nowhere", "--json"],
                  ["config", "show", "gtx48", "--json"], ["stats", "explain", "x", "-j"],
                  ["ptx", "check", "--json", "x"], ["bankmap", "--stride", "2", "--json"]):
        done = subprocess.run([program, *words], capture_output=True, text=True)
        assert done.returncode != 0 and done.stdout == "" and done.stderr, words


if __name__ == "__main__":
    main()
