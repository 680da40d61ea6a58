/* Bulk copies: their operands, which the engine reads when they issue. */
#include "isa/bulk.h"
#include "ptx/lower_priv.h"

/* The address of an operand in a space. */
static struct isa_bulk_operand address(struct ptx_lower *w, struct isa_uop *u,
                                       const struct ptx_opnd *o, enum isa_space space)
{
    struct isa_uop at;

    ptx_uop_init(w, &at);
    at.form.space = (uint8_t)space;
    ptx_lower_address(w, &at, o);
    if (at.addr != ISA_NO_REF) {
        ptx_reads(u, at.addr, at.addr64 ? PTX_W64 : PTX_W32);
    }
    return (struct isa_bulk_operand){at.addr, at.addr64, at.imm};
}

/* A value of 32 bits, or of 16. */
static bool value(struct ptx_lower *w, struct isa_uop *u, const struct ptx_opnd *o,
                  struct isa_bulk_operand *out)
{
    enum ptx_width width;

    *out = (struct isa_bulk_operand){.ref = ISA_NO_REF};
    if (!ptx_source(w, o, ISA_T_B32, &out->ref, &width)) {
        return false;
    }
    ptx_reads(u, out->ref, width);
    return true;
}

static enum isa_bulk_what what_of(const struct ptx_insn *in)
{
    if (in->form.sub == ISA_S_COMMIT) {
        return ISA_BULK_COMMIT;
    }
    if (in->form.sub == ISA_S_WAIT) {
        return ptx_has_word(in, ".read") ? ISA_BULK_WAIT_READ : ISA_BULK_WAIT;
    }
    if (ptx_has_word(in, ".prefetch")) {
        return ISA_BULK_PREFETCH;
    }
    if (ptx_has_word(in, ".bulk_group")) {
        return ISA_BULK_STORE;
    }
    return ptx_has_word(in, ".global") ? ISA_BULK_LOAD : ISA_BULK_SEND;
}

static bool coordinates(struct ptx_lower *w, struct isa_uop *u,
                        const struct ptx_opnd *o, struct isa_bulk *b)
{
    const struct ptx_opnd *const e = o->kind == OK_VEC ? &w->f->opnd[o->id] : o;

    b->dims = (uint8_t)(o->kind == OK_VEC ? o->n : 1);
    for (uint32_t i = 0; i < b->dims; i++) {
        if (!value(w, u, &e[i], &b->coord[i])) {
            return false;
        }
    }
    return true;
}

/* The operands one after the other, by the letters of insn_table.h; each place but the
 * first, of SEND the second, in shared memory is that of the mbarrier. */
static bool operands(struct ptx_lower *w, struct isa_uop *u, const struct ptx_insn *in,
                     struct isa_bulk *b)
{
    const struct ptx_opnd *o = &w->f->opnd[in->opnd];
    struct isa_bulk_operand *const places[] = {&b->global, &b->shared, &b->bar};
    struct isa_bulk_operand *const *at = places + (b->what != ISA_BULK_SEND);
    struct isa_bulk_operand *number = &b->bytes;
    char letters[PTX_MAX_OPNDS + 1];
    uint32_t least, most;

    (void)ptx_letters(in, letters, &least, &most);
    for (uint32_t i = 0; i < in->n_opnds; i++, o++) {
        switch (letters[i]) {
        case 'm': **at++ = address(w, u, o, ISA_SP_SHARED); break;
        case 'M': b->global = address(w, u, o, ISA_SP_GLOBAL); break;
        case 'Z': b->global = address(w, u, o, ISA_SP_GENERIC); break;
        case 'Y':
            if (!coordinates(w, u, o, b)) {
                return false;
            }
            break;
        case 'R': number = &b->ranks; ATTR_FALLTHROUGH;
        case 'U':
            if (!value(w, u, o, number)) {
                return false;
            }
            break;
        default: break; /* a cache policy */
        }
    }
    return true;
}

bool ptx_lower_bulk(struct ptx_lower *w, const struct ptx_insn *in)
{
    struct isa_bulk *const b = arena_alloc(w->a, sizeof(*b));
    struct isa_uop u;

    ptx_uop_init(w, &u);
    *b = (struct isa_bulk){.what = (uint8_t)what_of(in),
                           .reduces = ptx_has_word(in, ".reduce"),
                           .multicast = ptx_has_word(in, ".multicast::cluster")};
    u.form = in->form;
    u.kind = ISA_K_BULK;
    u.class = b->what >= ISA_BULK_COMMIT ? ISA_CL_CTRL : ISA_CL_MEM;
    u.bulk = b;
    if (b->what >= ISA_BULK_WAIT) {
        u.imm = (int64_t)w->f->opnd[in->opnd].value;
    } else if (!operands(w, &u, in, b)) {
        return false;
    }
    return ptx_uop_add(w, &u);
}
