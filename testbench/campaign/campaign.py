#!/usr/bin/env python3
"""Compile and run public CUDA programs as they are, and say how each ended.

    campaign.py --sources DIR --smwave build/smwave [-o results.csv] [REGEX ...]
    campaign.py --nvcc --sources DIR --smwave build/smwave [-o nvcc-results.csv] ...

The list, programs.csv beside this file, has a line for each program:

    program     a name of its own
    repository  the folder of DIR that holds a copy of the public repository
    folder      where in it the program is built and run
    build       a shell command, with nvcc (that is 'smwave cc') in the PATH,
                CUDA_PATH, CUDA_DIR, CUDA_INSTALL_PATH naming its folder and $DATA
                running data.py; 'outside: WHY' instead: the program is not counted
    run         the command, which 'smwave exec' runs without modelled time; options of
                exec may stand before it: -c h100,h100 -- ./two_devices
    expect      a regular expression that the output must contain, nothing where
                only the exit code speaks; '!' before it: must not contain; '=FILE': the
                text of FILE, in which * stands for a number

With --nvcc the list is nvcc.csv, and programs are built by the nvcc in the PATH against
the shared runtime instead: it is called with -cudart shared in front.

Programs whose name matches one of the REGEX are tried, without any all. A line of the
results is 'program,repository,outcome,compile,seconds,cause'; lines of programs that
were not tried stay. Seconds are processor time. Outcomes: pass; ran (ended well, checks
nothing); waived (says that the device lacks something); fail (its own check, or its
exit code); crash (a signal); cut (the limit); build (does not compile); outside.
"""
import argparse
import csv
import os
import re
import resource
import shutil
import subprocess
import sys

WAIVED = 2  # the exit code by which NVIDIA's samples say so
FIELDS = ["program", "repository", "outcome", "compile", "seconds", "cause"]


def run_shell(command, folder, environment, limit):
    """Run it with a limit of processor time; exit code, output and then what it said on
    standard error, seconds."""

    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
        os.nice(10)

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(["sh", "-c", command], cwd=folder, env=environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, preexec_fn=limits,
                               start_new_session=True)
    try:
        text = b"".join(process.communicate(timeout=limit * 6))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        text = b"".join(process.communicate())
        return "wall", text.decode("utf-8", "replace"), limit
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)
    return process.returncode, text.decode("utf-8", "replace"), seconds


def first_error(text):
    """The line of an output that says best what went wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for pattern in (r"\berror\b", r"undefined reference", r"(?i)fail|mismatch|wrong",
                    r"(?i)error|assert"):
        for line in lines:
            if re.search(pattern, line):
                return line[:160]
    return lines[-1][:160] if lines else ""


def pattern_of(path):
    """A regular expression for the text of a file, in which * stands for a number."""
    with open(path) as text:
        words = [re.escape(word) for word in text.read().split("*")]
    return "(?m)^" + r"\d+(?:\.\d+)?".join(words)


def judge(code, text, expect):
    """The outcome of a program that has ended."""
    if code == "wall" or code in (-24, 128 + 24, -9, 137):
        return "cut"
    if isinstance(code, int) and (code < 0 or code > 128):
        return "crash"
    if code == WAIVED and re.search(r"(?i)waiv|support", text):
        return "waived"
    if code != 0:
        return "fail"
    if not expect:
        return "ran"
    if expect.startswith("!"):
        return "fail" if re.search(expect[1:], text) else "pass"
    return "pass" if re.search(expect, text) else "fail"


def try_program(row, args, environment):
    """Build and run one; its line of the results."""
    result = {"program": row["program"], "repository": row["repository"], "compile": "",
              "seconds": "", "cause": ""}
    if row["build"].startswith("outside:"):
        result.update(outcome="outside", cause=row["build"][8:].strip())
        return result
    folder = os.path.join(args.sources, row["repository"], row["folder"])
    log = os.path.join(args.logs, row["program"].replace("/", "_"))
    code, text, seconds = run_shell(row["build"], folder, environment, args.limit)
    with open(log + ".build", "w") as out:
        out.write(text)
    result["compile"] = "%.1f" % seconds
    if code != 0:
        result.update(outcome="build", cause=first_error(text))
        return result
    run = row["run"] if row["run"].startswith("-") else "-- " + row["run"]
    command = "exec %s exec -c %s --launches=4000000000 -q --force -o %s %s" % (
        args.smwave, args.device, os.path.join(args.logs, "out"), run)
    code, text, seconds = run_shell(command, folder, environment, args.limit)
    with open(log + ".run", "w") as out:
        out.write(text + "\n[exit %s]\n" % code)
    result["seconds"] = "%.1f" % seconds
    expect = row["expect"]
    if expect.startswith("="):
        expect = pattern_of(os.path.join(folder, expect[1:]))
    result["outcome"] = judge(code, text, expect)
    if result["outcome"] in ("fail", "crash", "waived"):
        result["cause"] = "exit %s: %s" % (code, first_error(text))
    return result


def write_results(path, results):
    with open(path + ".new", "w", newline="") as out:
        writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(results)
    os.replace(path + ".new", path)


def print_totals(results):
    counted = [r for r in results if r["outcome"] != "outside"]
    n = len(counted) or 1
    built = sum(r["outcome"] != "build" for r in counted)
    well = sum(r["outcome"] in ("pass", "ran", "waived") for r in counted)
    print("%d programs of %d repositories, %d outside" % (
        len(counted), len({r["repository"] for r in counted}),
        len(results) - len(counted)))
    print("compiled %d (%.1f %%), ended well %d (%.1f %%)" % (
        built, 100.0 * built / n, well, 100.0 * well / n))
    for outcome in sorted({r["outcome"] for r in results}):
        print("  %-8s %d" % (outcome, sum(r["outcome"] == outcome for r in results)))


def toolkit(smwave, here):
    """The environment of builds: smwave's folder in the place of a CUDA toolkit's."""
    root = os.path.join(os.path.dirname(smwave), "cuda")
    libraries = [os.path.join(root, "lib64"), os.environ.get("LIBRARY_PATH")]
    names = ("CUDA_PATH", "CUDA_DIR", "CUDA_HOME", "CUDA_INSTALL_PATH")
    return dict(os.environ, **dict.fromkeys(names, root),
                DATA="%s %s" % (sys.executable, os.path.join(here, "data.py")),
                LIBRARY_PATH=":".join(filter(None, libraries)),
                PATH=os.path.join(root, "bin") + ":" + os.environ["PATH"])


def with_nvcc(folder):
    """The environment of builds by NVIDIA's compiler, with the shared runtime."""
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        sys.exit("campaign.py: there is no nvcc in the PATH")
    os.makedirs(folder, exist_ok=True)
    wrapper = os.path.join(folder, "nvcc")
    with open(wrapper, "w") as out:
        out.write('#!/bin/sh\nexec %s -cudart shared "$@"\n' % nvcc)
    os.chmod(wrapper, 0o755)
    return dict(os.environ, PATH=folder + ":" + os.environ["PATH"])


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="REGEX")
    parser.add_argument("--nvcc", action="store_true", help="build with NVIDIA's nvcc")
    parser.add_argument("--list", help="default: programs.csv, or nvcc.csv")
    parser.add_argument("--sources", required=True)
    parser.add_argument("--smwave", required=True)
    parser.add_argument("--device", default="h100")
    parser.add_argument("--limit", type=int, default=120, help="seconds for each step")
    parser.add_argument("--logs", default="campaign-logs")
    parser.add_argument("--again", help="only those with this outcome, commas between")
    parser.add_argument("-o", "--output", help="default: results.csv, or "
                        "nvcc-results.csv")
    args = parser.parse_args()
    args.list = args.list or os.path.join(here, "nvcc.csv" if args.nvcc
                                          else "programs.csv")
    args.output = args.output or os.path.join(here, "nvcc-results.csv" if args.nvcc
                                              else "results.csv")
    for name in ("sources", "smwave", "logs"):
        setattr(args, name, os.path.abspath(getattr(args, name)))
    os.makedirs(args.logs, exist_ok=True)
    if args.nvcc:
        environment = with_nvcc(os.path.join(args.logs, "bin"))
    else:
        environment = toolkit(args.smwave, here)
    old = {}
    if os.path.exists(args.output):
        with open(args.output, newline="") as text:
            old = {r["program"]: r for r in csv.DictReader(text)}
    with open(args.list, newline="") as text:
        rows = list(csv.DictReader(text))
    results = dict(old)
    for row in rows:
        name = row["program"]
        if args.names and not any(re.search(x, name) for x in args.names):
            continue
        if args.again and name in old:
            if old[name]["outcome"] not in args.again.split(","):
                continue
        results[name] = try_program(row, args, environment)
        print("%-44s %-7s %6s %6s  %s" % tuple(results[name][key] for key in (
            "program", "outcome", "compile", "seconds", "cause")), flush=True)
        write_results(args.output, [results[r["program"]] for r in rows
                                    if r["program"] in results])
    print_totals([results[r["program"]] for r in rows if r["program"] in results])
    return 0


if __name__ == "__main__":
    sys.exit(main())
