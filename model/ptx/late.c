/*
 * Who reads a result first: SPEC PIPE-1.
 *
 * What follows in the text is looked at, not what a branch leads to: a result that is
 * read behind a branch is there by then, as branches take longer.
 */
#include "ptx/lower_priv.h"

/* Instructions looked at: as many as hide the longest wait of all, that for a guard. */
enum { WINDOW = 16 };

/* Pipes between which a result takes longer; what the others need is in their latency.
 */
enum pipe { PIPE_NONE, PIPE_FMA, PIPE_ALU, PIPE_MEM };

static enum pipe pipe_of(const struct isa_uop *u)
{
    switch ((enum isa_class)u->class) {
    case ISA_CL_FP32:
    case ISA_CL_IMUL: return PIPE_FMA;
    case ISA_CL_IADD:
    case ISA_CL_ICMP:
    case ISA_CL_SHIFT:
    case ISA_CL_LOGIC: return PIPE_ALU;
    case ISA_CL_SHUFFLE:
    case ISA_CL_MEM: return PIPE_MEM;
    case ISA_CL_FP64:
    case ISA_CL_SFU:
    case ISA_CL_CVT8:
    case ISA_CL_CVT64:
    case ISA_CL_CVT:
    case ISA_CL_VOTE:
    case ISA_CL_IDIV:
    case ISA_CL_HALF:
    case ISA_CL_TENSOR:
    case ISA_CL_SREG:
    case ISA_CL_CTRL:
    case ISA_CL_BAR:
    case ISA_N_CLASSES: break;
    }
    return PIPE_NONE;
}

static enum isa_late read_by(const struct isa_uop *u, const struct isa_uop *reader)
{
    const enum pipe from = pipe_of(u), to = pipe_of(reader);

    if (u->sets_p != 0) {
        const bool is_guard = reader->guard != ISA_P_TRUE &&
                              (u->sets_p >> (reader->guard % 32) & 1u) != 0;

        return is_guard ? ISA_LATE_GUARD : ISA_LATE_NOT;
    }
    return (from == PIPE_FMA || from == PIPE_ALU) && to != PIPE_NONE && to != from
               ? ISA_LATE_OTHER
               : ISA_LATE_NOT;
}

static enum isa_late find(const struct isa_uop *u, uint32_t n)
{
    for (uint32_t i = 1; i < n && i <= WINDOW; i++) {
        const struct isa_uop *const v = &u[i];

        if ((v->needs & u->sets) != 0 || (v->needs_p & u->sets_p) != 0) {
            return read_by(u, v);
        }
    }
    return u->sets_p != 0 ? ISA_LATE_GUARD : ISA_LATE_NOT;
}

void ptx_find_late(struct isa_uop *u, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (u[i].kind == ISA_K_ALU || u[i].kind == ISA_K_SEQ) {
            u[i].late = (uint8_t)find(&u[i], n - i);
        }
    }
}
