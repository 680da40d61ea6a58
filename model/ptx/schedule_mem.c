/*
 * Which accesses to memory must keep their order: SPEC PTX-2.
 *
 * What is asked is whether two instructions of one thread can touch the same byte. That
 * other threads may is for barriers, fences, volatile accesses and atomics to say.
 */
#include "ptx/schedule_priv.h"

/* ---- what nothing passes ---- */

static bool reads_clock(const struct ptx_ir *f, const struct ptx_opnd *o)
{
    if (o->kind == OK_VEC || o->kind == OK_PAIR) {
        for (uint32_t i = 0; i < o->n; i++) {
            if (reads_clock(f, &f->opnd[o->id + i])) {
                return true;
            }
        }
        return false;
    }
    return o->kind == OK_SREG && o->id >= ISA_SR_CLOCK &&
           o->id <= ISA_SR_GLOBALTIMER_HI;
}

bool ptx_is_wall(const struct ptx_ir *f, const struct ptx_target *t,
                 const struct ptx_insn *in)
{
    static const bool wall[ISA_N_OPS] = {
        [ISA_OP_BRA] = true,   [ISA_OP_BRX] = true,       [ISA_OP_CALL] = true,
        [ISA_OP_RET] = true,   [ISA_OP_EXIT] = true,      [ISA_OP_TRAP] = true,
        [ISA_OP_BRKPT] = true, [ISA_OP_NANOSLEEP] = true, [ISA_OP_PMEVENT] = true,
        [ISA_OP_WGMMA] = true, /* registers too are behind its fence and its wait */
    };

    if (wall[in->form.op] || in->stops || ptx_branches_within(in, t->cc)) {
        return true;
    }
    for (uint32_t i = 0; i < in->n_opnds; i++) {
        if (reads_clock(f, &f->opnd[in->opnd + i])) {
            return true;
        }
    }
    return false;
}

/* ---- what an instruction does ---- */

static void set_address(struct ptx_piece *p, const struct ptx_opnd *o,
                        struct ptx_mem *m)
{
    m->offset = o->value;
    if (o->sub == OK_REG) {
        struct ptx_root root;

        ptx_root_of(p, o->id, &root);
        if (o->base != 0) { /* of a variable */
            ptx_root_add(p, &root, &(struct ptx_root){PTX_ROOT_SYMBOL, o->base - 1, 0});
        }
        m->root = root.kind;
        m->id = root.id;
        m->offset += root.offset;
        m->narrow = ptx_reg_bits(p->f, o->id) == 32;
    } else if (o->sub == OK_SYM) {
        m->root = PTX_ROOT_SYMBOL;
        m->id = o->id;
    } else if (o->sub == OK_LOCAL) {
        m->root = PTX_ROOT_LOCAL;
        m->id = o->id;
    }
    if (m->root == PTX_ROOT_SYMBOL) {
        const uint64_t size = p->pr->sym[m->id].size;

        m->inside = m->bytes <= size && m->offset <= size - m->bytes;
    }
}

/* ld.param and st.param but of a kernel's own parameters, which nobody writes. */
static bool is_area(const struct ptx_ir *f, const struct ptx_insn *in,
                    const struct ptx_opnd *where)
{
    return in->form.op != ISA_OP_LD || !f->is_kernel ||
           (where->sub == OK_PARAM && !f->pvar[where->id].is_own);
}

static enum ptx_mem_kind kind_of(const struct ptx_ir *f, const struct ptx_insn *in,
                                 const struct ptx_opnd *where)
{
    const bool is_atomic = in->form.op == ISA_OP_ATOM || in->form.op == ISA_OP_RED;

    if (in->form.space == ISA_SP_PARAM) {
        return is_area(f, in, where) ? PTX_MEM_AREA : PTX_MEM_NONE;
    }
    if (ptx_is_volatile(in) ||
        (is_atomic && (ptx_has_word(in, ".acquire") || ptx_has_word(in, ".release") ||
                       ptx_has_word(in, ".acq_rel")))) {
        return PTX_MEM_WALL;
    }
    if (is_atomic) {
        return PTX_MEM_ATOMIC;
    }
    if (in->form.op == ISA_OP_ST) {
        return PTX_MEM_STORE;
    }
    return in->form.space == ISA_SP_CONST || in->form.cache == ISA_CACHE_NC
               ? PTX_MEM_NONE
               : PTX_MEM_LOAD;
}

/* Whether all that an instruction at which lanes meet does is to tell them something:
 * it orders no memory, and passes accesses where nobody may wait for it meanwhile. */
static bool only_tells(const struct ptx_piece *p, const struct ptx_insn *in)
{
    const enum isa_op op = (enum isa_op)in->form.op;

    return !p->turns && (op == ISA_OP_SHFL || op == ISA_OP_VOTE || op == ISA_OP_MATCH ||
                         op == ISA_OP_REDUX || op == ISA_OP_ELECT);
}

/* Matrices of a warp: in machine code an instruction stands before them at which all
 * lanes wait for each other, where they may have parted. */
static bool is_of_warp(const struct ptx_insn *in)
{
    const enum isa_op op = (enum isa_op)in->form.op;

    return op == ISA_OP_MMA || op == ISA_OP_LDMATRIX || op == ISA_OP_STMATRIX ||
           op == ISA_OP_MOVMATRIX || (op == ISA_OP_WMMA && in->form.sub == ISA_S_MMA);
}

void ptx_mem_of(struct ptx_piece *p, const struct ptx_insn *in, struct ptx_mem *m)
{
    const enum isa_op op = (enum isa_op)in->form.op;
    const struct ptx_opnd *where = &p->f->opnd[in->opnd];

    *m = (struct ptx_mem){.kind = PTX_MEM_NONE, .space = in->form.space};
    m->meets = p->turns && is_of_warp(in);
    if (op == ISA_OP_BAR || op == ISA_OP_BARRIER || op == ISA_OP_MEMBAR ||
        op == ISA_OP_FENCE || op == ISA_OP_MBARRIER || op == ISA_OP_CP ||
        (in->form.flags & ISA_F_SYNC) != 0) {
        m->kind = PTX_MEM_WALL;
        m->space = ISA_SP_GLOBAL; /* and shared memory; a thread's own needs none */
        m->all = ptx_is_of_all(p->f, in);
        m->passes = m->all && only_tells(p, in);
        return;
    }
    if (op == ISA_OP_LDMATRIX || op == ISA_OP_STMATRIX ||
        (op == ISA_OP_WMMA && in->form.sub != ISA_S_MMA)) {
        m->kind = op == ISA_OP_LDMATRIX || in->form.sub == ISA_S_LOAD ? PTX_MEM_LOAD
                                                                      : PTX_MEM_STORE;
        return; /* a lane gets what lies where others point: any address */
    }
    if (op >= ISA_OP_SULD && op <= ISA_OP_SURED) { /* wherever the surface is */
        m->kind = PTX_MEM_WALL;
        m->space = ISA_SP_GLOBAL;
        return;
    }
    if (op != ISA_OP_LD && op != ISA_OP_LDU && op != ISA_OP_ST && op != ISA_OP_ATOM &&
        op != ISA_OP_RED) {
        return;
    }
    where += op == ISA_OP_LD || op == ISA_OP_LDU || op == ISA_OP_ATOM;
    m->kind = (uint8_t)kind_of(p->f, in, where);
    m->bytes = isa_type_bits((enum isa_type)in->form.type) / 8 *
               (in->form.vec > 1 ? in->form.vec : 1u);
    set_address(p, where, m);
}

/* ---- two of them ---- */

static bool may_meet(uint8_t a, uint8_t b)
{
    return a == b || a == ISA_SP_GENERIC || b == ISA_SP_GENERIC;
}

/* From one root, and the bytes do not overlap. */
static bool is_apart(const struct ptx_mem *a, const struct ptx_mem *b)
{
    const uint64_t all = a->narrow || b->narrow ? UINT32_MAX : UINT64_MAX;
    const uint64_t up = (b->offset - a->offset) & all;
    const uint64_t down = (a->offset - b->offset) & all;

    return up >= a->bytes && down >= b->bytes;
}

static bool may_overlap(const struct ptx_mem *a, const struct ptx_mem *b)
{
    if (a->root != b->root || a->root == PTX_ROOT_NONE) {
        return true;
    }
    if (a->id == b->id) {
        return !is_apart(a, b);
    }
    return a->root != PTX_ROOT_SYMBOL || !a->inside || !b->inside;
}

/* What others may wait for, and what waits for others: who waits elsewhere meanwhile
 * might wait for ever. */
static bool is_waited_for(const struct ptx_mem *m)
{
    return m->kind == PTX_MEM_WALL || m->kind == PTX_MEM_ATOMIC;
}

bool ptx_must_order(const struct ptx_mem *a, const struct ptx_mem *b)
{
    if ((a->meets && is_waited_for(b) && !b->all) ||
        (b->meets && is_waited_for(a) && !a->all)) {
        return true;
    }
    if (a->kind == PTX_MEM_NONE || b->kind == PTX_MEM_NONE) {
        return false;
    }
    if (a->kind == PTX_MEM_AREA || b->kind == PTX_MEM_AREA) {
        return a->kind == b->kind;
    }
    if ((a->all && b->all) || (a->passes && b->kind != PTX_MEM_WALL) ||
        (b->passes && a->kind != PTX_MEM_WALL)) {
        return false;
    }
    if (a->kind == PTX_MEM_WALL || b->kind == PTX_MEM_WALL) {
        const struct ptx_mem *const other = a->kind == PTX_MEM_WALL ? b : a;

        return other->space != ISA_SP_LOCAL || may_meet(a->space, b->space);
    }
    if (!may_meet(a->space, b->space) ||
        (a->kind == PTX_MEM_LOAD && b->kind == PTX_MEM_LOAD)) {
        return false;
    }
    return a->kind == PTX_MEM_ATOMIC || b->kind == PTX_MEM_ATOMIC || may_overlap(a, b);
}
