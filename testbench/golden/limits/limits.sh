#!/bin/sh
# limits.sh PROGRAM KIB - hostile sizes, files and directories: a verdict at once, within KIB
# of address space (unlimited: no such limit), and nothing written elsewhere.
. "$(dirname "$0")/../lib.sh"

program=$1
memory=$2
cd "$work" || exit 1

# expect CODE WORDS ARGUMENT...: the exit code and part of what is said.
expect() {
    want=$1
    words=$2
    shift 2
    (ulimit -v "$memory" && exec timeout 60 "$program" "$@") >stdout 2>stderr
    got=$?
    [ $got -eq "$want" ] || fail "$*: exit $got, not $want: $(head -c 300 stderr)"
    grep -q -e "$words" stderr stdout || fail "$*: says $(head -c 300 stderr)"
}

head=".version 6.0
.target sm_30
.address_size 64"

many() { # TEXT COUNT
    awk -v text="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", text }'
}

kernel() { # FILE BODY: with the body of kernel k
    printf '%s\n.visible .entry k(.param .u64 p)\n{\n%s\nret;\n}\n' "$head" "$2" >"$1"
}

launch() { # PTX GRID: run.yml
    cat >run.yml <<END
module: $1
config: k20x
buffers:
  x: {type: u32, count: 4}
launches:
  - {kernel: k, grid: $2, block: [1], args: [x]}
END
}

# The most blocks there are: nothing is kept for each.
kernel one.ptx ""
launch one.ptx "[2147483647, 65535, 65535]"
expect 6 'the run ended early: limit' run run.yml --trace none --max-cycles 20000 -o blocks

# Files beyond the stated limits, without their bytes.
truncate -s 2147483648 large
expect 4 'large is too large (2147483648 bytes, at most 268435456)' ptx check large
expect 4 'large is too large (2147483648 bytes, at most 4194304)' run ./large
expect 3 'large is too large (2147483648 bytes, at most 4194304)' run reverse -c ./large
launch large 1
expect 4 'large is too large (2147483648 bytes, at most 268435456)' run run.yml

# Depth. What nests is refused where it is one level too deep.
kernel braces.ptx "$(many '{' 100000)"
expect 4 'blocks nested too deeply' ptx check braces.ptx
kernel parentheses.ptx ".reg .u32 %r; mov.u32 %r, $(many '(' 100000)1;"
expect 4 'expression nested too deeply' ptx check parentheses.ptx
kernel signs.ptx ".reg .u32 %r; mov.u32 %r, $(many '-' 100000)1;"
expect 4 'expression nested too deeply' ptx check signs.ptx
printf '%s\n.global .u32 x[4] = %s;\n' "$head" "$(many '{' 100000)" >values.ptx
expect 4 'initialiser nested too deeply' ptx check values.ptx
many '[' 100000 >deep.yml
expect 4 'nests more than 32 levels' run ./deep.yml
many '- ' 100000 >deep.yml
expect 4 'nests more than 32 levels' run ./deep.yml
echo 'extends: ./self.yml' >self.yml
expect 3 'deeper than 8 files, perhaps in a circle' run reverse -c ./self.yml

# Much of it: a name of a megabyte, many kernels, labels, launches and buffers.
many k 1000000 >name
printf '%s\n.visible .entry %s(.param .u64 p)\n{\nret;\n}\n' "$head" "$(cat name)" >name.ptx
launch name.ptx 1
expect 4 "no kernel 'k' in name.ptx" run run.yml --trace none
{
    echo "$head"
    awk 'BEGIN { for (i = 0; i < 50000; i++)
        printf ".visible .entry k%d(.param .u64 p)\n{\nL: bra L;\n}\n", i }'
} >kernels.ptx
expect 0 'ok' ptx check kernels.ptx
# Something wrong in each of many kernels: told in a time that grows with their number.
for case in 'nothing; ' 'call nothing;\n'; do
    {
        echo "$head"
        awk -v between="${case#*;}" -v body="${case%%;*};" 'BEGIN {
            for (i = 0; i < 30000; i++)
                printf ".visible .entry k%d(){%s}%s", i, body, between }'
    } >wrong.ptx
    expect 4 'unknown' ptx check wrong.ptx
    [ "$(grep -c error: stderr)" -eq 30000 ] || fail "not all of 30000 mistakes are told"
done
{
    printf 'module: one.ptx\nconfig: k20x\nbuffers:\n'
    awk 'BEGIN {
        for (i = 0; i < 9000; i++) printf "  x%d: {type: u32, count: 1}\n", i
        print "launches:"
        for (i = 0; i < 2000; i++)
            printf "  - {kernel: k, grid: 1, block: 1, args: [x%d]}\n", i
    }'
} >many.yml
expect 0 'results in many' run many.yml --trace none -o many

# What waits for ever, or never ends, is no file.
mkfifo pipe
launch pipe 1
expect 4 'pipe is a pipe or a device, not a file' run run.yml
expect 3 'pipe is a pipe or a device, not a file' run reverse -c ./pipe
expect 4 'pipe is a pipe or a device, not a file' ptx check pipe
printf 'gpu:\n  sms: 3\n' | "$program" config show /dev/stdin gpu.sms >stdout 2>&1 &&
    grep -q '^3' stdout || fail "a pipe of the shell: $(cat stdout)"

# Directories that cannot be written to.
echo mine >file
expect 7 'file is a file' run reverse -o file
expect 7 'error: file is a file, and results need a directory' run reverse -o file/out
expect 7 'error: /proc/none: ' run reverse -o /proc/none

# Links that lie where results go, put there by somebody else, are not followed.
"$program" run reverse -o out >stdout 2>&1
for forced in '' --force; do
    for name in run.vcd run.gtkw run.pcs.txt events.log stats.json config.yml \
        report.json state_warp.txt stats.json.part; do
        rm -f "out/$name"
        ln -s ../file "out/$name"
        [ "$name" = report.json ] && ln -f file out/report.json
    done
    [ -n "$forced" ] && rm out/.smwave
    # shellcheck disable=SC2086
    expect 0 'results in out' run reverse -o out $forced
    [ "$(cat file)" = mine ] || fail "a file outside was written $forced"
done
ln -s ../file out/run.banks.gtkw
expect 7 'out/run.banks.gtkw is a link or a device' wave view out --view banks
[ "$(cat file)" = mine ] || fail "a view was written outside"

# With standard output closed, what is printed goes into no file.
printf 'module: one.ptx\nconfig: k20x\nlaunches:\n  - {kernel: k, grid: 1, block: 1}\n' |
    sed 's/one.ptx/say.ptx/' >say.yml
cat >say.ptx <<END
$head
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.global .align 1 .b8 words[7] = {72, 69, 76, 76, 79, 10, 0};
.visible .entry k()
{
	.reg .b64 %d<3>;
	mov.u64 %d1, words;
	cvta.global.u64 %d2, %d1;
	{
	.param .b64 a;
	.param .b64 b;
	.param .b32 r;
	st.param.b64 [a], %d2;
	mov.u64 %d1, 0;
	st.param.b64 [b], %d1;
	call.uni (r), vprintf, (a, b);
	}
	ret;
}
END
expect 0 'HELLO' run say.yml -o said
"$program" run say.yml -o closed >&- 2>stderr
[ $? -eq 7 ] || fail "stdout closed: $(cat stderr)"
"$program" run say.yml -o silent <&- >&- 2>&-
[ $? -eq 7 ] || fail "all closed"
for name in run.vcd events.log stats.json; do
    cmp "said/$name" "closed/$name" && cmp "said/$name" "silent/$name" ||
        fail "$name holds what was printed"
done
[ -c /dev/full ] && "$program" run say.yml -o full >/dev/full 2>stderr
[ $? -eq 7 ] || fail "a full disk behind stdout: $(cat stderr)"

[ $failed -eq 0 ]
