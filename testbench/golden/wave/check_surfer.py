#!/usr/bin/env python3
"""check_surfer.py DIR [VIEW...] - the files for Surfer in the directory of a run.

Surfer's documentation says what a command file (.sucl) and a mapping file may hold; a
command it does not know it passes over with a word in its log. This checker replays the
commands on a tree of items, as Surfer keeps it: a new item goes behind the one that has
the focus, and what lies in a folded group has no number. Each command must be one of
Surfer's, each variable one of the dump's, each number one of an item, each format one of
Surfer's or a mapping file's. The rows that come out must be those of the save file for
GTKWave, in its order, in groups of the same names, folded where those are closed.
"""
import os
import re
import sys

FORMATS = {"Hexadecimal", "Unsigned", "Number of ones"}
COLOURS = {"Green", "Red", "Yellow", "Blue", "Pink", "Orange", "Gray", "Violet"}
KINDS = {"default", "dontcare", "error", "event", "highimp", "normal", "undef", "weak"}


class Wrong(Exception):
    pass


class Item:
    def __init__(self, kind, name):
        self.kind, self.name, self.folded = kind, name, False
        self.path, self.format, self.children = None, None, []


class Viewer:
    """The items of a window, and which has the focus."""

    def __init__(self, variables, mappings):
        self.variables, self.mappings = variables, mappings
        self.root, self.focus = Item("root", ""), None
        self.markers = []

    def visible(self, item=None):
        for child in (item or self.root).children:
            yield child
            if child.kind == "group" and not child.folded:
                yield from self.visible(child)

    def all(self, item=None):
        for child in (item or self.root).children:
            yield child
            yield from self.all(child)

    def parent(self, item):
        return next(p for p in [self.root, *self.all()] if item in p.children)

    def add(self, item):
        if self.focus is None:
            self.root.children.append(item)
            return
        if self.focus.kind == "group" and not self.focus.folded:
            self.focus.children.insert(0, item)
        else:
            around = self.parent(self.focus).children
            around.insert(around.index(self.focus) + 1, item)
        self.focus = item

    def focused(self):
        if self.focus is None:
            raise Wrong("no item has the focus")
        return self.focus

    # ---- commands ----

    def variable_add(self, path):
        if path not in self.variables:
            raise Wrong(f"the dump has no variable {path}")
        item = Item("variable", path.rsplit(".", 1)[-1])
        item.path = path
        self.add(item)

    def divider_add(self, name):
        self.add(Item("divider", name))

    def item_focus(self, letters):
        if not re.fullmatch("[a-p]+", letters):
            raise Wrong(f"{letters} is no number of an item")
        number = 0
        for letter in letters:
            number = number * 16 + ord(letter) - ord("a")
        rows = list(self.visible())
        if number >= len(rows):
            raise Wrong(f"item {number} of {len(rows)}")
        self.focus = rows[number]

    def item_unfocus(self):
        self.focus = None

    def item_rename(self, name):
        self.focused().name = name

    def item_set_format(self, name):
        if name not in FORMATS and name not in self.mappings:
            raise Wrong(f"there is no format {name}")
        bits = self.mappings.get(name)
        if bits is not None and bits != self.variables[self.focused().path]:
            raise Wrong(f"{name} is of {bits} bits, {self.focus.path} is not")
        self.focused().format = name

    def item_set_color(self, name):
        if name not in COLOURS:
            raise Wrong(f"there is no colour {name}")

    def group_marked(self, name):
        if not re.fullmatch(r"\w+", name):
            raise Wrong(f"{name} is more than a word")
        item, group = self.focused(), Item("group", name)
        around = self.parent(item).children
        group.children = [item]
        around[around.index(item)] = group
        self.focus = group

    def group_fold_recursive(self):
        if self.focused().kind != "group":
            raise Wrong("the item with the focus is no group")
        for item in [self.focus, *self.all(self.focus)]:
            item.folded = True

    def group_unfold_all(self):
        for item in self.all():
            item.folded = False

    def marker_set(self, words):
        name, time = words.split()
        self.markers.append((name, int(time)))

    def cursor_set(self, time):
        int(time)

    def zoom_fit(self):
        pass


def declared(vcd):
    """Each variable's width, by its path with dots."""
    found, scopes = {}, []
    for line in vcd:
        words = line.split()
        if not words:
            continue
        if words[0] == "$scope":
            scopes.append(words[2])
        elif words[0] == "$upscope":
            scopes.pop()
        elif words[0] == "$var":
            found[".".join([*scopes, words[4].split("[")[0]])] = int(words[2])
        elif words[0] == "$enddefinitions":
            break
    return found


def mapping(path):
    """The name and the bits of a mapping file."""
    with open(path, encoding="utf-8") as f:
        lines = [line.rstrip("\n") for line in f if line.strip() and line[0] != "#"]
    name = re.fullmatch(r"Name = (\S.*)", lines[0])
    bits = re.fullmatch(r"Bits = (\d+)", lines[1])
    if not name or not bits:
        raise Wrong(f"{path}: no name, or no bits")
    width, seen = int(bits[1]), set()
    for line in lines[2:]:
        entry = re.fullmatch(
            r"(0b[01xz]+|0x[0-9a-f]+|\d+)(?:\[(#[0-9a-f]{6}|\w+)\])? (\S.*)", line)
        if not entry:
            raise Wrong(f"{path}: what is '{line}'?")
        value, kind = entry[1], entry[2]
        if kind and kind[0] != "#" and kind not in KINDS:
            raise Wrong(f"{path}: there is no kind {kind}")
        if value.startswith("0b") and len(value) != width + 2:
            raise Wrong(f"{path}: {value} is not of {width} bits")
        if not value.startswith("0b") and int(value, 0) >> width:
            raise Wrong(f"{path}: {value} has more than {width} bits")
        if value in seen:
            raise Wrong(f"{path}: {value} twice")
        seen.add(value)
    return name[1], width


def rows_of_gtkwave(lines):
    """(depth, kind, what, closed) of each row, groups that hold nothing left out."""
    rows, flags, depth = [], 0, 0
    for line in lines:
        line = line.rstrip("\n")
        if line.startswith("@"):
            flags = int(line[1:], 16)
        elif line[:1] in "-+#" or re.match(r"[A-Za-z_]\w*\.", line):
            name = (re.match(r"[+#]\{([^}]*)\}", line) or [0, ""])[1]
            closed = bool(flags & 0x400000)
            label = line[1:] if line.startswith("-") else name
            if flags & 0x1000000 and line.startswith("-"):
                depth -= 1
                continue
            if flags & 0x800000:
                rows.append((depth, "group", re.sub(r"\[\d+:0\]$", "", label), closed))
                depth += 1
            if line.startswith("-"):
                if not flags & 0x800000 and line != "-" and flags & 0x200:
                    rows.append((depth, "divider", line[1:], False))
                continue
            if line.startswith("#") and "(0)" not in line:
                continue  # a mask of several variables
            path = line.split()[-1]
            path = re.sub(r"^\(\d+\)", "", path)
            rows.append((depth, "variable", path.split("[")[0], False))
    return without_empty(rows)


def without_empty(rows):
    kept = []
    for i, row in enumerate(rows):
        below = rows[i + 1:]
        end = next((k for k, r in enumerate(below) if r[0] <= row[0]), len(below))
        if row[1] != "group" or any(r[1] != "group" for r in below[:end]):
            kept.append(row)
    return kept


def rows_of_surfer(viewer):
    def below(item, depth, hidden):
        for child in item.children:
            what = child.path if child.kind == "variable" else child.name
            yield depth, child.kind, what, child.folded and not hidden
            yield from below(child, depth + 1, hidden or child.folded)
    return list(below(viewer.root, 0, False))


def hide(rows):
    """A group within a closed one is not seen, whatever it is."""
    out, closed_at = [], None
    for depth, kind, what, closed in rows:
        if closed_at is not None and depth <= closed_at:
            closed_at = None
        out.append((depth, kind, re.sub(r"[#;]", " ", what), closed and closed_at is None))
        if closed and closed_at is None:
            closed_at = depth
    return out


def headings(rows):
    """GTKWave's headings are broken into short lines, Surfer's are not."""
    out = []
    for row in rows:
        if row[1] == "divider" and out and out[-1][:2] == row[:2]:
            out[-1] = (row[0], "divider", out[-1][2] + " " + row[2], False)
        else:
            out.append(row)
    return out


def check(directory, view, variables, mappings):
    path = os.path.join(directory, view)
    viewer = Viewer(variables, mappings)
    with open(path + ".sucl", encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            line = line.split("#")[0].strip()
            if not line:
                continue
            command, _, rest = line.partition(" ")
            action = getattr(viewer, command, None)
            if action is None or command in ("add", "all", "parent", "visible", "focused"):
                raise Wrong(f"{path}.sucl:{number}: {command} is no command")
            try:
                action(rest) if rest else action()
            except Wrong as e:
                raise Wrong(f"{path}.sucl:{number}: {e}") from e
    with open(path + ".gtkw", encoding="utf-8") as f:
        wanted = headings(hide(rows_of_gtkwave(f)))
    got = headings(rows_of_surfer(viewer))
    for i, (a, b) in enumerate(zip(wanted, got)):
        if a != b:
            raise Wrong(f"{path}: row {i} is {a} for GTKWave, {b} for Surfer")
    if len(wanted) != len(got):
        raise Wrong(f"{path}: {len(wanted)} rows for GTKWave, {len(got)} for Surfer")
    print(f"{view}.sucl: {len(got)} rows, {len(viewer.markers)} markers")


def main():
    directory, views = sys.argv[1], sys.argv[2:] or ["run"]
    with open(os.path.join(directory, "run.vcd"), encoding="utf-8") as f:
        variables = declared(f)
    folder = os.path.join(directory, ".surfer", "mappings")
    try:
        mappings = dict(mapping(os.path.join(folder, f)) for f in sorted(os.listdir(folder)))
        for view in views:
            check(directory, view, variables, mappings)
    except Wrong as e:
        sys.exit(f"check_surfer: {e}")


if __name__ == "__main__":
    main()
