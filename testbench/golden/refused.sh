#!/bin/sh
# refused.sh PROGRAM - the system refuses one call after the other of a run and of a sweep: no space,
# no files, no memory, no processes. Each ends with a message and a code of the manual's, never by a
# signal; every result is whole or absent; a sweep that is begun again ends as if nothing had been.
# strace makes the refusals.
. "$(dirname "$0")/lib.sh"

program=$1
cd "$work" || exit 1
command -v strace >/dev/null || {
    fail "there is no strace"
    exit 1
}
tried=0
refused=0

# calls FILE NAME - of the main process
calls() {
    grep -c "^$2(" "$1"
}

# refuse CALL ERROR NUMBER COMMAND... - leaves what it says in said, its code in code
refuse() {
    call=$1
    inject=$1:error=$2:when=$3
    shift 3
    strace -qq -o log -e "trace=$call" -e "inject=$inject" "$@" >said 2>&1
    code=$?
    tried=$((tried + 1))
    case $code in
    0) return 0 ;;
    7 | 8 | 70) ;;
    *) fail "$inject: code $code: $(tail -3 said)" ;;
    esac
    refused=$((refused + 1))
    grep -q 'error\|out of memory\|failed\|cannot' said || fail "$inject: says nothing: $(cat said)"
}

# goes_so_far WANT GOT - GOT is how WANT begins
goes_so_far() {
    head -c "$(wc -c <"$2")" "$1" | cmp -s - "$2"
}

# whole DIR CLEAN CODE FILE... - each file is there as in CLEAN, or, after a failure, not at all;
# waveforms go as far as they came
whole() {
    dir=$1
    clean=$2
    of=$3
    shift 3
    for file in "$@"; do
        if [ "$of" -ne 0 ] && [ "${file#run.v}" != "$file" ]; then
            [ ! -e "$dir/$file" ] || goes_so_far "$clean/$file" "$dir/$file" ||
                fail "$inject: $file is another (code $of)"
        elif [ -e "$dir/$file" ]; then
            cmp -s "$clean/$file" "$dir/$file" || fail "$inject: $file is not whole (code $of)"
        elif [ "$of" -eq 0 ]; then
            fail "$inject: $file is not there, and nobody said so"
        fi
    done
}

# some FIRST LAST - the first ones, and ever fewer of the others
some() {
    i=$1
    while [ "$i" -le "$2" ]; do
        echo "$i"
        i=$((i + 1 + (i - $1) / 2))
    done
}

run() {
    rm -rf out
    refuse "$@" "$program" run reduction-small --trace vcd --check global -o out
    whole out clean "$code" stats.json run.vcd config.yml run.pcs.txt
    [ "$code" -ne 0 ] || whole out clean 0 events.log
}

"$program" run reduction-small --trace vcd --check global -o clean >/dev/null || fail "run"
strace -qq -o begin "$program" --version >/dev/null
rm -rf out
strace -qq -o all "$program" run reduction-small --trace vcd --check global -o out >/dev/null

for what in write:ENOSPC rename:EIO mkdir:EACCES openat:EMFILE mmap:ENOMEM newfstatat:EIO \
    close:EIO; do
    name=${what%:*}
    first=$(($(calls begin "$name") + 1))
    for n in $(some $first "$(calls all "$name")"); do
        run "$name" "${what#*:}" "$n"
    done
done

# Memory runs out at some time.
for kb in 24000 28000 32000 36000 40000 48000; do
    rm -rf out
    (ulimit -v $kb && exec "$program" run reduction --check global --trace none -o out) >said 2>&1
    code=$?
    tried=$((tried + 1))
    inject="$kb KB"
    case $code in
    0) ;;
    70) grep -q 'out of memory' said || fail "$kb KB: $(cat said)" ;;
    *) fail "$kb KB: code $code: $(tail -3 said)" ;;
    esac
done

# ---- a sweep ----

sweep() {
    rm -rf out
    refuse "$@" "$program" sweep run padding -j 2 -o out
    [ "$code" -ne 0 ] || whole out swept 0 results.csv
    [ "$code" -eq 0 ] || "$program" sweep run padding -j 2 -o out >again 2>&1 ||
        fail "$inject: begun again: $(tail -3 again)"
    cmp -s swept/results.csv out/results.csv || fail "$inject: other results when begun again"
}

"$program" sweep run padding -j 2 -o swept >/dev/null || fail "sweep"
rm -rf out
strace -qq -o all "$program" sweep run padding -j 2 -o out >/dev/null
for what in write:ENOSPC rename:EIO clone:EAGAIN mkdir:EACCES; do
    name=${what%:*}
    first=$(($(calls begin "$name") + 1))
    for n in $(some $first "$(calls all "$name")" | awk 'NR % 12 == 1'); do
        sweep "$name" "${what#*:}" "$n"
    done
done

# What a point came to cannot be read: when it has ended, when the table is made, when the
# data base is.
# nth_open N FILE - the number of the call that opens the N-th such file
nth_open() {
    grep '^openat(' all | grep -n "$2" | sed -n "$1s/:.*//p"
}
points=$(($(wc -l <swept/results.csv) - 1))
for n in $(nth_open $((points + 3)) done.json) $(nth_open $((2 * points + 5)) done.json) \
    $(nth_open 7 stats.json) $(nth_open $((points + 7)) stats.json); do
    sweep openat EMFILE "$n"
    [ "$code" -ne 0 ] || fail "$inject: nobody says that a point was not read"
done
# Lost or half of it there, results are made again.
rm out/points/000003/stats.json
head -c 100 swept/points/000005/stats.json >out/points/000005/stats.json
"$program" sweep merge out >said 2>&1
[ $? -eq 8 ] || fail "merged without results: $(cat said)"
[ "$(grep -c ',failed,' out/results.csv)" -eq 2 ] || fail "merged: $(grep failed, out/results.csv)"
grep -q 'stats.json: it is not whole' out/results.csv || fail "the table does not say why"
"$program" sweep run padding -j 2 -o out >again 2>&1 || fail "begun again: $(tail -3 again)"
cmp -s swept/results.csv out/results.csv || fail "lost results are not made again"

echo "$tried calls refused, of which $refused ended the command"
[ "$refused" -gt 20 ] || fail "only $refused of $tried did"
[ $failed -eq 0 ]
