# random.awk - accesses of all kinds, as bankmap takes them; the same for the same seed.
#
#   awk -v rows=N -v seed=S -v limit=BYTES -f random.awk
#
# Offsets stay below limit, aligned to the width. Half of the rows have inactive lanes.

function draw(n) { # 0 to n - 1
    state = state * 16807 % 2147483647
    return int(state / 2147483647 * n)
}

# The offset of a lane in units of the width.
function place(shape, lane) {
    if (shape == 0) { # anywhere in a few rows of banks, or anywhere
        return draw(span)
    } else if (shape == 1) { # a stride
        return base + lane * stride
    } else if (shape == 2) { # groups of lanes share a place, groups by a stride
        return base + int(lane / group) * stride
    } else if (shape == 3) { # each lane like a neighbour, or by itself
        return draw(3) == 0 ? draw(span) : at[lane - lane % 2]
    } else if (shape == 4) { # a permutation within a block
        return base + (lane * odd + shift) % 32
    }
    return base + (draw(4) == 0 ? stride * draw(32) : lane) # in order, with strays
}

BEGIN {
    state = seed * 7919 + 1
    printf "name,width_bytes,active_mask"
    for (lane = 0; lane < 32; lane++) {
        printf ",lane%d", lane
    }
    print ""
    for (row = 0; row < rows; row++) {
        width = 2 ^ (row % 5)
        shape = int(row / 5) % 6
        span = 2 ^ (3 + draw(9))
        stride = 1 + draw(draw(2) ? 36 : 4)
        group = 2 ^ (1 + draw(4))
        odd = 1 + 2 * draw(16)
        shift = draw(32)
        base = draw(2) ? 0 : draw(64)
        places = int(limit / width)
        printf "random%d,%d,", row, width
        kind = int(row / 30) % 4 # of mask: full, random, few, the full one again
        for (digit = 0; digit < 8; digit++) {
            bits = kind == 1 ? draw(16) : kind == 2 ? (draw(3) ? 0 : 2 ^ draw(4)) : 15
            if (kind == 2 && digit == 7 && bits == 0) {
                bits = 1 # never no lane at all
            }
            printf "%x", bits
        }
        for (lane = 0; lane < 32; lane++) {
            at[lane] = place(shape, lane) % places
            printf ",%d", at[lane] * width
        }
        print ""
    }
}
