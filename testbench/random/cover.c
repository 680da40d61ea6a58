#include "cover.h"

#include "names.h"
#include "ptx/insn_table.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_GROUPS = 24, MAX_WORDS = 20, NAME_ROOM = 120, N_NAMES = 1 << 15, NONE = -1 };

struct group {
    char class;
    bool optional;
    const char *word[MAX_WORDS];
    uint8_t len[MAX_WORDS];
    uint32_t n;
    uint32_t used; /* bit i: word i has been seen */
};

struct row {
    struct group group[MAX_GROUPS];
    uint32_t n_groups, n_forms, n_seen;
    bool *seen; /* of each form */
};

struct named { /* an operation with all its words */
    char text[NAME_ROOM];
    uint64_t count;
};

struct total {
    uint64_t programs, instructions, executed;
};

enum feature {
    F_NARROW,
    F_BLOCKS,
    F_PARTIAL,
    F_WARPS,
    F_SHARED,
    F_DYNAMIC,
    F_LOCAL,
    F_CONST,
    F_GLOBALS,
    F_FUNCTIONS,
    F_CLUSTERS,
    N_FEATURES
};

static const char *const feature_names[N_FEATURES] = {"32-bit addresses",
                                                      "several blocks",
                                                      "a warp that is not full",
                                                      "several warps a block",
                                                      "shared memory",
                                                      "dynamic shared memory",
                                                      "local memory",
                                                      "constants",
                                                      "a global variable",
                                                      "functions",
                                                      "blocks of a cluster"};

struct cover {
    struct total op[N_OPS];
    uint64_t programs, lost; /* lost: instructions for whose name there was no room */
    uint64_t with[N_FEATURES];
    struct row *row; /* as ptx_rows */
    struct named name[N_NAMES];
};

/* ---- the model's table ---- */

static void read_group(struct group *g, const char *s, uint32_t n)
{
    g->class = s[0];
    g->optional = s[1] == '?';
    for (uint32_t i = 2; i < n && g->n < MAX_WORDS; i++) {
        uint32_t end = i;

        while (end < n && s[end] != '|') {
            end++;
        }
        g->word[g->n] = s + i;
        g->len[g->n++] = (uint8_t)(end - i);
        i = end;
    }
}

static bool has_meaning(const struct group *g)
{
    return g->class != 'x' && g->class != 'k';
}

static void read_row(struct row *r, const char *mods)
{
    r->n_forms = 1;
    for (const char *s = mods; *s != '\0' && r->n_groups < MAX_GROUPS;) {
        uint32_t n = (uint32_t)strcspn(s, " ");

        if (n > 0) {
            struct group *g = &r->group[r->n_groups++];

            read_group(g, s, n);
            r->n_forms *= has_meaning(g) ? g->n + g->optional : 1;
        }
        s += n + (s[n] == ' ');
    }
}

struct cover *cover_new(void)
{
    struct cover *c = calloc(1, sizeof(*c));

    if (c == NULL) {
        return NULL;
    }
    c->row = calloc(ptx_n_rows, sizeof(c->row[0]));
    for (uint32_t i = 0; c->row != NULL && i < ptx_n_rows; i++) {
        struct row *r = &c->row[i];

        read_row(r, ptx_rows[i].mods);
        r->seen = calloc(r->n_forms, sizeof(r->seen[0]));
        if (r->seen == NULL) {
            break;
        }
    }
    if (c->row == NULL || c->row[ptx_n_rows - 1].seen == NULL) {
        cover_free(c);
        return NULL;
    }
    return c;
}

void cover_free(struct cover *c)
{
    if (c == NULL) {
        return;
    }
    for (uint32_t i = 0; c->row != NULL && i < ptx_n_rows; i++) {
        free(c->row[i].seen);
    }
    free(c->row);
    free(c);
}

/* ---- counting ---- */

static void count_name(struct cover *c, const char *s, uint32_t n)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (uint32_t i = 0; i < n; i++) {
        h = (h ^ (uint8_t)s[i]) * UINT64_C(0x100000001b3);
    }
    for (uint32_t i = 0; i < 64 && n < NAME_ROOM; i++) {
        struct named *e = &c->name[(h + i) % N_NAMES];

        if (e->count == 0) {
            memcpy(e->text, s, n);
            e->text[n] = '\0';
        }
        if (memcmp(e->text, s, n) == 0 && e->text[n] == '\0') {
            e->count++;
            return;
        }
    }
    c->lost++;
}

void cover_add(struct cover *c, const struct gen_program *p, const struct code *code)
{
    const bool is[N_FEATURES] = {
        p->address_bits == 32,
        p->n_blocks > 1,
        p->n_threads % 32 != 0,
        p->n_threads > 32,
        code->shared_bytes > 0,
        p->dynamic_shared > 0,
        code->local_bytes > 0,
        code->const_bytes > 0,
        p->has_globals,
        code->n_funcs > 1,
        p->clusters,
    };
    bool seen[N_OPS] = {false};

    c->programs++;
    for (uint32_t i = 0; i < N_FEATURES; i++) {
        c->with[i] += is[i];
    }
    for (uint32_t i = 0; i < code->n_insns; i++) {
        const struct insn *in = &code->insn[i];

        if (in->name == NULL) {
            continue; /* the end of a function */
        }
        c->op[in->op].programs += !seen[in->op];
        seen[in->op] = true;
        c->op[in->op].instructions++;
        c->op[in->op].executed += in->runs;
        count_name(c, in->name, in->name_len);
    }
}

/* ---- names to forms ---- */

static int find_word(const struct group *g, const char *s, uint32_t n)
{
    for (uint32_t i = 0; i < g->n; i++) {
        if (g->len[i] == n && memcmp(g->word[i], s, n) == 0) {
            return (int)i;
        }
    }
    return NONE;
}

/* Each word goes to the first free group that has it, as in the front end. */
static bool match(const struct row *r, const char *words, int choice[MAX_GROUPS])
{
    for (uint32_t k = 0; k < r->n_groups; k++) {
        choice[k] = NONE;
    }
    while (*words == '.') {
        uint32_t n = (uint32_t)strcspn(++words, "."), k = 0;

        while (k < r->n_groups &&
               (choice[k] != NONE || find_word(&r->group[k], words, n) == NONE)) {
            k++;
        }
        if (k == r->n_groups) {
            return false;
        }
        choice[k] = find_word(&r->group[k], words, n);
        words += n;
    }
    for (uint32_t k = 0; k < r->n_groups; k++) {
        if (choice[k] == NONE && !r->group[k].optional) {
            return false;
        }
    }
    return true;
}

static void mark(struct row *r, const int choice[MAX_GROUPS])
{
    uint32_t form = 0;

    for (uint32_t k = 0; k < r->n_groups; k++) {
        struct group *g = &r->group[k];

        if (choice[k] != NONE) {
            g->used |= UINT32_C(1) << choice[k];
        }
        if (has_meaning(g)) {
            form = form * (g->n + g->optional) + (uint32_t)(choice[k] + g->optional);
        }
    }
    r->n_seen += !r->seen[form];
    r->seen[form] = true;
}

static bool place(const struct cover *c, const char *name)
{
    const uint32_t n = (uint32_t)strcspn(name, ".");

    for (uint32_t i = 0; i < ptx_n_rows; i++) {
        const char *op = isa_op_name((enum isa_op)ptx_rows[i].op);
        int choice[MAX_GROUPS];

        if (strlen(op) == n && memcmp(op, name, n) == 0 &&
            match(&c->row[i], name + n, choice)) {
            mark(&c->row[i], choice);
            return true;
        }
    }
    return false;
}

/* ---- the report ---- */

static void print_operation(const struct cover *c, uint32_t op, FILE *out)
{
    const char *name = isa_op_name((enum isa_op)op);
    const uint32_t mine = name_op(name, strlen(name));
    const struct total none = {0}, *t = mine < N_OPS ? &c->op[mine] : &none;
    uint32_t forms = 0, seen = 0;

    for (uint32_t i = 0; i < ptx_n_rows; i++) {
        if (ptx_rows[i].op == op) {
            forms += c->row[i].n_forms;
            seen += c->row[i].n_seen;
        }
    }
    (void)fprintf(out, "%-11s %9" PRIu64 " %12" PRIu64 " %14" PRIu64 " %6u of %u\n",
                  name, t->programs, t->instructions, t->executed, seen, forms);
}

/* The row without what changes nothing. */
static void print_row(const struct row *r, const char *op, FILE *out)
{
    (void)fprintf(out, "not reached: %s", op);
    for (uint32_t k = 0; k < r->n_groups; k++) {
        const struct group *g = &r->group[k];

        for (uint32_t i = 0; has_meaning(g) && i < g->n; i++) {
            (void)fprintf(out, "%s%.*s", i > 0 ? "|" : " .", (int)g->len[i],
                          g->word[i]);
        }
    }
}

/* Rows that were not reached, and words of those that were. */
static void print_missing(const struct row *r, const char *op, FILE *out)
{
    bool any = r->n_seen == 0;

    if (any) {
        print_row(r, op, out);
    }
    for (uint32_t k = 0; k < r->n_groups && r->n_seen > 0; k++) {
        const struct group *g = &r->group[k];

        for (uint32_t i = 0; i < g->n; i++) {
            if ((g->used >> i & 1) == 0) {
                if (!any) {
                    print_row(r, op, out);
                    (void)fputs(", of it:", out);
                }
                (void)fprintf(out, " %.*s", (int)g->len[i], g->word[i]);
                any = true;
            }
        }
    }
    if (any) {
        (void)fputc('\n', out);
    }
}

static void print_features(const struct cover *c, FILE *out)
{
    for (uint32_t i = 0; i < N_FEATURES && c->programs > 0; i++) {
        (void)fprintf(out, "%5.1f %% of programs with %s\n",
                      100.0 * (double)c->with[i] / (double)c->programs,
                      feature_names[i]);
    }
}

void cover_print(const struct cover *c, FILE *out)
{
    uint32_t forms = 0, seen = 0;
    bool done[ISA_N_OPS] = {false};

    for (uint32_t i = 0; i < N_NAMES; i++) {
        if (c->name[i].count > 0 && !place(c, c->name[i].text)) {
            (void)fprintf(out, "in no row: %s\n", c->name[i].text);
        }
    }
    (void)fprintf(out, "%-11s %9s %12s %14s %6s\n", "operation", "programs",
                  "instructions", "by threads", "forms");
    for (uint32_t i = 0; i < ptx_n_rows; i++) {
        if (!done[ptx_rows[i].op]) {
            print_operation(c, ptx_rows[i].op, out);
        }
        done[ptx_rows[i].op] = true;
        forms += c->row[i].n_forms;
        seen += c->row[i].n_seen;
    }
    (void)fprintf(out, "forms: %u of %u\n", seen, forms);
    if (c->lost > 0) {
        (void)fprintf(out, "not told apart: %" PRIu64 " instructions\n", c->lost);
    }
    for (uint32_t i = 0; i < ptx_n_rows; i++) {
        print_missing(&c->row[i], isa_op_name((enum isa_op)ptx_rows[i].op), out);
    }
    print_features(c, out);
}
