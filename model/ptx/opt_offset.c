/*
 * Sums that differ by a constant.
 *
 * What is added up in a block is followed as a sum of registers, multiplied by
 * constants, and one more constant. When an instruction makes a sum of which the
 * registers are those of an earlier one that is still there, it adds the difference to
 * that; so addresses of several passes of a loop become one address and constants
 * beside it, and a number that counts by steps needs not pass through each of them.
 */
#include "ptx/opt_priv.h"

#include <string.h>

enum { MAX_TERMS = 3, MAX_LOOK = 256 /* sums that one is compared with */ };

enum kind { PLAIN, WIDE_U, WIDE_S }; /* a product's low part, or the whole of it */

struct term {
    uint32_t reg, version; /* of the block: writes of reg before */
    uint64_t times;
    uint8_t kind; /* enum kind */
};

struct sum {
    uint32_t n;
    struct term term[MAX_TERMS]; /* each register once, in the order of their ids */
    uint64_t constant;
};

struct known {
    uint32_t reg, version;
    struct sum sum;
};

struct state { /* of a register in the block being done */
    uint32_t stamp, version;
    uint32_t known; /* 1 + what its value is; 0: itself */
};

struct work {
    struct ptx_opt *o;
    struct state *reg;
    uint32_t stamp;
    struct known *known;
    uint32_t n_known, cap_known;
    uint32_t *addresses; /* of each register: accesses that it is the address of */
};

/* ---- sums ---- */

static struct state *state_of(struct work *w, uint32_t reg)
{
    struct state *const s = &w->reg[reg];

    if (s->stamp != w->stamp) {
        *s = (struct state){.stamp = w->stamp};
    }
    return s;
}

static bool is_before(const struct term *a, const struct term *b)
{
    return a->reg != b->reg           ? a->reg < b->reg
           : a->version != b->version ? a->version < b->version
                                      : a->kind < b->kind;
}

static bool is_same(const struct term *a, const struct term *b)
{
    return a->reg == b->reg && a->version == b->version && a->kind == b->kind;
}

static bool add_term(struct sum *to, const struct term *t)
{
    uint32_t at = 0;

    while (at < to->n && is_before(&to->term[at], t)) {
        at++;
    }
    if (at < to->n && is_same(&to->term[at], t)) {
        to->term[at].times += t->times;
        return true;
    }
    if (to->n == MAX_TERMS) {
        return false;
    }
    memmove(&to->term[at + 1], &to->term[at], (to->n - at) * sizeof(to->term[0]));
    to->term[at] = *t;
    to->n++;
    return true;
}

static bool add_sum(struct sum *to, const struct sum *s, uint64_t times)
{
    for (uint32_t i = 0; i < s->n; i++) {
        struct term t = s->term[i];

        t.times *= times;
        if (!add_term(to, &t)) {
            return false;
        }
    }
    to->constant += s->constant * times;
    return true;
}

/* What operand v is, as a sum; a register that is too much for one is itself. */
static bool sum_of(struct work *w, const struct ptx_opnd *v, struct sum *sum)
{
    *sum = (struct sum){0};
    if (v->kind == OK_IMM && v->sub == IMM_INT) {
        sum->constant = v->value;
        return true;
    }
    if (v->kind != OK_REG || v->neg) {
        return false;
    }
    const struct state *const s = state_of(w, v->id);

    if (s->known != 0) {
        *sum = w->known[s->known - 1].sum;
    } else {
        sum->n = 1;
        sum->term[0] = (struct term){v->id, s->version, 1, PLAIN};
    }
    return true;
}

static bool add_operand(struct work *w, struct sum *to, const struct ptx_opnd *v,
                        uint64_t times)
{
    struct sum s;

    return sum_of(w, v, &s) && add_sum(to, &s, times);
}

static bool is_constant(const struct ptx_opnd *v)
{
    return v->kind == OK_IMM && v->sub == IMM_INT;
}

/* A register times a constant, of twice the width: what the register is made of may
 * wrap around where the product does not. */
static bool add_wide(struct work *w, struct sum *to, const struct ptx_insn *in)
{
    const struct ptx_opnd *const v = &w->o->f->opnd[in->opnd];
    const bool sign = isa_type_is_signed((enum isa_type)in->form.type);

    if (v[1].kind != OK_REG || !is_constant(&v[2])) {
        return false;
    }
    const struct state *const s = state_of(w, v[1].id);
    const struct term t = {v[1].id, s->version,
                           sign ? (uint64_t)(int64_t)(int32_t)(uint32_t)v[2].value
                                : (uint32_t)v[2].value,
                           sign ? WIDE_S : WIDE_U};

    return add_term(to, &t) && add_operand(w, to, &v[3], 1);
}

static bool is_whole(const struct ptx_opt *o, const struct ptx_insn *in, uint32_t bits)
{
    const struct ptx_opnd *const d = &o->f->opnd[in->opnd];

    return in->guard == PTX_NONE && in->form.flags == 0 && d->kind == OK_REG &&
           !isa_type_is_float((enum isa_type)in->form.type) &&
           ptx_reg_bits(o->f, d->id) == bits && bits >= 32;
}

/* What in makes, as a sum. */
static bool make_sum(struct work *w, const struct ptx_insn *in, struct sum *sum)
{
    const struct ptx_opnd *const v = &w->o->f->opnd[in->opnd];
    const uint32_t bits = isa_type_bits((enum isa_type)in->form.type);
    const bool wide = in->form.op == ISA_OP_MAD && in->form.sub == ISA_S_WIDE;

    *sum = (struct sum){0};
    if (!is_whole(w->o, in, wide ? 2 * bits : bits)) {
        return false;
    }
    switch ((enum isa_op)in->form.op) {
    case ISA_OP_ADD:
        return add_operand(w, sum, &v[1], 1) && add_operand(w, sum, &v[2], 1);
    case ISA_OP_SUB:
        return add_operand(w, sum, &v[1], 1) &&
               add_operand(w, sum, &v[2], (uint64_t)-1);
    case ISA_OP_SHL:
        return is_constant(&v[2]) && v[2].value < bits &&
               add_operand(w, sum, &v[1], UINT64_C(1) << v[2].value);
    case ISA_OP_MUL:
        return in->form.sub == ISA_S_LO && is_constant(&v[2]) &&
               add_operand(w, sum, &v[1], v[2].value);
    case ISA_OP_MAD:
        if (wide) {
            return bits == 32 && add_wide(w, sum, in);
        }
        return in->form.sub == ISA_S_LO && is_constant(&v[2]) &&
               add_operand(w, sum, &v[1], v[2].value) && add_operand(w, sum, &v[3], 1);
    default: return false;
    }
}

/* Numbers of so many bits; terms that have become nothing are gone. */
static void reduce(struct sum *sum, uint32_t bits)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < sum->n; i++) {
        struct term t = sum->term[i];

        t.times = bits == 32 ? (uint32_t)t.times : t.times;
        if (t.times != 0) {
            sum->term[n++] = t;
        }
    }
    sum->n = n;
    sum->constant = bits == 32 ? (uint64_t)(int64_t)(int32_t)(uint32_t)sum->constant
                               : sum->constant;
}

/* ---- which sum to add to ---- */

static bool differs_by_constant(const struct sum *a, const struct sum *b)
{
    for (uint32_t i = 0; i < a->n && a->n == b->n; i++) {
        if (!is_same(&a->term[i], &b->term[i]) ||
            a->term[i].times != b->term[i].times) {
            return false;
        }
    }
    return a->n == b->n && a->n > 0;
}

/* A register that holds such a sum, and what is to be added; PTX_NONE: none. */
static uint32_t base_of(struct work *w, const struct sum *sum, uint32_t bits,
                        uint64_t *by)
{
    const struct term *const t = &sum->term[0];
    const uint32_t first = w->n_known > MAX_LOOK ? w->n_known - MAX_LOOK : 0;

    *by = sum->constant;
    if (sum->n == 1 && t->kind == PLAIN && t->times == 1 &&
        ptx_reg_bits(w->o->f, t->reg) == bits &&
        state_of(w, t->reg)->version == t->version) {
        return t->reg;
    }
    for (uint32_t i = first; i < w->n_known; i++) {
        const struct known *const k = &w->known[i];

        *by = sum->constant - k->sum.constant;
        if (differs_by_constant(sum, &k->sum) &&
            ptx_reg_bits(w->o->f, k->reg) == bits &&
            state_of(w, k->reg)->version == k->version) {
            return k->reg;
        }
    }
    return PTX_NONE;
}

/* An addition of 64 bits takes more than the product it replaces, but where it becomes
 * part of accesses. */
static bool pays(const struct work *w, const struct ptx_insn *in)
{
    const uint32_t d = w->o->f->opnd[in->opnd].id;

    return in->form.sub != ISA_S_WIDE || w->addresses[d] == w->o->n_use[d];
}

static void add_to(struct ptx_opt *o, struct ptx_insn *in, uint32_t base, uint64_t by,
                   uint32_t bits)
{
    const uint32_t first = ptx_opt_operands(o, 3);
    struct ptx_opnd *const to = &o->f->opnd[first];

    to[0] = o->f->opnd[in->opnd];
    to[1] = (struct ptx_opnd){.kind = OK_REG, .id = base};
    to[2] = (struct ptx_opnd){.kind = OK_IMM, .sub = IMM_INT, .value = by};
    in->form = (struct isa_form){.op = by == 0 ? ISA_OP_MOV : ISA_OP_ADD,
                                 .type = bits == 64 ? ISA_T_U64 : ISA_T_U32,
                                 .vec = 1};
    in->row = by == 0 ? ptx_opt_row(ISA_OP_MOV, "xX") : ptx_opt_row(ISA_OP_ADD, "daa");
    in->acts_as = 0;
    in->opnd = first;
    in->n_opnds = by == 0 ? 2 : 3;
}

static void replace(struct work *w, struct ptx_insn *in, const struct sum *sum,
                    uint32_t bits)
{
    const struct ptx_opnd *const v = &w->o->f->opnd[in->opnd];
    uint64_t by;
    const uint32_t base = base_of(w, sum, bits, &by);

    by = bits == 32 ? (uint64_t)(int64_t)(int32_t)(uint32_t)by : by;
    if (base == PTX_NONE || (int64_t)by != (int32_t)(uint32_t)by || !pays(w, in) ||
        (in->form.op == ISA_OP_ADD && v[1].kind == OK_REG && v[1].id == base &&
         is_constant(&v[2])) ||
        (by == 0 && base == v[0].id)) {
        return;
    }
    add_to(w->o, in, base, by, bits);
}

static void note(struct work *w, uint32_t i)
{
    struct ptx_insn *const in = &w->o->f->insn[i];
    struct sum sum;
    uint32_t d, bits;
    bool is_sum;

    is_sum = make_sum(w, in, &sum);
    ptx_accesses(w->o->f, in, &w->o->x);
    if (is_sum) {
        d = w->o->f->opnd[in->opnd].id;
        bits = ptx_reg_bits(w->o->f, d);
        reduce(&sum, bits);
        replace(w, in, &sum, bits);
    }
    for (uint32_t k = 0; k < w->o->x.n_def; k++) {
        struct state *const s = state_of(w, w->o->x.def[k]);

        s->version++;
        s->known = 0;
        if (is_sum && sum.n > 0) {
            *PTX_PUSH(w->o->a, w->known, w->n_known, w->cap_known) =
                (struct known){w->o->x.def[k], s->version, sum};
            s->known = w->n_known;
        }
    }
}

static void count_addresses(struct work *w)
{
    const struct ptx_ir *const f = w->o->f;

    for (uint32_t i = 0; i < f->n_insn; i++) {
        for (uint32_t k = 0; k < f->insn[i].n_opnds; k++) {
            const struct ptx_opnd *const v = &f->opnd[f->insn[i].opnd + k];

            if (v->kind == OK_ADDR && v->sub == OK_REG) {
                w->addresses[v->id]++;
            }
        }
    }
}

void ptx_opt_offsets(struct ptx_opt *o)
{
    struct work w = {.o = o};

    w.reg = arena_alloc(o->a, (o->f->n_vreg + 1) * sizeof(w.reg[0]));
    w.addresses = arena_alloc(o->a, (o->f->n_vreg + 1) * sizeof(w.addresses[0]));
    count_addresses(&w);
    for (uint32_t b = 0; b < o->flow.n_blocks; b++) {
        w.stamp++;
        w.n_known = 0;
        for (uint32_t i = o->flow.block[b].first; i < o->flow.block[b].end; i++) {
            note(&w, i);
        }
    }
}
