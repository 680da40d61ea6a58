#!/usr/bin/env python3
"""Compile files of public repositories to PTX, and count the kernels accepted.

    corpus.py compile --sources DIR --out DIR [REGEX ...]
    corpus.py check --out DIR --smwave build/smwave [-o corpus_results.csv]

The list, corpus.csv beside this file, has a line for each repository:

    folder      the folder of --sources that holds a copy of it
    repository  its name at GitHub
    files       a regular expression of the .cu files that are tried, from its top
    most        so many files are taken at most, in an order that a hash of their
                names gives; three times as many are tried
    flags       words for nvcc, which runs in the top folder of the copy; -I of the
                file's own folder is added

'compile' tries a file for sm_80 first. One that does not compile by itself, has no
kernel or takes longer than --limit seconds of processor time is left out; the others
are compiled for sm_75 and sm_90 too. What is done already is not done again. REGEX:
folders, all if there is none.

'check' runs 'smwave ptx list' over each text and writes two tables: what was accepted
by repository and capability, and the causes of what was not, by the number of kernels.
A text on which smwave ends by a signal, or that takes longer than --slow seconds of
processor time, is told and makes the exit code 1.
"""
import argparse
import collections
import csv
import hashlib
import os
import re
import resource
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FIRST, OTHERS = "80", ("75", "90")
ENTRY = re.compile(r"^\s*(?:\.visible\s+|\.weak\s+)*\.entry\s+(\S+?)\s*\(", re.M)


def read_list(path, wanted):
    with open(path, newline="") as table:
        rows = list(csv.DictReader(table))
    return [r for r in rows
            if not wanted or any(re.fullmatch(w, r["folder"]) for w in wanted)]


def run(command, folder, limit):
    """Exit code ('cut' beyond the limit), output and seconds of processor time."""

    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 2))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               preexec_fn=limits, start_new_session=True)
    try:
        text = process.communicate(timeout=limit * 15)[0]
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        text, code = process.communicate()[0], "cut"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return code, text.decode("utf-8", "replace"), seconds


# ---- compile ----

def files_of(row, sources):
    top = os.path.join(sources, row["folder"])
    pattern = re.compile("(?:" + row["files"] + r")\.cu")
    found = []
    for folder, _, names in os.walk(top):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), top)
            if pattern.fullmatch(path):
                found.append(path)
    return top, sorted(found, key=lambda p: hashlib.md5(p.encode()).hexdigest())


def text_path(args, row, path, arch):
    return os.path.join(args.out, row["folder"],
                        path.replace("/", "+") + "." + arch + ".ptx")


def compile_one(args, row, top, path, arch):
    target = text_path(args, row, path, arch)
    command = ["nvcc", "-ptx", "-w", "-arch=sm_" + arch, *row["flags"].split(),
               "-I" + (os.path.dirname(path) or "."), path, "-o", target]
    code, _, _ = run(command, top, args.limit)
    if code != 0 or not os.path.exists(target):
        return False
    with open(target, encoding="utf-8", errors="replace") as text:
        if ENTRY.search(text.read()):
            return True
    os.unlink(target)
    return False


def compile_row(args, row, log, done):
    top, paths = files_of(row, args.sources)
    most, taken = int(row["most"]), 0
    for path in paths[:3 * most]:
        key = (row["folder"], path)
        if taken == most:
            break
        if key not in done:
            outcomes = [compile_one(args, row, top, path, FIRST)]
            for arch in OTHERS if outcomes[0] else ():
                outcomes.append(compile_one(args, row, top, path, arch))
            done[key] = outcomes[0]
            log.write("%s %d %s\n" % (row["folder"], outcomes[0], path))
            log.flush()
        taken += done[key]
    print("%s: %d files" % (row["folder"], taken), flush=True)


def compile_all(args):
    os.makedirs(args.out, exist_ok=True)
    done = {}
    for row in read_list(args.list, args.words):
        os.makedirs(os.path.join(args.out, row["folder"]), exist_ok=True)
        path = os.path.join(args.out, row["folder"], "done.txt")
        if os.path.exists(path):
            with open(path) as old:
                for line in old:
                    folder, ok, name = line.rstrip("\n").split(" ", 2)
                    done[folder, name] = ok == "1"
        with open(path, "a") as log:
            compile_row(args, row, log, done)
    return 0


# ---- check ----

def cause_of(line):
    """The message without what names a place: the same cause reads the same."""
    text = re.sub(r"^.*?line \d+: ", "", line.strip())
    return re.sub(r"'[^']*%[^']*'|\b_Z\w+|%\w+|\b\d+\b", "*", text)[:120]


def check_one(args, path):
    """Kernels, {cause: kernels refused}, complaint or None."""
    with open(path, encoding="utf-8", errors="replace") as text:
        kernels = len(ENTRY.findall(text.read()))
    code, output, seconds = run([args.smwave, "ptx", "list", path], args.out, 60)
    causes = collections.Counter()
    for line in output.splitlines():
        found = re.match(r"\s+refused\s+(.*)", line)
        if found:
            causes[cause_of(found.group(1))] += 1
    complaint = None
    if code == "cut" or code < 0 or code > 2:
        complaint = "%s: ends with %s" % (path, code)
        causes = collections.Counter({"does not end by itself": kernels})
    elif code != 0:
        first = next((m for m in output.splitlines() if "error" in m), output[:80])
        causes = collections.Counter({"module: " + cause_of(first): kernels})
    if seconds > args.slow:
        complaint = "%s: %.1f s" % (path, seconds)
    return kernels, causes, complaint, seconds


def check_all(args):
    rows, causes, slowest, bad = [], {}, 0.0, 0
    for row in read_list(args.list, args.words):
        folder = os.path.join(args.out, row["folder"])
        texts = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        for arch in sorted((FIRST,) + OTHERS):
            files = kernels = refused = 0
            for name in texts:
                if not name.endswith("." + arch + ".ptx"):
                    continue
                n, why, complaint, seconds = check_one(args, os.path.join(folder, name))
                files, kernels = files + 1, kernels + n
                refused += sum(why.values())
                slowest = max(slowest, seconds)
                for cause, count in why.items():
                    by = causes.setdefault(cause, collections.Counter())
                    by[arch] += count
                if complaint:
                    bad += 1
                    print(complaint, flush=True)
            if files:
                rows.append([row["repository"], "sm_" + arch, files, kernels,
                             kernels - refused])
    for arch in sorted((FIRST,) + OTHERS):
        mine = [r for r in rows if r[1] == "sm_" + arch]
        total = [sum(r[i] for r in mine) for i in (2, 3, 4)]
        rows.append(["all", "sm_" + arch, *total])
        print("sm_%s: %d files of %d repositories, %d of %d kernels accepted: %.2f %%" %
              (arch, total[0], len(mine), total[2], total[1],
               100.0 * total[2] / max(total[1], 1)))
    print("slowest: %.2f s of processor time" % slowest)
    write(args.output, ["repository", "target", "files", "kernels", "accepted"], rows)
    ranked = sorted(causes.items(), key=lambda c: (-sum(c[1].values()), c[0]))
    archs = sorted((FIRST,) + OTHERS)
    write(re.sub(r"\.csv$", "", args.output) + "_causes.csv",
          ["cause"] + ["sm_" + a for a in archs],
          [[c] + [by[a] for a in archs] for c, by in ranked])
    return 1 if bad else 0


def write(path, head, rows):
    with open(path, "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)


def main():
    parser = argparse.ArgumentParser(description="Public CUDA files, as PTX.")
    parser.add_argument("command", choices=["compile", "check"])
    parser.add_argument("words", nargs="*", metavar="REGEX")
    parser.add_argument("--list", default=os.path.join(HERE, "corpus.csv"))
    parser.add_argument("--sources")
    parser.add_argument("--out", required=True)
    parser.add_argument("--smwave")
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--slow", type=float, default=2.0)
    parser.add_argument("-o", "--output",
                        default=os.path.join(HERE, "corpus_results.csv"))
    args = parser.parse_intermixed_args()
    args.out = os.path.abspath(args.out)
    for name in ("sources", "smwave"):
        value = getattr(args, name)
        if value is None and (name == "sources") == (args.command == "compile"):
            parser.error("--%s is missing" % name)
        setattr(args, name, value and os.path.abspath(value))
    start = time.monotonic()
    code = compile_all(args) if args.command == "compile" else check_all(args)
    print("%.0f s" % (time.monotonic() - start))
    return code


if __name__ == "__main__":
    sys.exit(main())
