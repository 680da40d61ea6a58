"""rises.py FILE... - the order of what matters in machine code, from nvdisasm's listings
of rises.cu: CSV of kernel, cc and code, a letter per instruction.

L G: loads of shared and global memory, S W: stores; a m f: addition, product, both; p i:
comparisons; u: by table; [ ]: lanes may part, meet; B C: branch, call; |: barrier; X: exit;
@: guarded; .: others, c among them: loads of constants.
"""

import re
import sys

LETTERS = {"LDS": "L", "LDG": "G", "STS": "S", "STG": "W", "FADD": "a", "FMUL": "m",
           "FFMA": "f", "FSETP": "p", "ISETP": "i", "MUFU": "u", "BSSY": "[",
           "BSYNC": "]", "BRA": "B", "CALL": "C", "BAR": "|", "EXIT": "X", "NOP": ""}


def letter(text):
    guard, operation = re.match(r"(@!?\w+\s+)?(\w+)", text).groups()
    shown = LETTERS.get(operation, ".")
    return "@" + shown if guard and shown not in ("", ".") else shown


def kernels(path):
    """Name -> its instructions, and the capability."""
    cc, name, found = "", None, {}
    for line in open(path, encoding="ascii", errors="replace"):
        if m := re.match(r"\s*\.target\s+sm_(\d+)", line):
            cc = m.group(1)
        elif m := re.match(r"\s*\.text\.(\w+):\s*$", line):
            name = m.group(1)
            found[name] = []
        elif m := re.match(r"\s+/\*[0-9a-f]{4}\*/\s+(.*?)\s*;", line):
            found[name].append(m.group(1))
    return cc, found


def main():
    print("kernel,cc,code")
    for path in sys.argv[1:]:
        cc, found = kernels(path)
        for name in sorted(found):
            print(f"{name},{cc},{''.join(map(letter, found[name])).rstrip('B.')}")


if __name__ == "__main__":
    main()
