#!/bin/sh
# sarif.sh PROGRAM DIRECTORY - what --report writes of a kernel at fault is what
# DIRECTORY/_NAME.sarif holds, but for the program's version; of one without fault, a
# report without results.
. "$(dirname "$0")/lib.sh"

program=$1
directory=$2

report() { # NAME: the results alone, from "results" on
    "$program" run "$directory/$1.yml" --report "$work/$1.sarif" -o "$work/out" \
        >"$work/stdout" 2>"$work/stderr"
    grep -q '"version": "2.1.0"' "$work/$1.sarif" || {
        echo "$1: no SARIF 2.1.0"
        failed=1
    }
    sed -n '/"results":/,$p' "$work/$1.sarif" >"$work/got"
}

for name in divergent global-past loop-counts; do
    report $name
    golden "$directory/_$name.sarif" "$work/got"
    # the same finding in report.json, with its rule
    rule=$(sed -n 's/^ *"ruleId": \("[a-z-]*"\),$/\1/p' "$work/got")
    grep -q "\"rule\": $rule" "$work/out/report.json" || {
        echo "$name: report.json does not name rule $rule"
        failed=1
    }
done
report divergent-twin
[ "$(head -n 1 "$work/got")" = '      "results": []' ] || {
    echo "divergent-twin: a report with results"
    failed=1
}
[ $failed -eq 0 ]
