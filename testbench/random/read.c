/* The text of a program to struct code: one statement to a line. */
#include "read_priv.h"

/* ---- declarations ---- */

static uint32_t align_up(uint32_t v, uint32_t a)
{
    return a == 0 ? v : (v + a - 1) / a * a;
}

static bool image(struct reader *r, uint8_t *bytes, uint32_t n)
{
    uint32_t i = 0;

    if (!read_expect(r, "{")) {
        return false;
    }
    do {
        if (i == n) {
            return read_fail(r, "too many values");
        }
        bytes[i++] = (uint8_t)read_number(r);
    } while (read_take(r, ","));
    return read_expect(r, "}");
}

/* .align A .b8 NAME[SIZE] {= {...}}; in a space whose bytes are counted in *at. */
static bool variable(struct reader *r, enum space space, uint32_t *at, uint8_t *bytes)
{
    struct symbol *y = read_add_symbol(r);
    uint32_t align = 1;

    if (read_take(r, ".align")) {
        align = (uint32_t)read_number(r);
    }
    (void)read_type(r);
    if (!read_name(r, y->name) || !read_expect(r, "[")) {
        return false;
    }
    y->space = (uint8_t)space;
    *at = align_up(*at, align);
    y->at = *at;
    if (read_take(r, "]")) { /* extern */
        r->c->dynamic_shared = true;
        return read_expect(r, ";");
    }
    y->bytes = (uint32_t)read_number(r);
    *at += y->bytes;
    if (!read_expect(r, "]") || *at > IMAGE_BYTES * 16 ||
        (bytes != NULL && *at > IMAGE_BYTES)) {
        return read_fail(r, "variable");
    }
    if (read_take(r, "=") && (bytes == NULL || !image(r, bytes + y->at, y->bytes))) {
        return read_fail(r, "initial values");
    }
    return read_expect(r, ";");
}

/* {.align A} .type NAME{[SIZE]} */
static bool param(struct reader *r, struct arg *a)
{
    struct symbol *y = read_add_symbol(r);
    uint32_t align = read_take(r, ".align") ? (uint32_t)read_number(r) : 0;
    uint32_t bytes = ty_bits(read_type(r)) / 8;

    if (!read_name(r, y->name)) {
        return false;
    }
    align = align == 0 ? bytes : align;
    if (read_take(r, "[")) {
        bytes *= (uint32_t)read_number(r);
        (void)read_expect(r, "]");
    }
    r->param_at = align_up(r->param_at, align);
    y->space = SPACE_PARAM;
    y->at = r->param_at;
    y->bytes = bytes;
    r->param_at += bytes;
    if (r->param_at > PARAM_BYTES) {
        return read_fail(r, "too many parameters");
    }
    if (a != NULL) {
        *a = (struct arg){false, (uint16_t)y->at, (uint16_t)bytes};
    }
    return true;
}

/* ( .param ..., .reg ... ) of a function's head */
static bool formals(struct reader *r, struct arg *args, uint8_t *n)
{
    *n = 0;
    if (!read_expect(r, "(")) {
        return false;
    }
    while (!read_take(r, ")")) {
        struct arg *a = &args[*n];

        if (*n == MAX_ARGS || (*n > 0 && !read_expect(r, ","))) {
            return read_fail(r, "parameters");
        }
        if (read_take(r, ".param")) {
            if (!param(r, a)) {
                return false;
            }
        } else if (read_take(r, ".reg")) {
            enum ty t = read_type(r);
            char prefix[NAME];

            if (!read_name(r, prefix)) {
                return false;
            }
            *a = (struct arg){true, read_add_regs(r, t, prefix, 0),
                              (uint16_t)(ty_bits(t) / 8)};
        } else {
            return read_fail(r, "parameter");
        }
        (*n)++;
    }
    return true;
}

static bool function(struct reader *r, bool is_kernel)
{
    struct code *c = r->c;

    if (c->n_funcs == MAX_FUNCS) {
        return read_fail(r, "too many functions");
    }
    r->f = &c->func[c->n_funcs++];
    memset(r->f, 0, sizeof(*r->f));
    r->n_classes = 0;
    r->param_at = 0;
    r->n_module_symbols = r->n_symbols;
    r->f->entry = c->n_insns;
    if (is_kernel) {
        c->kernel = c->n_funcs - 1;
    } else {
        read_skip(r);
        if (*r->p == '(' && !formals(r, r->f->result, &r->f->n_results)) {
            return false;
        }
    }
    if (!read_name(r, r->f->name) || !formals(r, r->f->arg, &r->f->n_args)) {
        return false;
    }
    r->f->param_bytes = r->param_at;
    return true;
}

static bool registers(struct reader *r)
{
    enum ty t = read_type(r);
    char prefix[NAME];
    uint32_t n = 0;

    if (!read_name(r, prefix)) {
        return false;
    }
    if (read_take(r, "<")) {
        n = (uint32_t)read_number(r);
        (void)read_expect(r, ">");
    }
    (void)read_add_regs(r, t, prefix, n);
    return read_expect(r, ";");
}

static bool directive(struct reader *r)
{
    struct code *c = r->c;

    if (read_take(r, ".version") || read_take(r, ".target") ||
        read_take(r, ".explicitcluster") || read_take(r, ".maxclusterrank")) {
        return true;
    }
    if (read_take(r, ".reqnctapercluster")) {
        for (uint32_t i = 0; i < 3; i++) {
            c->cluster[i] = (uint32_t)read_number(r);
            (void)(i == 2 || read_expect(r, ","));
        }
        return !r->failed;
    }
    if (read_take(r, ".address_size")) {
        c->address_bits = (uint32_t)read_number(r);
        return true;
    }
    if (read_take(r, ".const")) {
        return variable(r, SPACE_CONST, &c->const_bytes, c->constants);
    }
    if (read_take(r, ".global")) {
        return variable(r, SPACE_GLOBAL, &c->global_bytes, c->globals);
    }
    if (read_take(r, ".extern .shared") || read_take(r, ".shared")) {
        return variable(r, SPACE_SHARED, &c->shared_bytes, NULL);
    }
    if (read_take(r, ".local")) {
        return variable(r, SPACE_LOCAL, &c->local_bytes, NULL);
    }
    if (read_take(r, ".visible .entry")) {
        return function(r, true);
    }
    if (read_take(r, ".func")) {
        return function(r, false);
    }
    if (read_take(r, ".reg")) {
        return registers(r);
    }
    if (read_take(r, ".param")) {
        return param(r, NULL) && read_expect(r, ";");
    }
    return read_fail(r, "directive");
}

/* ---- statements ---- */

static bool targets(struct reader *r, uint32_t table)
{
    struct code *c = r->c;
    uint32_t i = c->n_switches;

    if (i == MAX_SWITCHES) {
        return read_fail(r, "too many tables");
    }
    c->n_switches++;
    c->n_targets[i] = 0;
    r->table[table] = i;
    do {
        const char *s;
        size_t n = read_word(r, &s);

        if (c->n_targets[i] == MAX_TARGETS) {
            return read_fail(r, "too many targets");
        }
        c->target[i][c->n_targets[i]++] = read_label_number(r, s, n);
    } while (read_take(r, ","));
    return read_expect(r, ";");
}

static bool label_or_instruction(struct reader *r)
{
    const char *start = r->p, *s;
    size_t n = read_word(r, &s);

    if (n > 0 && read_take(r, ":")) {
        uint32_t v;

        if (read_take(r, ".callprototype")) {
            return true; /* the function called has all that it says */
        }
        v = read_label_number(r, s, n);
        if (read_take(r, ".branchtargets")) {
            return targets(r, v);
        }
        r->label[v] = r->c->n_insns;
        return true;
    }
    r->p = start;
    return read_instruction(r);
}

static bool statement(struct reader *r)
{
    read_skip(r);
    if (*r->p == '\n' || *r->p == '\0' || strncmp(r->p, "//", 2) == 0) {
        return true;
    }
    if (*r->p == '{') {
        if (r->depth == MAX_NESTING) {
            return read_fail(r, "too deep");
        }
        r->outside[r->depth++] = (struct outside){r->n_symbols, r->param_at};
        return true;
    }
    if (*r->p == '}') {
        if (r->depth == 0) {
            return read_fail(r, "a brace too many");
        }
        r->depth--;
        if (r->depth > 0) { /* what was declared inside is gone */
            r->n_symbols = r->outside[r->depth].n_symbols;
            r->param_at = r->outside[r->depth].param_at;
        } else { /* what falls off the end returns */
            struct insn *in = &r->c->insn[r->c->n_insns];

            if (r->c->n_insns == MAX_INSNS) {
                return read_fail(r, "too many instructions");
            }
            memset(in, 0, sizeof(*in));
            in->op = OP_RET;
            in->guard = in->pair = NO_REG;
            in->line = r->line;
            r->c->n_insns++;
            r->n_symbols = r->n_module_symbols;
        }
        return true;
    }
    return *r->p == '.' ? directive(r) : label_or_instruction(r);
}

/* Numbers of labels to places. */
static bool resolve(struct reader *r)
{
    struct code *c = r->c;

    for (uint32_t i = 0; i < c->n_insns; i++) {
        struct insn *in = &c->insn[i];

        if (in->op == OP_BRA) {
            in->o[0].value = r->label[in->o[0].value];
        } else if (in->op == OP_BRX) {
            in->o[1].value = r->table[in->o[1].value];
        } else {
            continue;
        }
        if (in->op == OP_BRA ? in->o[0].value > c->n_insns
                             : in->o[1].value >= c->n_switches) {
            r->line = in->line;
            return read_fail(r, "no such label");
        }
    }
    for (uint32_t i = 0; i < c->n_switches; i++) {
        for (uint32_t k = 0; k < c->n_targets[i]; k++) {
            c->target[i][k] = r->label[c->target[i][k]];
            if (c->target[i][k] > c->n_insns) {
                return read_fail(r, "no such label");
            }
        }
    }
    return true;
}

bool code_read(struct code *c, const char *text)
{
    struct reader r = {.c = c, .p = text, .line = 1};

    c->n_insns = c->n_funcs = c->n_calls = c->n_switches = 0;
    c->const_bytes = c->global_bytes = c->shared_bytes = c->local_bytes = 0;
    c->dynamic_shared = false;
    memset(c->cluster, 0, sizeof(c->cluster));
    c->address_bits = 64;
    c->error[0] = '\0';
    memset(c->constants, 0, sizeof(c->constants));
    memset(c->globals, 0, sizeof(c->globals));
    memset(r.label, 0xff, sizeof(r.label));
    memset(r.table, 0xff, sizeof(r.table));
    for (; *r.p != '\0'; r.line++) {
        const char *end;

        if (!statement(&r)) {
            return false;
        }
        end = strchr(r.p, '\n');
        if (end == NULL) {
            break;
        }
        r.p = end + 1;
    }
    return resolve(&r);
}
