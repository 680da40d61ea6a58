/*
 * Loads of neighbouring words of shared memory become one of 64 or 128 bits, those of
 * 16 bits one of 32 or 64, those of constant memory by an address that lanes make one
 * of 64 bits.
 *
 * ptxas joins loads of one base and constant offsets where it can tell that the whole
 * is aligned. That is told here by how many of the lowest bits of each register are
 * zero, whatever path its value comes from, and by where the kernel's arrays and the
 * module's constants lie.
 *
 * The loads that are joined run where the first of them stood; the text of each is
 * kept, for what is said about it.
 */
#include "ptx/opt_priv.h"

#include <string.h>

enum {
    MAX_ZEROS = 4, /* of 16 bytes */
    MAX_BYTES = 16,
    MAX_PARTS = 4,
    MAX_CONST_BYTES = 8,
    MAX_OPEN = 64, /* loads that one may be joined with */
    SINCE_CC = 50
};

struct load {
    uint32_t at;      /* instruction */
    uint32_t version; /* of its base register: writes of it in the block before */
    int64_t offset;
};

struct wide {
    struct ptx_opt *o;
    uint8_t *zeros;    /* of each register: lowest bits that are surely zero */
    uint32_t *version; /* of each register, in the block being done */
    struct load open[MAX_OPEN];
    uint32_t n_open;
};

/* ---- zero bits ---- */

static uint8_t zeros_of_number(uint64_t v)
{
    uint8_t n = 0;

    while (n < MAX_ZEROS && (v >> n & 1) == 0) {
        n++;
    }
    return n;
}

/* Where a shared variable lies in the kernel's memory, a constant in the module's bank;
 * false: not known. */
static bool place_of(const struct ptx_opt *o, uint32_t symbol, uint32_t *offset)
{
    const struct ptx_symbol *const s = &o->pr->sym[symbol];

    if (s->space == ISA_SP_CONST) {
        *offset = (uint32_t)s->addr;
        return true;
    }
    for (uint32_t i = 0;
         o->kernel != NULL && s->space == ISA_SP_SHARED && i < o->kernel->n_shared;
         i++) {
        if (strcmp(o->kernel->shared[i].name, s->name) == 0) {
            *offset = o->kernel->shared[i].offset;
            return true;
        }
    }
    return false;
}

static uint8_t zeros_of(const struct wide *w, const struct ptx_opnd *v)
{
    uint32_t offset;

    switch ((enum ptx_opnd_kind)v->kind) {
    case OK_IMM: return v->sub == IMM_INT ? zeros_of_number(v->value) : 0;
    case OK_REG: return v->neg ? 0 : w->zeros[v->id];
    case OK_SYM:
        return v->sub != 1 && place_of(w->o, v->id, &offset)
                   ? zeros_of_number(offset + v->value)
                   : 0;
    default: return 0;
    }
}

static uint8_t least(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

static uint8_t most(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

static uint8_t zeros_made(const struct wide *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *const v = &w->o->f->opnd[in->opnd];
    const uint32_t bits = isa_type_bits((enum isa_type)in->form.type);

    if (bits < 32 || isa_type_is_float((enum isa_type)in->form.type) ||
        in->form.flags != 0) {
        return 0;
    }
    switch ((enum isa_op)in->form.op) {
    case ISA_OP_MOV: return in->n_opnds == 2 ? zeros_of(w, &v[1]) : 0;
    case ISA_OP_ADD:
    case ISA_OP_SUB:
    case ISA_OP_OR:
    case ISA_OP_XOR:
    case ISA_OP_SELP: return least(zeros_of(w, &v[1]), zeros_of(w, &v[2]));
    case ISA_OP_AND: return most(zeros_of(w, &v[1]), zeros_of(w, &v[2]));
    case ISA_OP_SHL:
        return v[2].kind == OK_IMM && v[2].value < 32
                   ? least(MAX_ZEROS, (uint8_t)(zeros_of(w, &v[1]) + v[2].value))
                   : 0;
    case ISA_OP_MUL:
        return in->form.sub == ISA_S_HI
                   ? 0
                   : least(MAX_ZEROS,
                           (uint8_t)(zeros_of(w, &v[1]) + zeros_of(w, &v[2])));
    case ISA_OP_MAD:
        return in->form.sub == ISA_S_HI
                   ? 0
                   : least((uint8_t)(zeros_of(w, &v[1]) + zeros_of(w, &v[2])),
                           zeros_of(w, &v[3]));
    default: return 0;
    }
}

/* From all to fewer, until nothing changes: each instruction that writes a register may
 * be the one whose value is read. */
static void find_zeros(struct wide *w)
{
    struct ptx_opt *const o = w->o;
    bool more = true;

    memset(w->zeros, MAX_ZEROS, o->f->n_vreg);
    for (uint32_t r = 0; r < o->f->n_vreg; r++) {
        w->zeros[r] = o->live.start[r] == 0 ? 0 : MAX_ZEROS;
    }
    while (more) {
        more = false;
        for (uint32_t i = 0; i < o->f->n_insn; i++) {
            ptx_accesses(o->f, &o->f->insn[i], &o->x);
            for (uint32_t k = 0; k < o->x.n_def; k++) {
                const uint32_t r = o->x.def[k];
                const uint8_t n = least(w->zeros[r], zeros_made(w, &o->f->insn[i]));

                more |= n != w->zeros[r];
                w->zeros[r] = n;
            }
        }
    }
}

/* ---- loads that may be joined ---- */

static const struct ptx_opnd *address_of(const struct ptx_ir *f,
                                         const struct ptx_insn *in)
{
    return &f->opnd[in->opnd + 1];
}

static uint32_t bytes_of(const struct ptx_insn *in)
{
    return isa_type_bits((enum isa_type)in->form.type) / 8;
}

/* Constants at an address that is known are operands of who uses them. */
static bool is_of_space(const struct ptx_insn *in, const struct ptx_opnd *at)
{
    return in->form.space == ISA_SP_SHARED ||
           (in->form.space == ISA_SP_CONST && at->sub == OK_REG);
}

static bool is_half(const struct ptx_insn *in)
{
    return bytes_of(in) == 2 && in->form.space == ISA_SP_SHARED;
}

static bool may_join(struct wide *w, const struct ptx_insn *in)
{
    const struct ptx_ir *const f = w->o->f;
    const struct ptx_opnd *const d = &f->opnd[in->opnd];

    return in->form.op == ISA_OP_LD && in->n_opnds == 2 && is_of_space(in, &d[1]) &&
           in->form.flags == 0 && in->form.cache == ISA_CACHE_NONE &&
           in->form.vec <= 1 && in->guard == PTX_NONE &&
           (bytes_of(in) == 4 || bytes_of(in) == 8 || is_half(in)) &&
           d->kind == OK_REG && ptx_reg_bits(f, d->id) == 8 * bytes_of(in) &&
           d[1].kind == OK_ADDR && (d[1].sub == OK_SYM || d[1].sub == OK_REG);
}

/* Accesses of others, what orders them, and the end of a basic block of machine code
 * are not passed. */
static bool closes(const struct ptx_opt *o, const struct ptx_insn *in)
{
    switch ((enum isa_op)in->form.op) {
    case ISA_OP_ST:
    case ISA_OP_ATOM:
    case ISA_OP_RED: return in->form.space <= ISA_SP_SHARED;
    case ISA_OP_LD: return ptx_is_volatile(in);
    case ISA_OP_SUST:
    case ISA_OP_SURED:
    case ISA_OP_BAR:
    case ISA_OP_BARRIER:
    case ISA_OP_MEMBAR:
    case ISA_OP_FENCE:
    case ISA_OP_CP:
    case ISA_OP_WGMMA:
    case ISA_OP_MBARRIER:
    case ISA_OP_CALL:
    case ISA_OP_RET:
    case ISA_OP_EXIT: return true;
    default:
        return (in->form.flags & ISA_F_SYNC) != 0 || ptx_branches_within(in, o->cc);
    }
}

/* Bytes that the address is surely a multiple of, without its constant. */
static uint32_t alignment(const struct wide *w, const struct ptx_opnd *at,
                          int64_t *offset)
{
    uint32_t place = 0;

    *offset = (int64_t)at->value;
    if ((at->sub == OK_SYM && !place_of(w->o, at->id, &place)) ||
        (at->base != 0 && !place_of(w->o, at->base - 1, &place))) {
        return 1;
    }
    *offset += place;
    return at->sub == OK_SYM ? MAX_BYTES : 1u << w->zeros[at->id];
}

static bool is_same_base(const struct wide *w, const struct load *a,
                         const struct load *b)
{
    const struct ptx_ir *const f = w->o->f;
    const struct ptx_opnd *const x = address_of(f, &f->insn[a->at]),
                                 *const y = address_of(f, &f->insn[b->at]);

    return x->sub == y->sub && x->id == y->id && x->base == y->base &&
           a->version == b->version &&
           f->insn[a->at].form.space == f->insn[b->at].form.space &&
           bytes_of(&f->insn[a->at]) == bytes_of(&f->insn[b->at]);
}

/* Whether a result that is made at b can be made at a, before it: nobody in between
 * reads or writes the register. */
static bool can_move(struct wide *w, uint32_t b, uint32_t a)
{
    struct ptx_opt *const o = w->o;
    const uint32_t reg = o->f->opnd[o->f->insn[b].opnd].id;

    for (uint32_t i = a; i < b; i++) {
        ptx_accesses(o->f, &o->f->insn[i], &o->x);
        for (uint32_t k = 0; k < o->x.n_def; k++) {
            if (o->x.def[k] == reg) {
                return false;
            }
        }
        for (uint32_t k = 0; k < o->x.n_use; k++) {
            if (o->x.use[k] == reg) {
                return false;
            }
        }
    }
    return true;
}

/* The open load at an offset from that of l; NULL: none. */
static struct load *neighbour(struct wide *w, const struct load *l, int64_t by)
{
    for (uint32_t i = 0; i < w->n_open; i++) {
        struct load *const n = &w->open[i];

        if (!w->o->gone[n->at] && w->o->f->insn[n->at].form.vec <= 1 &&
            n->offset == l->offset + by && is_same_base(w, l, n)) {
            return n;
        }
    }
    return NULL;
}

static void join(struct wide *w, struct load *const *part, uint32_t n, uint32_t first)
{
    struct ptx_opt *const o = w->o;
    struct ptx_ir *const f = o->f;
    const uint32_t list = ptx_opt_operands(o, n), opnd = ptx_opt_operands(o, 2);
    struct ptx_insn in = f->insn[first];

    in.joined = f->n_joined + 1;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = part[i]->at;

        f->opnd[list + i] = f->opnd[f->insn[at].opnd];
        *PTX_PUSH(o->a, f->joined, f->n_joined, f->cap_joined) = f->insn[at];
        o->gone[at] = at != first;
    }
    f->opnd[opnd] =
        (struct ptx_opnd){.kind = OK_VEC, .n = (uint8_t)n, .id = list, .sub = 0};
    f->opnd[opnd + 1] = *address_of(f, &f->insn[part[0]->at]);
    in.opnd = opnd;
    in.form.vec = (uint8_t)n;
    in.form.type = bytes_of(&in) == 8   ? ISA_T_B64
                   : bytes_of(&in) == 4 ? ISA_T_B32
                                        : ISA_T_B16;
    f->insn[first] = in;
    f->has_copies = true;
}

/* Joins n loads from that of the lowest address on, if they are there and aligned. */
static bool try_join(struct wide *w, struct load *l, uint32_t n)
{
    struct ptx_ir *const f = w->o->f;
    const uint32_t bytes = bytes_of(&f->insn[l->at]);
    const uint32_t max =
        f->insn[l->at].form.space == ISA_SP_CONST ? MAX_CONST_BYTES : MAX_BYTES;
    struct load *part[MAX_PARTS];
    uint32_t first = l->at;
    int64_t offset;

    if (bytes * n > max ||
        alignment(w, address_of(f, &f->insn[l->at]), &offset) < bytes * n ||
        (offset & (int64_t)(bytes * n - 1)) != 0) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        part[i] = i == 0 ? l : neighbour(w, l, (int64_t)i * bytes);
        if (part[i] == NULL) {
            return false;
        }
        first = part[i]->at < first ? part[i]->at : first;
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (f->opnd[f->insn[part[i]->at].opnd].id ==
                f->opnd[f->insn[part[k]->at].opnd].id) {
                return false;
            }
        }
        if (!can_move(w, part[i]->at, first)) {
            return false;
        }
    }
    join(w, part, n, first);
    return true;
}

/* The loads that are open can be joined with one another and with none that follow. */
static void close(struct wide *w)
{
    for (uint32_t n = MAX_PARTS; n >= 2; n /= 2) {
        for (uint32_t i = 0; i < w->n_open; i++) {
            struct load *const l = &w->open[i];
            const struct ptx_insn *const in = &w->o->f->insn[l->at];

            if (!w->o->gone[l->at] && in->form.vec <= 1) {
                (void)try_join(w, l, n);
            }
        }
    }
    w->n_open = 0;
}

static void open_load(struct wide *w, uint32_t i)
{
    const struct ptx_opnd *const at = address_of(w->o->f, &w->o->f->insn[i]);

    if (w->n_open == MAX_OPEN) {
        close(w);
    }
    w->open[w->n_open++] = (struct load){i, at->sub == OK_REG ? w->version[at->id] : 0,
                                         (int64_t)at->value};
}

void ptx_opt_wide(struct ptx_opt *o)
{
    struct wide *const w = arena_alloc(o->a, sizeof(*w));

    if (!o->f->is_kernel || o->cc < SINCE_CC || o->kernel == NULL) {
        return;
    }
    w->o = o;
    w->zeros = arena_alloc(o->a, o->f->n_vreg + 1);
    w->version = arena_alloc(o->a, (o->f->n_vreg + 1) * sizeof(w->version[0]));
    find_zeros(w);
    for (uint32_t b = 0; b < o->flow.n_blocks; b++) {
        for (uint32_t i = o->flow.block[b].first; i < o->flow.block[b].end; i++) {
            const struct ptx_insn *const in = &o->f->insn[i];

            if (closes(o, in)) {
                close(w);
            } else if (may_join(w, in)) {
                open_load(w, i);
            }
            ptx_accesses(o->f, &o->f->insn[i], &o->x);
            for (uint32_t k = 0; k < o->x.n_def; k++) {
                w->version[o->x.def[k]]++;
            }
        }
        close(w);
    }
}
