/* cmd_bankmap.c - "smwave bankmap": banks, lines and sectors of an access, by the rules
 * alone. */
#include "cmd/answer.h"
#include "cmd/commands.h"
#include "io/cli.h"

#include "ask/bankmap.h"
#include "ask/bankmap_ask.h"
#include "io/num.h"
#include "mem/smem.h"
#include "run/config.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_OVERRIDES = 256 };

enum {
    OPT_CC = 256,
    OPT_SPACE,
    OPT_OP,
    OPT_PATTERNS,
    OPT_BANK_MODE,
    OPT_L1,
    OPT_BROADCAST,
    OPT_RULE128,
    OPT_STRIDE,
    OPT_INDEX,
    OPT_ADDR,
    OPT_WIDTH,
    OPT_MASK,
    OPT_SVG,
    OPT_ALL,
    OPT_JSON
};

struct options {
    const char *cc, *config, *overrides[MAX_OVERRIDES];
    uint32_t n_overrides;
    const char *space, *op, *bank_mode, *l1, *broadcast, *rule128;
    const char *patterns, *stride, *index, *addr;
    const char *width, *mask, *svg;
    bool all, json;
};

static const struct argp_option option_table[] = {
    {0, 0, 0, 0, "The device:", 1},
    {"cc", OPT_CC, "X.Y", 0, "compute capability", 1},
    {"config", 'c', "PRESET|FILE.yml", 0, "or: that of a configuration", 1},
    {"set", 's', "KEY=VALUE", 0, "change one configuration key; may be repeated", 1},
    {"bank-mode", OPT_BANK_MODE, "4|8", 0, "3.x: bytes of a bank word (default: 4)", 1},
    {"l1", OPT_L1, "on|off", 0,
     "global loads go through the L1 (default: what the capability does)", 1},
    {"broadcast", OPT_BROADCAST, "first_lane|most_lanes|adversarial", 0,
     "1.x: the word a pass broadcasts", 1},
    {"rule128", OPT_RULE128, "capability|quarters|quarters_extra|halves", 0,
     "lanes of 128-bit accesses judged together", 1},
    {0, 0, 0, 0, "One access:", 2},
    {"stride", OPT_STRIDE, "N", 0, "lane i is on element N * i", 2},
    {"index", OPT_INDEX, "EXPR", 0,
     "lane tid is on element EXPR, as C has it: "
     "'(tid % 8) * 33 + tid / 8'",
     2},
    {"addr", OPT_ADDR, "A,B,...", 0,
     "byte offsets of lanes 0, 1 ...; an empty place is a lane that is off", 2},
    {"width", OPT_WIDTH, "1|2|4|8|16", 0, "bytes of an element (default: 4)", 2},
    {"mask", OPT_MASK, "HEX", 0, "lanes that take part (default: all)", 2},
    {"space", OPT_SPACE, "shared|global", 0, "memory (default: shared)", 2},
    {"op", OPT_OP, "ld|st|atom", 0, "load, store or atomic (default: ld)", 2},
    {"all", OPT_ALL, NULL, 0,
     "compare all capabilities (without --cc and -c: that only)", 2},
    {"svg", OPT_SVG, "FILE", 0, "the picture into FILE as well", 2},
    {0, 0, 0, 0, "Many accesses:", 3},
    {"patterns", OPT_PATTERNS, "FILE.csv", 0,
     "a row each, columns name, width_bytes, active_mask (hexadecimal), lane0 ... "
     "lane31 "
     "(byte offsets); -: standard input. Prints CSV.",
     3},
    {"json", OPT_JSON, NULL, 0,
     "print JSON: of one access an object, of --patterns an array of them", 4},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case OPT_CC: o->cc = arg; return 0;
    case 'c': o->config = arg; return 0;
    case 's':
        if (o->n_overrides == MAX_OVERRIDES) {
            argp_error(state, "-s is given more than %d times", MAX_OVERRIDES);
        }
        o->overrides[o->n_overrides++] = arg;
        return 0;
    case OPT_SPACE: o->space = arg; return 0;
    case OPT_OP: o->op = arg; return 0;
    case OPT_PATTERNS: o->patterns = arg; return 0;
    case OPT_BANK_MODE: o->bank_mode = arg; return 0;
    case OPT_L1: o->l1 = arg; return 0;
    case OPT_BROADCAST: o->broadcast = arg; return 0;
    case OPT_RULE128: o->rule128 = arg; return 0;
    case OPT_STRIDE: o->stride = arg; return 0;
    case OPT_INDEX: o->index = arg; return 0;
    case OPT_ADDR: o->addr = arg; return 0;
    case OPT_WIDTH: o->width = arg; return 0;
    case OPT_MASK: o->mask = arg; return 0;
    case OPT_SVG: o->svg = arg; return 0;
    case OPT_ALL: o->all = true; return 0;
    case OPT_JSON: o->json = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp bankmap_argp = {
    .options = option_table,
    .parser = parse_option,
    .doc =
        "What an access of one warp does to the banks of shared memory, or to the "
        "lines "
        "of global memory: conflicts, requests, transactions, and why.\v"
        "Examples:\n"
        "  smwave bankmap --cc 2.0 --stride 32           a column of a 32 x 32 tile\n"
        "  smwave bankmap --cc 2.0 --stride 33           and of a padded one\n"
        "  smwave bankmap --stride 2 --width 8           the same on all capabilities\n"
        "  smwave bankmap --cc 9.0 --index '(tid ^ 1) * 2' --op st\n"
        "  smwave bankmap --cc 1.3 --space global --index 'tid + 1' --svg line.svg\n"
        "  smwave bankmap --cc 2.0 --space shared --op ld --patterns warps.csv\n",
};

/* ---- the device ---- */

static const struct cfg_field *smem_field(const char *name)
{
    for (uint32_t i = 0; i < smem_keys.n; i++) {
        if (strcmp(smem_keys.fields[i].name, name) == 0) {
            return &smem_keys.fields[i];
        }
    }
    return NULL;
}

/* The value of a word that one of the choices of sm.smem must be. */
static bool choose_smem(const char *name, const char *word, uint32_t *out)
{
    const struct cfg_field *f = smem_field(name);
    int i;

    if (word == NULL) {
        *out = (uint32_t)f->def;
        return true;
    }
    i = cli_choose("bankmap", name, word, f->choices, f->n_choices);
    if (i < 0) {
        return false;
    }
    *out = (uint32_t)i;
    return true;
}

/* What a configuration says about the rules, as options would: they win over it. */
struct device {
    char cc[64], banks[64], bank_mode[64], broadcast[64], rule128[64], l1[64];
};

static bool load_device(const struct options *o, struct device *d, struct smw_err *e)
{
    struct smw_config *c = config_new();
    bool ok = o->config == NULL || config_load(c, o->config, NULL, e);

    for (uint32_t i = 0; i < o->n_overrides && ok; i++) {
        ok = config_override(c, o->overrides[i], e);
    }
    ok = ok && smw_config_check(c, e);
    if (ok) {
        smw_config_show(c, "gpu.compute_capability", d->cc, sizeof(d->cc));
        smw_config_show(c, "sm.smem.banks", d->banks, sizeof(d->banks));
        smw_config_show(c, "sm.smem.bank_mode", d->bank_mode, sizeof(d->bank_mode));
        smw_config_show(c, "sm.smem.broadcast", d->broadcast, sizeof(d->broadcast));
        smw_config_show(c, "sm.smem.rule128", d->rule128, sizeof(d->rule128));
        smw_config_show(c, "sm.l1.global", d->l1, sizeof(d->l1));
    }
    smw_config_free(c);
    return ok;
}

static const char *word_or(const char *option, const char *config)
{
    return option != NULL ? option : config[0] != '\0' ? config : NULL;
}

/* false: a message was printed already if e is empty still. */
static bool set_rules(const struct options *o, const struct device *d,
                      struct bankmap_setup *s, struct smw_err *e)
{
    static const char *const switches[] = {"on", "off"};
    static const char *const modes[] = {"4", "8"};
    struct smem_config smem = {0};
    const char *mode = o->bank_mode;
    uint32_t banks = 0;
    int i;
    const char *cc = o->cc != NULL ? o->cc : d->cc[0] != '\0' ? d->cc : "9.0";
    const struct rules_cc *rules = config_rules(cc, e);

    if (rules == NULL ||
        !choose_smem("broadcast", word_or(o->broadcast, d->broadcast),
                     &smem.broadcast) ||
        !choose_smem("rule128", word_or(o->rule128, d->rule128), &smem.rule128)) {
        return false;
    }
    s->rules = *rules;
    smem.banks = num_u32(d->banks, &banks) == NUM_OK ? banks : s->rules.banks;
    smem_adapt_rules(&smem, &s->rules);

    s->bank_mode = (uint32_t)strtoul(d->bank_mode, NULL, 10); /* "16 B" */
    s->bank_mode = s->bank_mode == 0 ? 4 : s->bank_mode;
    if (mode != NULL) {
        i = cli_choose("bankmap", "bank mode", mode, modes, 2);
        if (i < 0) {
            return false;
        }
        s->bank_mode = i == 0 ? 4 : 8;
        if (s->bank_mode == 8 && s->rules.bank_bytes != 8 && o->cc != NULL) {
            fprintf(stderr,
                    "smwave bankmap: note: banks of capability %s have 4 bytes; "
                    "--bank-mode 8 has no effect, as on the device\n",
                    o->cc);
            s->bank_mode = 4;
        }
    }

    s->in_l1 = d->l1[0] != '\0' ? rules_l1_caches(&s->rules, strcmp(d->l1, "true") == 0)
                                : s->rules.l1_global == RULES_L1_DEFAULT;
    if (o->l1 != NULL) {
        i = cli_choose("bankmap", "--l1", o->l1, switches, 2);
        if (i < 0) {
            return false;
        }
        if (i == 0 && s->rules.l1_global == RULES_L1_NEVER) {
            return err_set(
                e, SMW_ERR_USAGE,
                "capability %u.%u caches no global loads in an L1: no --l1 on",
                s->rules.cc / 10, s->rules.cc % 10);
        }
        s->in_l1 = i == 0;
    }
    return true;
}

/* ---- the access ---- */

static bool set_kind(const struct options *o, struct bankmap_setup *s)
{
    static const char *const spaces[] = {"shared", "global"};
    static const char *const ops[] = {"ld", "st", "atom"};
    int space =
        o->space == NULL ? 0 : cli_choose("bankmap", "space", o->space, spaces, 2);
    int op = o->op == NULL ? 0 : cli_choose("bankmap", "operation", o->op, ops, 3);

    if (space < 0 || op < 0) {
        return false;
    }
    s->space = space == 0 ? BANKMAP_SHARED : BANKMAP_GLOBAL;
    s->op = (uint8_t)(op == 0 ? MEM_LOAD : op == 1 ? MEM_STORE : MEM_ATOM);
    return true;
}

/* Atomics came with 1.1 on global memory, with 1.2 on shared memory (PG4.2 B.11). */
static bool has_op(const struct bankmap_setup *s, struct smw_err *e)
{
    bool lacks = s->space == BANKMAP_SHARED ? s->rules.atomics == RULES_ATOMICS_NONE
                                            : s->rules.cc < 11;

    if (s->op < MEM_ATOM || !lacks) {
        return true;
    }
    err_set(e, SMW_ERR_USAGE, "capability %u.%u has no atomics on %s memory",
            s->rules.cc / 10, s->rules.cc % 10,
            s->space == BANKMAP_SHARED ? "shared" : "global");
    err_hint(e, "the first that has them is %s",
             s->space == BANKMAP_SHARED ? "1.2" : "1.1");
    return false;
}

static bool set_lanes(const struct options *o, struct bankmap_request *r,
                      struct smw_err *e)
{
    uint32_t bytes = 4;
    char *mask;
    bool ok;

    if (o->width != NULL &&
        (num_u32(o->width, &bytes) != NUM_OK || !bankmap_is_width(bytes))) {
        return err_set(e, SMW_ERR_USAGE, "--width is 1, 2, 4, 8 or 16 bytes, not '%s'",
                       o->width);
    }
    r->access.bytes = bytes;
    r->access.mask = UINT32_MAX;
    if (o->mask == NULL) {
        return true;
    }
    mask = tb_printf("%s%s", strncmp(o->mask, "0x", 2) == 0 ? "" : "0x", o->mask);
    ok = num_u32(mask, &r->access.mask) == NUM_OK;
    free(mask);
    return ok || err_set(e, SMW_ERR_USAGE,
                         "--mask is a hexadecimal number of up to 32 bits, not '%s'",
                         o->mask);
}

static bool ask(const struct options *o, struct bankmap_request *r, struct smw_err *e)
{
    if (!set_lanes(o, r, e)) {
        return false;
    }
    if (o->stride != NULL) {
        return ask_stride(r, o->stride, e);
    }
    return o->index != NULL ? ask_index(r, o->index, e)
                            : ask_addr(r, o->addr, o->mask != NULL, e);
}

/* ---- answers ---- */

static int run_batch(const struct options *o, const struct bankmap_setup *s)
{
    const char *name = o->patterns;
    struct answer_stream answer;
    struct smw_err e = {0};
    FILE *f = file_input(&name, &e);
    bool ok;

    if (f == NULL) {
        return (int)diag_error(&e);
    }
    if (o->json) {
        answer_begin(&answer);
    }
    ok = bankmap_batch(s, f, name, o->json ? answer.f : stdout, &e);
    if (o->json) {
        answer_end(&answer, ok);
    }
    if (f != stdin) {
        fclose(f);
    }
    if (!ok) {
        fflush(stdout); /* the rows before the mistake come before the message */
        return (int)diag_error(&e);
    }
    return TB_OK;
}

/* The array's end is no matter of banks, yet nothing else will say it. */
static void note_range(const struct bankmap_request *r)
{
    uint64_t last = 0;

    for (uint32_t m = r->access.mask; m != 0; m &= m - 1) {
        uint64_t addr = r->access.addr[__builtin_ctz(m)] + r->access.bytes;

        last = addr > last ? addr : last;
    }
    if (r->setup.space == BANKMAP_SHARED && last > r->setup.rules.max_shared_opt_in) {
        fprintf(stderr,
                "smwave bankmap: note: it takes %llu bytes, a block may have %u\n",
                (unsigned long long)last, r->setup.rules.max_shared_opt_in);
    }
}

static json_t *lane_addresses(const struct bankmap_access *a)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < ISA_LANES; i++) {
        json_array_append_new(list, (a->mask >> i & 1u) != 0
                                        ? json_integer((json_int_t)a->addr[i])
                                        : json_null());
    }
    return list;
}

static void add_shared(const struct bankmap_request *r, json_t *o)
{
    struct bankmap_plan p;
    json_t *banks = json_array();

    bankmap_plan(&r->setup, &r->access, &p);
    json_object_set_new(o, "wavefronts", json_integer(p.w.n));
    json_object_set_new(o, "ideal_wavefronts", json_integer(p.w.ideal));
    json_object_set_new(o, "conflict_degree", json_integer(p.w.degree));
    for (uint32_t b = 0; b < r->setup.rules.banks; b++) {
        json_array_append_new(banks, json_integer(p.busy[b]));
    }
    json_object_set_new(o, "bank_passes", banks);
}

static void add_global(const struct bankmap_request *r, json_t *o)
{
    struct rules_lines l;
    char transactions[48];

    bankmap_global(&r->setup, &r->access, &l);
    bankmap_transactions(&l, transactions);
    json_object_set_new(o, "requests", json_integer(l.requests));
    json_object_set_new(o, "lines", json_integer(l.lines));
    json_object_set_new(o, "sectors", json_integer(l.sectors));
    json_object_set_new(o, "transactions", json_string(transactions));
    json_object_set_new(o, "bytes", json_integer(l.moved));
}

static void answer_one(const struct bankmap_request *r)
{
    const bool shared = r->setup.space == BANKMAP_SHARED;
    char *cc = tb_printf("%u.%u", r->setup.rules.cc / 10, r->setup.rules.cc % 10);
    json_t *o = json_pack("{s:s, s:s, s:s, s:I, s:o}", "compute_capability", cc,
                          "space", shared ? "shared" : "global", "op",
                          r->setup.op == MEM_LOAD    ? "ld"
                          : r->setup.op == MEM_STORE ? "st"
                                                     : "atom",
                          "width_bytes", (json_int_t)r->access.bytes, "addresses",
                          lane_addresses(&r->access));

    if (shared) {
        add_shared(r, o);
    } else {
        add_global(r, o);
    }
    answer_print(o);
    free(cc);
}

static int show(const struct options *o, const struct bankmap_request *r, bool one)
{
    bool color = diag_color(stdout);
    struct text out = {0}, svg = {0};
    struct smw_err e = {0};
    int code = TB_OK;

    if (o->json) {
        answer_one(r);
    } else if (one && r->setup.space == BANKMAP_SHARED) {
        bankmap_grid(r, color, &out);
    } else if (one) {
        bankmap_strip(r, color, &out);
    }
    if (one && o->all) {
        text_add(&out, "\n");
    }
    if (!one || o->all) {
        bankmap_table(r, color, &out);
    }
    fputs(out.s == NULL ? "" : out.s, stdout);
    if (o->svg != NULL) {
        bankmap_svg(r, &svg);
        if (!file_write(o->svg, svg.s, svg.n, &e)) {
            code = (int)diag_error(&e);
        }
    }
    text_free(&out);
    text_free(&svg);
    if (one) {
        fflush(stdout);
        note_range(r);
    }
    return code;
}

/* Exactly one way of saying which lanes go where; TB_OK or a usage error. */
static int check_words(const struct options *o, bool one)
{
    uint32_t ways = (o->patterns != NULL) + (o->stride != NULL) + (o->index != NULL) +
                    (o->addr != NULL);

    if (ways != 1) {
        return diag_usage("bankmap",
                          ways == 0 ? "which access? --stride, --index, --addr or "
                                      "--patterns"
                                    : "one of --stride, --index, --addr, --patterns "
                                      "at a time");
    }
    if (o->cc != NULL && (o->config != NULL || o->n_overrides > 0)) {
        return diag_usage("bankmap", "--cc or a configuration, not both");
    }
    if (o->patterns != NULL && !one) {
        return diag_usage("bankmap", "--patterns needs --cc or -c");
    }
    if (o->patterns != NULL &&
        (o->width != NULL || o->mask != NULL || o->svg != NULL || o->all)) {
        return diag_usage("bankmap",
                          "--patterns takes no --width, --mask, --svg, --all");
    }
    if (o->json && (!one || o->all)) {
        return diag_usage("bankmap", "--json needs --cc or -c, and takes no --all");
    }
    if (o->svg != NULL && !one) {
        return diag_usage("bankmap", "--svg needs --cc or -c");
    }
    return TB_OK;
}

int cmd_bankmap(int argc, char **argv)
{
    struct options o = {0};
    struct device d = {{0}, {0}, {0}, {0}, {0}, {0}};
    struct bankmap_request r = {0};
    struct smw_err e = {0};
    bool one;
    int code;

    cli_parse(&bankmap_argp, argc, argv, &o);
    one = o.cc != NULL || o.config != NULL || o.n_overrides > 0;
    code = check_words(&o, one);
    if (code != TB_OK) {
        return code;
    }
    if (!set_kind(&o, &r.setup) || (o.cc == NULL && one && !load_device(&o, &d, &e)) ||
        !set_rules(&o, &d, &r.setup, &e) || !has_op(&r.setup, &e)) {
        return e.kind == SMW_ERR_NONE ? TB_USAGE : (int)diag_error(&e);
    }
    if (o.patterns != NULL) {
        return run_batch(&o, &r.setup);
    }
    code = ask(&o, &r, &e) ? show(&o, &r, one) : (int)diag_error(&e);
    free((char *)r.formula);
    return code;
}
