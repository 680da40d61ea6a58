/* cmd_devices.c - "smwave devices": the presets as a device-query program prints
 * devices, from the table of capabilities and from each preset's configuration. */
#include "cmd/answer.h"
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
    struct smw_device_facts facts;
    bool has_title; /* facts.name says more than name */
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

static bool load(struct device *d, const char *name, struct smw_err *e)
{
    struct smw_config *c = config_new();
    struct copy copy = {c, &d->g, e};

    cfg_defaults(&gpu_schema, &d->g);
    if (config_load(c, name, NULL, e) && smw_config_facts(c, &d->facts, e)) {
        smw_config_each(copy_key, &copy);
    }
    (void)snprintf(d->name, sizeof(d->name), "%s", smw_config_name(c));
    smw_config_free(c);
    d->has_title = strcmp(d->name, d->facts.name) != 0;
    return e->kind == SMW_ERR_NONE && gpu_config_check(&d->g, &d->rules, &d->start, e);
}

static const char *title(const struct device *d)
{
    return d->has_title ? d->facts.name : "";
}

static double gigabytes_per_s(const struct device *d)
{
    return (double)d->facts.memory_bytes_per_s / 1e9;
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

static json_t *dims(uint64_t x, uint64_t y, uint64_t z)
{
    return json_pack("[I,I,I]", (json_int_t)x, (json_int_t)y, (json_int_t)z);
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
    const struct smw_device_facts *f = &d->facts;

    set_int(o, "warp_size", f->warp_size);
    set_int(o, "threads_per_block", f->max_threads_per_block);
    set_int(o, "threads_per_multiprocessor", f->max_threads_per_sm);
    set_int(o, "warps_per_multiprocessor", f->max_threads_per_sm / f->warp_size);
    set_int(o, "blocks_per_multiprocessor", f->max_blocks_per_sm);
    json_object_set_new(o, "max_block",
                        dims(f->max_block[0], f->max_block[1], f->max_block[2]));
    json_object_set_new(o, "max_grid",
                        dims(f->max_grid[0], f->max_grid[1], f->max_grid[2]));
    set_int(o, "registers_per_block", f->regs_per_block);
    set_int(o, "registers_per_multiprocessor", f->regs_per_sm);
    set_int(o, "registers_per_thread", f->regs_per_thread);
    set_int(o, "shared_bytes_per_block", f->shared_per_block);
    set_int(o, "shared_bytes_per_block_opt_in", f->shared_per_block_optin);
    set_int(o, "shared_bytes_reserved_per_block", f->reserved_shared_per_block);
    set_int(o, "shared_bytes_per_multiprocessor", f->shared_per_sm);
    set_int(o, "constant_bytes", f->const_bytes);
    set_int(o, "local_bytes_per_thread", f->local_bytes_per_thread);
    set_int(o, "parameter_bytes", f->param_bytes);
    set_int(o, "concurrent_kernels", f->concurrent_kernels);
}

static json_t *device_json(const struct device *d)
{
    const struct smw_device_facts *f = &d->facts;
    json_t *o = json_object();
    char *cc = tb_printf("%u.%u", f->cc_major, f->cc_minor);

    json_object_set_new(o, "name", json_string(d->name));
    json_object_set_new(o, "device", json_string(title(d)));
    json_object_set_new(o, "compute_capability", json_string(cc));
    set_int(o, "multiprocessors", f->sms);
    set_int(o, "clock_hz", f->sm_hz);
    limits_json(o, d);
    json_object_set_new(o, "splits", splits_json(d));
    set_int(o, "shared_banks", f->shared_banks);
    set_int(o, "shared_bank_bytes", f->shared_bank_bytes);
    json_object_set_new(o, "l1_caches_global_loads", json_string(caching(d)));
    set_int(o, "l2_bytes", f->l2_bytes);
    set_int(o, "memory_bytes", f->memory_bytes);
    set_int(o, "memory_clock_hz", f->memory_hz);
    set_int(o, "memory_data_rate", f->memory_data_rate);
    set_int(o, "memory_bus_bits", f->bus_bits);
    set_int(o, "memory_bytes_per_s", f->memory_bytes_per_s);
    free(cc);
    return o;
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
    const struct smw_device_facts *f = &d->facts;

    line_bytes("shared memory per block", f->shared_per_block, "");
    if (f->shared_per_block_optin != f->shared_per_block) {
        line_bytes("  with opt-in", f->shared_per_block_optin, "");
    }
    if (f->reserved_shared_per_block != 0) {
        line_bytes("  reserved for the system", f->reserved_shared_per_block, "");
    }
    line("shared memory per SM", "%u KiB", f->shared_per_sm / 1024);
    print_splits(d);
    line("shared memory banks", "%u of %u bytes", f->shared_banks,
         f->shared_bank_bytes);
}

static void print_threads(const struct device *d)
{
    const struct smw_device_facts *f = &d->facts;

    line("warp size", "%u", f->warp_size);
    line("threads per block", "%u", f->max_threads_per_block);
    line("block dimensions", "%u x %u x %u", f->max_block[0], f->max_block[1],
         f->max_block[2]);
    line("grid dimensions", "%" PRIu64 " x %" PRIu64 " x %" PRIu64, f->max_grid[0],
         f->max_grid[1], f->max_grid[2]);
    line("threads per SM", "%u, %u warps", f->max_threads_per_sm,
         f->max_threads_per_sm / f->warp_size);
    line("resident blocks per SM", "%u", f->max_blocks_per_sm);
    line("registers per block", "%u", f->regs_per_block);
    line("registers per SM", "%u", f->regs_per_sm);
    line("registers per thread", "%u", f->regs_per_thread);
}

static void print_memory(const struct device *d)
{
    const struct smw_device_facts *f = &d->facts;

    line_bytes("constant memory", f->const_bytes, "");
    line_bytes("local memory per thread", f->local_bytes_per_thread, "");
    line_bytes("kernel arguments", f->param_bytes,
               d->rules->param_shared_base != 0 ? ", in shared memory" : "");
    line("global loads in L1", "%s", caching(d));
    if (f->l2_bytes == 0) {
        line("L2 cache", "none for data");
    } else {
        line_bytes("L2 cache", f->l2_bytes, "");
    }
    line_bytes("global memory", f->memory_bytes, "");
    line("memory clock", "%g MHz, %u transfers per clock", (double)f->memory_hz / 1e6,
         f->memory_data_rate);
    line("memory bus", "%u bits, %u channels", f->bus_bits, d->g.dram.channels);
    line("memory bandwidth", "%.1f GB/s", gigabytes_per_s(d));
}

static void print_device(const struct device *d)
{
    const struct smw_device_facts *f = &d->facts;

    if (d->has_title) {
        printf("%s (%s)\n", f->name, d->name);
    } else {
        puts(d->name);
    }
    line("compute capability", "%u.%u", f->cc_major, f->cc_minor);
    line("multiprocessors", "%u", f->sms);
    line("clock", "%g MHz", (double)f->sm_hz / 1e6);
    line("warp schedulers per SM", "%u", d->g.sm.sm.schedulers);
    print_threads(d);
    print_shared(d);
    print_memory(d);
    line("concurrent kernels", "%u", f->concurrent_kernels);
    if (d->g.gpu.what_if) {
        line("what if", "allows what the capability lacks");
    }
}

static void print_row(const struct device *d)
{
    const struct smw_device_facts *f = &d->facts;
    char splits[LIST_SIZE];

    list_splits(d, splits, sizeof(splits));
    printf("%-8s %2u.%u %4u %5.0f %6" PRIu64 " %5u %7.1f %5u %4u  %-18s %s\n", d->name,
           f->cc_major, f->cc_minor, f->sms, (double)f->sm_hz / 1e6,
           f->memory_bytes >> 20, f->bus_bits, gigabytes_per_s(d),
           f->shared_per_block_optin / 1024, f->shared_per_sm / 1024, splits, title(d));
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
        answer_print(list);
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
        if (!load(&d[n], name, &e)) {
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

    if (!load(&d, name, &e)) {
        return (int)diag_error(&e);
    }
    if (as_json) {
        answer_print(device_json(&d));
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
