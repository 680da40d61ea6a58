/*
 * smwave/counters.h - every counter of a kernel launch, in one table. Part of the
 * public interface, smwave.h.
 *
 * A counter that does not apply is 0, and so are those named stall.* unless the device
 * was opened with smw_options.stalls. Texts, tables and names in other languages can be
 * derived from the table:
 *
 * X(field, name, unit, meaning, rule)
 *   field: in struct smw_counters
 *   name:  in stats.json, CSV files and "smwave stats explain"
 *   rule:  the numbered rule of SPEC.md that says how it counts, "" for plain sums
 */
#ifndef SMWAVE_COUNTERS_H
#define SMWAVE_COUNTERS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
#define SMW_COUNTERS(X)                                                               \
    X(cycles, "cycles", "cycles",                                                      \
      "SM clock cycles from the launch reaching the dispatcher to the last warp's "    \
      "exit "                                                                          \
      "with its stores accepted",                                                      \
      "TIME-1")                                                                        \
    X(blocks, "blocks", "blocks", "thread blocks executed", "")                        \
    X(warps, "warps", "warps", "warps executed", "")                                   \
    X(warp_insts, "warp_insts", "insts", "PTX instructions issued by warps", "STAT-1") \
    X(thread_insts, "thread_insts", "insts",                                           \
      "PTX instructions summed over lanes active and not predicated off", "STAT-1")    \
    X(branches, "branch.insts", "insts", "branch instructions issued", "")             \
    X(divergent, "branch.divergent", "insts", "branches that split their warp",        \
      "SIMT-1")                                                                        \
    X(barriers, "barrier.insts", "insts", "barrier arrivals of warps", "BAR-1")        \
    X(sh_ld_insts, "shared.ld.insts", "insts", "shared load instructions", "STAT-2")   \
    X(sh_ld_wavefronts, "shared.ld.wavefronts", "wavefronts",                          \
      "passes through the banks for shared loads", "BANK-1")                           \
    X(sh_ld_ideal, "shared.ld.ideal", "wavefronts",                                    \
      "passes the same loads need without any conflict", "BANK-4")                     \
    X(sh_ld_conflicts, "shared.ld.conflicts", "wavefronts", "wavefronts - ideal",      \
      "BANK-4")                                                                        \
    X(sh_st_insts, "shared.st.insts", "insts", "shared store instructions", "STAT-2")  \
    X(sh_st_wavefronts, "shared.st.wavefronts", "wavefronts",                          \
      "passes through the banks for shared stores", "BANK-1")                          \
    X(sh_st_ideal, "shared.st.ideal", "wavefronts",                                    \
      "passes the same stores need without any conflict", "BANK-4")                    \
    X(sh_st_conflicts, "shared.st.conflicts", "wavefronts", "wavefronts - ideal",      \
      "BANK-4")                                                                        \
    X(sh_at_insts, "shared.atom.insts", "insts", "shared atomic instructions",         \
      "STAT-2")                                                                        \
    X(sh_at_wavefronts, "shared.atom.wavefronts", "wavefronts",                        \
      "passes through the banks for shared atomics", "BANK-5")                         \
    X(sh_at_ideal, "shared.atom.ideal", "wavefronts",                                  \
      "passes the same atomics need without any conflict", "BANK-4")                   \
    X(sh_at_conflicts, "shared.atom.conflicts", "wavefronts", "wavefronts - ideal",    \
      "BANK-4")                                                                        \
    X(gl_ld_insts, "global.ld.insts", "insts", "global load instructions", "STAT-2")   \
    X(gl_ld_requests, "global.ld.requests", "requests",                                \
      "warp requests of global loads", "COAL-1")                                       \
    X(gl_ld_sectors, "global.ld.sectors", "sectors",                                   \
      "distinct 32-byte sectors per request, summed", "COAL-2")                        \
    X(gl_ld_transactions, "global.ld.transactions", "transactions",                    \
      "memory transactions the coalescer made of global loads", "COAL-3")              \
    X(gl_ld_bytes, "global.ld.bytes", "bytes", "bytes of those transactions",          \
      "COAL-3")                                                                        \
    X(gl_ld_wanted, "global.ld.wanted_bytes", "bytes",                                 \
      "bytes the lanes of global loads asked for", "")                                 \
    X(gl_st_insts, "global.st.insts", "insts", "global store instructions", "STAT-2")  \
    X(gl_st_requests, "global.st.requests", "requests",                                \
      "warp requests of global stores", "COAL-1")                                      \
    X(gl_st_sectors, "global.st.sectors", "sectors",                                   \
      "distinct 32-byte sectors per request, summed", "COAL-2")                        \
    X(gl_st_transactions, "global.st.transactions", "transactions",                    \
      "memory transactions the coalescer made of global stores", "COAL-3")             \
    X(gl_st_bytes, "global.st.bytes", "bytes", "bytes of those transactions",          \
      "COAL-3")                                                                        \
    X(gl_st_wanted, "global.st.wanted_bytes", "bytes",                                 \
      "bytes the lanes of global stores wrote", "")                                    \
    X(gl_at_insts, "global.atom.insts", "insts", "global atomic instructions",         \
      "STAT-2")                                                                        \
    X(gl_at_requests, "global.atom.requests", "requests",                              \
      "warp requests of global atomics", "COAL-1")                                     \
    X(gl_at_sectors, "global.atom.sectors", "sectors",                                 \
      "distinct 32-byte sectors per request, summed", "COAL-2")                        \
    X(gl_at_transactions, "global.atom.transactions", "transactions",                  \
      "memory transactions the coalescer made of global atomics", "COAL-3")            \
    X(gl_at_bytes, "global.atom.bytes", "bytes", "bytes of those transactions",        \
      "COAL-3")                                                                        \
    X(lo_ld_insts, "local.ld.insts", "insts", "local load instructions", "STAT-2")     \
    X(lo_st_insts, "local.st.insts", "insts", "local store instructions", "STAT-2")    \
    X(const_insts, "const.ld.insts", "insts", "constant load instructions", "STAT-2")  \
    X(const_requests, "const.ld.requests", "requests",                                 \
      "distinct addresses of constant loads, summed", "CONST-1")                       \
    X(const_hits, "const.hits", "requests", "of those, found in the constant cache",   \
      "CONST-2")                                                                       \
    X(const_misses, "const.misses", "requests",                                        \
      "of those, fetched from level 1.5 or the L2", "CONST-2")                         \
    X(l1_lookups, "l1.tag_lookups", "lookups", "lines looked up by loads and stores",  \
      "L1-1")                                                                          \
    X(l1_ld_hit_sectors, "l1.ld.hit_sectors", "sectors",                               \
      "load sectors found valid or already on their way", "L1-2")                      \
    X(l1_ld_miss_sectors, "l1.ld.miss_sectors", "sectors", "load sectors fetched",     \
      "L1-2")                                                                          \
    X(l1_evictions, "l1.evictions", "lines", "lines replaced", "L1-3")                 \
    X(l1_stalls, "l1.stall_cycles", "cycles",                                          \
      "cycles a request waited for an MSHR, a way "                                    \
      "or a credit",                                                                   \
      "L1-4")                                                                          \
    X(tex_insts, "texture.insts", "insts", "texture and surface instructions",         \
      "STAT-2")                                                                        \
    X(tex_requests, "texture.requests", "requests",                                    \
      "quads of lanes, of linear memory two, with texels to look up", "TEX-5")         \
    X(tex_sectors, "texture.sectors", "sectors",                                       \
      "sectors of 32 bytes that texture instructions look up", "TEX-5")                \
    X(tex_hit_sectors, "texture.hit_sectors", "sectors",                               \
      "of these, found in the cache or on their way to it", "TEX-5")                   \
    X(tex_miss_sectors, "texture.miss_sectors", "sectors", "of these, fetched",        \
      "TEX-5")                                                                         \
    X(l2_rd_sectors, "l2.read.sectors", "sectors", "sectors read at the L2", "L2-1")   \
    X(l2_wr_sectors, "l2.write.sectors", "sectors", "sectors written at the L2",       \
      "L2-1")                                                                          \
    X(l2_rd_requests, "l2.read.requests", "requests", "line requests that read",       \
      "L2-1")                                                                          \
    X(l2_wr_requests, "l2.write.requests", "requests", "line requests that write",     \
      "L2-1")                                                                          \
    X(l2_rd_hits, "l2.read.hit_sectors", "sectors", "sectors read that were present",  \
      "L2-2")                                                                          \
    X(l2_atoms, "l2.atom.requests", "requests", "line requests of atomics", "L2-1")    \
    X(dram_rd_bytes, "dram.read.bytes", "bytes", "bytes read from DRAM", "DRAM-1")     \
    X(dram_wr_bytes, "dram.write.bytes", "bytes", "bytes written to DRAM", "DRAM-1")   \
    X(dram_row_hits, "dram.row_hits", "bursts", "bursts that found their row open",    \
      "DRAM-2")                                                                        \
    X(dram_row_misses, "dram.row_misses", "bursts", "bursts that opened a row",        \
      "DRAM-2")                                                                        \
    X(issue_cycles, "sm.issue_cycles", "cycles",                                       \
      "scheduler issue slots used, summed over schedulers", "")                        \
    X(pairs, "sm.pairs", "pairs",                                                      \
      "second instructions of a warp issued in the slot of the first", "ISSUE-1")      \
    X(active_cycles, "sm.active_cycles", "cycles",                                     \
      "cycles with a block resident, summed over SMs", "")                             \
    X(warp_cycles, "sm.warp_cycles", "warp-cycles",                                    \
      "cycles summed over resident warps: divided by active cycles, the achieved "     \
      "occupancy",                                                                     \
      "")                                                                              \
    X(stall_selected, "stall.selected", "warp-cycles",                                 \
      "cycles summed over warps in which the warp issued", "STALL-1")                  \
    X(stall_not_selected, "stall.not_selected", "warp-cycles",                         \
      "... could have, but its scheduler issued another one", "STALL-3")               \
    X(stall_wait, "stall.wait", "warp-cycles",                                         \
      "... waited for a fixed latency: a result of its own, or its scheduler's next "  \
      "turn",                                                                          \
      "STALL-2")                                                                       \
    X(stall_short_scoreboard, "stall.short_scoreboard", "warp-cycles",                 \
      "... for shared memory, a shuffle, a special function or a conversion",          \
      "STALL-2")                                                                       \
    X(stall_long_scoreboard, "stall.long_scoreboard", "warp-cycles",                   \
      "... for global or local memory", "STALL-2")                                     \
    X(stall_imc_miss, "stall.imc_miss", "warp-cycles", "... for constant memory",      \
      "STALL-2")                                                                       \
    X(stall_barrier, "stall.barrier", "warp-cycles", "... at a barrier", "STALL-2")    \
    X(stall_membar, "stall.membar", "warp-cycles", "... at a memory fence", "STALL-2") \
    X(stall_branch_resolve, "stall.branch_resolve", "warp-cycles",                     \
      "... for a branch, call or return to be resolved", "STALL-2")                    \
    X(stall_no_instruction, "stall.no_instruction", "warp-cycles",                     \
      "... for its first instruction", "STALL-2")                                      \
    X(stall_math_pipe_throttle, "stall.math_pipe_throttle", "warp-cycles",             \
      "... for a pipe that was taken", "STALL-3")                                      \
    X(stall_mio_throttle, "stall.mio_throttle", "warp-cycles",                         \
      "... for a place in the queue of memory instructions, to access shared or "      \
      "constant memory, or for the barrier unit",                                      \
      "STALL-3")                                                                       \
    X(stall_lg_throttle, "stall.lg_throttle", "warp-cycles",                           \
      "... for a place in the queue of memory instructions, to access global or "      \
      "local memory",                                                                  \
      "STALL-3")                                                                       \
    X(stall_dispatch_stall, "stall.dispatch_stall", "warp-cycles",                     \
      "... for a turn that its scheduler gave to a double-precision instruction of "   \
      "another one",                                                                   \
      "STALL-3")                                                                       \
    X(blocks_per_sm, "occupancy.blocks_per_sm", "blocks",                              \
      "blocks of this launch that fit on an SM", "LAUNCH-4")                           \
    X(onchip_shared_kb, "onchip.shared_kb", "KB",                                      \
      "share of shared memory in the on-chip array during the launch", "SPLIT-1")      \
    X(onchip_l1_kb, "onchip.l1_kb", "KB",                                              \
      "share of the L1 in the on-chip array during the launch", "SPLIT-1")             \
    X(bulk_copies, "bulk.copies", "copies", "bulk copies (cp.async.bulk), of threads", \
      "BULK-2")                                                                        \
    X(bulk_requests, "bulk.requests", "requests", "requests that they are made of",    \
      "BULK-2")                                                                        \
    X(bulk_loaded, "bulk.bytes_loaded", "bytes", "bytes that they load", "BULK-2")     \
    X(bulk_stored, "bulk.bytes_stored", "bytes", "bytes that they store or reduce",    \
      "BULK-2")                                                                        \
    X(bulk_sent, "bulk.bytes_sent", "bytes",                                           \
      "bytes that they send to shared memory of the cluster", "BULK-2")                \
    X(bulk_sectors, "bulk.sectors", "sectors",                                         \
      "sectors of global memory that they ask for, summed", "BULK-2")                  \
    X(bulk_wavefronts, "bulk.wavefronts", "wavefronts",                                \
      "passes through the banks of shared memory that they take", "BULK-2")            \
    X(cp_insts, "copy.insts", "insts", "asynchronous copies (cp.async) of warps",      \
      "ASYNC-1")                                                                       \
    X(cp_requests, "copy.requests", "requests", "their requests of global memory",     \
      "COAL-1")                                                                        \
    X(cp_sectors, "copy.sectors", "sectors", "sectors that they ask for, summed",      \
      "ASYNC-2")                                                                       \
    X(cp_wavefronts, "copy.wavefronts", "wavefronts",                                  \
      "passes through the banks of those that go through the L1", "ASYNC-2")           \
    X(cp_conflicts, "copy.conflicts", "wavefronts",                                    \
      "of those, more than one for each turn of the tags", "ASYNC-2")

/* clang-format on */

struct smw_counters {
#define SMW_COUNTER_FIELD(field, name, unit, doc, rule) uint64_t field;
    SMW_COUNTERS(SMW_COUNTER_FIELD)
#undef SMW_COUNTER_FIELD
};

#ifdef __cplusplus
}
#endif

#endif /* SMWAVE_COUNTERS_H */
