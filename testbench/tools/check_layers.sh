#!/bin/sh
# check_layers.sh [ROOT] - every #include follows the arrows of model/DESIGN.md:
#
#   testbench -> traces -> comp, stat      testbench -> gpu -> sm -> ptx, check, mem
#   in testbench: cmd -> report -> sweep -> run -> trace -> io; cmd, report -> ask -> io
#                 cmd -> track -> io
#   in testbench: cmd -> cuda/fatbin -> base; cmd -> cuda/cc -> cuda/fatbin, io;
#                 cuda/driver -> cuda/runtime -> cuda/fatbin, smwave.h
#                 cmd -> cuda/session -> cuda/runtime, track, report, run, trace
#   check -> comp -> engine -> base        mem, sm, gpu -> cfg, stat -> base
#   ptx, mem -> isa -> base   mem -> comp  traces/libvcd -> the C library only
#   base, stat -> smwave                   the public structures of model/smwave.h
#
# An arrow means "may include", also over several arrows. Siblings in mem meet at ports:
# of each other they see what is no module only: mem.h, memory.h, tex.h and the rules. Files of sm
# include those before them in the list that opens model/sm/sm_priv.h. The libraries of the
# program stay in the program, and libev in two files of it: the loop of a run and the pool
# of a sweep; FST stays in three files of traces and their tests. Prints file:line for every
# offence; exit 1 if there is
# one.
set -u

root=${1:-$(dirname "$0")/../..}
cd "$root" || exit 2

# shellcheck disable=SC2016
# Headers for CUDA programs are no part of this one.
find model traces testbench -name '*.[ch]' -type f ! -path 'testbench/cuda/include/*' |
    LC_ALL=C sort |
    xargs awk '
function allow(layer, list,    i, n, part) {
    n = split(list, part, " ")
    for (i = 1; i <= n; i++) {
        may[layer, part[i]] = 1
    }
    known[layer] = 1
}

function offend(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why
    bad = 1
}

# The layer a path below the root belongs to.
function layer_of(path,    part) {
    split(path, part, "/")
    if (part[1] == "model") {
        return part[2] # smwave.h itself among them
    }
    if (part[1] == "traces" && part[2] == "libvcd") {
        return "libvcd"
    }
    if (part[1] == "testbench" && part[2] == "cuda") {
        return part[3]
    }
    if (part[1] == "testbench" && part[2] in program) {
        return part[2]
    }
    return part[1]
}

# smem_show of mem/smem_show.c
function stem(name) {
    sub(/^.*\//, "", name)
    sub(/\.[ch]$/, "", name)
    return name
}

# Files of one module begin with its name: smem of smem, smem_show, smem_test.
function family(name) {
    sub(/_.*/, "", name)
    return name
}

function sibling(file, header,    mine, other) {
    mine = stem(file)
    other = stem(header)
    if (other ~ /^(mem|memory|tex|rules.*)$/ || mine ~ /_test$/) {
        return 1
    }
    return family(mine) == family(other) || ((file, header) in excused)
}

# The files of sm in order, from the list in the head of sm_priv.h: lines of three spaces, a
# name, spaces and what it is.
function read_order(file,    line, part) {
    while ((getline line < file) > 0 && line !~ /^ \*\//) {
        if (line ~ /^ \*   [a-z_]+  +[^ ]/) {
            split(line, part, " ")
            rank[part[2]] = ++n_ranks
        }
    }
    close(file)
}

# The place of a file of sm in the list; the step lies in sm.c, whose name sm.h has taken.
function place(path) {
    return path ~ /sm\/sm\.c$/ ? "step" : stem(path)
}

function in_order(header,    mine, other) {
    mine = place(FILENAME)
    other = place(header)
    if (mine == other || mine ~ /_test$/ || FILENAME ~ "/" mine "\\.c$" && other == mine "_priv") {
        return 1 # a file may know its own parts
    }
    return (mine in rank) && (other in rank) && rank[other] < rank[mine]
}

function quoted(header,    slash, target) {
    slash = index(header, "/")
    if (header == "smwave.h") {
        target = "smwave.h"
    } else if (slash == 0) {
        return # beside the file itself
    } else {
        target = substr(header, 1, slash - 1)
    }
    if (header ~ /(^|\/)\.\.?\//) {
        offend("a path that is not from the top: \"" header "\"")
    } else if (!(target in known)) {
        # the directory of traces is searched by its own name
        if (!(layer in program) && layer != "testbench" && layer != "traces") {
            offend("\"" header "\" belongs to no layer")
        }
    } else if (!((layer, target) in may) && !((FILENAME, header) in excused)) {
        offend(layer " may not include \"" header "\"")
    } else if (layer == "mem" && target == "mem" && !sibling(FILENAME, header)) {
        offend("siblings in mem meet at ports, not in \"" header "\"")
    } else if (layer == "sm" && target == "sm" && !in_order(header)) {
        offend("\"" header "\" is not before it in the list of model/sm/sm_priv.h")
    }
}

function angled(header) {
    if (header == "ev.h" && FILENAME !~ /^testbench\/(run\/loop|sweep\/worker_pool)\.c$/) {
        offend("libev lives in testbench/run/loop.c and testbench/sweep/worker_pool.c")
    }
    if (layer == "testbench" || layer in program || header in standard) {
        return
    }
    if (header == "fstapi.h" && FILENAME ~ /^traces\/(dump_fst|fst_file|fst_read|fst_test|fst_testlib)\.c$/) {
        return # the one format that needs it, where it is built in
    }
    if (header == "regex.h" && FILENAME == "traces/scope.c") {
        return # regular expressions over paths
    }
    if (layer == "libvcd" && header ~ /^(sys\/types|unistd)\.h$/) {
        return # off_t, ftruncate()
    }
    if (FILENAME == "traces/gzip.c" && header == "zlib.h") {
        return # where it is built in
    }
    if (FILENAME == "traces/dump_vcd.c" && header ~ /^(poll|unistd)\.h$/) {
        return # a stream that is open already
    }
    if (FILENAME ~ /^traces\/(dump_fst|fst_file)\.c$/ && header ~ /^(unistd|sys\/stat)\.h$/) {
        return # what a full disk leaves, what is in the way
    }
    if (FILENAME ~ /^traces\/fst_io\.[ch]$/ &&
        header ~ /^(unistd|zlib|sys\/(mman|stat))\.h$/) {
        return # what the writer of FST files asks of the system
    }
    if (FILENAME == "traces/part.c" && header ~ /^(fcntl|unistd|sys\/stat)\.h$/) {
        return # files under other names, links never followed
    }
    if (FILENAME == "traces/writer.c" && header ~ /^(pthread|emmintrin)\.h$/) {
        return # a thread, and stores past the caches
    }
    if (header == "sanitizer/asan_interface.h" && FILENAME == "model/base/attr.h") {
        return
    }
    if (stem(FILENAME) ~ /_(test|testlib)$/ &&
        header ~ /^(cmocka|unistd|pthread|signal|fcntl|sys\/[a-z]+)\.h$/) {
        return
    }
    offend(layer " may not include <" header ">: the C library only")
}

BEGIN {
    below_ptx = "isa base"
    below_comp = "comp engine base"
    below_mem = "mem isa " below_comp " cfg stat"
    below_sm = "sm check ptx " below_mem
    allow("smwave", "") # public structures, each header alone
    allow("base", "base smwave")
    allow("engine", "engine base")
    allow("comp", below_comp)
    allow("stat", "stat smwave base")
    allow("cfg", "cfg base")
    allow("isa", "isa base")
    allow("ptx", "ptx " below_ptx)
    allow("mem", below_mem)
    allow("sm", below_sm)
    allow("gpu", "gpu smwave.h " below_sm)
    allow("check", "check " below_comp)
    allow("smwave.h", "smwave")
    allow("libvcd", "libvcd")
    allow("traces", "traces libvcd stat " below_comp)

    below_program = "traces libvcd smwave.h gpu " below_sm
    n = split("fatbin cc math runtime driver session io trace run track ask sweep report cmd", names, " ")
    for (i = 1; i <= n; i++) {
        program[names[i]] = 1
    }
    allow("fatbin", "fatbin base")
    allow("runtime", "runtime fatbin smwave.h")
    # an observer of the runtime
    allow("session", "session runtime track report sweep ask run trace io " below_program)
    allow("driver", "driver runtime fatbin smwave.h")
    allow("cc", "cc fatbin io smwave.h base")
    allow("math", "math")
    allow("io", "io base traces")
    allow("trace", "trace io " below_program)
    allow("track", "track io " below_program)
    allow("run", "run trace io " below_program)
    allow("ask", "ask io " below_program)
    allow("sweep", "sweep run trace io " below_program)
    allow("report", "report sweep ask run trace io " below_program)
    # settings.h of the runtime alone: what the environment says
    allow("cmd", "cmd cc fatbin session runtime track report sweep ask run trace io " below_program)
    # benchmarks, fuzzers, random programs, tools
    allow("testbench", "testbench cmd cc fatbin track report sweep ask run trace io " below_program)

    # Exceptions, each with its reason.
    # the transaction between a slice and its channel
    excused["model/mem/l2.h", "mem/dram.h"] = 1
    # threads for the model, which need nothing of a run but their header
    excused["testbench/cuda/runtime/process.c", "run/team.h"] = 1
    excused["testbench/cuda/runtime/device.c", "run/team.h"] = 1

    read_order("model/sm/sm_priv.h")

    n = split("assert complex ctype errno fenv float inttypes iso646 limits locale " \
              "math setjmp signal stdalign stdarg stdatomic stdbool stddef stdint " \
              "stdio stdlib stdnoreturn string tgmath threads time uchar wchar " \
              "wctype", names, " ")
    for (i = 1; i <= n; i++) {
        standard[names[i] ".h"] = 1
    }
}

FNR == 1 {
    layer = layer_of(FILENAME)
    if (!(layer in known)) {
        offend("a directory that is no layer: " layer)
    }
    if (layer == "sm" && stem(FILENAME) !~ /_test$/ && !(place(FILENAME) in rank)) {
        offend("not in the list of model/sm/sm_priv.h")
    }
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, part, "\"")
    quoted(part[2])
}

/^[ \t]*#[ \t]*include[ \t]*</ {
    split($0, part, /[<>]/)
    angled(part[2])
}

END {
    exit bad
}' || exit 1
