/* Loads, stores and atomics of the interpreter. */
#include "eval.h"
#include "machine.h"
#include <string.h>

static bool in_global(struct interp *x, uint64_t a, struct place *p)
{
    for (uint32_t i = 0; i < x->l->n_buffers; i++) {
        const struct interp_buffer *b = &x->l->buffer[i];

        if (a >= b->base && a - b->base < b->size) {
            *p = (struct place){b->data + (a - b->base), NULL,
                                b->size - (uint32_t)(a - b->base), true};
            return true;
        }
    }
    if (a >= GENERIC_GLOBALS && a - GENERIC_GLOBALS < x->c->global_bytes) {
        a -= GENERIC_GLOBALS;
        *p = (struct place){x->c->globals + a, NULL, x->c->global_bytes - (uint32_t)a,
                            true};
        return true;
    }
    return false;
}

static bool in_array(uint8_t *data, bool *written, uint32_t size, uint64_t a,
                     struct place *p)
{
    if (a >= size) {
        return false;
    }
    *p = (struct place){data + a, written == NULL ? NULL : written + a,
                        size - (uint32_t)a, false};
    return true;
}

static bool lives(const struct interp *x, uint32_t block)
{
    for (uint32_t i = block * x->n_threads; i < (block + 1) * x->n_threads; i++) {
        if (x->thread[i].state != THREAD_EXITED) {
            return true;
        }
    }
    return false;
}

/* Another block's only for who may mean one. */
static bool in_shared(struct interp *x, const struct thread *t, bool any, uint64_t a,
                      struct place *p)
{
    uint64_t rank = t->block;

    if (a >= CLUSTER_STEP) {
        rank = a / CLUSTER_STEP - 1;
        if (!any || rank >= x->n_blocks || !lives(x, (uint32_t)rank)) {
            return false;
        }
        a %= CLUSTER_STEP;
    }
    return in_array(x->block[rank].shared, x->block[rank].shared_written,
                    x->c->shared_bytes + x->l->dynamic_shared, a, p);
}

static bool find(struct interp *x, struct thread *t, const struct insn *in,
                 uint32_t space, uint64_t a, struct place *p)
{
    struct code *c = x->c;

    switch (space) {
    case SPACE_GLOBAL: return in_global(x, a, p);
    case SPACE_SHARED:
        return in_shared(x, t, in->cluster || in->space == SPACE_GENERIC, a, p);
    case SPACE_LOCAL: return in_array(t->local, t->local_written, c->local_bytes, a, p);
    case SPACE_CONST: return in_array(c->constants, NULL, c->const_bytes, a, p);
    case SPACE_PARAM:
        return in_array(t->frame[t->depth].param, NULL, PARAM_BYTES, a, p);
    default: break;
    }
    if (a - GENERIC_SHARED < GENERIC_WINDOW) {
        return find(x, t, in, SPACE_SHARED, a - GENERIC_SHARED, p);
    }
    if (a - GENERIC_LOCAL < GENERIC_WINDOW) {
        return find(x, t, in, SPACE_LOCAL, a - GENERIC_LOCAL, p);
    }
    if (a - GENERIC_CONST < GENERIC_WINDOW) {
        return find(x, t, in, SPACE_CONST, a - GENERIC_CONST, p);
    }
    if (a - GENERIC_PARAM < GENERIC_WINDOW) {
        return find(x, t, in, SPACE_PARAM, a - GENERIC_PARAM, p);
    }
    return in_global(x, a, p);
}

static bool locate(struct interp *x, struct thread *t, const struct insn *in,
                   const struct opnd *o, uint32_t bytes, struct place *p)
{
    uint64_t a = o->value;

    if (o->reg != NO_REG) {
        a += machine_reg(x, t, o->reg);
    }
    if (o->space == SPACE_GLOBAL) {
        a += GENERIC_GLOBALS;
    }
    if (x->c->address_bits == 32) {
        a &= 0xffffffff;
    }
    if (a % bytes != 0) {
        return machine_fail(x, in, "misaligned");
    }
    if (!find(x, t, in, in->space, a, p) || p->size < bytes) {
        return machine_fail(x, in, "out of bounds");
    }
    return in->op == OP_CP ||
           !machine_bulk_uses(x, p->data, bytes, in->op != OP_LD && in->op != OP_LDU) ||
           machine_fail(x, in, "what a bulk copy works on");
}

static bool load(struct interp *x, struct thread *t, const struct insn *in)
{
    uint32_t bytes = ty_bits(in->ty) / 8, n = in->n_vec;
    struct place p;

    if (!locate(x, t, in, &in->o[n], bytes * n, &p)) {
        return false;
    }
    for (uint32_t i = 0; i < bytes * n && p.written != NULL; i++) {
        if (!p.written[i]) {
            return machine_fail(x, in, "read of bytes never written");
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        uint64_t v = 0;

        memcpy(&v, p.data + i * bytes, bytes);
        v = extend(in->ty, v) ^ (in->op == x->l->plant);
        machine_write(x, t, in->o[i].reg, v);
    }
    return true;
}

static bool store(struct interp *x, struct thread *t, const struct insn *in)
{
    uint32_t bytes = ty_bits(in->ty) / 8, n = in->n_vec;
    struct place p;

    if (!locate(x, t, in, &in->o[0], bytes * n, &p)) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint64_t v = machine_read(x, t, &in->o[1 + i]) ^ (in->op == x->l->plant);

        memcpy(p.data + i * bytes, &v, bytes);
    }
    if (p.written != NULL) {
        memset(p.written, true, bytes * n);
    }
    return true;
}

uint64_t machine_changed(const struct insn *in, enum ty t, uint64_t old, uint64_t a,
                         uint64_t b, bool flush)
{
    uint64_t x = extend(t, old), y = extend(t, a);
    bool less = ty_signed(t) ? (int64_t)x < (int64_t)y : x < y;

    if (has(in, MOD_ADD)) {
        return t == TY_F32   ? float_add((uint32_t)x, (uint32_t)y, flush)
               : t == TY_F64 ? double_add(x, y)
               : ty_half(t)  ? half_add(t, x, y)
                             : x + y;
    }
    if (has(in, MOD_MIN) || has(in, MOD_MAX)) {
        if (ty_half(t)) {
            return half_extreme(t, x, y, has(in, MOD_MIN));
        }
        return less == has(in, MOD_MIN) ? x : y;
    }
    if (has(in, MOD_AND)) {
        return x & y;
    }
    if (has(in, MOD_OR)) {
        return x | y;
    }
    if (has(in, MOD_XOR)) {
        return x ^ y;
    }
    if (has(in, MOD_INC)) {
        return x >= y ? 0 : x + 1;
    }
    if (has(in, MOD_DEC)) {
        return x == 0 || x > y ? y : x - 1;
    }
    if (has(in, MOD_CAS)) {
        return x == y ? b : x;
    }
    return y; /* exch */
}

static bool atomic(struct interp *x, struct thread *t, const struct insn *in)
{
    uint32_t bytes = ty_bits(in->ty) / 8, at = in->op == OP_ATOM ? 1 : 0;
    uint64_t old = 0, v;
    struct place p;

    if (!locate(x, t, in, &in->o[at], bytes, &p)) {
        return false;
    }
    for (uint32_t i = 0; i < bytes && p.written != NULL; i++) {
        if (!p.written[i]) {
            return machine_fail(x, in, "atomic on bytes never written");
        }
    }
    memcpy(&old, p.data, bytes);
    v = machine_changed(in, (enum ty)in->ty, old, machine_read(x, t, &in->o[at + 1]),
                        at + 2 < in->n ? machine_read(x, t, &in->o[at + 2]) : 0,
                        p.is_global);
    v ^= in->op == x->l->plant;
    memcpy(p.data, &v, bytes);
    if (at == 1) {
        machine_write(x, t, in->o[0].reg, old);
    }
    return true;
}

bool machine_place(struct interp *x, struct thread *t, const struct insn *in,
                   const struct opnd *o, uint32_t space, uint32_t bytes,
                   struct place *p)
{
    struct insn part = *in;

    part.space = (uint8_t)space;
    return locate(x, t, &part, o, bytes, p);
}

bool machine_memory(struct interp *x, struct thread *t, const struct insn *in)
{
    switch (in->op) {
    case OP_LD:
    case OP_LDU: return load(x, t, in);
    case OP_ST: return store(x, t, in);
    default: return atomic(x, t, in);
    }
}
