#!/bin/sh
# stream.sh PROGRAM SPIN.PTX - waveforms that are watched while they grow: on standard
# output, through a pipe with a name, in a file; readers that go away; compressed ones.
. "$(dirname "$0")/../lib.sh"

smwave=$1
spin=$2
cd "$work" || exit 1

# expect CODE TEXT: of the command that left its exit code in ./code and its words in
# ./err.
expect() {
    [ "$(cat code)" -eq "$1" ] || fail "exit $(cat code), not $1: $(cat err)"
    grep -qF -e "$2" err || fail "does not say '$2': $(cat err)"
}

cat >spin.yml <<END
module: $spin
config: gtx480
launches:
  - {kernel: spin, grid: [1], block: [32]}
trace: {scope: 'gpu.sm0.sched0', start: 0, stop: 1000000000}
END

# Standard output has the waveform and nothing else.
"$smwave" run reverse -o file >/dev/null || exit 1
"$smwave" run reverse -o stream --trace - >stream.vcd 2>err
echo $? >code
expect 0 "waveform:  on standard output; save file stream/run.gtkw"
cmp file/run.vcd stream.vcd || fail "the stream differs from the file"
cmp file/events.log stream/events.log || fail "the log differs"
[ -e stream/run.vcd ] && fail "there is a file as well"
"$smwave" run reverse -o both --trace -,vcd 2>/dev/null | cmp - file/run.vcd ||
    fail "one of two"
cmp file/run.vcd both/run.vcd || fail "the file beside the stream"

# Who else wants it, or none can have it.
"$smwave" run reverse -o no --trace - --json >out 2>err
echo $? >code
expect 2 "--json and --trace - cannot both have standard output"
[ -s out ] && fail "something is printed all the same"
"$smwave" run reverse -o no --trace -,- >out 2>err
echo $? >code
expect 2 "'-' is given twice"
"$smwave" run reverse -o no --trace - >&- 2>err
echo $? >code
expect 7 "standard output: Bad file descriptor"
[ -e no ] && fail "a mistake got as far as results"
"$smwave" run reverse -o full --trace - >/dev/full 2>err
echo $? >code
expect 7 "the waveform on standard output: No space left on device"

# A reader that goes ends the run, which would go on for long.
{
    "$smwave" run spin.yml -o gone --trace - 2>err
    echo $? >code
} | head -c 100000 >/dev/null
expect 7 "the waveform on standard output: Broken pipe"
[ -s gone/stats.json ] || fail "no results of a run whose reader went"
mkfifo gone.vcd
head -c 100000 gone.vcd >/dev/null &
"$smwave" run spin.yml -o gone2 --trace gone.vcd >/dev/null 2>err
echo $? >code
expect 7 "gone.vcd: Broken pipe"

# A pipe with a name.
mkfifo pipe.vcd
cat pipe.vcd >piped &
"$smwave" run reverse -o named --trace pipe.vcd >/dev/null || fail "a pipe with a name"
wait $!
cmp file/run.vcd piped || fail "what came through it differs"

# Compressed: the same inside, the same twice, taken by our own tools and by GTKWave.
if "$smwave" --version | grep -q gzip; then
    "$smwave" run reverse -o gz --trace vcd.gz,again.vcd.gz >out || fail "vcd.gz: $(cat out)"
    gzip -dc gz/run.vcd.gz | cmp - file/run.vcd || fail "another waveform is compressed"
    cmp gz/run.vcd.gz again.vcd.gz || fail "it is not the same twice"
    "$smwave" wave compare --diff file gz/run.vcd.gz >out || fail "wave compare: $(cat out)"
    "$smwave" wave view gz --view banks >out || fail "wave view: $(cat out)"
    [ -s gz/run.banks.gtkw ] || fail "no save file of a compressed one"
    xvfb-run -a gtkwave -x gz/run.vcd.gz >out 2>&1 || fail "gtkwave: $(cat out)"
    "$smwave" run reverse -o gzfull --trace full.vcd.gz >/dev/null || exit 1
    head -c 24000 full.vcd.gz >cut.vcd.gz
    "$smwave" wave view cut.vcd.gz >out 2>&1 || fail "one that was cut off: $(cat out)"
else
    "$smwave" run reverse -o gz --trace vcd.gz >out 2>err
    echo $? >code
    expect 2 "--trace: this smwave was built without zlib"
fi

# wait_for COMMAND...: it holds within 30 seconds.
wait_for() {
    tries=0
    until "$@" || [ $tries -eq 300 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    "$@" || fail "waited for: $*"
}
larger() { # FILE BYTES
    [ -e "$1" ] && [ "$(wc -c <"$1")" -gt "$2" ]
}
# What there is up to the last whole line: the kernel may copy only part of a write when
# the process is killed or another one reads.
opens() { # FILE.vcd
    cp "$1" whole.vcd
    [ "$(tail -c 1 whole.vcd | wc -l)" -eq 1 ] || sed -i '$d' whole.vcd
    vcd2fst whole.vcd opened.fst >out 2>&1 && fst2vcd opened.fst >opened.vcd 2>>out ||
        fail "$1 does not open: $(cat out)"
    larger opened.vcd 1000 || fail "$1 has hardly anything"
}

# A file while it grows, and after each way to end it.
formats=vcd
if "$smwave" --version | grep -q 'VCD, FST'; then
    formats=vcd,fst
fi
"$smwave" run spin.yml -o grows --trace $formats >/dev/null 2>err &
pid=$!
pids=$pid
wait_for larger grows/run.vcd 100000
first=$(wc -c <grows/run.vcd)
cp grows/run.vcd now.vcd
opens now.vcd
wait_for larger grows/run.vcd "$first"
wait_for larger grows/events.log 0
if [ $formats = vcd,fst ]; then
    wait_for larger grows/run.fst 1000000 # more than one section
fi
kill -KILL $pid
wait $pid 2>/dev/null
pids=
[ "$(tail -c 1 grows/run.vcd | wc -l)" -eq 1 ] || fail "a killed run leaves half a line"
opens grows/run.vcd
if [ $formats = vcd,fst ]; then
    fst2vcd grows/run.fst >killed.vcd 2>err || fail "the FST of a killed run: $(cat err)"
    larger killed.vcd 1000000 || fail "the FST of a killed run has hardly anything"
    xvfb-run -a gtkwave -x grows/run.fst >out 2>&1 || fail "gtkwave: $(cat out)"
fi

"$smwave" run spin.yml -o term --trace - >term.vcd 2>err &
pid=$!
pids=$pid
wait_for larger term.vcd 100000
kill -TERM $pid
wait $pid
echo $? >code
pids=
expect 143 "interrupted"
opens term.vcd
grep -q 'status interrupted' term.vcd || fail "the waveform does not say so"

# A limit of the size of files is no death. Blocks of 512 bytes.
(ulimit -f 200 && exec "$smwave" run reduction-small -s gpu.sms=1 -o small >/dev/null \
    2>err)
echo $? >code
expect 7 "small/run.vcd: File too large"
opens small/run.vcd

# GTKWave itself, while the run goes on.
cat >look.tcl <<'END'
after 1000
puts "ROWS [gtkwave::getTotalNumTraces] END [gtkwave::getWindowEndTime]"
flush stdout
exit
END
mkfifo to_ring to_viewer
"$smwave" run spin.yml -o live --trace - >to_ring 2>/dev/null &
pids=$!
shmidcat <to_ring >to_viewer &
pids="$pids $!"
wait_for larger live/run.gtkw 0
timeout 60 xvfb-run -a gtkwave -S look.tcl -v -I live/run.gtkw <to_viewer >look.out 2>&1
kill -0 "${pids%% *}" || fail "the run ended before it was looked at"
rows=$(sed -n 's/^ROWS \([0-9]*\) END .*/\1/p' look.out)
end=$(sed -n 's/^ROWS .* END \([0-9]*\)$/\1/p' look.out)
[ "${rows:-0}" -ge 5 ] || fail "GTKWave has ${rows:-no} rows: $(cat look.out)"
[ "${end:-0}" -gt 100000 ] || fail "GTKWave sees until ${end:-never}: $(cat look.out)"
[ $failed -eq 0 ]
