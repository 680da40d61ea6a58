# cycles.awk -v mhz=N FILE.vcd - what a dump says at the end of each cycle of a clock of N
# MHz: "CYCLE PATH VALUE", in order of cycles and paths. mhz=0: its times are cycles
# already; then no variable may change twice in one. clk, which such a dump has not, is
# left out.
function cycle_of(t) {
    return mhz == 0 ? t : int(((t + 1) * mhz - 1) / 1000000)
}

function settle(    i, id) {
    for (i = 1; i <= n_order; i++) {
        id = order[i]
        if ((id in fired) || said[id] != value[id]) {
            printf "%d %s %s\n", now, path[id], value[id] | sorted
            said[id] = value[id]
        }
    }
    n_order = 0
    split("", seen)
    split("", fired)
}

function change(id, text) {
    if (!(id in path)) {
        return
    }
    if (mhz == 0 && begun && (id in seen)) {
        printf "twice in cycle %d: %s\n", now, path[id] | sorted
    }
    if (!(id in seen)) {
        seen[id] = 1
        order[++n_order] = id
    }
    value[id] = text
    if (kind[id] == "event") {
        fired[id] = 1
    }
}

BEGIN {
    sorted = "LC_ALL=C sort -k1,1n -k2"
}
!begun && $1 == "$scope" {
    scope = scope $3 "."
    depth++
    length_of[depth] = length($3) + 1
}
!begun && $1 == "$upscope" {
    scope = substr(scope, 1, length(scope) - length_of[depth--])
}
!begun && $1 == "$var" && $5 != "clk" && !($4 in path) {
    path[$4] = scope $5
    kind[$4] = $2
}
$1 == "$comment" || $1 == "$dumpvars" || $1 == "$end" || /^\$/ {
    if ($1 == "$dumpvars") {
        values = 1
    }
    next
}
/^#/ {
    c = cycle_of(substr($1, 2))
    if (values && c != now) {
        settle()
    }
    begun = values
    now = c
    next
}
values && /^[bs]/ {
    change($2, $1)
    next
}
values {
    change(substr($1, 2), substr($1, 1, 1))
}
END {
    settle()
    printf "%d end\n", now | sorted
}
