/*
 * heap.c - malloc() and free() of kernels (SPEC PTX-8): a text linked to modules
 * that call one and define neither. It costs what its instructions and atomics do.
 *
 * A block has 2^c bytes, c from 5 to 23 in a heap of 8 MiB: a header of 16 (c, and the
 * next of a list), then what malloc() gives. Blocks that were given back are in lists,
 * for each c 256: for each lane of a warp and each eighth of the warps one, so that few
 * threads meet. A head has the offset of the first one's bytes (0: none) and, above, a
 * count that makes heads of before unlike it. New blocks come from the end of what is
 * in use; when that is all, the lists of other threads are looked through. No thread
 * waits for another: a swap fails only because another thread's did not.
 */
#include "ptx/ptx_priv.h"

#include <stdio.h>
#include <string.h>

/* BYTES of the heap, CLASS of the largest block, MOST that one gives and LISTS are
 * written where they stand. */
static const char heap_text[] =
    ".version 3.2\n"
    ".target sm_20\n"
    ".address_size 64\n"
    ".global .align 16 .b8 heap[BYTES];\n"
    ".global .align 8 .u64 used;\n"
    ".global .align 8 .b64 list[LISTS];\n"
    "\n"
    ".visible .func (.param .b64 block) malloc(.param .b64 bytes)\n"
    "{\n"
    "    .reg .pred %p;\n"
    "    .reg .b32 %class, %lane, %tries, %at, %next, %old32;\n"
    "    .reg .b64 %n, %size, %head, %new, %old, %slot, %heap, %address, %low;\n"
    "\n"
    "    ld.param.b64 %n, [bytes];\n"
    "    mov.u64 %address, 0;\n"
    "    setp.eq.u64 %p, %n, 0;\n"
    "    @%p bra done;\n"
    "    setp.gt.u64 %p, %n, MOST;\n"
    "    @%p bra done;\n"
    "    mov.u64 %heap, heap;\n"
    "    add.u64 %n, %n, 15;\n"
    "    clz.b64 %class, %n;\n"
    "    sub.u32 %class, 64, %class;\n"
    "    mov.u64 %size, 1;\n"
    "    shl.b64 %size, %size, %class;\n"
    "    mov.u32 %lane, %tid.x;\n"
    "    shr.u32 %lane, %lane, 5;\n"
    "    mov.u32 %at, %ctaid.x;\n"
    "    add.u32 %lane, %lane, %at;\n"
    "    shl.b32 %lane, %lane, 5;\n"
    "    mov.u32 %at, %laneid;\n"
    "    add.u32 %lane, %lane, %at;\n"
    "    and.b32 %lane, %lane, 255;\n"
    "    mov.u32 %tries, 0;\n"
    "look:\n"
    "    shl.b32 %at, %class, 8;\n"
    "    add.u32 %at, %at, %lane;\n"
    "    mul.wide.u32 %low, %at, 8;\n"
    "    mov.u64 %slot, list;\n"
    "    add.u64 %slot, %slot, %low;\n"
    "    atom.global.cas.b64 %head, [%slot], 0, 0;\n"
    "take:\n"
    "    cvt.u32.u64 %at, %head;\n"
    "    setp.eq.u32 %p, %at, 0;\n"
    "    @%p bra empty;\n"
    "    cvt.u64.u32 %low, %at;\n"
    "    add.u64 %address, %heap, %low;\n"
    "    atom.global.or.b32 %next, [%address+-12], 0;\n"
    "    and.b64 %new, %head, 0xffffffff00000000;\n"
    "    add.u64 %new, %new, 0x100000000;\n"
    "    cvt.u64.u32 %low, %next;\n"
    "    or.b64 %new, %new, %low;\n"
    "    atom.global.cas.b64 %old, [%slot], %head, %new;\n"
    "    setp.eq.u64 %p, %old, %head;\n"
    "    mov.u64 %head, %old;\n"
    "    @%p bra give;\n"
    "    bra take;\n"
    "empty:\n"
    "    mov.u64 %address, 0;\n"
    "    setp.ne.u32 %p, %tries, 0;\n"
    "    @%p bra other;\n"
    "    atom.global.cas.b64 %head, [used], 0, 0;\n"
    "    add.u64 %new, %head, %size;\n"
    "    setp.gt.u64 %p, %new, BYTES;\n"
    "    @%p bra other;\n"
    "    atom.global.add.u64 %head, [used], %size;\n"
    "    add.u64 %new, %head, %size;\n"
    "    setp.gt.u64 %p, %new, BYTES;\n"
    "    @%p bra other;\n"
    "    add.u64 %address, %heap, %head;\n"
    "    atom.global.exch.b32 %old32, [%address], %class;\n"
    "    add.u64 %address, %address, 16;\n"
    "    bra give;\n"
    "other:\n"
    "    add.u32 %lane, %lane, 1;\n"
    "    and.b32 %lane, %lane, 255;\n"
    "    add.u32 %tries, %tries, 1;\n"
    "    setp.lt.u32 %p, %tries, 256;\n"
    "    @%p bra look;\n"
    "    bra done;\n"
    "give:\n"
    "    cvta.global.u64 %address, %address;\n"
    "done:\n"
    "    st.param.b64 [block], %address;\n"
    "    ret;\n"
    "}\n"
    "\n"
    ".visible .func free(.param .b64 block)\n"
    "{\n"
    "    .reg .pred %p, %q;\n"
    "    .reg .b32 %class, %lane, %next, %old32;\n"
    "    .reg .b64 %address, %at, %head, %new, %old, %slot, %low;\n"
    "\n"
    "    ld.param.b64 %address, [block];\n"
    "    setp.eq.u64 %p, %address, 0;\n"
    "    @%p ret;\n"
    "    cvta.to.global.u64 %address, %address;\n"
    "    mov.u64 %low, heap;\n"
    "    sub.u64 %at, %address, %low;\n"
    "    setp.ge.u64 %p, %at, BYTES;\n"
    "    setp.lt.or.u64 %p, %at, 16, %p;\n"
    "    @%p trap;\n"
    "    and.b64 %low, %at, 15;\n"
    "    setp.ne.u64 %p, %low, 0;\n"
    "    @%p trap;\n"
    "    atom.global.or.b32 %class, [%address+-16], 0;\n"
    "    setp.lt.u32 %p, %class, 5;\n"
    "    setp.gt.or.u32 %p, %class, CLASS, %p;\n"
    "    @%p trap;\n"
    "    mov.u32 %lane, %tid.x;\n"
    "    shr.u32 %lane, %lane, 5;\n"
    "    mov.u32 %next, %ctaid.x;\n"
    "    add.u32 %lane, %lane, %next;\n"
    "    shl.b32 %lane, %lane, 5;\n"
    "    mov.u32 %next, %laneid;\n"
    "    add.u32 %lane, %lane, %next;\n"
    "    and.b32 %lane, %lane, 255;\n"
    "    shl.b32 %class, %class, 8;\n"
    "    add.u32 %next, %lane, %class;\n"
    "    mul.wide.u32 %low, %next, 8;\n"
    "    mov.u64 %slot, list;\n"
    "    add.u64 %slot, %slot, %low;\n"
    "    atom.global.cas.b64 %head, [%slot], 0, 0;\n"
    "put:\n"
    "    cvt.u32.u64 %next, %head;\n"
    "    atom.global.exch.b32 %old32, [%address+-12], %next;\n"
    "    and.b64 %new, %head, 0xffffffff00000000;\n"
    "    add.u64 %new, %new, 0x100000000;\n"
    "    or.b64 %new, %new, %at;\n"
    "    atom.global.cas.b64 %old, [%slot], %head, %new;\n"
    "    setp.ne.u64 %q, %old, %head;\n"
    "    mov.u64 %head, %old;\n"
    "    @%q bra put;\n"
    "    ret;\n"
    "}\n";

/* The words that stand for numbers */
static const char *number_of(const char *word, uint64_t bytes, uint64_t *value)
{
    const uint32_t most = attr_highest_bit(bytes);
    const struct {
        const char *word;
        uint64_t value;
    } words[] = {{"BYTES", bytes},
                 {"CLASS", most},
                 {"LISTS", (most + 1) * UINT64_C(256)},
                 {"MOST", (UINT64_C(1) << most) - 16}};

    for (uint32_t i = 0; i < ARRAY_LEN(words); i++) {
        const size_t n = strlen(words[i].word);

        if (strncmp(word, words[i].word, n) == 0) {
            *value = words[i].value;
            return word + n;
        }
    }
    return NULL;
}

size_t ptx_heap_text(char *to, uint64_t bytes)
{
    const char *from = heap_text;
    char *at = to;

    while (*from != '\0') {
        uint64_t value = 0;
        const char *behind = number_of(from, bytes, &value);

        if (behind == NULL) {
            *at++ = *from++;
        } else {
            at += sprintf(at, "%llu", (unsigned long long)value);
            from = behind;
        }
    }
    *at = '\0';
    return (size_t)(at - to);
}

static bool is_malloc(const struct ptx_ir *f)
{
    return strcmp(f->name, "malloc") == 0 && f->n_rets == 1 && f->n_params == 1 &&
           f->pvar[0].p.size == 8 && f->pvar[1].p.size == 8;
}

static bool is_free(const struct ptx_ir *f)
{
    return strcmp(f->name, "free") == 0 && f->n_rets == 0 && f->n_params == 1 &&
           f->pvar[0].p.size == 8;
}

/* Does f call one of the two that nobody defines? */
static bool calls_heap(const struct ptx_private *pr, const struct ptx_ir *f)
{
    for (uint32_t i = 0; i < f->n_insn; i++) {
        const struct ptx_insn *const in = &f->insn[i];

        if (in->form.op == ISA_OP_CALL && in->callee != PTX_NONE) {
            const struct ptx_ir *const g = pr->fn[in->callee];

            if (!g->is_defined && g->alias == PTX_NONE &&
                (is_malloc(g) || is_free(g))) {
                return true;
            }
        }
    }
    return false;
}

bool ptx_wants_heap(const struct ptx_module *m)
{
    const struct ptx_private *const pr = m->priv;
    bool wants = false;

    for (uint32_t i = 0; i < pr->n_fn; i++) {
        const struct ptx_ir *const f = pr->fn[i];

        if (f->is_defined && f->linkage != PTX_OWN &&
            (strcmp(f->name, "malloc") == 0 || strcmp(f->name, "free") == 0)) {
            return false; /* their own: both are theirs */
        }
        wants |= calls_heap(pr, f);
    }
    return wants && m->address_size == 64;
}
