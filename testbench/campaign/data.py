#!/usr/bin/env python3
"""Make the input of public programs that is not in their repositories.

    data.py graph N                a graph of N nodes, as Rodinia's bfs reads it
    data.py grid ROWS COLS A B     two files of a number a line: heat, power
    data.py points N D             N points of D numbers
    data.py places FILES N         lists of places, and list.txt that names them
    data.py tree N                 keys and commands for Rodinia's b+tree
    data.py bmp N                  a picture of N x N, N.bmp
    data.py bytes N                N bytes of sixteen kinds

What has no file of its own goes to standard output. The same arguments, the same bytes.
"""
import random
import sys


def graph(n):
    degrees = [random.randint(1, 6) for _ in range(n)]
    first = 0
    print(n)
    for degree in degrees:
        print(first, degree)
        first += degree
    print("\n0\n\n%d" % first)
    for _ in range(first):
        print(random.randrange(n), random.randint(1, 10))


def grid(rows, columns, heat, power):
    for name, base, span in ((heat, 320, 10), (power, 0, 0.01)):
        with open(name, "w") as out:
            out.writelines("%.6f\n" % (base + span * random.random())
                           for _ in range(rows * columns))


def points(n, d):
    for i in range(n):
        print(i, *["%.3f" % random.random() for _ in range(d)])


def places(files, n):
    with open("list.txt", "w") as names:
        for k in range(files):
            names.write("places%d.db\n" % k)
            with open("places%d.db" % k, "w") as out:
                for i in range(n):
                    out.write("%4d %2d %2d %2d %4d %-9s %4.1f %5.1f %4d %4d\n" % (
                        1950 + i % 60, 1 + i % 12, 1 + i % 28, 6, i % 100, "NAME",
                        random.uniform(7, 60), random.uniform(100, 350), 50, 300))


def tree(n):
    with open("mil.txt", "w") as out:
        out.write("%d\n" % n)
        out.writelines("%d\n" % random.randrange(1000000) for _ in range(n))
    with open("command.txt", "w") as out:
        out.write("j 600 300\nk 1000\n\n")


def bmp(n):
    size = 3 * n * n
    words = [54 + size, 0, 54, 40, n, n]
    head = b"BM" + b"".join(w.to_bytes(4, "little") for w in words)
    with open("%d.bmp" % n, "wb") as out:
        out.write(head + b"\1\0\x18\0" + bytes(24) + random.randbytes(size))


def some_bytes(n):
    sys.stdout.buffer.write(bytes(random.choice(b"abcdefghABCDEFGH") for _ in range(n)))


def main():
    kinds = {"graph": graph, "grid": grid, "points": points, "places": places,
             "tree": tree, "bmp": bmp, "bytes": some_bytes}
    if len(sys.argv) < 2 or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    random.seed(1)
    kinds[sys.argv[1]](*[int(a) if a.isdigit() else a for a in sys.argv[2:]])


if __name__ == "__main__":
    main()
