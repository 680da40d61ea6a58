# cut.awk -v from=T -v to=T DUMP.vcd - what a dump shows from behind the instant T on: all
# values, then every change, sorted, up to the other time. Clocks and rates are left out:
# rates count from the beginning of a dump.
function emit(    i) {
    if (time > from && time < to) {
        if (!begun++) {
            for (i in value) {
                if (!(i in event)) {
                    print "at first", name[i], before[i] | sort
                }
            }
            close(sort)
        }
        for (i in changed) {
            print time, name[i], value[i] | sort
        }
        close(sort)
    }
    for (i in changed) {
        before[i] = value[i]
    }
    delete changed
}
BEGIN { sort = "LC_ALL=C sort" }
$1 == "$scope" { path = path "." $3 }
$1 == "$upscope" { sub(/\.[^.]*$/, "", path) }
$1 == "$var" {
    if ($5 != "clk" && $5 != "cycle" && $5 !~ /_per_64$/) {
        name[$4] = path "." $5
        if ($2 == "event") {
            event[$4] = 1
        }
    }
}
$1 == "$enddefinitions" { body = 1; next }
!body || /^\$/ { next }
/^#/ {
    emit()
    time = substr($1, 2) + 0
    next
}
{
    if (/^[bsr]/) {
        id = $2
        v = $1
    } else {
        id = substr($1, 2)
        v = substr($1, 1, 1)
    }
    if (id in name && (id in event || !(id in value) || value[id] != v)) {
        value[id] = v
        changed[id] = 1
    }
}
END { emit() }
