/* cmd_occupancy.c - "smwave occupancy": how many blocks an SM holds, and what limits
 * them. */
#include "cmd/answer.h"
#include "cmd/commands.h"
#include "io/cli.h"

#include "ask/occupancy.h"
#include "io/num.h"
#include "run/config.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OPT_CC = 256,
    OPT_SHARED,
    OPT_CARVEOUT,
    OPT_CACHE,
    OPT_ARGS,
    OPT_BATCH,
    OPT_CSV,
    OPT_TABLE,
    OPT_JSON
};

struct options {
    const char *cc, *config, *threads, *regs, *shared, *carveout, *cache, *args, *batch;
    bool csv, table, json;
};

static const struct argp_option option_table[] = {
    {0, 0, 0, 0, "The device:", 1},
    {"cc", OPT_CC, "X.Y", 0, "compute capability", 1},
    {"config", 'c', "PRESET|FILE.yml", 0, "or: that of a configuration", 1},
    {"preset", 'c', 0, OPTION_ALIAS, 0, 1},
    {0, 0, 0, 0, "A block:", 2},
    {"threads", 't', "N", 0, "threads", 2},
    {"regs", 'r', "N", 0, "32-bit registers of each thread", 2},
    {"shared", OPT_SHARED, "BYTES", 0, "shared memory, static and dynamic (default: 0)",
     2},
    {"args", OPT_ARGS, "BYTES", 0,
     "1.x: arguments, which lie in shared memory behind 16 bytes of launch data", 2},
    {"carveout", OPT_CARVEOUT, "KB|N%", 0,
     "7.0 and later: shared memory wanted, rounded up to the next size there is", 2},
    {"cache", OPT_CACHE, "none|shared|l1|equal", 0, "the preference (default: none)",
     2},
    {0, 0, 0, 0, "Many blocks:", 3},
    {"batch", OPT_BATCH, "FILE.csv", 0,
     "a row each, columns threads, regs, shared and, if wanted, carveout (as the "
     "option; empty: none) and cache; -: standard input. Prints a CSV row for each.",
     3},
    {0, 0, 0, 0, "Output:", 4},
    {"csv", OPT_CSV, NULL, 0, "print CSV (default if the output is no terminal)", 4},
    {"table", OPT_TABLE, NULL, 0, "print tables (default on a terminal)", 4},
    {"json", OPT_JSON, NULL, 0, "print JSON: an array, an object for each row", 4},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case OPT_CC: o->cc = arg; return 0;
    case 'c': o->config = arg; return 0;
    case 't': o->threads = arg; return 0;
    case 'r': o->regs = arg; return 0;
    case OPT_SHARED: o->shared = arg; return 0;
    case OPT_CARVEOUT: o->carveout = arg; return 0;
    case OPT_CACHE: o->cache = arg; return 0;
    case OPT_ARGS: o->args = arg; return 0;
    case OPT_BATCH: o->batch = arg; return 0;
    case OPT_CSV: o->csv = true; return 0;
    case OPT_TABLE: o->table = true; return 0;
    case OPT_JSON: o->json = true; return 0;
    case ARGP_KEY_ARG: argp_error(state, "'%s' is one word too many", arg); return 0;
    case ARGP_KEY_END:
        if (o->cc == NULL && o->config == NULL) {
            argp_error(state, "which device? --cc X.Y or -c PRESET");
        }
        if (o->cc != NULL && o->config != NULL) {
            argp_error(state, "--cc and -c name a device each; one is enough");
        }
        if (o->batch == NULL && (o->threads == NULL || o->regs == NULL)) {
            argp_error(state, "a block needs --threads and --regs");
        }
        if (o->batch != NULL &&
            (o->threads != NULL || o->regs != NULL || o->shared != NULL)) {
            argp_error(state, "the rows of --batch say threads, regs and shared");
        }
        if (o->csv + o->table + o->json > 1) {
            argp_error(state, "one of --csv, --table and --json");
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp occupancy_argp = {
    .options = option_table,
    .parser = parse_option,
    .doc = "How many blocks are resident on an SM, and what allows no more.\v"
           "CSV: blocks_per_sm,warps_per_sm,limiter. The limiter is blocks, warps, "
           "registers or shared memory (of equal limits the first), or threads if a "
           "block may not have so many; below 7.0, as in the published calculator, "
           "resources alone decide. 0 blocks is an answer, not an error.\n"
           "Examples:\n"
           "  smwave occupancy --cc 2.0 --threads 192 --regs 20 --shared 4096\n"
           "  smwave occupancy -c h100 -t 256 -r 40 --shared 32768 --carveout 50%\n"
           "  smwave occupancy --cc 1.3 -t 128 -r 16 --shared 2048 --args 24\n",
};

/* ---- the device ---- */

static bool find_cc(const char *text, struct occupancy_device *d, struct smw_err *e)
{
    const struct rules_cc *r = config_rules(text, e);

    if (r != NULL) {
        *d = (struct occupancy_device){.rules = r,
                                       .max_blocks = r->max_blocks,
                                       .max_warps = r->max_warps,
                                       .start = r->split[0],
                                       .automatic = r->carveout};
    }
    return r != NULL;
}

static uint32_t key_number(const struct smw_config *c, const char *key)
{
    char text[64] = "";

    smw_config_show(c, key, text, sizeof(text));
    return (uint32_t)strtoul(text, NULL, 10);
}

static bool load_device(const char *config, struct occupancy_device *d,
                        struct smw_err *e)
{
    struct smw_config *c = config_new();
    char cc[64] = "", partition[64] = "";
    bool ok = config_load(c, config, NULL, e) && smw_config_check(c, e);

    if (ok) {
        smw_config_show(c, "gpu.compute_capability", cc, sizeof(cc));
        ok = find_cc(cc, d, e);
    }
    if (ok) {
        d->max_blocks = key_number(c, "sm.max_blocks");
        d->max_warps = key_number(c, "sm.max_warps");
        smw_config_show(c, "sm.onchip.partition", partition, sizeof(partition));
        d->automatic = strcmp(partition, "auto") == 0;
        if (!d->automatic) {
            d->start.shared = (uint32_t)strtoul(partition, NULL, 10);
        }
    }
    smw_config_free(c);
    return ok;
}

/* ---- the block ---- */

static bool number(const char *option, const char *text, uint32_t least, uint32_t *out)
{
    if (num_u32(text, out) != NUM_OK || *out < least || *out > OCCUPANCY_MAX) {
        diag_usage("occupancy", "%s takes a whole number, %u or more, not '%s'", option,
                   least, text);
        return false;
    }
    return true;
}

/* False: a message was printed. */
static bool read_block(const struct options *o, const struct occupancy_device *d,
                       struct occupancy_ask *a)
{
    static const char *const caches[] = {"none", "shared", "l1", "equal"};
    const char *why;
    uint32_t args = 0;

    if ((o->threads != NULL && !number("--threads", o->threads, 1, &a->threads)) ||
        (o->regs != NULL && !number("--regs", o->regs, 1, &a->regs)) ||
        (o->shared != NULL && !number("--shared", o->shared, 0, &a->shared)) ||
        (o->args != NULL && !number("--args", o->args, 0, &args))) {
        return false;
    }
    if (o->args != NULL) {
        if (d->rules->param_shared_base == 0) {
            diag_usage("occupancy",
                       "--args: only on 1.x are arguments in shared memory");
            return false;
        }
        a->shared += d->rules->param_shared_base + args;
    }
    if (o->carveout != NULL && !occupancy_carveout(d->rules, o->carveout, a, &why)) {
        diag_usage("occupancy", "--carveout %s: %s", o->carveout, why);
        return false;
    }
    if (o->cache != NULL && !occupancy_cache(o->cache, a)) {
        cli_choose("occupancy", "preference", o->cache, caches, 4);
        return false;
    }
    return true;
}

static int run_batch(const struct occupancy_device *d, const struct occupancy_ask *a,
                     const char *name, FILE *out)
{
    struct smw_err e = {0};
    FILE *f = file_input(&name, &e);
    bool ok;

    if (f == NULL) {
        return (int)diag_error(&e);
    }
    ok = occupancy_batch(d, a, f, name, out, &e);
    if (f != stdin) {
        fclose(f);
    }
    return ok ? TB_OK : (int)diag_error(&e);
}

/* CSV, of the batch or of the one block. */
static int run_rows(const struct options *o, const struct occupancy_device *d,
                    const struct occupancy_ask *a, FILE *out)
{
    struct occupancy_answer w;

    if (o->batch != NULL) {
        return run_batch(d, a, o->batch, out);
    }
    w = occupancy_answer(d, a);
    occupancy_heading(out);
    occupancy_row(out, &w);
    if (w.too_many && w.blocks != 0) {
        fprintf(stderr,
                "smwave occupancy: note: a block has at most %u threads; this is what "
                "registers and shared memory would allow\n",
                d->rules->max_threads);
    }
    return TB_OK;
}

int cmd_occupancy(int argc, char **argv)
{
    struct options o = {0};
    struct occupancy_device d;
    struct occupancy_ask a = {.percent = -1, .kb = UINT32_MAX};
    struct answer_stream answer;
    struct smw_err e = {0};
    int code;

    cli_parse(&occupancy_argp, argc, argv, &o);
    if (!(o.cc != NULL ? find_cc(o.cc, &d, &e) : load_device(o.config, &d, &e))) {
        return (int)diag_error(&e);
    }
    if (!read_block(&o, &d, &a)) {
        return TB_USAGE;
    }
    if (!o.json && o.batch == NULL &&
        (o.table || (!o.csv && isatty(STDOUT_FILENO) != 0))) {
        occupancy_table(&d, &a, diag_color(stdout), stdout);
        return TB_OK;
    }
    if (o.json) {
        answer_begin(&answer);
    }
    code = run_rows(&o, &d, &a, o.json ? answer.f : stdout);
    if (o.json) {
        answer_end(&answer, code == TB_OK);
    }
    return code;
}
