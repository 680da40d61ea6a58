/* A piece's nodes, values and edges. */
#include "ptx/schedule_priv.h"

#include <string.h>

/* What a register of the piece holds, up to the node being built. */
struct ptx_reg_state {
    uint32_t stamp;  /* of the piece for which the rest is valid */
    uint32_t value;  /* PTX_NONE: not touched so far */
    uint32_t writer; /* last node that wrote it, PTX_NONE: none in the piece */
    uint32_t reader; /* first of those that have read it since, PTX_NONE: none */
    struct ptx_root root;
};

struct ptx_reader {
    uint32_t node, next;
};

static struct ptx_reg_state *state_of(struct ptx_piece *p, uint32_t reg)
{
    struct ptx_reg_state *const s = &p->reg[reg];

    if (s->stamp != p->stamp) {
        *s = (struct ptx_reg_state){.stamp = p->stamp,
                                    .value = PTX_NONE,
                                    .writer = PTX_NONE,
                                    .reader = PTX_NONE,
                                    .root = p->fixed[reg]};
        if (s->root.kind == PTX_ROOT_NONE) {
            s->root = (struct ptx_root){PTX_ROOT_VALUE, reg, 0};
        }
    }
    return s;
}

void ptx_root_of(struct ptx_piece *p, uint32_t reg, struct ptx_root *root)
{
    *root = state_of(p, reg)->root;
}

static void add_edge(struct ptx_piece *p, uint32_t from, uint32_t to, uint32_t latency)
{
    struct ptx_edge *e;

    if (from == PTX_NONE || from == to) {
        return;
    }
    e = PTX_PUSH(p->a, p->edges, p->n_edges, p->cap_edges);
    *e = (struct ptx_edge){to, p->node[from].edge, latency};
    p->node[from].edge = p->n_edges - 1;
    p->node[to].n_before++;
}

/* ---- registers ---- */

static uint32_t new_value(struct ptx_piece *p, uint32_t reg)
{
    *PTX_PUSH(p->a, p->values, p->n_values, p->cap_values) =
        (struct ptx_value){.reg = reg};
    return p->n_values - 1;
}

/* Among the values that the node has read so far. */
static bool has_read(const struct ptx_piece *p, const struct ptx_node *node,
                     uint32_t value)
{
    for (uint32_t i = 0; i < node->n_use; i++) {
        if (p->list[node->use + i] == value) {
            return true;
        }
    }
    return false;
}

static void read_register(struct ptx_piece *p, uint32_t i, uint32_t reg)
{
    struct ptx_reg_state *const s = state_of(p, reg);
    struct ptx_node *const node = &p->node[i];

    if (s->value == PTX_NONE) {
        s->value = new_value(p, reg);
    }
    if (has_read(p, node, s->value)) {
        return;
    }
    *PTX_PUSH(p->a, p->list, p->n_list, p->cap_list) = s->value;
    node->n_use++;
    p->values[s->value].readers++;
    if (s->writer != PTX_NONE) {
        add_edge(p, s->writer, i, p->node[s->writer].latency);
    }
    *PTX_PUSH(p->a, p->readers, p->n_readers, p->cap_readers) =
        (struct ptx_reader){i, s->reader};
    s->reader = p->n_readers - 1;
}

static void write_register(struct ptx_piece *p, uint32_t i, uint32_t reg, bool guarded)
{
    struct ptx_reg_state *const s = state_of(p, reg);
    struct ptx_node *const node = &p->node[i];

    for (uint32_t r = s->reader; r != PTX_NONE; r = p->readers[r].next) {
        add_edge(p, p->readers[r].node, i, 0);
    }
    if (s->writer != PTX_NONE && s->reader == PTX_NONE) {
        add_edge(p, s->writer, i, p->node[s->writer].latency);
    }
    if (!guarded) { /* else read_register() has seen to the value */
        s->value = new_value(p, reg);
        *PTX_PUSH(p->a, p->list, p->n_list, p->cap_list) = s->value;
        node->n_def++;
    }
    s->writer = i;
    s->reader = PTX_NONE;
    s->root = (struct ptx_root){PTX_ROOT_VALUE, p->f->n_vreg + 1 + p->n_roots++, 0};
}

/* ---- roots of addresses ---- */

static bool is_same_root(const struct ptx_root *a, const struct ptx_root *b)
{
    return a->kind == b->kind && a->id == b->id;
}

void ptx_root_add(struct ptx_piece *p, struct ptx_root *root,
                  const struct ptx_root *other)
{
    enum { LATEST = 64 }; /* a long piece does not look further back */
    const uint32_t least = p->n_sums > LATEST ? p->n_sums - LATEST : 0;
    const bool turned =
        root->kind > other->kind || (root->kind == other->kind && root->id > other->id);
    const struct ptx_root *const first = turned ? other : root;
    const struct ptx_root *const second = turned ? root : other;
    const uint64_t offset = root->offset + other->offset;
    uint32_t i = p->n_sums;

    while (i > least && !(is_same_root(&p->sums[i - 1].of[0], first) &&
                          is_same_root(&p->sums[i - 1].of[1], second))) {
        i--;
    }
    if (i == least) {
        *PTX_PUSH(p->a, p->sums, p->n_sums, p->cap_sums) =
            (struct ptx_root_sum){{*first, *second}};
        i = p->n_sums;
    }
    *root = (struct ptx_root){PTX_ROOT_SUM, i - 1, offset};
}

/* An addition or a move of whole registers of as many bits as its result. */
static bool is_followed(const struct ptx_piece *p, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &p->f->opnd[in->opnd];
    const uint32_t bits = isa_type_bits((enum isa_type)in->form.type);
    const bool is_add = in->form.op == ISA_OP_ADD && in->form.flags == 0 &&
                        !isa_type_is_float((enum isa_type)in->form.type) &&
                        o[1].kind == OK_REG;

    return in->guard == PTX_NONE && (is_add || in->form.op == ISA_OP_MOV) &&
           o[0].kind == OK_REG && bits >= 32 && ptx_reg_bits(p->f, o[0].id) == bits &&
           (o[1].kind != OK_REG || ptx_reg_bits(p->f, o[1].id) == bits);
}

/* What the result of a move or of an addition of a constant is, relative to a root. */
static bool follow_constant(struct ptx_piece *p, const struct ptx_insn *in,
                            struct ptx_root *root)
{
    const struct ptx_opnd *const o = &p->f->opnd[in->opnd];
    const bool is_add = in->form.op == ISA_OP_ADD;

    if (!is_followed(p, in) || (is_add && o[2].kind != OK_IMM)) {
        return false;
    }
    if (o[1].kind == OK_SYM) {
        *root = (struct ptx_root){PTX_ROOT_SYMBOL, o[1].id, o[1].value};
        return true;
    }
    if (o[1].kind == OK_LOCAL) {
        *root = (struct ptx_root){PTX_ROOT_LOCAL, o[1].id, o[1].value};
        return true;
    }
    if (o[1].kind != OK_REG) {
        return false;
    }
    ptx_root_of(p, o[1].id, root);
    root->offset += is_add ? o[2].value : 0;
    return true;
}

/* The same, or of an addition of two registers. */
static bool follow(struct ptx_piece *p, const struct ptx_insn *in,
                   struct ptx_root *root)
{
    const struct ptx_opnd *const o = &p->f->opnd[in->opnd];
    struct ptx_root other;

    if (in->form.op != ISA_OP_ADD || !is_followed(p, in) || o[2].kind != OK_REG ||
        ptx_reg_bits(p->f, o[2].id) != ptx_reg_bits(p->f, o[0].id)) {
        return follow_constant(p, in, root);
    }
    ptx_root_of(p, o[1].id, root);
    ptx_root_of(p, o[2].id, &other);
    ptx_root_add(p, root, &other);
    return true;
}

/* A register that is written once, with the address of a variable, holds it wherever it
 * is read. */
static void find_fixed(struct ptx_piece *p)
{
    const struct ptx_ir *const f = p->f;
    uint32_t *const writes = arena_alloc(p->a, (f->n_vreg + 1) * sizeof(writes[0]));

    for (uint32_t i = 0; i < f->n_insn; i++) {
        ptx_accesses(f, &f->insn[i], &p->x);
        for (uint32_t k = 0; k < p->x.n_def; k++) {
            writes[p->x.def[k]]++;
        }
    }
    p->stamp = 1;
    for (uint32_t i = 0; i < f->n_insn; i++) {
        const struct ptx_opnd *const to = &f->opnd[f->insn[i].opnd];
        struct ptx_root root;

        if (follow_constant(p, &f->insn[i], &root) && writes[to->id] == 1 &&
            (root.kind == PTX_ROOT_SYMBOL || root.kind == PTX_ROOT_LOCAL)) {
            p->fixed[to->id] = root;
            state_of(p, to->id)->root = root;
        }
    }
}

void ptx_piece_init(struct ptx_piece *p, struct arena *a, const struct ptx_private *pr,
                    const struct ptx_ir *f, const struct ptx_target *target,
                    uint32_t max)
{
    memset(p, 0, sizeof(*p));
    p->a = a;
    p->pr = pr;
    p->f = f;
    p->target = target;
    p->node = arena_alloc(a, max * sizeof(p->node[0]));
    p->mem = arena_alloc(a, max * sizeof(p->mem[0]));
    p->reg = arena_alloc(a, (f->n_vreg + 1) * sizeof(p->reg[0]));
    p->fixed = arena_alloc(a, (f->n_vreg + 1) * sizeof(p->fixed[0]));
    find_fixed(p);
}

/* ---- latencies ---- */

static uint32_t latency_of(const struct ptx_target *t, const struct ptx_insn *in)
{
    const enum isa_op op = (enum isa_op)in->form.op;
    const struct isa_seq *seq;
    struct isa_selected s;

    if ((op == ISA_OP_LD || op == ISA_OP_LDU || op == ISA_OP_ATOM) &&
        in->form.space != ISA_SP_PARAM) {
        return in->form.space == ISA_SP_SHARED  ? t->shared
               : in->form.space == ISA_SP_CONST ? t->constant
               : in->form.space == ISA_SP_LOCAL ? t->local
                                                : t->global;
    }
    if (op == ISA_OP_MBARRIER && in->form.sub != ISA_S_PENDING) {
        return t->shared;
    }
    if (op == ISA_OP_TEX || op == ISA_OP_TLD4 || op == ISA_OP_SULD) {
        return t->global;
    }
    if (op == ISA_OP_LDMATRIX) {
        return t->shared;
    }
    if (op == ISA_OP_WMMA && in->form.sub != ISA_S_MMA) {
        return in->form.space == ISA_SP_SHARED ? t->shared : t->global;
    }
    if (op == ISA_OP_WMMA) {
        return t->latency[ISA_CL_TENSOR];
    }
    if (op == ISA_OP_ST || op == ISA_OP_RED || op == ISA_OP_STMATRIX ||
        ptx_is_texture(op)) {
        return 1;
    }
    seq = in->acts_as != 0 ? NULL : isa_machine(&in->form, t->cc);
    if (seq != NULL) {
        return isa_seq_latency(seq, t->latency);
    }
    /* Kernel parameters are constant operands; what is not selected here by its form
     * alone (a vector's move) is as a move. */
    return t->latency[isa_select(&in->form, &s) ? s.class : ISA_CL_IADD] +
           (op == ISA_OP_SETP ? t->predicate : 0);
}

/* ---- a node ---- */

/* The carry flag is a register more. */
static void carry_flag(struct ptx_piece *p, const struct ptx_insn *in)
{
    if ((in->form.flags & ISA_F_CC_IN) != 0) {
        p->x.use[p->x.n_use++] = p->f->n_vreg;
    }
    if ((in->form.flags & ISA_F_CC_OUT) != 0) {
        p->x.def[p->x.n_def++] = p->f->n_vreg;
    }
}

static void add_node(struct ptx_piece *p, uint32_t i)
{
    const struct ptx_insn *const in = &p->f->insn[p->first + i];
    const bool guarded = in->guard != PTX_NONE && !in->is_fresh;
    struct ptx_node *const node = &p->node[i];
    struct ptx_root root;
    bool followed;

    *node = (struct ptx_node){.edge = PTX_NONE, .latency = latency_of(p->target, in)};
    ptx_accesses(p->f, in, &p->x);
    carry_flag(p, in);
    ptx_mem_of(p, in, &p->mem[i]);
    followed = follow(p, in, &root);
    node->use = p->n_list;
    for (uint32_t k = 0; k < p->x.n_use; k++) {
        read_register(p, i, p->x.use[k]);
    }
    for (uint32_t k = 0; k < p->x.n_def && guarded; k++) {
        read_register(p, i, p->x.def[k]);
    }
    node->def = p->n_list;
    for (uint32_t k = 0; k < p->x.n_def; k++) {
        write_register(p, i, p->x.def[k], guarded);
    }
    if (followed) {
        state_of(p, p->f->opnd[in->opnd].id)->root = root;
    }
    for (uint32_t k = 0; k < i; k++) {
        if (ptx_must_order(&p->mem[k], &p->mem[i])) {
            add_edge(p, k, i, 1);
        }
    }
}

void ptx_piece_build(struct ptx_piece *p, uint32_t first, uint32_t n,
                     const bool *is_out)
{
    p->stamp++;
    p->first = first;
    p->n = n;
    p->n_edges = p->n_values = p->n_list = p->n_readers = p->n_roots = p->n_sums = 0;
    for (uint32_t i = 0; i < n; i++) {
        add_node(p, i);
    }
    if (n > 0 && ptx_is_wall(p->f, p->target, &p->f->insn[first + n - 1])) {
        for (uint32_t i = 0; i + 1 < n; i++) {
            add_edge(p, i, n - 1, 0);
        }
    }
    for (uint32_t v = 0; v < p->n_values; v++) {
        const uint32_t reg = p->values[v].reg;

        p->values[v].is_out =
            p->reg[reg].value == v && (reg == p->f->n_vreg || is_out[reg]);
    }
}
