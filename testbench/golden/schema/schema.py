"""schema.py PROGRAM ROOT - the JSON schema of launch files says what the reader says.

Every launch file of the tree and of the manual that the reader takes is valid. Every
broken one of golden/mistakes is refused, by the schema or as YAML, but for those in
unknown.txt, whose mistake the schema cannot know; these are valid, so that the list is
exact. Every key has a description, the manual's chapter names it, and the reader knows
it: a value of the wrong shape is refused as such and not as an unknown key.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema
import yaml


class Core(yaml.SafeLoader):
    """YAML 1.2 as editors and the program read it: on, yes and 1_000 are words."""

    yaml_implicit_resolvers = {}

    def compose_node(self, parent, index):
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("an alias")
        return super().compose_node(parent, index)

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        if len(keys) != len(set(keys)):
            raise yaml.YAMLError("a key twice")
        return super().construct_mapping(node, deep)


def whole(loader, node):
    return int(node.value, 16 if "x" in node.value else 10)


def number(loader, node):
    return float(node.value.replace(".inf", "inf").replace(".nan", "nan"))


for tag, words, first in (
    ("bool", r"true|false", "tf"),
    ("int", r"[-+]?[0-9]+|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.inf|\.nan",
     "-+0123456789."),
    ("null", r"null|~|", ["n", "~", ""]),
):
    Core.add_implicit_resolver(
        "tag:yaml.org,2002:" + tag, re.compile("^(?:" + words + ")$"), list(first))
Core.add_constructor("tag:yaml.org,2002:int", whole)
Core.add_constructor("tag:yaml.org,2002:float", number)


def run(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True)


def refusal(schema, text):
    """Why the launch file is not valid, None if it is."""
    try:
        document = yaml.load(text, Loader=Core)
    except yaml.YAMLError as error:
        return "YAML: " + str(error)
    error = jsonschema.exceptions.best_match(schema.iter_errors(document))
    return None if error is None else f"{error.json_path}: {error.message}"


def keys_of(schema):
    """Every key of every map of the schema, with the path of --launch to it."""
    where = {
        "file": "", "buffer": "buffers.d.", "launch": "launches.0.",
        "expectation": "expect.0.", "trace": "trace.", "equals_map": "expect.0.equals.",
        "form_map": "buffers.d.init.", "symbol_map": "symbols.s.",
        "random": "buffers.d.init.random.", "raw": "launches.0.args.0.",
        "texture": "textures.t.", "repeated": "launches.1.", "repeat": "launches.1.repeat.",
    }
    maps = {"file": schema}
    maps.update({n: d for n, d in schema["$defs"].items() if "properties" in d})
    for name, definition in maps.items():
        for key, value in definition["properties"].items():
            yield name, where[name] + key, value


SUBJECT = """module: none.ptx
buffers: {d: {type: s32, count: 1, init: {random: {seed: 1}}}}
symbols: {s: {fill: 1}}
textures: {t: {buffer: d}}
launches: [{kernel: k, grid: [1], block: [1], args: [{raw: 00}]},
  {repeat: {times: 1}, launches: []}]
expect: [{buffer: d, equals: {sum: 1}}]
trace: {depth: 1}
"""


def reader_knows(program, directory, path):
    """A list in a list is wrong for every key; what counts is that the key is known."""
    subject = directory / "subject.yml"
    subject.write_text(SUBJECT)
    said = run(program, "run", str(subject), "--launch", path + "=[[[{a: [1]}]]]",
               "--trace", "none", "-o", str(directory / "out"))
    return said.returncode != 0 and "unknown key" not in said.stderr, said.stderr


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    golden = root / "testbench/golden"
    text = json.loads(run(program, "config", "schema", "launch").stdout)
    jsonschema.Draft202012Validator.check_schema(text)
    schema = jsonschema.Draft202012Validator(text)
    chapter = (root / "testbench/manual/04-launch-files.md").read_text()
    offences = [f"$ref to {name}, which is not defined"
                for name in re.findall(r'"#/\$defs/([^"]*)"', json.dumps(text))
                if name not in text["$defs"]]
    good = []
    n_bad = n_keys = 0

    mistakes = golden / "mistakes"
    unknown = set((golden / "schema/unknown.txt").read_text().split())
    for path in sorted(root.glob("testbench/**/*.yml")):
        words = path.read_text(errors="replace")
        said = path.with_suffix(".err")
        is_launch_file = re.search(r"^(launches|\{.*launches):", words, re.M)
        if path.parent == mistakes or not is_launch_file:
            continue
        if said.exists() and "exit 4" in said.read_text():
            continue  # other mistakes, of the device and the module
        good.append((path, words))
    for document in [root / "README.md", *root.glob("testbench/manual/*.md")]:
        for block in re.findall(r"```yaml\n(.*?)```", document.read_text(), re.S):
            if "launches:" in block:
                good.append((document, block))
    for path, words in good:
        why = refusal(schema, words)
        if why is not None:
            offences.append(f"{path}: refused: {why}")
    for path in sorted(mistakes.glob("*.yml")):
        if path.name.startswith("_"):
            continue
        n_bad += 1
        valid = refusal(schema, path.read_text(errors="replace")) is None
        if valid != (path.stem in unknown):
            is_now = "is valid" if valid else "is refused, but listed"
            offences.append(f"{path}: {is_now}")
        unknown.discard(path.stem)
    offences += [f"unknown.txt: there is no mistake {name}" for name in sorted(unknown)]

    with tempfile.TemporaryDirectory() as directory:
        for name, path, value in keys_of(text):
            n_keys += 1
            if len(value.get("description", "")) < 10:
                offences.append(f"{name}: {path} has no description")
            if not re.search(r"\b" + path.split(".")[-1] + r"\b", chapter):
                offences.append(f"{name}: chapter 4 does not name {path}")
            known, said = reader_knows(program, pathlib.Path(directory), path)
            if not known:
                offences.append(f"{name}: the reader does not know {path}: {said}")
    for offence in offences:
        print(offence)
    print(f"{len(good)} launch files, {n_bad} mistakes, {n_keys} keys, {len(offences)} wrong")
    return 1 if offences or min(len(good), n_bad, n_keys) < 30 else 0


sys.exit(main())
