# compare.awk - a waveform shows what the statistics count.
#
#   awk -v name=TEXT -v single=0|1 -v banks=N -f compare.awk stats.json EVENTS
#
# EVENTS is what vcd.awk prints. Launches must follow each other, and no local memory be
# used. single: a launch makes one access to memory other than constants; then the
# conflict event itself can be counted. banks: what each of the dumped SMs must show.

function counter(k, c) {
    return stats[k, c] + 0
}

function shown(k, path) {
    return events[k, path] + 0
}

function equal(k, what, wave, stat) {
    compared++
    if (wave != stat) {
        wrong++
        if (wrong <= 10) {
            print name " launch " k ": " what ": " wave " on the waveform, " stat \
                " in the statistics"
        }
    }
}

FNR == NR {
    if ($1 == "\"counters\":") {
        n++
        inside = 1
    } else if ($1 ~ /^}/) {
        inside = 0
    } else if (inside && $2 ~ /^[0-9]+,?$/) {
        stats[n, substr($1, 2, length($1) - 3)] = $2 + 0
    }
    next
}

{ events[$1, $2] = $3; paths[$2] = 1 }

END {
    for (k = 1; k <= n; k++) {
        equal(k, "kernel starts", shown(k, "gpu.dispatcher.kernel_start"), 1)
        equal(k, "kernel ends", shown(k, "gpu.dispatcher.kernel_end"), 1)
        equal(k, "blocks started", shown(k, "gpu.sm.blocks.up"), counter(k, "blocks"))
        equal(k, "blocks ended", shown(k, "gpu.sm.blocks.down"), counter(k, "blocks"))
        equal(k, "warps", shown(k, "gpu.sm.warps"), counter(k, "warps"))
        equal(k, "issues", shown(k, "gpu.sm.sched.issue"), counter(k, "sm.issue_cycles"))
        wavefronts = counter(k, "shared.ld.wavefronts") + \
            counter(k, "shared.st.wavefronts") + counter(k, "shared.atom.wavefronts")
        conflicts = counter(k, "shared.ld.conflicts") + \
            counter(k, "shared.st.conflicts") + counter(k, "shared.atom.conflicts")
        insts = counter(k, "shared.ld.insts") + counter(k, "shared.st.insts") + \
            counter(k, "shared.atom.insts")
        equal(k, "wavefronts", shown(k, "gpu.sm.smem.xbar.wavefront"), wavefronts)
        total_wavefronts += wavefronts
        total_conflicts += conflicts
        total_insts += counter(k, "warp_insts")
        hits = shown(k, "gpu.sm.smem.xbar.conflict")
        if (single) {
            equal(k, "conflicts", hits, conflicts > 0)
        } else if (conflicts == 0) {
            equal(k, "conflicts", hits, 0)
        } else {
            equal(k, "conflicts, if any, at most one per instruction",
                  hits > 0 && hits <= insts && hits <= conflicts, 1)
        }
        # one event for all addresses of a request that are missing
        hits = shown(k, "gpu.sm.cbank.miss")
        equal(k, "constant misses, if any",
              hits <= counter(k, "const.misses") && hits > 0, counter(k, "const.misses") > 0)
        loads += shown(k, "gpu.sm.l1.hit") + shown(k, "gpu.sm.l1.join") + \
            shown(k, "gpu.sm.l1.miss")
        misses += shown(k, "gpu.sm.l1.miss")
        lookups += counter(k, "l1.tag_lookups")
        reads += counter(k, "l2.read.requests")
        writes += counter(k, "l2.write.requests")
        row_misses += counter(k, "dram.row_misses")
    }
    equal("all", "instructions of all windows", shown(0, "gpu.sm.insts_per_64"), total_insts)
    equal("all", "conflicts of all windows", shown(0, "gpu.sm.smem.xbar.conflicts_per_64"),
          total_conflicts)
    # What goes on below the SM may reach into the next launch: sums only.
    for (k = 0; k <= n; k++) {
        shown_row_misses += shown(k, "gpu.part.dram.row_miss")
    }
    equal("sum", "row misses", shown_row_misses, row_misses)
    if (lookups > 0) { # each store looks a line up, each load hits, joins or misses
        equal("sum", "L1 lookups", loads + writes, lookups)
        if (loads > 0) {
            equal("sum", "L1 misses", misses, reads)
        }
    } else {
        equal("sum", "L1 events", loads, 0)
    }
    equal("all", "banks", shown(0, "gpu.sm.smem.banks"), banks)
    print name ": " n + 0 " launches, " compared " counts compared, " total_wavefronts + 0 \
        " wavefronts, " loads + 0 " L1 loads, " wrong + 0 " differ"
    exit wrong > 0 || n == 0
}
