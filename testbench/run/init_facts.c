#include "run/init_facts.h"

#include "isa/bulk.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = INT16_MAX + 1 };

struct walk {
    struct init_facts *f;
    uint32_t address_bytes;
    uint8_t holds[SLOTS]; /* of each register slot: 1 + word whose address it has; 0 */
};

static const struct isa_uop *uop(const struct walk *w, uint32_t pc)
{
    return &w->f->module->uops[pc];
}

/* ---- words of the parameter block ---- */

static uint32_t bytes_of(enum isa_type t)
{
    return isa_type_bits(t) / 8;
}

/* 1 + the word there, made if it is new; 0: there are too many. */
static uint8_t word_of(struct init_facts *f, uint32_t offset, enum isa_type type)
{
    uint32_t i = 0;

    while (i < f->n_words && f->word[i].offset != offset) {
        i++;
    }
    if (i == f->n_words) {
        if (i == INIT_MAX_WORDS) {
            return 0;
        }
        f->word[f->n_words++] = (struct init_word){.offset = offset,
                                                   .size = bytes_of(type),
                                                   .type = type,
                                                   .vec = 1};
    }
    return (uint8_t)(i + 1);
}

const struct init_word *init_word_at(const struct init_facts *f, uint32_t offset)
{
    for (uint32_t i = 0; i < f->n_words; i++) {
        if (f->word[i].offset == offset) {
            return &f->word[i];
        }
    }
    return NULL;
}

/* ---- one micro-op ---- */

/* A result: of instructions that set predicates it is none of the registers. */
static void set(struct walk *w, const struct isa_uop *u, isa_ref slot, uint8_t word)
{
    if (slot >= 0 && (u->sets >> (slot % 64) & 1) != 0) {
        w->holds[slot] = word;
    }
}

static uint8_t held(const struct walk *w, isa_ref slot)
{
    return slot >= 0 ? w->holds[slot] : 0;
}

static bool is_param(const struct isa_uop *u)
{
    return u->exec == isa_exec_kernel_param();
}

static void load_param(struct walk *w, const struct isa_uop *u)
{
    for (uint32_t i = 0; i < u->form.vec && i < 4; i++) {
        uint8_t word =
            word_of(w->f, (uint32_t)u->imm + i * u->size, (enum isa_type)u->form.type);

        set(w, u, u->dst[i], u->size == w->address_bytes ? word : 0);
    }
}

static void access_memory(struct walk *w, const struct isa_uop *u)
{
    uint8_t at = u->addr >= 0 ? w->holds[u->addr] : 0;
    bool global = u->form.space == ISA_SP_GENERIC || u->form.space == ISA_SP_GLOBAL;

    if (at != 0 && global) {
        struct init_word *p = &w->f->word[at - 1];

        p->element = p->is_address ? p->element : (enum isa_type)u->form.type;
        p->is_address = true;
        p->read = p->read || u->kind == ISA_K_LOAD;
        p->written = p->written || u->kind == ISA_K_STORE;
        p->atomic = p->atomic || u->kind == ISA_K_ATOM || u->kind == ISA_K_RED;
        p->vec = u->form.vec > p->vec ? u->form.vec : p->vec;
    }
    for (uint32_t i = 0; u->kind != ISA_K_STORE && i < 4; i++) {
        set(w, u, u->dst[i], 0);
    }
}

/* A copy: words of 32 bits are read from where src[0] says. */
static void copy(struct walk *w, const struct isa_uop *u)
{
    struct isa_uop load = *u;

    load.kind = ISA_K_LOAD;
    load.form.space = ISA_SP_GLOBAL;
    load.form.type = ISA_T_S32;
    load.addr = u->src[0];
    access_memory(w, &load);
}

/* The same of a bulk copy of a line, in the direction that it has. */
static void bulk_copy(struct walk *w, const struct isa_uop *u)
{
    const enum isa_bulk_what what = (enum isa_bulk_what)u->bulk->what;
    struct isa_uop access = *u;

    if (u->bulk->dims != 0 || what > ISA_BULK_PREFETCH || what == ISA_BULK_SEND) {
        return;
    }
    access.kind = what != ISA_BULK_STORE ? ISA_K_LOAD
                  : u->bulk->reduces     ? ISA_K_RED
                                         : ISA_K_STORE;
    access.form.space = ISA_SP_GLOBAL;
    access.form.type = u->bulk->reduces ? u->form.type : ISA_T_S32;
    access.addr = u->bulk->global.ref;
    access_memory(w, &access);
}

/* What of its sources the result is an address with. */
static uint8_t kept(const struct walk *w, const struct isa_uop *u)
{
    switch (u->form.op) {
    case ISA_OP_ADD:
    case ISA_OP_SELP:
        return held(w, u->src[0]) != 0 ? held(w, u->src[0]) : held(w, u->src[1]);
    case ISA_OP_MAD: return held(w, u->src[2]);
    case ISA_OP_MOV:
    case ISA_OP_CVTA:
    case ISA_OP_CVT:
    case ISA_OP_SUB: return held(w, u->src[0]);
    default: return 0;
    }
}

static void special_register(struct init_facts *f, const struct isa_uop *u)
{
    for (uint32_t i = 0; i < 3; i++) {
        enum isa_sreg tid = (enum isa_sreg)(ISA_SR_TID_X + i);
        enum isa_sreg ntid = (enum isa_sreg)(ISA_SR_NTID_X + i);
        enum isa_sreg ctaid = (enum isa_sreg)(ISA_SR_CTAID_X + i);
        enum isa_sreg nctaid = (enum isa_sreg)(ISA_SR_NCTAID_X + i);

        f->thread[i] = f->thread[i] ||
                       (u->exec == isa_exec_sreg(tid) && u->imm == tid) ||
                       (u->exec == isa_exec_sreg(ntid) && u->imm == ntid);
        f->grid[i] = f->grid[i] ||
                     (u->exec == isa_exec_sreg(ctaid) && u->imm == ctaid) ||
                     (u->exec == isa_exec_sreg(nctaid) && u->imm == nctaid);
    }
}

static void compute(struct walk *w, const struct isa_uop *u)
{
    uint8_t word;

    if (is_param(u)) {
        load_param(w, u);
        return;
    }
    special_register(w->f, u);
    word = u->n_src > 0 ? kept(w, u) : 0;
    for (uint32_t i = 0; i < 4; i++) {
        set(w, u, u->dst[i], i == 0 ? word : 0);
    }
}

static void step(struct walk *w, const struct isa_uop *u)
{
    switch ((enum isa_kind)u->kind) {
    case ISA_K_ALU:
    case ISA_K_SEQ: compute(w, u); return;
    case ISA_K_LOAD:
    case ISA_K_STORE:
    case ISA_K_LOAD_ROWS:
    case ISA_K_STORE_ROWS:
    case ISA_K_ATOM:
    case ISA_K_RED: access_memory(w, u); return;
    case ISA_K_COPY: copy(w, u); return;
    case ISA_K_BULK: bulk_copy(w, u); return;
    case ISA_K_MBAR: set(w, u, u->dst[0], 0); return;
    case ISA_K_CALL: w->f->calls = true; return;
    case ISA_K_TEXTURE:
        for (uint32_t i = 0; i < 4 && u->sets != 0; i++) {
            set(w, u, u->dst[i], 0);
        }
        return;
    case ISA_K_FENCE:
    case ISA_K_BAR:
    case ISA_K_BRANCH:
    case ISA_K_BRX:
    case ISA_K_RET:
    case ISA_K_EXIT:
    case ISA_K_TRAP:
    case ISA_K_PRINTF:
    case ISA_K_GROUP:
    case ISA_K_CLUSTER:
    case ISA_K_LATE:
    case ISA_K_TX:
    case ISA_K_GMMA:
    case ISA_K_NOP: return;
    }
}

/* ---- the kernel ---- */

/* Kernels and functions follow each other: where the next one begins. */
static uint32_t end_of(const struct ptx_module *m, const struct ptx_kernel *k)
{
    uint32_t end = m->n_uops;

    for (uint32_t i = 0; i < m->n_kernels; i++) {
        uint32_t at = m->kernels[i].entry;

        end = at > k->entry && at < end ? at : end;
    }
    for (uint32_t i = 0; i < m->n_funcs; i++) {
        uint32_t at = m->funcs[i].entry;

        end = at > k->entry && at < end ? at : end;
    }
    return end;
}

static int by_offset(const void *a, const void *b)
{
    const struct init_word *x = a, *y = b;

    return (x->offset > y->offset) - (x->offset < y->offset);
}

void init_facts(struct init_facts *f, const struct ptx_module *m,
                const struct ptx_kernel *k)
{
    struct walk w = {.f = f, .address_bytes = m->address_size / 8};
    uint32_t end = end_of(m, k);

    *f = (struct init_facts){.module = m, .kernel = k};
    for (uint32_t pc = k->entry; pc < end; pc++) {
        step(&w, uop(&w, pc));
    }
    qsort(f->word, f->n_words, sizeof(f->word[0]), by_offset);
}

bool init_is_buffer(const struct init_facts *f, const struct ptx_param *p)
{
    const struct init_word *w = init_word_at(f, p->offset);

    if (p->size != f->module->address_size / 8 || isa_type_is_float(p->type)) {
        return false;
    }
    return p->is_pointer || (w == NULL && p->size == 8) ||
           (w != NULL && (w->is_address || (f->calls && p->size == 8)));
}
