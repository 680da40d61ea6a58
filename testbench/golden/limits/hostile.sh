#!/bin/sh
# hostile.sh PROGRAM KIB - launch files of somebody you do not trust, run whole, within KIB
# of address space (unlimited: no such limit): each is refused with its place and the
# documented exit code, at once, and nothing is written; those that run write into the
# output directory alone and show of other files nothing but sources.
. "$(dirname "$0")/../lib.sh"

program=$1
memory=$2
said=$work/said
mkdir "$work/in" "$work/in/dir" "$said"
cd "$work/in" || exit 1

cat >one.ptx <<'END'
.version 6.0
.target sm_30
.address_size 64
.global .u32 v[4];
.visible .entry k(.param .u64 p)
{
	ret;
}
END
mkfifo pipe
ln -s one.ptx good.lnk
ln -s loop loop
ln -s ../secret way.raw
ln -s /dev/zero zero.raw
truncate -s 7516192768 large.raw
printf '\223NUMPY\1\0\166\0' >count.npy
awk 'BEGIN {
    text = "{\"descr\": \"<u4\", \"fortran_order\": False, \"shape\": (1152921504606846976,), }"
    gsub(/"/, "\047", text)
    printf "%-117s\n", text
}' >>count.npy
echo 'SECRET' >../secret

# What there is, with what it holds.
all() {
    (cd "$work" && find in secret ! -path 'in/smwave-out*' | sort &&
        find in secret -type f ! -name large.raw ! -name run.yml \
            ! -path 'in/smwave-out*' -exec cksum {} + | sort)
}
all >../before

# refused CODE WORDS: what stands on standard input, as run.yml. WORDS are part of the
# first line, which says where. late: the run is over when it is refused.
refused() {
    cat >run.yml
    (ulimit -v "$memory" && exec timeout 20 "$program" run run.yml) \
        >"$said/stdout" 2>"$said/stderr" </dev/null
    got=$?
    [ $got -eq "$1" ] || fail "$2: exit $got, not $1: $(head -c 300 "$said/stderr")"
    head -n 1 "$said/stderr" | grep -q -e "run.yml:[0-9]*:[0-9]*: error: .*$2" ||
        fail "$2: says $(head -c 300 "$said/stderr")"
    LC_ALL=C tr -d '\n' <"$said/stderr" | LC_ALL=C grep -q '[[:cntrl:]]' &&
        fail "$2: control characters: $(od -c "$said/stderr")"
    all >../after
    cmp -s ../before ../after || fail "$2: something was written"
    [ "${3:-}" = late ] || [ ! -d smwave-out ] || [ -z "$(find smwave-out -type f ! -name .smwave)" ] ||
        fail "$2: results were written"
    [ -s "$said/stdout" ] && fail "$2: prints $(head -c 300 "$said/stdout")"
    rm -rf smwave-out run.yml
}

# launch MODULE BUFFER [MORE]: a launch file; BUFFER is what is said of buffer x.
launch() {
    printf 'module: %s\nconfig: k20x\nbuffers:\n  x: %s\nlaunches:\n' "$1" "$2"
    printf '  - {kernel: k, grid: 1, block: 1, args: [x]}\n%s\n' "${3:-}"
}
: >run.yml # as it is while a case runs
all >../before
plain='{type: u32, count: 4}'

# Modules, arrays and configurations that are no files, or not what they should be.
for name in pipe /dev/zero /dev/tty /dev/stdin /dev/fd/0; do
    case $name in
    /dev/tty) says='error: .*/dev/tty' ;;
    *) says="$name is a pipe or a device, not a file" ;;
    esac
    launch "$name" "$plain" | refused 4 "${says#error: }"
    launch one.ptx "{type: u32, count: 4, init: {file: $name}}" | refused 4 "${says#error: }"
done
launch dir "$plain" | refused 4 'dir is a directory, not a file'
launch loop "$plain" | refused 4 'loop: Too many levels of symbolic links'
launch '""' "$plain" | refused 4 'a file without a name'
launch '"one.ptx\0.txt"' "$plain" | refused 4 'the text contains a zero byte'
launch '"\x1b[2J\r\x07"' "$plain" | refused 4 '\\x1b\[2J\\x0d\\x07: No such file'
launch ../in/../nothing "$plain" | refused 4 '../in/../nothing: No such file'
launch run.yml "$plain" | refused 4 'PTX begins with .version'
launch one.ptx "$plain" | sed 's/k20x/.\/run.yml/' | refused 3 "unknown configuration key 'module'"
launch one.ptx "$plain" | sed 's/k20x/\/dev\/zero/' | refused 3 'is a pipe or a device'
launch one.ptx "$plain" | sed 's/k20x/.\/pipe/' | refused 3 'is a pipe or a device'
launch one.ptx "$plain" | sed 's/k20x/"\\x1b[31m"/' | refused 3 "no preset '.x1b\[31m'"
launch one.ptx '{type: u32, count: 4, init: {file: zero.raw}}' |
    refused 4 'zero.raw is a pipe or a device'
launch one.ptx '{type: u32, count: 4, init: {file: way.raw}}' |
    refused 4 'way.raw has 7 bytes, 16 are needed'
launch one.ptx '{type: u32, count: 4, init: {file: large.raw}}' |
    refused 4 'large.raw is too large (7516192768 bytes'
launch one.ptx '{type: u32, count: 4, init: {file: count.npy}}' |
    refused 4 'count.npy has a header that cannot be read'
launch one.ptx "$plain" 'expect: [{buffer: x, equals: {file: large.raw}}]' |
    refused 4 'large.raw is too large' late
launch one.ptx "$plain" 'symbols: {v: {file: pipe}}' | refused 4 'pipe is a pipe'

# It cannot say where results go.
for where in ../evil.vcd "$work/evil.fst" evil.vcd -; do
    launch one.ptx "$plain" "trace: {format: \"$where\"}" |
        refused 4 'a launch file cannot say where its waveform is written'
done
launch one.ptx "$plain" 'output: ../evil' | refused 4 "unknown key 'output'"
launch one.ptx "$plain" 'name: ../evil' | refused 4 "unknown key 'name'"

# Names, numbers and YAML that does more than say what there is.
launch one.ptx "$plain" 'symbols: {"\x1b]0;x\x07": zero}' |
    refused 4 'variable "\\x1b\]0;x\\x07"'
launch one.ptx "$plain
  ../../evil: $plain" | refused 4 "'../../evil' cannot name a buffer"
launch one.ptx "$plain
  \"\\x1b[2Jx\": $plain" | refused 4 "'.x1b\[2Jx' cannot name a buffer"
launch one.ptx '{type: u64, count: 18446744073709551615}' | refused 4 'larger than 4 GiB'
launch one.ptx '{type: u64, count: 2305843009213693953}' | refused 4 'larger than 4 GiB'
launch one.ptx '{type: u8, count: 99999999999999999999999}' | refused 4 'out of range'
launch one.ptx "$plain" | sed 's/grid: 1/grid: [4294967296]/' | refused 4 'grid'
launch one.ptx "$plain" | sed 's/grid: 1/grid: [4294967295, 4294967295, 4294967295]/' |
    refused 4 'grid: 4294967295 in x'
launch one.ptx "$plain" | sed 's/block: 1/block: 1, shared: 18446744073709551615/' |
    refused 4 'shared: 18446744073709551615 is out of range'
launch one.ptx "$plain" | sed 's/block: 1/block: 1, shared: 4294967295/' | refused 4 'shared'
launch one.ptx "&a $plain" | refused 4 'anchors and aliases are not supported'
{
    echo 'a: &a [x, x, x, x, x, x, x, x, x, x]'
    for name in b c d e f g h i; do
        echo "$name: &$name [*a, *a, *a, *a, *a, *a, *a, *a, *a]"
    done
} | refused 4 'anchors and aliases are not supported'
launch one.ptx '&x {type: u32, count: *x}' | refused 4 'anchors and aliases are not supported'
launch one.ptx "$plain
  <<: $plain" | refused 4 'merge keys are not supported'
launch one.ptx "!!python/object/apply:os.system $plain" | refused 4 'tags are not supported'
{ echo '%TAG ! tag:x,2000:' && launch one.ptx "$plain"; } | refused 4 "begins with '%'"

# A pipe that stays open is not waited for, even as standard input.
launch /dev/stdin "$plain" >run.yml
mkfifo ../open
sleep 60 >../open &
pids="$pids $!"
timeout 20 "$program" run run.yml <../open >"$said/stdout" 2>"$said/stderr"
[ $? -eq 4 ] || fail "standard input as a module: $(cat "$said/stderr")"

# Where results go by default is below smwave-out, whatever the launch file is called.
mkdir ../names
for name in . .. ... .x -x 'a b'; do
    launch "$PWD/good.lnk" "$plain" >"../names/$name.yml"
done
esc=$(printf '\033[31m')
launch "$PWD/good.lnk" "$plain" >"../names/$esc.yml"
mkdir ../empty
cd ../empty || exit 1
for file in ../names/*.yml ../names/.*.yml; do
    "$program" run "$file" --trace none >"$said/stdout" 2>"$said/stderr" ||
        fail "$file: exit $?: $(cat "$said/stderr")"
    grep -qF "$esc" "$said/stdout" "$said/stderr" && fail "speaks to the terminal"
done
[ "$(ls -A)" = smwave-out ] || fail "results beside smwave-out: $(ls -A)"
[ "$(ls -A smwave-out | wc -l)" -eq 7 ] || fail "one directory each: $(ls -A smwave-out)"

# PTX names the sources of its lines: those are shown, other files are not.
cp ../secret ../secret.cu
for name in ../secret ../secret.cu "$work/secret" /proc/self/environ; do
    cat >source.ptx <<END
.version 6.0
.target sm_30
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .u64 %d;
	.reg .u32 %r;
	.loc 1 1 1
	ld.param.u64 %d, [p];
	ld.global.u32 %r, [%d];
	st.global.u32 [%d], %r;
	ret;
}
.file 1 "$name"
END
    launch source.ptx "$plain" >source.yml
    SECRET=SECRET "$program" run source.yml -o out --force --explain 3 \
        >"$said/stdout" 2>&1 || fail "$name as a source: $(cat "$said/stdout")"
    grep -q -r SECRET out "$said/stdout"
    got=$?
    case $name in
    *.cu) [ $got -eq 0 ] || fail "$name, a source, is not shown" ;;
    *) [ $got -eq 1 ] || fail "$name, no source, is shown" ;;
    esac
done

[ $failed -eq 0 ]
