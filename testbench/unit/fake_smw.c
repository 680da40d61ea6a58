/*
 * fake_smw.c - a stand-in for the model behind smwave.h, for tests of the program.
 *
 * "PTX" is one line: "kernels". The kernels are C functions below; each takes (u64 d,
 * u32 n) unless said. Memory is one array that starts at BASE. Every step of one
 * instant is one cycle; a launch takes as many as it has blocks, or for ever (spin).
 */
#include "smwave.h"

#include "cfg/cfg.h"
#include "gpu/observe.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE UINT64_C(0x10000)

enum { MEMORY = 1 << 20, MAX_LAUNCHES = 16, SYMBOL_BYTES = 64 };

/* ---- configuration: real cfg over a small schema ---- */

struct fake_config {
    uint32_t sms, latency, policy;
    uint64_t size, clock;
    bool what_if;
    char split[CFG_TEXT_SIZE];
};

static const char *const policies[] = {"lrr", "gto"};

static const struct cfg_field gpu_fields[] = {
    CFG_U32(struct fake_config, sms, 1, 15, 64, CFG_PLAIN, 0, "multiprocessors", ""),
    CFG_BOOL(struct fake_config, what_if, false, "allow what the capability lacks", ""),
};
static const struct cfg_field sm_fields[] = {
    CFG_U64(struct fake_config, clock, 1, 1401000000, 4000000000, CFG_HZ, 0, "clock",
            ""),
    CFG_CHOICE(struct fake_config, policy, policies, 0, "which warp goes first", ""),
};
static const struct cfg_field smem_fields[] = {
    CFG_U32(struct fake_config, latency, 1, 20, 100, CFG_CYCLES, 0, "load to use", ""),
};
static const struct cfg_field onchip_fields[] = {
    CFG_U64(struct fake_config, size, 1024, 65536, 1 << 20, CFG_BYTES, CFG_POW2,
            "array", ""),
    CFG_TEXT(struct fake_config, split, "48/16", "shared/L1 in KB", ""),
};
static const struct cfg_table gpu_keys = CFG_TABLE(gpu_fields),
                              sm_keys = CFG_TABLE(sm_fields),
                              smem_keys = CFG_TABLE(smem_fields),
                              onchip_keys = CFG_TABLE(onchip_fields);
static const struct cfg_group groups[] = {
    {"gpu", &gpu_keys, 0},
    {"sm", &sm_keys, 0},
    {"sm.smem", &smem_keys, 0},
    {"sm.onchip", &onchip_keys, 0},
};
static const struct cfg_schema schema = {.groups = groups, .n_groups = 4};

struct smw_config {
    struct fake_config c;
    char name[64];
};

const char *smw_version(void)
{
    return "0.0-fake";
}

struct smw_config *smw_config_new(void)
{
    struct smw_config *c = calloc(1, sizeof(*c));

    cfg_defaults(&schema, &c->c);
    smw_config_rename(c, "default");
    return c;
}

struct smw_config *smw_config_copy(const struct smw_config *c)
{
    struct smw_config *n = calloc(1, sizeof(*n));

    *n = *c;
    return n;
}

void smw_config_free(struct smw_config *c)
{
    free(c);
}

const char *smw_preset_name(uint32_t i)
{
    return i == 0 ? "gtx480" : i == 1 ? "tiny" : NULL;
}

const char *smw_preset_doc(uint32_t i)
{
    return i == 0 ? "GeForce GTX 480" : i == 1 ? "one multiprocessor" : NULL;
}

bool smw_config_preset(struct smw_config *c, const char *preset, struct smw_err *e)
{
    cfg_defaults(&schema, &c->c);
    smw_config_rename(c, preset);
    return strcmp(preset, "gtx480") == 0 || smw_config_set(c, "gpu.sms", "1", e);
}

bool smw_config_set(struct smw_config *c, const char *key, const char *value,
                    struct smw_err *e)
{
    return cfg_set(&schema, &c->c, key, value, e);
}

bool smw_config_check(const struct smw_config *c, struct smw_err *e)
{
    if (strcmp(c->c.split, "32/32") == 0 && !c->c.what_if) {
        return err_set(e, SMW_ERR_CONFIG, "the capability has no 32/32 split");
    }
    return true;
}

bool smw_config_show(const struct smw_config *c, const char *key, char *buf,
                     size_t size)
{
    return cfg_show(&schema, &c->c, key, buf, size);
}

void smw_config_rename(struct smw_config *c, const char *name)
{
    snprintf(c->name, sizeof(c->name), "%s", name);
}

const char *smw_config_name(const struct smw_config *c)
{
    return c->name;
}

uint64_t smw_config_digest(const struct smw_config *c)
{
    return cfg_digest(&schema, &c->c);
}

struct each {
    void (*fn)(void *ctx, const struct smw_key *k);
    void *ctx;
    struct fake_config defaults;
};

static void each_key(void *ctx, const char *key, const struct cfg_field *f)
{
    static const char *const types[] = {"u32", "u64", "bool", "choice", "text"};
    struct each *each = ctx;
    char def[64], range[128];
    struct smw_key k = {.key = key,
                        .type = types[f->type],
                        .unit = cfg_unit_name(f->unit),
                        .range = range,
                        .def = def,
                        .doc = f->doc,
                        .rule = f->rule};

    cfg_show(&schema, &each->defaults, key, def, sizeof(def));
    cfg_range(f, range, sizeof(range));
    each->fn(each->ctx, &k);
}

void smw_config_each(void (*fn)(void *ctx, const struct smw_key *k), void *ctx)
{
    struct each each = {.fn = fn, .ctx = ctx};

    cfg_defaults(&schema, &each.defaults);
    cfg_each(&schema, each_key, &each);
}

/* ---- device and memory ---- */

struct smw_kernel {
    const char *name;
    uint32_t n_params;
    struct smw_param params[3];
};

struct smw_module {
    struct smw_device *d;
    unsigned char symbol[SYMBOL_BYTES]; /* "coef" */
};

struct launch {
    const struct smw_kernel *k;
    struct smw_launch l;
    unsigned char params[32];
    uint64_t done, start; /* blocks; cycle */
    bool started, finished;
    char output[64];
};

struct smw_device {
    struct smw_config config;
    struct smw_options opt;
    unsigned char memory[MEMORY];
    uint64_t used, now;
    struct smw_module module;
    struct launch launches[MAX_LAUNCHES];
    uint32_t n, at;
    struct smw_fault fault;
    volatile bool stop;
};

#define DN                                                                             \
    {"d", "u64", 8, 8, 0},                                                             \
    {                                                                                  \
        "n", "u32", 4, 4, 8                                                            \
    }

static const struct smw_kernel kernels[] = {
    {"reverse", 2, {DN}},
    {"hello", 0, {{0}}},
    {"fault", 2, {DN}},
    {"hang", 2, {DN}},
    {"spin", 0, {{0}}},
    {"params",
     3,
     {{"h", "u16", 2, 2, 0}, {"f", "f32", 4, 4, 4}, {"s", "b8", 16, 8, 8}}},
};

enum { N_KERNELS = sizeof(kernels) / sizeof(kernels[0]) };

struct smw_device *smw_open(const struct smw_config *c, const struct smw_options *opt,
                            struct smw_err *e)
{
    struct smw_device *d;

    if (!smw_config_check(c, e)) {
        return NULL;
    }
    d = calloc(1, sizeof(*d));
    d->config = *c;
    if (opt != NULL) {
        d->opt = *opt;
    }
    return d;
}

void smw_close(struct smw_device *d)
{
    free(d);
}

void smw_name(struct smw_device *d, uint64_t addr, const char *name)
{
    (void)d;
    (void)addr;
    (void)name;
}

void smw_where(struct smw_device *d, char *where, size_t size)
{
    snprintf(where, size, "cycle %llu\n", (unsigned long long)d->now);
}

bool smw_alloc(struct smw_device *d, uint64_t bytes, uint64_t *addr, struct smw_err *e)
{
    if (bytes > MEMORY - d->used) {
        return err_set(e, SMW_ERR_INPUT, "the device's memory is full");
    }
    *addr = BASE + d->used;
    d->used += (bytes + 255) / 256 * 256;
    return true;
}

bool smw_free(struct smw_device *d, uint64_t addr, struct smw_err *e)
{
    (void)d; /* its room is not used again */
    (void)addr;
    (void)e;
    return true;
}

static unsigned char *at(struct smw_device *d, uint64_t addr, uint64_t n,
                         struct smw_err *e)
{
    if (addr < BASE || addr - BASE > MEMORY || n > MEMORY - (addr - BASE)) {
        err_set(e, SMW_ERR_INPUT, "no such memory");
        return NULL;
    }
    return d->memory + (addr - BASE);
}

bool smw_write(struct smw_device *d, uint64_t addr, const void *src, uint64_t n,
               struct smw_err *e)
{
    unsigned char *p = at(d, addr, n, e);

    return p != NULL && memcpy(p, src, n) != NULL;
}

bool smw_read(struct smw_device *d, uint64_t addr, void *dst, uint64_t n,
              struct smw_err *e)
{
    unsigned char *p = at(d, addr, n, e);

    return p != NULL && memcpy(dst, p, n) != NULL;
}

bool smw_copy(struct smw_device *d, uint64_t dst, uint64_t src, uint64_t n,
              struct smw_err *e)
{
    unsigned char *p = at(d, src, n, e);

    return p != NULL && smw_write(d, dst, p, n, e);
}

/* ---- code ---- */

static bool is_kernels(const char *text, size_t size, const char *name,
                       struct smw_err *e)
{
    if (size == 8 && memcmp(text, "kernels\n", 8) == 0) {
        return true;
    }
    err_set(e, SMW_ERR_INPUT, "this is not the text of the kernels");
    err_at(e, name, text, 1, 1, 1);
    return false;
}

struct smw_module *smw_load(struct smw_device *d, const char *text, size_t size,
                            const char *name, struct smw_err *e)
{
    if (!is_kernels(text, size, name, e)) {
        return NULL;
    }
    d->module.d = d;
    return &d->module;
}

struct smw_module *smw_load_linked(struct smw_device *d, const struct smw_text *t,
                                   uint32_t n, struct smw_err *e)
{
    return n == 1 ? smw_load(d, t->text, t->size, t->name, e) : NULL;
}

static bool has_symbol(const char *symbol, struct smw_err *e)
{
    return strcmp(symbol, "coef") == 0 ||
           err_set(e, SMW_ERR_INPUT, "there is no variable '%s'", symbol);
}

bool smw_symbol_size(const struct smw_module *m, const char *symbol, uint64_t *size,
                     struct smw_err *e)
{
    (void)m;
    *size = SYMBOL_BYTES;
    return has_symbol(symbol, e);
}

const char *smw_symbol_type(const struct smw_module *m, const char *symbol)
{
    (void)m;
    return strcmp(symbol, "coef") == 0 ? "f32" : NULL;
}

bool smw_write_symbol(struct smw_module *m, const char *symbol, uint64_t offset,
                      const void *src, uint64_t n, struct smw_err *e)
{
    return has_symbol(symbol, e) && memcpy(m->symbol + offset, src, n) != NULL;
}

bool smw_read_symbol(struct smw_module *m, const char *symbol, uint64_t offset,
                     void *dst, uint64_t n, struct smw_err *e)
{
    return has_symbol(symbol, e) && memcpy(dst, m->symbol + offset, n) != NULL;
}

const struct smw_kernel *smw_kernel(struct smw_module *m, const char *name,
                                    struct smw_err *e)
{
    const char *names[N_KERNELS], *nearest;

    (void)m;
    for (int i = 0; i < N_KERNELS; i++) {
        names[i] = kernels[i].name;
        if (strcmp(names[i], name) == 0) {
            return &kernels[i];
        }
    }
    err_set(e, SMW_ERR_INPUT, "there is no kernel '%s'", name);
    nearest = err_nearest(name, names, N_KERNELS);
    if (nearest != NULL) {
        err_hint(e, "did you mean '%s'?", nearest);
    }
    return NULL;
}

uint32_t smw_kernels(const struct smw_module *m)
{
    (void)m;
    return 0;
}

const struct smw_kernel *smw_kernel_at(const struct smw_module *m, uint32_t i)
{
    (void)m;
    (void)i;
    return NULL;
}

void smw_kernel_facts(const struct smw_kernel *k, struct smw_kernel_facts *f)
{
    (void)k;
    memset(f, 0, sizeof(*f));
}

const char *smw_kernel_name(const struct smw_kernel *k)
{
    return k->name;
}

bool smw_can_run(const struct smw_kernel *k, struct smw_err *e)
{
    (void)k;
    (void)e;
    return true;
}

uint32_t smw_kernel_params(const struct smw_kernel *k)
{
    return k->n_params;
}

uint32_t smw_kernel_address_bytes(const struct smw_kernel *k)
{
    (void)k;
    return 8;
}

bool smw_kernel_param(const struct smw_kernel *k, uint32_t i, struct smw_param *p)
{
    if (i >= k->n_params) {
        return false;
    }
    *p = k->params[i];
    return true;
}

/* ---- launches ---- */

bool smw_device_cache_config(struct smw_device *d, enum smw_cache_config c,
                             struct smw_err *e)
{
    (void)d, (void)c, (void)e;
    return true;
}

bool smw_device_bank_mode(struct smw_device *d, uint32_t bytes, struct smw_err *e)
{
    (void)d, (void)bytes;
    return err_set(e, SMW_ERR_INPUT, "the capability has no choice of bank mode");
}

bool smw_launch(struct smw_device *d, const struct smw_kernel *k,
                const struct smw_launch *l, struct smw_err *e)
{
    struct launch *q = &d->launches[d->n];
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];

    if (threads > 1024) {
        return err_set(e, SMW_ERR_INPUT,
                       "a block of %llu threads, the device allows 1024",
                       (unsigned long long)threads);
    }
    if (d->n == MAX_LAUNCHES || l->param_bytes > sizeof(q->params)) {
        return err_set(e, SMW_ERR_INPUT, "too many launches");
    }
    q->k = k;
    q->l = *l;
    if (l->param_bytes > 0) {
        memcpy(q->params, l->params, l->param_bytes);
    }
    d->n++;
    return true;
}

static void reverse(struct smw_device *d, const struct launch *q)
{
    uint64_t address;
    uint32_t n;
    uint32_t *p;

    memcpy(&address, q->params, sizeof(address));
    memcpy(&n, q->params + 8, sizeof(n));
    p = (uint32_t *)(void *)(d->memory + (address - BASE));
    for (uint32_t i = 0; i < n / 2; i++) {
        uint32_t t = p[i];

        p[i] = p[n - 1 - i];
        p[n - 1 - i] = t;
    }
}

static void fail(struct smw_device *d, const struct launch *q, enum smw_err_kind kind,
                 const char *message)
{
    struct smw_fault *f = &d->fault;

    f->kind = kind;
    snprintf(f->message, sizeof(f->message), "%s", message);
    f->kernel = q->k->name;
    f->thread[0] = 7;
    f->cycle = d->now;
    f->ptx_file = "kernels.ptx";
    f->ptx_line = 1;
    if (kind == SMW_ERR_KERNEL) {
        snprintf(f->inst, sizeof(f->inst), "st.shared.u32 [%%r1], %%r2");
        f->file = "kernels.cu";
        f->line = 12;
    } else {
        snprintf(f->detail, sizeof(f->detail), "    warp 1 waits at a barrier\n");
    }
}

/* One block; the status if the run ends here. */
static enum smw_status run_block(struct smw_device *d, struct launch *q)
{
    if (strcmp(q->k->name, "fault") == 0) {
        fail(d, q, SMW_ERR_KERNEL,
             "shared store of 4 bytes at 0x1000: outside of 256 bytes");
        return SMW_FAULT;
    }
    if (strcmp(q->k->name, "hang") == 0) {
        fail(d, q, SMW_ERR_DEADLOCK, "nothing can happen any more");
        return SMW_DEADLOCK;
    }
    if (strcmp(q->k->name, "spin") == 0) {
        return SMW_RUNNING;
    }
    if (++q->done < (uint64_t)q->l.grid[0] * q->l.grid[1] * q->l.grid[2]) {
        return SMW_RUNNING;
    }
    if (strcmp(q->k->name, "reverse") == 0) {
        reverse(d, q);
    }
    if (strcmp(q->k->name, "hello") == 0) {
        snprintf(q->output, sizeof(q->output), "hello from the kernel\n");
    }
    q->finished = true;
    d->at++;
    return SMW_RUNNING;
}

enum smw_status smw_step(struct smw_device *d, uint64_t max_instants)
{
    for (uint64_t i = 0; i < max_instants || max_instants == 0; i++) {
        struct launch *q = &d->launches[d->at];
        enum smw_status s;

        if (d->fault.kind != SMW_ERR_NONE) {
            return SMW_FAULT;
        }
        if (d->stop) {
            return SMW_STOPPED;
        }
        if (d->at == d->n) {
            return SMW_DONE;
        }
        if (d->opt.max_cycles != 0 && d->now >= d->opt.max_cycles) {
            fail(d, q, SMW_ERR_LIMIT, "the limit of cycles is reached");
            return SMW_LIMIT;
        }
        if (!q->started) {
            q->started = true;
            q->start = d->now;
        }
        d->now++;
        s = run_block(d, q);
        if (s != SMW_RUNNING) {
            return s;
        }
    }
    return SMW_RUNNING;
}

bool smw_synchronize(struct smw_device *d, struct smw_err *e)
{
    return smw_step(d, 0) == SMW_DONE ||
           err_set(e, d->fault.kind, "%s", d->fault.message);
}

void smw_stop(struct smw_device *d)
{
    d->stop = true;
}

const struct smw_fault *smw_fault(const struct smw_device *d)
{
    return &d->fault;
}

/* ---- results ---- */

void smw_forget_results(struct smw_device *d)
{
    (void)d; /* nothing ran before */
}

uint32_t smw_results(const struct smw_device *d)
{
    return d->n;
}

bool smw_result(const struct smw_device *d, uint32_t i, struct smw_result *r)
{
    const struct launch *q = &d->launches[i];

    if (i >= d->n) {
        return false;
    }
    *r = (struct smw_result){.kernel = q->k->name,
                             .started = q->started,
                             .finished = q->finished,
                             .limiter = "blocks",
                             .warps_per_sm = 8,
                             .max_warps = 48,
                             .regs = 10,
                             .output = q->output,
                             .output_bytes = strlen(q->output)};
    memcpy(r->grid, q->l.grid, sizeof(r->grid));
    memcpy(r->block, q->l.block, sizeof(r->block));
    r->counters.cycles = q->started ? 100 + q->done : 0;
    r->counters.warps = 2 * q->done;
    r->counters.blocks_per_sm = 8;
    return true;
}

void smw_progress(const struct smw_device *d, struct smw_progress *p)
{
    *p = (struct smw_progress){.cycles = d->now, .blocks_total = 1};
}

uint64_t smw_sm_hz(const struct smw_device *d)
{
    return d->config.c.clock;
}

uint64_t smw_l2_peak(const struct smw_device *d)
{
    (void)d;
    return 2000000000;
}

uint64_t smw_dram_peak(const struct smw_device *d)
{
    (void)d;
    return 1000000000;
}

uint64_t smw_live_transactions(const struct smw_device *d)
{
    (void)d;
    return 0;
}

struct sim *smw_sim(struct smw_device *d)
{
    (void)d;
    return NULL;
}

struct sim_module *smw_root(struct smw_device *d)
{
    (void)d;
    return NULL;
}

void smw_watch_stalls(struct smw_device *d)
{
    (void)d;
}

const struct stalls *smw_stalls(const struct smw_device *d, uint32_t launch,
                                uint32_t *n)
{
    (void)d;
    (void)launch;
    *n = 0;
    return NULL;
}

struct sim_hook *smw_planned(struct smw_device *d)
{
    (void)d;
    return NULL;
}

struct sim_hook *smw_staged(struct smw_device *d)
{
    (void)d;
    return NULL;
}

struct sim_hook *smw_executed(struct smw_device *d)
{
    (void)d;
    return NULL;
}

uint32_t smw_resident(const struct smw_device *d, uint32_t index)
{
    (void)d;
    return index;
}

const struct rules_cc *smw_rules(const struct smw_device *d)
{
    (void)d;
    return NULL;
}

bool smw_module_inst(const struct smw_module *m, uint32_t pc, struct smw_inst *out)
{
    (void)m;
    (void)pc;
    (void)out;
    return false;
}

bool smw_inst(const struct smw_device *d, uint32_t launch, uint32_t pc,
              struct smw_inst *out)
{
    (void)d;
    (void)launch;
    (void)pc;
    (void)out;
    return false;
}

/* ---- PTX ---- */

void smw_ptx_list(void (*line)(void *ctx, const char *text), void *ctx)
{
    line(ctx, "kernels");
}

bool smw_ptx_kernels(const char *text, size_t size, const char *name,
                     void (*line)(void *ctx, const char *text), void *ctx,
                     struct smw_err *e)
{
    if (!is_kernels(text, size, name, e)) {
        return false;
    }
    line(ctx, "a kernel");
    return true;
}

bool smw_ptx_check(const char *text, size_t size, const char *name,
                   void (*report)(void *ctx, const struct smw_err *e), void *ctx)
{
    struct smw_err e = {0};

    if (is_kernels(text, size, name, &e)) {
        return true;
    }
    report(ctx, &e);
    return false;
}

void smw_disasm(const struct smw_module *m, void (*line)(void *ctx, const char *text),
                void *ctx)
{
    (void)m;
    line(ctx, "kernels");
}

bool smw_show_order(const struct smw_module *m, const char *kernel,
                    void (*line)(void *ctx, const char *text), void *ctx,
                    struct smw_err *e)
{
    (void)m;
    (void)kernel;
    (void)e;
    line(ctx, "kernels");
    return true;
}

uint32_t smw_findings(struct smw_device *d)
{
    (void)d;
    return 0;
}

uint64_t smw_findings_lost(const struct smw_device *d)
{
    (void)d;
    return 0;
}

uint64_t smw_findings_doubtful(const struct smw_device *d)
{
    (void)d;
    return 0;
}

bool smw_finding(struct smw_device *d, uint32_t i, struct smw_finding *out)
{
    (void)d;
    (void)i;
    (void)out;
    return false;
}

/* Objects are numbers from 1 on; nothing is kept of them. */
bool smw_texture_new(struct smw_device *d, const struct smw_texture *t,
                     uint64_t *object, struct smw_err *e)
{
    (void)e;
    *object = t->addr != 0 && d != NULL ? 1 : 2;
    return true;
}

bool smw_texture_free(struct smw_device *d, uint64_t object, struct smw_err *e)
{
    (void)d;
    (void)object;
    (void)e;
    return true;
}

bool smw_array(struct smw_device *d, const struct smw_texture *t, uint64_t *addr,
               uint64_t *pitch, struct smw_err *e)
{
    *pitch = (uint64_t)t->width * t->bits / 8 * t->channels;
    return smw_alloc(d, *pitch * t->height * t->depth, addr, e);
}
