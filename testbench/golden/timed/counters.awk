# counters.awk - the counters of a run of launches.awk's files, a line per launch.
#
#   awk -f counters.awk stats.json N.list
#
# "ROW OP TYPE counter=value counter=value ..." with the counters that are not 0.

FNR == NR {
    if ($1 == "\"complete\":" && $2 != "true,") {
        print "launch " n + 1 " did not complete" >"/dev/stderr"
        failed = 1
    } else if ($1 == "\"counters\":") {
        n++
        inside = 1
    } else if ($1 ~ /^}/) {
        inside = 0
    } else if (inside && $2 ~ /^[0-9]+,?$/ && $2 + 0 > 0) {
        text[n] = text[n] " " substr($1, 2, length($1) - 3) "=" $2 + 0
    }
    next
}

{ print $0 text[FNR]; n_lines = FNR }

END {
    if (n_lines != n || n == 0) {
        print n " launches in the statistics, " n_lines + 0 " in the list" >"/dev/stderr"
        failed = 1
    }
    exit failed
}
