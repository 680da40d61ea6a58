#!/usr/bin/env python3
"""What a screen without a monitor shows, as a picture.

  xwd_png.py FILE.xwd FILE.png [TOP]

FILE.xwd: the framebuffer that Xvfb keeps in the folder of -fbdir, of 24 bits of colour
(XWD version 7, 32 bits per pixel). The TOP uppermost rows are left out. Prints how many
colours there are. Python alone: neither ImageMagick nor X11's tools are needed.
"""

import struct
import sys
import zlib


def read(path):
    """Width, height and rows of red, green and blue bytes."""
    data = open(path, "rb").read()
    head = struct.unpack(">25I", data[:100])
    size, version, width, height = head[0], head[1], head[4], head[5]
    order, bits, stride, colours = head[7], head[11], head[12], head[19]

    if version != 7 or bits != 32:
        sys.exit(f"xwd_png: {path}: not XWD version 7 of 32 bits per pixel")
    at = size + 12 * colours
    if len(data) < at + stride * height:
        sys.exit(f"xwd_png: {path}: ends too early")
    rows = []
    for y in range(height):
        row = data[at + y * stride:at + y * stride + 4 * width]
        rgb = bytearray(3 * width)
        for k in range(3):  # the low byte is blue
            rgb[k::3] = row[(2 - k) if order == 0 else 1 + k::4]
        rows.append(bytes(rgb))
    return width, height, rows


def chunk(name, data):
    body = name + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def write(path, width, rows):
    head = struct.pack(">2I5B", width, len(rows), 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) +
                  chunk(b"IDAT", pixels) + chunk(b"IEND", b""))


def main():
    width, _, rows = read(sys.argv[1])
    rows = rows[int(sys.argv[3]) if len(sys.argv) > 3 else 0:]
    write(sys.argv[2], width, rows)
    print(len({row[i:i + 3] for row in rows for i in range(0, len(row), 3)}))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main()
