/*
 * Contraction: a floating-point product and what adds it become one multiply-add, which
 * rounds once, as an assembler does where neither says a rounding. SPEC PTX-5.
 *
 * The only pass that changes what a thread computes. A product is looked at within its
 * basic block, together with what reads it there, itself or negated; the reading
 * instructions take it in one by one, and when the last has, the product is gone.
 */
#include "ptx/opt_priv.h"

#include <string.h>

/* First capabilities that fuse. 1.x has no fused f32 operation: its mad cuts the
 * product off. */
enum { F32_CC = 20, F16_CC = 53, BF16_CC = 90 };

enum { LOST_A = 2, LOST_B = 4 }; /* 1 << the operand of the multiplication */

/* A product that additions may take in. */
struct product {
    uint32_t at;      /* the instruction */
    uint32_t readers; /* additions that read it, in the text */
    uint32_t left;    /* ... that have not taken it in */
    bool fits;        /* no more than such additions read it */
    bool crosses;     /* other blocks may read it too */
    bool is_negated;  /* somewhere on the way to a reader */
    uint32_t negs;    /* negations of it, in struct contract.neg; PTX_NONE: no more */
    uint32_t lost;    /* factors that some addition cannot read: LOST_A, LOST_B */
};

/* One addend of an addition. */
struct addend {
    uint32_t product; /* PTX_NONE: it is none */
    bool minus;       /* its sign is turned on the way */
};

struct sum {
    uint32_t at;
    struct addend of[2];
    uint32_t taken; /* is_fused: the addend that it takes in */
    bool is_fused;
};

/* What a register holds at the place the walk is at. */
struct held {
    uint32_t product;
    bool minus;
};

struct negation {
    uint32_t at, next; /* next: of the same product, PTX_NONE: no more */
};

struct contract {
    struct ptx_opt *o;
    struct product *product;
    uint32_t n_product, cap_product;
    struct sum *sum;
    uint32_t n_sum, cap_sum;
    struct negation *neg;
    uint32_t n_neg, cap_neg;
    struct held *held;                /* of each register */
    uint32_t *open, n_open, cap_open; /* registers that hold a product, some twice */
};

/* ---- what may be joined ---- */

static bool has_fused(const struct contract *c, enum isa_type t)
{
    const uint32_t cc = c->o->cc;

    return t == ISA_T_F64 || (t == ISA_T_F32 && cc >= F32_CC) ||
           ((t == ISA_T_F16 || t == ISA_T_F16X2) && cc >= F16_CC) ||
           ((t == ISA_T_BF16 || t == ISA_T_BF16X2) && cc >= BF16_CC);
}

static bool is_plain(const struct contract *c, const struct ptx_insn *in,
                     uint32_t more_flags)
{
    return has_fused(c, (enum isa_type)in->form.type) && in->form.round == ISA_R_NONE &&
           (in->form.flags & ~(ISA_F_FTZ | more_flags)) == 0;
}

static bool is_product(const struct contract *c, const struct ptx_insn *in)
{
    return in->form.op == ISA_OP_MUL && in->guard == PTX_NONE && is_plain(c, in, 0) &&
           c->o->f->opnd[in->opnd].kind == OK_REG;
}

static bool is_sum(const struct contract *c, const struct ptx_insn *in)
{
    return (in->form.op == ISA_OP_ADD || in->form.op == ISA_OP_SUB) &&
           is_plain(c, in, ISA_F_SAT);
}

static bool is_alike(const struct ptx_insn *a, const struct ptx_insn *b)
{
    return a->form.type == b->form.type &&
           (a->form.flags & ISA_F_FTZ) == (b->form.flags & ISA_F_FTZ);
}

/* ---- who reads a product ---- */

static const struct held *held_by(const struct contract *c, const struct ptx_opnd *v)
{
    static const struct held none = {.product = PTX_NONE};

    return v->kind == OK_REG ? &c->held[v->id] : &none;
}

static void hold(struct contract *c, uint32_t reg, struct held h)
{
    c->held[reg] = h;
    *PTX_PUSH(c->o->a, c->open, c->n_open, c->cap_open) = reg;
}

static struct product *new_product(struct contract *c)
{
    return PTX_PUSH(c->o->a, c->product, c->n_product, c->cap_product);
}

/* An addition that reads one product or two different ones. */
static bool reads_products(struct contract *c, uint32_t i)
{
    const struct ptx_insn *const in = &c->o->f->insn[i];
    const struct ptx_opnd *const s = &c->o->f->opnd[in->opnd + 1];
    struct sum sum = {.at = i};
    uint32_t n = 0;

    if (!is_sum(c, in)) {
        return false;
    }
    for (uint32_t k = 0; k < 2; k++) {
        const struct held *const h = held_by(c, &s[k]);

        sum.of[k] = (struct addend){h->product, h->minus};
        if (h->product != PTX_NONE &&
            is_alike(in, &c->o->f->insn[c->product[h->product].at])) {
            n++;
        } else if (h->product != PTX_NONE) {
            return false;
        }
    }
    if (n == 0 || sum.of[0].product == sum.of[1].product) {
        return false;
    }
    for (uint32_t k = 0; k < 2; k++) {
        if (sum.of[k].product != PTX_NONE) {
            c->product[sum.of[k].product].readers++;
            c->product[sum.of[k].product].left++;
        }
    }
    if (in->form.op == ISA_OP_SUB) {
        sum.of[1].minus = !sum.of[1].minus;
    }
    *PTX_PUSH(c->o->a, c->sum, c->n_sum, c->cap_sum) = sum;
    return true;
}

/* A negation is a sign of what reads it; the product it is of, else PTX_NONE. Of bf16
 * it is an operation: ptxas leaves it where it is. */
static uint32_t negates(const struct contract *c, const struct ptx_insn *in)
{
    if (in->form.op != ISA_OP_NEG || in->guard != PTX_NONE ||
        in->form.type == ISA_T_BF16 || in->form.type == ISA_T_BF16X2) {
        return PTX_NONE;
    }
    const struct held *const h = held_by(c, &c->o->f->opnd[in->opnd + 1]);

    return h->product != PTX_NONE &&
                   is_alike(in, &c->o->f->insn[c->product[h->product].at])
               ? h->product
               : PTX_NONE;
}

static void write_to(struct contract *c, const struct ptx_insn *in, struct held result)
{
    struct ptx_access *const x = &c->o->x;

    for (uint32_t k = 0; k < x->n_def; k++) {
        struct held *const h = &c->held[x->def[k]];

        if (in->guard != PTX_NONE && h->product != PTX_NONE) {
            c->product[h->product].fits = false; /* still there for some lanes */
        }
        *h = (struct held){.product = PTX_NONE};
    }
    if (result.product != PTX_NONE) {
        hold(c, c->o->f->opnd[in->opnd].id, result);
    }
}

static void walk(struct contract *c, uint32_t i)
{
    const struct ptx_insn *const in = &c->o->f->insn[i];
    struct held result = {.product = PTX_NONE};
    const uint32_t negated = negates(c, in);

    ptx_accesses(c->o->f, in, &c->o->x);
    if (negated != PTX_NONE) {
        struct product *const p = &c->product[negated];

        result =
            (struct held){negated, !held_by(c, &c->o->f->opnd[in->opnd + 1])->minus};
        p->is_negated = true;
        *PTX_PUSH(c->o->a, c->neg, c->n_neg, c->cap_neg) =
            (struct negation){i, p->negs};
        p->negs = c->n_neg - 1;
    } else if (!reads_products(c, i)) {
        for (uint32_t k = 0; k < c->o->x.n_use; k++) {
            const uint32_t product = c->held[c->o->x.use[k]].product;

            if (product != PTX_NONE) {
                c->product[product].fits = false;
            }
        }
    }
    if (is_product(c, in)) {
        *new_product(c) = (struct product){.at = i, .fits = true, .negs = PTX_NONE};
        result = (struct held){c->n_product - 1, false};
    }
    write_to(c, in, result);
}

/* A product by a constant, which other blocks can take in as well: what it is made of
 * is the same wherever it is read. */
static bool is_anywhere(const struct contract *c, uint32_t reg)
{
    const struct held *const h = &c->held[reg];
    const struct ptx_insn *const in =
        h->product == PTX_NONE ? NULL : &c->o->f->insn[c->product[h->product].at];
    const struct ptx_opnd *const m = in == NULL ? NULL : &c->o->f->opnd[in->opnd];

    return in != NULL && m[0].id == reg && ptx_opt_is_value(c->o, reg) &&
           m[2].kind == OK_IMM && m[1].kind == OK_REG &&
           ptx_opt_is_value(c->o, m[1].id);
}

/* What else is live behind the block is read by others than additions in it. */
static void leave(struct contract *c, uint32_t block)
{
    const struct ptx_live *const live = &c->o->live;

    for (uint32_t i = live->dying_at[block]; i < live->dying_at[block + 1]; i++) {
        if (!is_anywhere(c, live->dying[i])) {
            c->held[live->dying[i]].product = PTX_NONE;
        }
    }
    for (uint32_t i = 0; i < c->n_open; i++) {
        struct held *const h = &c->held[c->open[i]];

        if (is_anywhere(c, c->open[i])) {
            c->product[h->product].crosses = true;
            continue;
        }
        if (h->product != PTX_NONE) {
            c->product[h->product].fits = false;
        }
        h->product = PTX_NONE;
    }
    c->n_open = 0;
}

/* ---- joining ---- */

static bool can_take(const struct contract *c, const struct sum *s, uint32_t k)
{
    return !s->is_fused && s->of[k].product != PTX_NONE &&
           c->product[s->of[k].product].fits;
}

static void take(struct contract *c, struct sum *s, uint32_t k)
{
    const uint32_t other = s->of[1 - k].product;

    s->is_fused = true;
    s->taken = k;
    c->product[s->of[k].product].left--;
    if (other != PTX_NONE) {
        c->product[other].fits = false;
    }
}

/* Products with one reader first; then, of two that an addition could take in, the one
 * with fewer readers, else the first. */
static void decide(struct contract *c)
{
    for (uint32_t i = 0; i < c->n_product; i++) {
        struct product *const p = &c->product[i];
        const uint32_t reg = c->o->f->opnd[c->o->f->insn[p->at].opnd].id;

        p->fits = p->fits && (!p->crosses || p->readers == c->o->n_use[reg]);
    }
    for (uint32_t i = 0; i < c->n_sum; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            if (can_take(c, &c->sum[i], k) &&
                c->product[c->sum[i].of[k].product].readers == 1) {
                take(c, &c->sum[i], k);
            }
        }
    }
    for (uint32_t i = 0; i < c->n_sum; i++) {
        struct sum *const s = &c->sum[i];
        const bool first = can_take(c, s, 0), second = can_take(c, s, 1);

        if (first && second) {
            take(c, s,
                 c->product[s->of[1].product].readers <
                         c->product[s->of[0].product].readers
                     ? 1
                     : 0);
        } else if (first || second) {
            take(c, s, first ? 0 : 1);
        }
    }
}

/*
 * Factors that are other values where the addition is. One can be kept in the product's
 * own register, by a move in the product's place: nobody else wants that register then,
 * unless a negation left it to others or some addition still reads the product.
 */
static void lose(struct contract *c, const struct sum *s)
{
    struct product *const p = &c->product[s->of[s->taken].product];
    const struct ptx_opnd *const m = &c->o->f->opnd[c->o->f->insn[p->at].opnd];

    for (uint32_t k = 1; k <= 2; k++) {
        const bool is_own = m[k].kind == OK_REG && m[k].id == m[0].id;

        if (is_own ? p->is_negated || p->left > 0
                   : !ptx_opt_holds(c->o, &m[k], p->at + 1, s->at)) {
            p->lost |= 1u << k;
        }
    }
}

static bool can_keep(const struct contract *c, const struct product *p)
{
    const struct ptx_opnd *const m = &c->o->f->opnd[c->o->f->insn[p->at].opnd];
    const struct ptx_opnd *const other = &m[p->lost == LOST_A ? 2 : 1];

    if (p->lost == 0) {
        return true;
    }
    if (p->is_negated || p->left > 0) {
        return false;
    }
    if (p->lost == (LOST_A | LOST_B)) {
        return m[1].id == m[2].id;
    }
    return other->kind != OK_REG || other->id != m[0].id;
}

/* The multiply-add in place of the addition, under its name. */
static void fuse(struct contract *c, const struct sum *s)
{
    static const uint8_t sub[2][2] = {{ISA_S_NONE, ISA_S_NEG_C},
                                      {ISA_S_NEG_AB, ISA_S_NEG_ABC}};
    const uint32_t first = ptx_opt_operands(c->o, 4), k = s->taken;
    struct ptx_ir *const f = c->o->f;
    struct ptx_insn *const in = &f->insn[s->at];
    const struct product *const p = &c->product[s->of[k].product];
    const struct ptx_opnd *const m = &f->opnd[f->insn[p->at].opnd];
    struct ptx_opnd *const to = &f->opnd[first];
    const bool minus = in->form.op == ISA_OP_SUB && k == 0;

    to[0] = f->opnd[in->opnd];
    to[1] = (p->lost & LOST_A) != 0 ? m[0] : m[1];
    to[2] = (p->lost & LOST_B) != 0 ? m[0] : m[2];
    to[3] = f->opnd[in->opnd + 2 - k];
    in->form.op = ISA_OP_FMA;
    in->form.round = ISA_R_RN;
    in->form.sub = sub[s->of[k].minus][minus];
    in->row = ptx_opt_row(ISA_OP_FMA, "daaa");
    in->opnd = first;
    in->n_opnds = 4;
}

/* A product that all have taken in: gone, or the move that keeps a factor. */
static void leave_out(struct contract *c, const struct product *p)
{
    struct ptx_ir *const f = c->o->f;
    struct ptx_insn *const in = &f->insn[p->at];
    const uint32_t bits = isa_type_bits((enum isa_type)in->form.type);
    const enum isa_type type = bits == 64   ? ISA_T_B64
                               : bits == 32 ? ISA_T_B32
                                            : ISA_T_B16;

    for (uint32_t n = p->negs; n != PTX_NONE; n = c->neg[n].next) {
        c->o->gone[c->neg[n].at] = true;
    }
    if (p->lost == 0) {
        c->o->gone[p->at] = true;
        return;
    }
    f->opnd[in->opnd + 1] = f->opnd[in->opnd + ((p->lost & LOST_A) != 0 ? 1 : 2)];
    memset(&in->form, 0, sizeof(in->form));
    in->form.op = ISA_OP_MOV;
    in->form.type = (uint8_t)type;
    in->form.vec = 1;
    in->row = ptx_opt_row(ISA_OP_MOV, "xX");
    in->n_opnds = 2;
}

static void rewrite(struct contract *c)
{
    for (uint32_t i = 0; i < c->n_sum; i++) {
        if (c->sum[i].is_fused) {
            lose(c, &c->sum[i]);
        }
    }
    for (uint32_t i = 0; i < c->n_sum; i++) {
        if (c->sum[i].is_fused &&
            can_keep(c, &c->product[c->sum[i].of[c->sum[i].taken].product])) {
            fuse(c, &c->sum[i]);
        }
    }
    for (uint32_t i = 0; i < c->n_product; i++) {
        const struct product *const p = &c->product[i];

        if (p->readers > 0 && p->left == 0 && can_keep(c, p)) {
            leave_out(c, p);
        }
    }
}

void ptx_opt_contract(struct ptx_opt *o)
{
    struct contract *const c = arena_alloc(o->a, sizeof(*c));
    const uint32_t n_vreg = o->f->n_vreg;

    if (!o->fmad) {
        return;
    }
    c->o = o;
    c->held = arena_alloc(o->a, (n_vreg + 1) * sizeof(c->held[0]));
    for (uint32_t r = 0; r < n_vreg; r++) {
        c->held[r].product = PTX_NONE;
    }
    for (uint32_t b = 0; b < o->flow.n_blocks; b++) {
        for (uint32_t i = o->flow.block[b].first; i < o->flow.block[b].end; i++) {
            walk(c, i);
        }
        leave(c, b);
    }
    decide(c);
    rewrite(c);
}
