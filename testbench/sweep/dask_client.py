"""Gives the commands of a sweep, one a line, to the workers of a Dask cluster.

    python3 client.py ADDRESS COMMANDS

A worker that is lost has its commands run by others. Exit codes: 0 all were run, 3 there is
no dask.distributed, 4 nobody answers at the address, 5 a command could not be run.
"""
import os
import subprocess
import sys

SYSTEM = "/usr/bin/python3"  # has what the distribution packages

try:
    from distributed import Client, as_completed
except ImportError:
    if sys.executable != SYSTEM and os.path.exists(SYSTEM):
        os.execv(SYSTEM, [SYSTEM] + sys.argv)
    sys.exit(3)


def run(command):
    """In a worker: the exit code of the command and the last it said."""
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr.strip()[-400:]


def main():
    address, path = sys.argv[1:]
    with open(path, encoding="utf-8") as lines:
        commands = lines.read().splitlines()
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError) as why:
        print(f"{address}: {why}", file=sys.stderr)
        return 4
    failed = 0
    futures = client.map(run, commands, pure=False)
    for future in as_completed(futures):
        why = future.exception()
        code, said = (1, str(why)) if why is not None else future.result()
        if code not in (0, 8):  # 8: points failed, as their results say
            failed += 1
            print(f"code {code}: {said}", file=sys.stderr)
    client.close()
    return 5 if failed else 0


sys.exit(main())
