#!/usr/bin/env python3
"""contraction.py [--print] [CC...] - what ptxas makes of model/ptx/contract_cases_test.h.

Each case of that table is assembled with ptxas -O3 for each capability (default: 75 80 90),
disassembled, and what is stored is written as an expression of what was loaded, or, of a case
with guards or branches, as the number of multiplications, additions and multiply-adds. Says
where that is not what the table says; --print prints the expectations. Needs ptxas and nvdisasm.
"""
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).parents[2] / "model/ptx/contract_cases_test.h"
VERSION = "8.0"


def literal(text):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)).replace("\\n", "\n").replace(
        '\\"', '"')


def cases():
    """(name, body, expected) of each row, and the text before each body."""
    text = TABLE.read_text()
    string = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
    head = literal(re.search(r"define CONTRACT_START\s+((?:.*\\\n)*.*\n)", text).group(1))
    rows = re.findall(r"\{" + string + r",\s*" + string + r",\s*" + string + r"\}", text)
    return head, [tuple(literal(s) for s in row) for row in rows]


def machine_code(head, body, cc, folder):
    ptx = folder / "case.ptx"
    ptx.write_text(f".version {VERSION}\n.target sm_{cc}\n.address_size 64\n"
                   ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
                   f"{head}{body}\nret;\n}}\n")
    subprocess.run(["ptxas", "-O3", f"-arch=sm_{cc}", ptx, "-o", folder / "case.cubin"],
                   check=True)
    text = subprocess.run(["nvdisasm", "-c", folder / "case.cubin"], check=True,
                          capture_output=True, text=True).stdout
    return re.findall(r"^\s+/\*[0-9a-f]{4}\*/\s+(.*?)\s*;", text, re.M)


def opposite(e):
    return e[1:] if e.startswith("-") else "-" + e


def made(op, suffix, a):
    """The expression in the form of the table: factors and addends sorted, signs in front."""
    if op == "add":
        a = sorted(a)
        if "-0" in a:
            return a[0] if a[1] == "-0" else a[1]
        return f"add{suffix}({a[0]},{a[1]})"
    if op in ("max", "min"):
        a = sorted(a)
        return a[0] if a[0] == a[1] else f"{op}{suffix}({a[0]},{a[1]})"
    x = sorted(e.lstrip("-") for e in a[:2])
    minus = "-" if a[0].startswith("-") != a[1].startswith("-") else ""
    if op == "mul" or a[2] == "-0":
        return f"{minus}mul{suffix}({x[0]},{x[1]})"
    if x[0] == "1":
        return made("add", suffix, [minus + x[1], a[2]])
    return f"fma{suffix}({minus}{x[0]},{x[1]},{a[2]})"


def number(text):
    value = int(text, 16) if text.startswith("0x") else float(text)
    if isinstance(value, int):
        value = struct.unpack("f", struct.pack("I", value))[0]
    return f"{struct.unpack('f', struct.pack('f', value))[0]:.9g}"


def expressions(lines):
    value, out = {}, {}

    def operand(s):
        s = s.strip().replace(".reuse", "")
        minus = s.startswith("-")
        bars = "|" in s
        s = s.lstrip("-").strip("|")
        if s == "RZ":
            e = "0"
        elif re.fullmatch(r"R\d+", s):
            e = value.get(s, s)
        else:
            e = number(s)
        e = f"|{e.lstrip('-')}|" if bars else e
        return opposite(e) if minus else e

    ops = {"FADD": "add", "DADD": "add", "FMUL": "mul", "DMUL": "mul", "FFMA": "fma",
           "DFMA": "fma"}
    for line in lines:
        name, _, rest = line.partition(" ")
        args = [x.strip() for x in rest.split(",")]
        words = name.split(".")
        at = re.search(r"\+0x([0-9a-f]+)\]", line)
        offset = int(at.group(1), 16) if at else 0
        suffix = "".join("." + w.lower() for w in words if w in ("FTZ", "SAT", "RZ"))
        if words[0] == "LDG":
            value[args[0]] = ("abcdef"[offset // 4] if offset < 64
                              else "ABCDEF"[(offset - 64) // 8])
        elif words[0] == "STG":
            out[offset] = operand(args[-1])
        elif words[0] in ops:
            value[args[0]] = made(ops[words[0]], suffix, [operand(x) for x in args[1:]])
        elif words[0] == "FMNMX":
            value[args[0]] = made("max" if args[3] == "!PT" else "min", suffix,
                                  [operand(x) for x in args[1:3]])
        elif words[0] == "MOV" or name == "IMAD.MOV.U32":
            value[args[0]] = args[-1] if args[-1].startswith("c[") else operand(args[-1])
    return "; ".join(out[k] for k in sorted(out))


def counts(lines):
    n = {"mul": 0, "add": 0, "fma": 0}
    for line in lines:
        m = re.match(r"(?:@!?U?P\w+ )?[FD](MUL|ADD|FMA)\b", line)
        if m:
            n[m.group(1).lower()] += 1
    return f"{n['mul']} mul {n['add']} add {n['fma']} fma"


def main():
    show = "--print" in sys.argv
    ccs = [a for a in sys.argv[1:] if a != "--print"] or ["75", "80", "90"]
    head, rows = cases()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, body, expected in rows:
            for cc in ccs:
                lines = machine_code(head, body, cc, pathlib.Path(folder))
                flow = "@" in body
                got = counts(lines) if flow else expressions(lines)
                if show:
                    print(f"{name}\t{cc}\t{got}")
                elif got != expected:
                    wrong += 1
                    print(f"{name}, sm_{cc}: {got}, in the table {expected}")
    print(f"{len(rows)} cases, {len(ccs)} capabilities, {wrong} differ")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
