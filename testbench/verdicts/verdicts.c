/*
 * smwave_verdicts - kernels that race and twins that do not, through the checks of the
 * model and through an oracle that was written apart from them.
 *
 * Three judge each kernel: whoever made it, the oracle, and "--check global". That the
 * first two agree tests the generator; what the third misses, or says too much, is
 * counted. In a racy kernel each pair of instructions that is told has to be one that
 * the oracle has.
 */
#include "oracle.h"
#include "smwave.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PER_DEVICE = 200, /* kernels, after which a new one is opened */
    MAX_TOLD = 20,
    MAX_FAMILIES = 32
};

struct options {
    uint64_t count, seed, family;
    const char *preset, *keep;
    bool show;
};

struct tally { /* of a family */
    uint64_t racy, clean, missed, false_alarms, wrong_pairs, lenient, lenient_missed;
    uint64_t vague; /* judged by nobody */
};

struct bench {
    const struct options *o;
    struct smw_config *config;
    struct smw_device *device;
    uint64_t buffer;
    uint32_t used;
    struct oracle *oracle;
    struct tally tally[MAX_FAMILIES];
    uint64_t broken; /* the generator or the run */
    uint64_t told;
    char text[MAX_TEXT];
};

/* ---- the device ---- */

static bool configure(struct bench *b, struct smw_err *e)
{
    static const char *const keys[][2] = {{"gpu.sms", "2"},
                                          {"dram.size", "16 MiB"},
                                          {"gpu.what_if", "true"}};

    b->config = smw_config_new();
    if (b->config == NULL || !smw_config_preset(b->config, b->o->preset, e)) {
        return false;
    }
    for (uint32_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (!smw_config_set(b->config, keys[i][0], keys[i][1], e)) {
            return false;
        }
    }
    return true;
}

static bool open_device(struct bench *b, struct smw_err *e)
{
    const struct smw_options opt = {.check = SMW_CHECK_GLOBAL, .max_cycles = 1u << 30};

    if (b->device != NULL && b->used < PER_DEVICE) {
        return true;
    }
    smw_close(b->device);
    b->used = 0;
    b->device = smw_open(b->config, &opt, e);
    return b->device != NULL && smw_alloc(b->device, MEMORY, &b->buffer, e);
}

static bool execute(struct bench *b, const struct kernel *k, struct smw_module **m,
                    struct smw_err *e)
{
    static const char zeros[MEMORY];
    struct smw_launch l = {.grid = {k->n_blocks, 1, 1},
                           .block = {k->n_warps * LANES, 1, 1},
                           .params = &b->buffer,
                           .param_bytes = sizeof(b->buffer)};
    const struct smw_kernel *entry;

    if (!open_device(b, e) || !smw_write(b->device, b->buffer, zeros, MEMORY, e)) {
        return false;
    }
    smw_forget_results(b->device);
    *m = smw_load(b->device, b->text, strlen(b->text), "verdict.ptx", e);
    entry = *m == NULL ? NULL : smw_kernel(*m, "k", e);
    b->used++;
    return entry != NULL && smw_launch(b->device, entry, &l, e) &&
           smw_synchronize(b->device, e);
}

/* ---- what the checks say ---- */

struct said {
    bool race, error;
    bool pair[MAX_STEPS][MAX_STEPS];
    bool elsewhere; /* of an instruction that is no step */
};

static uint32_t step_at(const struct kernel *k, uint32_t line)
{
    uint32_t i = 0;

    while (i < k->n && k->line[i] != line) {
        i++;
    }
    return i;
}

static void listen(struct bench *b, const struct kernel *k, struct said *s)
{
    struct smw_finding f;
    const uint32_t n = smw_findings(b->device);

    memset(s, 0, sizeof(*s));
    for (uint32_t i = 0; i < n && smw_finding(b->device, i, &f); i++) {
        const uint32_t first = step_at(k, f.first.at.ptx_line);
        const uint32_t second = step_at(k, f.second.at.ptx_line);

        if (f.kind != SMW_RACE) {
            continue;
        }
        s->race = true;
        s->error |= f.error;
        if (first < k->n && second < k->n) {
            s->pair[first][second] = true;
        } else {
            s->elsewhere = true;
        }
    }
}

/* ---- one kernel ---- */

static void keep(const struct bench *b, uint64_t seed, bool racy)
{
    char path[512];
    FILE *f;

    (void)snprintf(path, sizeof(path), "%s/%" PRIu64 "%s.ptx", b->o->keep, seed,
                   racy ? "-racy" : "");
    f = fopen(path, "w");
    if (f == NULL || fputs(b->text, f) == EOF) {
        perror(path);
    }
    if (f != NULL && fclose(f) != 0) {
        perror(path);
    }
}

static void tell(struct bench *b, const struct kernel *k, uint64_t seed,
                 const char *what)
{
    if (b->told++ >= MAX_TOLD) {
        return;
    }
    (void)printf("seed %" PRIu64 "%s: %s (%s: %s)\n", seed, k->racy ? ", racy" : "",
                 what, kernel_family(k->family), k->how);
    if (b->o->keep != NULL) {
        keep(b, seed, k->racy);
    }
}

static void say_pair(struct bench *b, const struct kernel *k, uint64_t seed,
                     const char *what, uint32_t i, uint32_t j)
{
    char text[128];

    (void)snprintf(text, sizeof(text), "%s: lines %u and %u", what, k->line[i],
                   k->line[j]);
    tell(b, k, seed, text);
}

static void say_missed(struct bench *b, const struct kernel *k, uint64_t seed,
                       const struct verdict *v)
{
    for (uint32_t i = 0; i < k->n; i++) {
        for (uint32_t j = i; j < k->n; j++) {
            if (v->pair[i][j]) {
                say_pair(b, k, seed, "missed", i, j);
                return;
            }
        }
    }
}

/* Which thread wins is open, and with it which steps race; a flag in shared memory that
 * publishes nothing is no flag (SPEC CHECK-2). */
static bool is_open(const struct kernel *k, uint32_t i, uint32_t j)
{
    const bool flags = k->step[i].kind >= SIGNAL && k->step[j].kind >= SIGNAL;

    return k->step[i].winners || k->step[j].winners ||
           (flags && k->step[i].space == SHARED);
}

/* Each pair that is told is one that races. */
static bool pairs_are_right(struct bench *b, const struct kernel *k, uint64_t seed,
                            const struct said *s, const struct verdict *v)
{
    for (uint32_t i = 0; i < k->n; i++) {
        for (uint32_t j = 0; j < k->n; j++) {
            if (s->pair[i][j] && !v->pair[i][j] && !(v->race && is_open(k, i, j))) {
                say_pair(b, k, seed, "a pair that does not race", i, j);
                return false;
            }
        }
    }
    return !s->elsewhere;
}

static void compare(struct bench *b, const struct kernel *k, uint64_t seed,
                    const struct verdict *v, const struct said *s)
{
    struct tally *t = &b->tally[k->family];

    if (k->lenient) {
        t->lenient++;
        t->lenient_missed += !s->race;
    } else if (v->race) {
        t->racy++;
        t->missed += !s->race;
        if (!s->race) {
            say_missed(b, k, seed, v);
        }
    } else {
        t->clean++;
        t->false_alarms += s->race;
        if (s->race) {
            tell(b, k, seed, "a false alarm");
        }
    }
    if (s->race && !pairs_are_right(b, k, seed, s, v)) {
        t->wrong_pairs++;
    }
    if (s->error && v->race && !v->error) {
        tell(b, k, seed, "an error, which should be a warning");
        t->wrong_pairs++;
    }
}

static void break_off(struct bench *b, const struct kernel *k, uint64_t seed,
                      const char *why)
{
    b->broken++;
    tell(b, k, seed, why);
}

static void try_one(struct bench *b, uint64_t seed, bool racy)
{
    struct kernel k;
    struct verdict v;
    struct said s;
    struct smw_err e = {0};
    struct smw_module *m = NULL;

    kernel_make(&k, seed, racy);
    kernel_write(&k, b->text);
    if (b->o->show) {
        (void)fputs(b->text, stdout);
        return;
    }
    oracle_judge(b->oracle, &k, &v);
    if (k.unknown && (racy || v.hung)) {
        return;
    }
    if (v.vague) {
        b->tally[k.family].vague++;
        return;
    }
    if (v.hung || (!k.unknown && v.race != k.racy)) {
        break_off(b, &k, seed,
                  v.hung ? "the oracle waits for ever" : "the oracle says otherwise");
        return;
    }
    if (!execute(b, &k, &m, &e)) {
        break_off(b, &k, seed, e.message);
        smw_close(b->device);
        b->device = NULL;
        return;
    }
    listen(b, &k, &s);
    compare(b, &k, seed, &v, &s);
    smw_unload(m);
}

/* ---- all ---- */

static bool report(const struct bench *b)
{
    struct tally sum = {0};

    (void)printf("| family | racy | missed | race-free | false alarms | wrong pairs |\n"
                 "|---|---|---|---|---|---|\n");
    for (uint32_t i = 0; i < kernel_families(); i++) {
        const struct tally *t = &b->tally[i];

        (void)printf("| %s | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | %" PRIu64
                     " | %" PRIu64 " |\n",
                     kernel_family(i), t->racy, t->missed, t->clean, t->false_alarms,
                     t->wrong_pairs);
        sum.racy += t->racy;
        sum.clean += t->clean;
        sum.missed += t->missed;
        sum.false_alarms += t->false_alarms;
        sum.wrong_pairs += t->wrong_pairs;
        sum.lenient += t->lenient;
        sum.lenient_missed += t->lenient_missed;
        sum.vague += t->vague;
    }
    (void)printf("| all | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | %" PRIu64
                 " | %" PRIu64 " |\n",
                 sum.racy, sum.missed, sum.clean, sum.false_alarms, sum.wrong_pairs);
    (void)printf("left to the rules' leniency: %" PRIu64 " of %" PRIu64
                 " not told; without a verdict: %" PRIu64 "; broken: %" PRIu64 "\n",
                 sum.lenient_missed, sum.lenient, sum.vague, b->broken);
    return sum.missed + sum.false_alarms + sum.wrong_pairs + b->broken == 0;
}

enum { KEY_KEEP = 256, KEY_SHOW, KEY_PRESET, KEY_FAMILY };

static const struct argp_option option_table[] = {
    {"count", 'n', "COUNT", 0, "seeds to run, two kernels each (default 500)", 0},
    {"seed", 's', "SEED", 0, "the first (default 1)", 0},
    {"keep", KEY_KEEP, "DIR", 0, "write kernels that fail to DIR", 0},
    {"show", KEY_SHOW, NULL, 0, "print the kernels and do not run them", 0},
    {"preset", KEY_PRESET, "NAME", 0, "the device (default h100)", 0},
    {"family", KEY_FAMILY, "N", 0, "only seeds of family N, from 0", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case 'n': o->count = strtoull(arg, NULL, 10); break;
    case 's': o->seed = strtoull(arg, NULL, 10); break;
    case KEY_KEEP: o->keep = arg; break;
    case KEY_SHOW: o->show = true; break;
    case KEY_PRESET: o->preset = arg; break;
    case KEY_FAMILY: o->family = strtoull(arg, NULL, 10); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct argp argp = {option_table,
                              parse,
                              NULL,
                              "Runs kernels that race, and twins that do not, and says "
                              "which of them the checks take for the other.",
                              NULL,
                              NULL,
                              NULL};
    struct options o = {.count = 500,
                        .seed = 1,
                        .family = UINT64_MAX,
                        .preset = "h100"};
    struct bench b = {.o = &o};
    struct smw_err e = {0};
    bool right = false;

    if (argp_parse(&argp, argc, argv, 0, NULL, &o) != 0) {
        return 2;
    }
    b.oracle = oracle_new();
    if (b.oracle == NULL || !configure(&b, &e)) {
        (void)fprintf(stderr, "smwave_verdicts: %s\n",
                      b.oracle == NULL ? "no memory" : e.message);
    } else {
        for (uint64_t i = o.seed; i < o.seed + o.count; i++) {
            if (o.family == UINT64_MAX || i % kernel_families() == o.family) {
                try_one(&b, i, false);
                try_one(&b, i, true);
            }
        }
        right = o.show || report(&b);
    }
    smw_close(b.device);
    smw_config_free(b.config);
    oracle_free(b.oracle);
    return right ? 0 : 1;
}
