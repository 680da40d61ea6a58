# launches.awk - launch files for pattern.ptx from a table of accesses.
#
#   awk -v module=PTX -v space=shared|global -v ops="ld st atom red" -v limit=BYTES
#       -v bank_mode=0|4|8 -v config=CONFIG -v dir=DIR -f launches.awk PATTERNS.csv
#
# PATTERNS.csv has columns width_bytes, active_mask and lane0 to lane31, as bankmap takes
# them. Rows of shared memory that end beyond limit are left out. For every 512 rows, what
# the constant table holds, DIR/N.yml; beside it N.oct, the table in octal escapes (sh
# turns it into N.tab), and N.list: a line per launch, "ROW OP TYPE" (rows from 1).
# Each access is done once per way to write its width in PTX. Atomics: 4 and 8 bytes;
# wide_atoms=0 leaves out those of 8.

function types_of(op, width) {
    if (op == "atom" || op == "red") {
        return width == 4 ? "u32" : width == 8 && wide_atoms != "0" ? "u64" : ""
    }
    return width == 1 ? "u8" : width == 2 ? "u16 v2u8" : \
        width == 4 ? "u32 v2u16 v4u8" : width == 8 ? "u64 v2u32 v4u16" : "v4u32 v2u64"
}

function octal(v,    i, text) {
    for (i = 0; i < 4; i++) {
        text = text sprintf("\\%03o", v % 256)
        v = int(v / 256)
    }
    return text
}

function finish(    pad, lane) {
    if (file == "") {
        return
    }
    for (lane = 0; lane < 32; lane++) {
        pad = pad "\\377\\377\\377\\377"
    }
    for (; n_rows < 512; n_rows++) {
        print pad >table
    }
    close(file)
    close(table)
    close(list)
}

function begin() {
    finish()
    file = dir "/" n_files ".yml"
    table = dir "/" n_files ".oct"
    list = dir "/" n_files ".list"
    printf "module: %s\n", module >file
    if (config != "") {
        print "config: " config >file
    }
    printf "symbols:\n  offset: {file: %d.tab}\n", n_files >file
    if (space == "global") {
        printf "buffers:\n  g: {type: u8, count: 1114112, init: zero}\n" >file
    }
    print "launches:" >file
    n_files++
    n_rows = 0
}

BEGIN { n_files = 0 }

{ sub(/\r$/, "") }

FNR == 1 {
    FS = ","
    $0 = $0
    for (i = 1; i <= NF; i++) {
        column[$i] = i
    }
    n_ops = split(ops, op, " ")
    next
}

{
    width = $column["width_bytes"]
    mask = $column["active_mask"]
    end = 0
    line = ""
    for (lane = 0; lane < 32; lane++) {
        digit = index("0123456789abcdef",
                      tolower(substr(mask, length(mask) - int(lane / 4), 1))) - 1
        if (digit >= 0 && int(digit / 2 ^ (lane % 4)) % 2 == 1) {
            at = $column["lane" lane] + 0
            line = line octal(at)
            end = at + width > end ? at + width : end
        } else {
            line = line "\\377\\377\\377\\377"
        }
    }
    if (space == "shared" && end > limit) {
        next
    }
    if (file == "" || n_rows == 512) {
        begin()
    }
    print line >table
    for (o = 1; o <= n_ops; o++) {
        n_types = split(types_of(op[o], width), type, " ")
        for (t = 1; t <= n_types; t++) {
            printf "  - {kernel: %s_%s_%s, grid: [1], block: [32], ", space, op[o],
                type[t] >file
            if (space == "global") {
                printf "args: [g, %d]", n_rows >file
            } else {
                printf "shared: %d, args: [%d]", end, n_rows >file
            }
            if (bank_mode > 0) {
                printf ", bank_mode: %d", bank_mode >file
            }
            print "}" >file
            print FNR - 1, op[o], type[t] >list
        }
    }
    n_rows++
}

END { finish() }
