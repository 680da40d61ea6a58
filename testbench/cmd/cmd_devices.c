/* cmd_devices.c - "smwave devices": the presets as a device-query program prints
 * devices, from the table of capabilities and from each preset's configuration. */
#include "cmd/commands.h"
#include "io/cli.h"

#include "gpu/gpu_config.h"
#include "gpu/split.h"
#include "io/num.h"
#include "run/config.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_SIZE = 128, LIST_SIZE = 512 };

struct options {
    const char *name;
    bool json;
};

static const struct argp_option option_table[] = {
    {"json", 'j', NULL, 0, "print JSON: an array of devices, or the one named", 0},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case 'j': o->json = true; return 0;
    case ARGP_KEY_ARG:
        if (o->name != NULL) {
            argp_error(state, "'%s' is one word too many", arg);
        }
        o->name = arg;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp devices_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "[PRESET|FILE.yml]",
    .doc = "Without a name: a table of the presets. With one: all that a device-query "
           "program would print of that device.",
};

struct device {
    char name[VALUE_SIZE];
    const char *title; /* "GeForce GTX 480" */
    int title_length;
    struct gpu_config g;
    const struct rules_cc *rules;
    struct rules_split start;
};

/* ---- facts of a device ---- */

struct copy {
    const struct smw_config *from;
    struct gpu_config *to;
    struct smw_err *e;
};

static void copy_key(void *ctx, const struct smw_key *k)
{
    const struct copy *c = ctx;
    char value[VALUE_SIZE];

    if (c->e->kind == SMW_ERR_NONE &&
        smw_config_show(c->from, k->key, value, sizeof(value))) {
        (void)cfg_set(&gpu_schema, c->to, k->key, value, c->e);
    }
}

/* doc: what a preset says of itself; its first words, up to a comma, name the device. A
 * file says nothing (""). */
static bool load(struct device *d, const char *name, const char *doc, struct smw_err *e)
{
    struct smw_config *c = smw_config_new();
    struct copy copy = {c, &d->g, e};

    cfg_defaults(&gpu_schema, &d->g);
    if (config_load(c, name, NULL, e)) {
        smw_config_each(copy_key, &copy);
    }
    (void)snprintf(d->name, sizeof(d->name), "%s", smw_config_name(c));
    smw_config_free(c);
    d->title = doc;
    d->title_length = (int)strcspn(doc, ",");
    return e->kind == SMW_ERR_NONE && gpu_config_check(&d->g, &d->rules, &d->start, e);
}

static double gigabytes_per_s(const struct dram_config *m)
{
    return (double)dram_peak(m) / 1e9;
}

static uint32_t bus_bits(const struct dram_config *m)
{
    return m->burst * 8 * m->channels * m->pseudo_channels / m->burst_cycles /
           m->data_rate;
}

/* The preferences that choose this split when a small block asks for nothing else. */
static void preferences(const struct device *d, struct rules_split s, char *buf,
                        size_t size)
{
    static const struct {
        enum smw_cache_config config;
        const char *name;
    } prefer[] = {{SMW_CACHE_SHARED, "shared"},
                  {SMW_CACHE_L1, "L1"},
                  {SMW_CACHE_EQUAL, "equal"}};
    size_t n = 0;

    buf[0] = '\0';
    if (d->rules->n_splits == 1) {
        return;
    }
    for (uint32_t i = 0; i < ARRAY_LEN(prefer); i++) {
        struct split_wish w = {.kernel = prefer[i].config,
                               .carveout = -1,
                               .start = d->start};

        if (prefer[i].config == SMW_CACHE_EQUAL && d->rules->equal_kb == 0 &&
            !d->rules->carveout) {
            continue; /* not available */
        }
        if (split_choose(d->rules, &w, d->start).shared == s.shared) {
            n += (size_t)snprintf(buf + n, size - n, "%s%s", n == 0 ? "" : ", ",
                                  prefer[i].name);
        }
    }
}

static const char *caching(const struct device *d)
{
    switch (d->rules->l1_global) {
    case RULES_L1_NEVER: return "no";
    case RULES_L1_OPT_IN:
        return d->g.sm.l1.global ? "yes, by opt-in" : "by opt-in only";
    case RULES_L1_DEFAULT: return d->g.sm.l1.global ? "yes" : "no, switched off";
    }
    return "";
}

/* ---- JSON ---- */

static json_t *dims(const uint32_t v[3])
{
    return json_pack("[I,I,I]", (json_int_t)v[0], (json_int_t)v[1], (json_int_t)v[2]);
}

static json_t *splits_json(const struct device *d)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < d->rules->n_splits; i++) {
        struct rules_split s = d->rules->split[i];
        char prefer[VALUE_SIZE];

        preferences(d, s, prefer, sizeof(prefer));
        json_array_append_new(list,
                              json_pack("{s:i,s:i,s:b,s:s}", "shared_kb", (int)s.shared,
                                        "l1_kb", (int)s.l1, "start",
                                        s.shared == d->start.shared, "prefer", prefer));
    }
    return list;
}

static void set_int(json_t *o, const char *key, uint64_t value)
{
    json_object_set_new(o, key, json_integer((json_int_t)value));
}

static void limits_json(json_t *o, const struct device *d)
{
    const struct rules_cc *r = d->rules;
    const struct sm_config *sm = &d->g.sm.sm;

    set_int(o, "warp_size", ISA_LANES);
    set_int(o, "threads_per_block", r->max_threads);
    set_int(o, "threads_per_multiprocessor", (uint64_t)sm->max_warps * ISA_LANES);
    set_int(o, "warps_per_multiprocessor", sm->max_warps);
    set_int(o, "blocks_per_multiprocessor", sm->max_blocks);
    json_object_set_new(o, "max_block", dims(r->max_block));
    json_object_set_new(o, "max_grid", dims(r->max_grid));
    set_int(o, "registers_per_block", r->max_regs_per_block);
    set_int(o, "registers_per_multiprocessor", r->regs);
    set_int(o, "registers_per_thread", r->max_regs_per_thread);
    set_int(o, "shared_bytes_per_block", r->max_shared_static);
    set_int(o, "shared_bytes_per_block_opt_in", r->max_shared_opt_in);
    set_int(o, "shared_bytes_reserved_per_block", r->shared_reserved);
    set_int(o, "shared_bytes_per_multiprocessor",
            split_largest(r).shared * UINT64_C(1024));
    set_int(o, "constant_bytes", r->max_const_bytes);
    set_int(o, "local_bytes_per_thread", r->max_local_bytes);
    set_int(o, "parameter_bytes", r->max_param_bytes);
    set_int(o, "concurrent_kernels", r->max_grids);
}

static json_t *device_json(const struct device *d)
{
    const struct dram_config *m = &d->g.dram;
    json_t *o = json_object();
    char *cc = tb_printf("%u.%u", d->rules->cc / 10, d->rules->cc % 10);

    json_object_set_new(o, "name", json_string(d->name));
    json_object_set_new(o, "device", json_stringn(d->title, (size_t)d->title_length));
    json_object_set_new(o, "compute_capability", json_string(cc));
    set_int(o, "multiprocessors", d->g.gpu.sms);
    set_int(o, "clock_hz", d->g.gpu.sm_clock);
    limits_json(o, d);
    json_object_set_new(o, "splits", splits_json(d));
    set_int(o, "shared_banks", d->rules->banks);
    set_int(o, "shared_bank_bytes", d->rules->bank_bytes);
    json_object_set_new(o, "l1_caches_global_loads", json_string(caching(d)));
    set_int(o, "l2_bytes", d->g.l2.size);
    set_int(o, "memory_bytes", m->size);
    set_int(o, "memory_clock_hz", m->clock);
    set_int(o, "memory_data_rate", m->data_rate);
    set_int(o, "memory_bus_bits", bus_bits(m));
    set_int(o, "memory_bytes_per_s", (uint64_t)(gigabytes_per_s(m) * 1e9 + 0.5));
    free(cc);
    return o;
}

static void print_json(json_t *o)
{
    char *s = json_dumps(o, JSON_INDENT(2) | JSON_PRESERVE_ORDER);

    puts(s == NULL ? "" : s);
    free(s);
    json_decref(o);
}

/* ---- text ---- */

static void line(const char *label, const char *fmt, ...) ATTR_PRINTF(2, 3);

static void line(const char *label, const char *fmt, ...)
{
    va_list args;

    printf("  %-28s ", label);
    va_start(args, fmt);
    vprintf(fmt, args);
    va_end(args);
    putchar('\n');
}

static void line_bytes(const char *label, uint64_t bytes, const char *more)
{
    char size[NUM_SIZE];

    num_size(bytes, size);
    line(label, "%s%s", size, more);
}

/* "48 16": shared memory of every split, the start-up one first; many are a range. */
static void list_splits(const struct device *d, char *buf, size_t size)
{
    const struct rules_cc *r = d->rules;
    size_t n = (size_t)snprintf(buf, size, "%u", d->start.shared);
    uint32_t least = d->start.shared;

    for (uint32_t i = 0; i < r->n_splits && n < size; i++) {
        uint32_t kb = r->split[i].shared;

        least = kb < least ? kb : least;
        if (kb != d->start.shared) {
            n += (size_t)snprintf(buf + n, size - n, " %u", kb);
        }
    }
    if (r->n_splits > 3) {
        (void)snprintf(buf, size, "%u to %u, %u sizes", least, split_largest(r).shared,
                       r->n_splits);
    }
}

static void print_splits(const struct device *d)
{
    const struct rules_cc *r = d->rules;
    const char *label = r->l1_separate ? "shared memory, L1 apart" : "shared memory/L1";

    for (uint32_t i = 0; i < r->n_splits; i++) {
        struct rules_split s = r->split[i];
        bool start = s.shared == d->start.shared;
        char prefer[VALUE_SIZE];

        preferences(d, s, prefer, sizeof(prefer));
        line(i == 0 ? label : "", "%u/%u KB%s%s%s", s.shared, s.l1,
             start && r->n_splits > 1 ? ", at the start" : "",
             prefer[0] != '\0' ? ", prefer " : "", prefer);
    }
    if (r->carveout) {
        line("", "carveout: a percentage of %u KB, rounded up",
             split_largest(r).shared);
    }
}

static void print_shared(const struct device *d)
{
    const struct rules_cc *r = d->rules;

    line_bytes("shared memory per block", r->max_shared_static, "");
    if (r->max_shared_opt_in != r->max_shared_static) {
        line_bytes("  with opt-in", r->max_shared_opt_in, "");
    }
    if (r->shared_reserved != 0) {
        line_bytes("  reserved for the system", r->shared_reserved, "");
    }
    line("shared memory per SM", "%u KiB", split_largest(r).shared);
    print_splits(d);
    line("shared memory banks", "%u of %u bytes", r->banks, r->bank_bytes);
}

static void print_threads(const struct device *d)
{
    const struct rules_cc *r = d->rules;
    const struct sm_config *sm = &d->g.sm.sm;

    line("warp size", "%d", ISA_LANES);
    line("threads per block", "%u", r->max_threads);
    line("block dimensions", "%u x %u x %u", r->max_block[0], r->max_block[1],
         r->max_block[2]);
    line("grid dimensions", "%u x %u x %u", r->max_grid[0], r->max_grid[1],
         r->max_grid[2]);
    line("threads per SM", "%u, %u warps", sm->max_warps * ISA_LANES, sm->max_warps);
    line("resident blocks per SM", "%u", sm->max_blocks);
    line("registers per block", "%u", r->max_regs_per_block);
    line("registers per SM", "%u", r->regs);
    line("registers per thread", "%u", r->max_regs_per_thread);
}

static void print_memory(const struct device *d)
{
    const struct dram_config *m = &d->g.dram;

    line_bytes("constant memory", d->rules->max_const_bytes, "");
    line_bytes("local memory per thread", d->rules->max_local_bytes, "");
    line_bytes("kernel arguments", d->rules->max_param_bytes,
               d->rules->param_shared_base != 0 ? ", in shared memory" : "");
    line("global loads in L1", "%s", caching(d));
    if (d->g.l2.size == 0) {
        line("L2 cache", "none for data");
    } else {
        line_bytes("L2 cache", d->g.l2.size, "");
    }
    line_bytes("global memory", m->size, "");
    line("memory clock", "%g MHz, %u transfers per clock", (double)m->clock / 1e6,
         m->data_rate);
    line("memory bus", "%u bits, %u channels", bus_bits(m), m->channels);
    line("memory bandwidth", "%.1f GB/s", gigabytes_per_s(m));
}

static void print_device(const struct device *d)
{
    if (d->title_length > 0) {
        printf("%.*s (%s)\n", d->title_length, d->title, d->name);
    } else {
        puts(d->name);
    }
    line("compute capability", "%u.%u", d->rules->cc / 10, d->rules->cc % 10);
    line("multiprocessors", "%u", d->g.gpu.sms);
    line("clock", "%g MHz", (double)d->g.gpu.sm_clock / 1e6);
    line("warp schedulers per SM", "%u", d->g.sm.sm.schedulers);
    print_threads(d);
    print_shared(d);
    print_memory(d);
    line("concurrent kernels", "%u", d->rules->max_grids);
    if (d->g.gpu.what_if) {
        line("what if", "allows what the capability lacks");
    }
}

static void print_row(const struct device *d)
{
    const struct dram_config *m = &d->g.dram;
    char splits[LIST_SIZE];

    list_splits(d, splits, sizeof(splits));
    printf("%-8s %2u.%u %4u %5.0f %6" PRIu64 " %5u %7.1f %5u %4u  %-18s %.*s\n",
           d->name, d->rules->cc / 10, d->rules->cc % 10, d->g.gpu.sms,
           (double)d->g.gpu.sm_clock / 1e6, m->size >> 20, bus_bits(m),
           gigabytes_per_s(m), d->rules->max_shared_opt_in / 1024,
           split_largest(d->rules).shared, splits, d->title_length, d->title);
}

/* ---- the command ---- */

/* Ascending capability, then name. */
static int compare(const void *a, const void *b)
{
    const struct device *x = a, *y = b;

    if (x->rules->cc != y->rules->cc) {
        return x->rules->cc < y->rules->cc ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

static int print_all(const struct device *d, uint32_t n, bool as_json)
{
    json_t *list = json_array();

    if (!as_json) {
        puts("                          memory             shared KB\n"
             "name      CC  SMs   MHz    MiB  bits    GB/s block   SM  of the splits   "
             "   "
             "device");
    }
    for (uint32_t i = 0; i < n; i++) {
        if (as_json) {
            json_array_append_new(list, device_json(&d[i]));
        } else {
            print_row(&d[i]);
        }
    }
    if (as_json) {
        print_json(list);
    } else {
        json_decref(list);
    }
    return TB_OK;
}

static int all(bool as_json)
{
    struct device *d = NULL;
    struct smw_err e = {0};
    uint32_t n = 0;
    int code;

    for (const char *name; (name = smw_preset_name(n)) != NULL; n++) {
        d = tb_realloc(d, (n + 1) * sizeof(*d));
        if (!load(&d[n], name, smw_preset_doc(n), &e)) {
            free(d);
            return (int)diag_error(&e);
        }
    }
    qsort(d, n, sizeof(*d), compare);
    code = print_all(d, n, as_json);
    free(d);
    return code;
}

static int one(const char *name, bool as_json)
{
    struct device d;
    struct smw_err e = {0};
    const char *doc = "";

    for (uint32_t i = 0; smw_preset_name(i) != NULL; i++) {
        if (strcmp(smw_preset_name(i), name) == 0) {
            doc = smw_preset_doc(i);
        }
    }
    if (!load(&d, name, doc, &e)) {
        return (int)diag_error(&e);
    }
    if (as_json) {
        print_json(device_json(&d));
    } else {
        print_device(&d);
    }
    return TB_OK;
}

int cmd_devices(int argc, char **argv)
{
    struct options o = {NULL, false};

    cli_parse(&devices_argp, argc, argv, &o);
    return o.name == NULL ? all(o.json) : one(o.name, o.json);
}
