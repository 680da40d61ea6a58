/*
 * smwave.h - the public interface of libsmwave: a modelled GPU to embed. It includes
 * smwave/err.h and smwave/counters.h, which stand beside it; C and C++ read them.
 *
 *   struct smw_config *c = smw_config_new();
 *   smw_config_preset(c, "gtx480", &e); smw_config_set(c, "gpu.sms", "1", &e);
 *   struct smw_device *d = smw_open(c, NULL, &e);
 *   struct smw_module *m = smw_load(d, text, size, "reverse.ptx", &e);
 *   smw_alloc(d, 256, &addr, &e); smw_write(d, addr, data, 256, &e);
 *   smw_launch(d, smw_kernel(m, "staticReverse", &e), &launch, &e);
 *   smw_synchronize(d, &e); smw_read(d, addr, data, 256, &e); smw_close(d);
 *
 * Launches are asynchronous: they are queued and run, in the order of their stream,
 * when the host steps or synchronises. Reading, writing and copying memory synchronises
 * first, as a blocking copy does. Nothing is global: many devices may live in one
 * process, each used by one thread at a time.
 *
 * Functions that can fail return false or NULL and fill *e (first error wins). After a
 * kernel fault the device keeps its memory readable but refuses further launches.
 *
 * Versions are MAJOR.MINOR.PATCH. SMW_VERSION_* is what a program was compiled with,
 * smw_version() what it runs with. While MAJOR is 0, a new MINOR may change the
 * interface; from 1 on only a new MAJOR does. A new PATCH neither changes the interface
 * nor what the model counts. The shared library is libsmwave.so.SMW_ABI: the number
 * goes up, and never down, with every release that a program must be compiled anew for,
 * one that adds a counter among them, since it makes struct smw_counters longer.
 */
#ifndef SMWAVE_H
#define SMWAVE_H

#include "smwave/counters.h"
#include "smwave/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The shared library shows what stands from here on, and nothing else. */
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* The release of this header; CMake reads it here too. */
#define SMW_VERSION_MAJOR 0
#define SMW_VERSION_MINOR 2
#define SMW_VERSION_PATCH 0
/* The number in libsmwave.so.N, see above. */
#define SMW_ABI 0

struct smw_config;
struct smw_device;
struct smw_module; /* a loaded PTX text; lives as long as the device */
struct smw_kernel;

/* The release of the library that is linked: "0.2.0". */
const char *smw_version(void);

/* ---- configuration ---- */

struct smw_config *smw_config_new(void); /* every key at its default; name "default" */
struct smw_config *smw_config_copy(const struct smw_config *c);
void smw_config_free(struct smw_config *c);
/* Built-in presets, in order; NULL past the last. */
const char *smw_preset_name(uint32_t i);
const char *smw_preset_doc(uint32_t i);
/* Reset to defaults and apply the preset and those it extends; also its name. */
bool smw_config_preset(struct smw_config *c, const char *preset, struct smw_err *e);
bool smw_config_set(struct smw_config *c, const char *key, const char *value,
                    struct smw_err *e);
/* Rules across keys (the split the capability lacks ...). smw_open() checks too. */
bool smw_config_check(const struct smw_config *c, struct smw_err *e);
bool smw_config_show(const struct smw_config *c, const char *key, char *buf,
                     size_t size);
void smw_config_rename(struct smw_config *c, const char *name);
const char *smw_config_name(const struct smw_config *c);
uint64_t smw_config_digest(const struct smw_config *c);

struct smw_key { /* texts are valid during the call */
    const char *key, *type, *unit, *range, *def, *doc;
    const char *rule; /* of SPEC.md, which says what it does: "BANK-1" */
    bool display;     /* changes no result, only what is printed about the device */
};
void smw_config_each(void (*fn)(void *ctx, const struct smw_key *k), void *ctx);

/* ---- device ---- */

/* Each has what those before it have. FULL: shared memory, and reads of what nobody
 * wrote; GLOBAL: races between blocks in global memory. */
enum smw_check { SMW_CHECK_NONE, SMW_CHECK_FAST, SMW_CHECK_FULL, SMW_CHECK_GLOBAL };

/* Helpers of whoever steps a device: run() calls job(arg, i) once for each i < n,
 * several at a time in different threads, and returns when all have returned. */
struct smw_team {
    void (*run)(void *ctx, void (*job)(void *arg, uint32_t i), void *arg);
    void *ctx;
    uint32_t n;
};

struct smw_options {
    uint64_t shuffle;    /* seed that randomises process order; 0: off */
    uint64_t max_cycles; /* SM cycles per device life after which a run ends; 0: none */
    enum smw_check check; /* which checks of the kernel run */
    /* Count why warps do not issue: stall.*, which are 0 else. It costs 10 to 30 % more
     * instructions of the host, and changes nothing else. */
    bool stalls;
    /* Compute SMs in several threads. The results are the same; only what other SMs did
     * until a fault was heard of is some cycles more. Nothing can be observed on the
     * way (no probes, no hooks but the device's own). Without effect if NULL or n < 2,
     * with a shuffle, with the check full, and on one SM. Lives as long as the
     * device. */
    const struct smw_team *team;
    void (*panic)(void *ctx, const char *text); /* a broken contract; NULL: stderr */
    void *panic_ctx;
};

/* opt NULL: all zero. The configuration is copied. */
struct smw_device *smw_open(const struct smw_config *c, const struct smw_options *opt,
                            struct smw_err *e);
void smw_close(struct smw_device *d);

/* ---- memory ---- */

bool smw_alloc(struct smw_device *d, uint64_t bytes, uint64_t *addr, struct smw_err *e);
/* What faults call the allocation at addr; name is borrowed until smw_close(). */
void smw_name(struct smw_device *d, uint64_t addr, const char *name);
bool smw_write(struct smw_device *d, uint64_t addr, const void *src, uint64_t n,
               struct smw_err *e);
bool smw_read(struct smw_device *d, uint64_t addr, void *dst, uint64_t n,
              struct smw_err *e);
bool smw_copy(struct smw_device *d, uint64_t dst, uint64_t src, uint64_t n,
              struct smw_err *e);

/* ---- code ---- */

/* Parse, place the module's variables, lower. name appears in messages. A kernel that
 * is wrong inside its braces or uses what is not supported, itself or in a function it
 * calls, is refused by smw_launch(), not here. */
struct smw_module *smw_load(struct smw_device *d, const char *text, size_t size,
                            const char *name, struct smw_err *e);
/* Several texts as one module, as code compiled apart with -rdc=true is linked (SPEC
 * PTX-6): what one declares .extern another defines .visible or .weak; a name without
 * such a word is its text's alone. Refused with both places: a name defined twice, or
 * declared in different ways; with its place: a variable that no text defines. Lines of
 * faults and of smw_inst() are those of the text they name. n: at least 1. */
struct smw_text {
    const char *text; /* size bytes; may go after the call */
    size_t size;
    const char *name; /* for messages */
};
struct smw_module *smw_load_linked(struct smw_device *d, const struct smw_text *t,
                                   uint32_t n, struct smw_err *e);
bool smw_symbol_size(const struct smw_module *m, const char *symbol, uint64_t *size,
                     struct smw_err *e);
/* The type the PTX gives its elements, "f32", "b8"; NULL if there is no such
 * variable. */
const char *smw_symbol_type(const struct smw_module *m, const char *symbol);
/* n bytes at offset of a .global or .const variable. */
bool smw_write_symbol(struct smw_module *m, const char *symbol, uint64_t offset,
                      const void *src, uint64_t n, struct smw_err *e);
bool smw_read_symbol(struct smw_module *m, const char *symbol, uint64_t offset,
                     void *dst, uint64_t n, struct smw_err *e);

/* By PTX name, or by unmangled base name if only one kernel has it. */
const struct smw_kernel *smw_kernel(struct smw_module *m, const char *name,
                                    struct smw_err *e);
const char *smw_kernel_name(const struct smw_kernel *k);
/* False: no launch of it can be, *e says what is wrong and where. */
bool smw_can_run(const struct smw_kernel *k, struct smw_err *e);
uint32_t smw_kernel_params(const struct smw_kernel *k);
struct smw_param {
    const char *name;
    const char *type;             /* "u64", "f32"; "b8" with size for aggregates */
    uint32_t size, align, offset; /* bytes; offset in the parameter block */
};
/* Of a pointer: 4 or 8, what the module's .address_size says. */
uint32_t smw_kernel_address_bytes(const struct smw_kernel *k);
bool smw_kernel_param(const struct smw_kernel *k, uint32_t i, struct smw_param *p);

/* ---- launches ---- */

enum smw_cache_config {
    SMW_CACHE_NONE,
    SMW_CACHE_SHARED,
    SMW_CACHE_L1,
    SMW_CACHE_EQUAL
};

struct smw_launch {
    uint32_t grid[3], block[3];
    uint64_t shared;      /* dynamic bytes */
    const void *params;   /* the parameter block, laid out by smw_kernel_param() */
    uint32_t param_bytes; /* must equal the kernel's */
    enum smw_cache_config cache_config;
    bool opt_in_shared; /* more than 48 KB dynamic */
    bool has_carveout;
    uint32_t carveout;  /* shared memory, percent of the maximum; from 7.0 on */
    uint32_t bank_mode; /* 0: the device's; 4 or 8 bytes */
    uint32_t regs;      /* per thread; 0: estimated from the PTX */
    uint32_t stream;
};

/* Preferences for kernels that have none. */
bool smw_device_cache_config(struct smw_device *d, enum smw_cache_config c,
                             struct smw_err *e);
bool smw_device_bank_mode(struct smw_device *d, uint32_t bytes, struct smw_err *e);

/* Check against the device's limits and queue. Parameters are copied. */
bool smw_launch(struct smw_device *d, const struct smw_kernel *k,
                const struct smw_launch *l, struct smw_err *e);

enum smw_status {
    SMW_DONE,     /* every queued launch has completed */
    SMW_RUNNING,  /* the slice ended */
    SMW_STOPPED,  /* smw_stop() */
    SMW_FAULT,    /* the kernel is at fault: smw_fault() */
    SMW_DEADLOCK, /* live warps and nothing left to happen: smw_fault() */
    SMW_LIMIT     /* max_cycles or the end of time */
};

/* Simulate up to max_instants instants (0: to the end). */
enum smw_status smw_step(struct smw_device *d, uint64_t max_instants);
/* Run to the end; anything but SMW_DONE is an error. */
bool smw_synchronize(struct smw_device *d, struct smw_err *e);
/* Async-signal-safe: end smw_step() after the current instant. */
void smw_stop(struct smw_device *d);

struct smw_fault {
    enum smw_err_kind
        kind; /* SMW_ERR_NONE: none; SMW_ERR_KERNEL, SMW_ERR_DEADLOCK, SMW_ERR_LIMIT */
    char message[512]; /* "shared store of 4 bytes at 0x1000: ... of 256 bytes" */
    char detail[2048]; /* further lines: who waits where for whom; "" */
    const char *kernel;
    uint32_t block[3], thread[3];
    char inst[128];       /* the PTX instruction */
    const char *ptx_file; /* and its place */
    uint32_t ptx_line;
    const char *file; /* of the source, NULL without .loc */
    uint32_t line;
    uint64_t cycle;
    const char *rule;  /* of SMW_ERR_KERNEL: "out-of-bounds", "divergent-barrier" ... */
    const char *space; /* "shared", "global" ...; NULL: it is not about memory */
    uint64_t addr;     /* in the space */
    char array[96];    /* the array or buffer addr belongs to or is nearest to; "" */
    int64_t offset;    /* of addr, bytes from the begin of array */
    uint32_t pc;       /* micro-op, see smw_inst() */
};
/* Lines to where, ended by '\n': what live warps do now, hottest places first. */
void smw_where(struct smw_device *d, char *where, size_t size);
const struct smw_fault *smw_fault(const struct smw_device *d);

/* ---- results ---- */

struct smw_result { /* of launch i, in the order of smw_launch() */
    const char *kernel;
    uint32_t grid[3], block[3];
    bool started, finished;
    struct smw_counters counters; /* complete once finished; so far otherwise */
    const char *limiter;          /* of the occupancy: "blocks", "warps", "registers",
                                      "shared memory" */
    uint32_t warps_per_sm, max_warps; /* resident by occupancy; the SM's limit */
    uint32_t regs;                    /* per thread */
    uint32_t shared_bytes;            /* per block, static and dynamic */
    uint32_t split_shared_kb, split_l1_kb;
    uint64_t start_ps, end_ps;
    const char *output;    /* of the kernel's printf, in block and thread order; "" */
    uint64_t output_bytes; /* of it: %c may have printed zeros */
};
uint32_t smw_results(const struct smw_device *d);
bool smw_result(const struct smw_device *d, uint32_t i, struct smw_result *r);

struct smw_progress {
    uint64_t cycles;                    /* of the SM clock, now */
    uint64_t warp_insts, thread_insts;  /* so far, over all launches */
    uint64_t blocks_done, blocks_total; /* over all launches queued */
    uint64_t activations;               /* processes run by the engine */
};
void smw_progress(const struct smw_device *d, struct smw_progress *p);
uint64_t smw_sm_hz(const struct smw_device *d); /* shader clock */
/* Bytes per second that all data buses of the DRAM can move. */
uint64_t smw_dram_peak(const struct smw_device *d);

/* Transactions still alive; 0 after a clean run. */
uint64_t smw_live_transactions(const struct smw_device *d);

struct smw_inst {         /* a micro-op of a module, or of the one a launch runs */
    char text[128];       /* as a person would write it */
    const char *ptx_file; /* and its place */
    uint32_t ptx_line;
    const char *file; /* of the source, NULL without .loc */
    uint32_t line;
    const char *function; /* the kernel, or the function it calls, by its PTX name */
    uint32_t offset;      /* in it, in micro-ops */
};
/* False: there is no such launch or micro-op. */
bool smw_module_inst(const struct smw_module *m, uint32_t pc, struct smw_inst *out);
bool smw_inst(const struct smw_device *d, uint32_t launch, uint32_t pc,
              struct smw_inst *out);

/* ---- what the checks found: SMW_CHECK_FULL and SMW_CHECK_GLOBAL ---- */

enum smw_finding_kind {
    SMW_RACE,         /* two accesses to a byte that nothing orders */
    SMW_UNINITIALISED /* a read of what nobody has written */
};

struct smw_party { /* one of the two accesses */
    uint32_t block[3], thread[3];
    bool write, atomic, is_volatile;
    uint64_t cycle; /* of the SM clock, at issue */
    uint32_t pc;
    struct smw_inst at;
};

struct smw_finding { /* of two instructions, or of one that reads too early */
    enum smw_finding_kind kind;
    bool error;      /* between warps or blocks; else a warning */
    uint32_t launch; /* of the example, as are all that follow but the counts */
    const char *kernel;
    uint32_t block[3];      /* of the second access */
    const char *space;      /* "shared", "global" or "local" */
    uint64_t addr;          /* of the byte in it; shared: in the memory of the block */
    uint32_t bytes;         /* of an element accessed */
    char array[64];         /* the variable or the buffer, "": none is there */
    uint64_t offset;        /* of the byte in it */
    uint64_t index;         /* the same in such elements */
    uint64_t count;         /* bytes, one hazard each */
    uint64_t raw, war, waw; /* of count: reads after writes, writes after reads ... */
    uint64_t in_warp;       /* of count: inside one warp */
    struct smw_party first, second; /* in time; of a read too early, twice that read */
    char message[400];              /* a sentence */
    char missing[512];              /* what would order them, and where; "" */
};

/* How many there are so far; errors come first. The order and the examples are the same
 * in every run. */
uint32_t smw_findings(struct smw_device *d);
/* Finding i of those; false: there are not so many. */
bool smw_finding(struct smw_device *d, uint32_t i, struct smw_finding *out);

/* ---- device facts and PTX, for the program's commands ---- */

/* Lines of "smwave ptx list". */
void smw_ptx_list(void (*line)(void *ctx, const char *text), void *ctx);
/* Parse and lower only; calls report(ctx, e) for each thing that refuses a kernel or
 * the whole module. True: there is none. */
bool smw_ptx_check(const char *text, size_t size, const char *name,
                   void (*report)(void *ctx, const struct smw_err *e), void *ctx);
/* What is written of a kernel, and of what it calls, beside what runs, a line for each
 * row. kernel NULL: of all kernels. False: there is no such kernel. */
bool smw_show_order(const struct smw_module *m, const char *kernel,
                    void (*line)(void *ctx, const char *text), void *ctx,
                    struct smw_err *e);
/* Micro-ops of a loaded module, one line each. */
void smw_disasm(const struct smw_module *m, void (*line)(void *ctx, const char *text),
                void *ctx);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif /* SMWAVE_H */
