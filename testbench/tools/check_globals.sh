#!/bin/sh
# check_globals.sh EXCEPTIONS LIBRARY... - nothing is global: no object of the libraries
# has data that can be written while the program runs (sections .data, .bss, their
# kinds for threads, common symbols). EXCEPTIONS has a line per symbol that may. Prints
# object and symbol for every offence; exit 1 if there is one.
set -u

exceptions=$1
shift
[ $# -gt 0 ] || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# .data.rel.ro is written by the loader alone, before main().
writable='section ~ /^\.(data|bss|tdata|tbss|lbss|ldata)/ && section !~ /^\.data\.rel\.ro/'
for library in "$@"; do
    objdump -h "$library" >"$work/sections" && objdump -t "$library" >"$work/symbols" ||
        exit 2
    awk -v library="${library##*/}" '
        / file format / { object = $1; sub(/:$/, "", object); n_objects++; next }
        $1 ~ /^[0-9]+$/ { section = $2 }
        $1 ~ /^[0-9]+$/ && $3 !~ /^0+$/ && '"$writable"' {
            print "section", library, object, section
        }
        END { print "objects", library, n_objects + 0 }' "$work/sections"
    awk -v library="${library##*/}" '
        / file format / { object = $1; sub(/:$/, "", object); next }
        NF < 5 { next }
        { section = $(NF - 2) }
        $(NF - 1) !~ /^0+$/ && $NF != section &&
            (section == "*COM*" || '"$writable"') { print "symbol", library, object, $NF }
    ' "$work/symbols"
done >"$work/found"

awk '
    FILENAME == ARGV[1] { may[$1] = 1; next }
    $1 == "objects" { n += $3; if ($3 == 0) { print $2 ": no objects"; bad = 1 } }
    $1 == "symbol" { named[$2, $3] = 1 }
    $1 == "symbol" && !($4 in may) { print $2 "(" $3 "): " $4; bad = 1 }
    $1 == "section" { in_section[++n_sections] = $0 }
    END {
        for (i = 1; i <= n_sections; i++) { # data without a name
            split(in_section[i], part)
            if (!((part[2], part[3]) in named)) {
                print part[2] "(" part[3] "): " part[4] " is not empty"
                bad = 1
            }
        }
        print n " objects looked at"
        exit bad || n == 0
    }' "$exceptions" "$work/found"
