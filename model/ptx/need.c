/* What a kernel asks of the device: the first capability that has what it uses (SPEC
 * LAUNCH-3). The table says it of operations and types (insn_table.c); here is what
 * depends on operands, on the called function and on words without effect on the model.
 * Facts: "Target ISA Notes" of the PTX ISA. */
#include "ptx/lower_priv.h"

#include <stdio.h>
#include <string.h>

struct need {
    uint32_t cc;
    const char *what; /* NULL: the operation itself */
    uint32_t line, column, width;
};

static void raise(struct need *n, uint32_t cc, const char *what)
{
    if (cc > n->cc) {
        n->cc = cc;
        n->what = what;
    }
}

/* ---- the operation word with its modifiers, without the guard ---- */

static uint32_t mnemonic(const struct ptx_insn *in, const char **text)
{
    const char *s = in->text, *const end = in->text + in->text_len;
    uint32_t n = 0;

    if (n < in->text_len && *s == '@') { /* as written: a guard may have come since */
        s++;
        s += s < end && *s == '!';
        while (s < end && strchr(" \t\r\n", *s) == NULL) {
            s++;
        }
        while (s < end && strchr(" \t\r\n", *s) != NULL) {
            s++;
        }
    }
    while (s + n < end && strchr(" \t\r\n;", s[n]) == NULL) {
        n++;
    }
    *text = s;
    return n;
}

/* Does the dotted word, dot included, stand among the modifiers? */
static bool has_word(const char *text, uint32_t n, const char *word)
{
    const uint32_t len = (uint32_t)strlen(word);

    for (uint32_t i = 0; i + len <= n; i++) {
        if (memcmp(text + i, word, len) == 0 &&
            (i + len == n || text[i + len] == '.')) {
            return true;
        }
    }
    return false;
}

bool ptx_has_word(const struct ptx_insn *in, const char *word)
{
    const char *text;
    const uint32_t n = mnemonic(in, &text);

    return has_word(text, n, word);
}

/* ---- parts of an instruction ---- */

static void need_of_types(const struct isa_form *f, struct need *n)
{
    const bool is_double = f->type == ISA_T_F64 || f->type2 == ISA_T_F64;
    const bool directed =
        f->round == ISA_R_RZ || f->round == ISA_R_RM || f->round == ISA_R_RP;

    if (!is_double) {
        return;
    }
    raise(n, 13, "double precision");
    if (directed &&
        (f->op == ISA_OP_DIV || f->op == ISA_OP_RCP || f->op == ISA_OP_SQRT)) {
        raise(n, 20, "directed rounding of double division and roots");
    }
    if (f->op == ISA_OP_RSQRT && (f->flags & ISA_F_FTZ) != 0) {
        raise(n, 20, "flushing double reciprocal root");
    }
}

static void need_of_words(const struct ptx_insn *in, struct need *n)
{
    static const struct {
        const char *word;
        uint32_t cc;
        const char *what;
    } words[] = {
        {".weak", 70, "memory-ordered accesses"},
        {".L1::evict_normal", 70, "eviction hints"},
        {".L1::evict_unchanged", 70, "eviction hints"},
        {".L1::evict_first", 70, "eviction hints"},
        {".L1::evict_last", 70, "eviction hints"},
        {".L1::no_allocate", 70, "eviction hints"},
        {".L2::64B", 75, "prefetch sizes"},
        {".L2::128B", 75, "prefetch sizes"},
        {".L2::256B", 80, "prefetch sizes"},
        {".L2::cache_hint", 80, "cache policies"},
        {".cluster", 90, "the scope of clusters"},
        {".shared::cluster", 90, "shared memory of clusters"},
    };
    const char *text;
    const uint32_t len = mnemonic(in, &text);
    const uint8_t op = in->form.op;

    if (memchr(text, '.', len) == NULL) {
        return;
    }
    for (uint32_t i = 0; i < ARRAY_LEN(words); i++) {
        if (has_word(text, len, words[i].word)) {
            raise(n, words[i].cc, words[i].what);
        }
    }
    if (op == ISA_OP_PMEVENT && has_word(text, len, ".mask")) {
        raise(n, 20, "pmevent.mask");
    }
    if ((op == ISA_OP_ATOM || op == ISA_OP_RED) &&
        (has_word(text, len, ".relaxed") || has_word(text, len, ".acquire") ||
         has_word(text, len, ".release") || has_word(text, len, ".acq_rel"))) {
        raise(n, 70, "memory-ordered atomics");
    }
    if (op == ISA_OP_FENCE &&
        (has_word(text, len, ".acquire") || has_word(text, len, ".release"))) {
        raise(n, 90, "one-way fences");
    }
}

static void at_operand(struct need *n, const struct ptx_opnd *o, uint32_t cc,
                       const char *what)
{
    if (cc > n->cc) {
        raise(n, cc, what);
        n->line = o->line;
        n->column = o->column;
        n->width = o->width;
    }
}

static void need_of_register(const struct ptx_opnd *o, struct need *n)
{
    switch ((enum isa_sreg)o->id) {
    case ISA_SR_NWARPID:
    case ISA_SR_NSMID:
    case ISA_SR_LANEMASK_EQ:
    case ISA_SR_LANEMASK_LE:
    case ISA_SR_LANEMASK_LT:
    case ISA_SR_LANEMASK_GE:
    case ISA_SR_LANEMASK_GT:
    case ISA_SR_CLOCK_HI:
    case ISA_SR_CLOCK64:
    case ISA_SR_DYNAMIC_SMEM:
    case ISA_SR_TOTAL_SMEM: at_operand(n, o, 20, ptx_sreg_name(o->id)); break;
    case ISA_SR_RESERVED_BEGIN:
    case ISA_SR_RESERVED_END:
    case ISA_SR_RESERVED_CAP:
    case ISA_SR_RESERVED_0:
    case ISA_SR_RESERVED_1: at_operand(n, o, 80, ptx_sreg_name(o->id)); break;
    case ISA_SR_CLUSTERID_X:
    case ISA_SR_CLUSTERID_Y:
    case ISA_SR_CLUSTERID_Z:
    case ISA_SR_NCLUSTERID_X:
    case ISA_SR_NCLUSTERID_Y:
    case ISA_SR_NCLUSTERID_Z:
    case ISA_SR_CLUSTER_CTAID_X:
    case ISA_SR_CLUSTER_CTAID_Y:
    case ISA_SR_CLUSTER_CTAID_Z:
    case ISA_SR_CLUSTER_NCTAID_X:
    case ISA_SR_CLUSTER_NCTAID_Y:
    case ISA_SR_CLUSTER_NCTAID_Z:
    case ISA_SR_CLUSTER_RANK:
    case ISA_SR_CLUSTER_SIZE:
    case ISA_SR_EXPLICIT_CLUSTER: at_operand(n, o, 90, ptx_sreg_name(o->id)); break;
    case ISA_SR_ENVREG1:
    case ISA_SR_ENVREG2:
    case ISA_SR_ENVREG: break;
    case ISA_SR_GLOBALTIMER:
    case ISA_SR_GLOBALTIMER_LO:
    case ISA_SR_GLOBALTIMER_HI: at_operand(n, o, 30, ptx_sreg_name(o->id)); break;
    case ISA_SR_TID_X:
    case ISA_SR_TID_Y:
    case ISA_SR_TID_Z:
    case ISA_SR_NTID_X:
    case ISA_SR_NTID_Y:
    case ISA_SR_NTID_Z:
    case ISA_SR_CTAID_X:
    case ISA_SR_CTAID_Y:
    case ISA_SR_CTAID_Z:
    case ISA_SR_NCTAID_X:
    case ISA_SR_NCTAID_Y:
    case ISA_SR_NCTAID_Z:
    case ISA_SR_LANEID:
    case ISA_SR_WARPID:
    case ISA_SR_SMID:
    case ISA_SR_GRIDID:
    case ISA_SR_CLOCK:
    case ISA_N_SREGS: break;
    }
}

static void need_of_operands(const struct ptx_ir *f, const struct ptx_insn *in,
                             struct need *n)
{
    const struct ptx_opnd *const o = &f->opnd[in->opnd];

    for (uint32_t i = 0; i < in->n_opnds; i++) {
        if (o[i].kind == OK_SREG) {
            need_of_register(&o[i], n);
        }
    }
    if (in->form.op == ISA_OP_MBARRIER && in->n_opnds == 3 &&
        (in->form.sub == ISA_S_ARRIVE || in->form.sub == ISA_S_DROP) &&
        (in->form.flags & (ISA_F_NO_COMPLETE | ISA_F_TX)) == 0) {
        at_operand(n, &o[2], 90, "arrivals of more than one");
    }
    if ((in->form.op == ISA_OP_BAR || in->form.op == ISA_OP_BARRIER) &&
        in->form.sub == ISA_S_SYNC) {
        if (in->n_opnds > 0 && o[0].kind != OK_IMM) {
            at_operand(n, &o[0], 20, "a barrier number in a register");
        }
        if (in->n_opnds > 1 && o[1].kind != OK_ABSENT) {
            at_operand(n, &o[1], 20, "a barrier with a thread count");
        }
    }
}

/* ---- calls ---- */

struct ptx_needs { /* made when first asked */
    struct ptx_graph graph;
    uint32_t *list, *stamp, mark; /* stamp[fn] == mark: fn is in list */
};

/* The functions that fn may run, itself first, PTX_NONE last; until the next call. */
static const uint32_t *reach(struct ptx_private *pr, uint32_t fn)
{
    struct ptx_needs *w = pr->needs;
    uint32_t n = 0;

    if (w == NULL) {
        w = pr->needs = arena_alloc(&pr->arena, sizeof(*w));
        w->list = arena_alloc(&pr->arena, (pr->n_fn + 1) * sizeof(w->list[0]));
        w->stamp = arena_alloc(&pr->arena, pr->n_fn * sizeof(w->stamp[0]));
        ptx_graph_build(&pr->arena, pr, &w->graph);
    }
    w->mark++;
    w->list[n++] = fn;
    w->stamp[fn] = w->mark;
    for (uint32_t i = 0; i < n; i++) {
        const struct ptx_ir *const f = pr->fn[w->list[i]];

        for (uint32_t c = 0; c < f->n_callee; c++) {
            const uint32_t callee = ptx_resolve_fn(pr, f->callee[c]);

            if (w->stamp[callee] != w->mark) {
                w->stamp[callee] = w->mark;
                w->list[n++] = callee;
            }
        }
    }
    w->list[n] = PTX_NONE;
    return w->list;
}

/* Before 2.0 there was no stack: calls were put in place, arguments in registers. */
static void need_of_call(struct ptx_private *pr, uint32_t fn, const struct ptx_insn *in,
                         struct need *n)
{
    const uint32_t to = ptx_resolve_fn(pr, in->callee);
    const struct ptx_ir *const f = pr->fn[to];

    switch (ptx_builtin_of(f)) {
    case PTX_BUILTIN_VPRINTF: raise(n, 20, "printf"); return;
    case PTX_BUILTIN_ASSERT: raise(n, 20, "assert"); return;
    case PTX_BUILTIN_NONE: break;
    }
    if (in->by_value) {
        raise(n, 20, "call through a register");
    }
    if (pr->needs->graph.scc[to] == pr->needs->graph.scc[fn]) {
        raise(n, 20, "recursion");
    }
    for (uint32_t i = 0; i < f->n_pvar; i++) {
        if (f->pvar[i].is_own && f->pvar[i].reg == PTX_NONE) {
            raise(n, 20, "arguments of functions in .param space");
        }
    }
}

/* ---- the kernel ---- */

static struct need need_of(struct ptx_private *pr, uint32_t fn, uint32_t insn)
{
    const struct ptx_ir *const f = pr->fn[fn];
    const struct ptx_insn *const in = &f->insn[insn];
    const struct ptx_row *const row = &ptx_rows[in->row];
    const char *text;
    struct need n = {row->min_cc, row->what, in->line, in->column, mnemonic(in, &text)};

    need_of_types(&in->form, &n);
    if ((in->form.op == ISA_OP_LD || in->form.op == ISA_OP_ST) &&
        in->form.cache != ISA_CACHE_NONE && in->form.cache != ISA_CACHE_NC) {
        raise(&n, 20, "cache operators");
    }
    if (in->form.op == ISA_OP_ISSPACEP && in->form.space == ISA_SP_PARAM) {
        raise(&n, 70, "generic addresses of parameters");
    }
    need_of_words(in, &n);
    if (in->form.op == ISA_OP_CALL) {
        need_of_call(pr, fn, in, &n);
    } else {
        need_of_operands(f, in, &n);
    }
    return n;
}

uint32_t ptx_requires(const struct ptx_module *m, const struct ptx_kernel *k,
                      uint32_t *line, const char **what)
{
    struct ptx_private *const pr = m->priv;
    struct need need = {10, "a kernel", k->line, 0, 0};

    for (const uint32_t *fn = reach(pr, pr->kernel_fn[k - m->kernels]); *fn != PTX_NONE;
         fn++) {
        for (uint32_t i = 0; i < pr->fn[*fn]->n_insn; i++) {
            const struct need n = need_of(pr, *fn, i);

            if (n.cc > need.cc) {
                need = n;
                if (n.what == NULL) {
                    need.what =
                        isa_op_name((enum isa_op)ptx_rows[pr->fn[*fn]->insn[i].row].op);
                }
            }
        }
    }
    *line = need.line;
    *what = need.what;
    return need.cc;
}

/* ---- what it uses ---- */

static uint32_t uses_of_call(const struct ptx_private *pr, const struct ptx_insn *in)
{
    switch (ptx_builtin_of(pr->fn[ptx_resolve_fn(pr, in->callee)])) {
    case PTX_BUILTIN_VPRINTF: return 1u << PTX_USE_PRINTF;
    case PTX_BUILTIN_ASSERT: return 1u << PTX_USE_ASSERT;
    case PTX_BUILTIN_NONE: break;
    }
    return 1u << PTX_USE_CALLS;
}

static uint32_t uses_of(const struct ptx_private *pr, const struct ptx_insn *in)
{
    switch ((enum isa_op)in->form.op) {
    case ISA_OP_CALL: return uses_of_call(pr, in);
    case ISA_OP_ATOM:
    case ISA_OP_RED: return 1u << PTX_USE_ATOMICS;
    case ISA_OP_SHFL:
    case ISA_OP_VOTE:
    case ISA_OP_MATCH:
    case ISA_OP_REDUX:
    case ISA_OP_ELECT: return 1u << PTX_USE_WARPS;
    case ISA_OP_BAR:
    case ISA_OP_BARRIER:
        return in->form.sub == ISA_S_WARP ? 1u << PTX_USE_WARPS
                                          : 1u << PTX_USE_BARRIERS;
    case ISA_OP_MEMBAR:
    case ISA_OP_FENCE: return 1u << PTX_USE_FENCES;
    default:
        return in->form.type == ISA_T_F64 || in->form.type2 == ISA_T_F64
                   ? 1u << PTX_USE_F64
                   : 0;
    }
}

uint32_t ptx_uses(const struct ptx_module *m, const struct ptx_kernel *k)
{
    struct ptx_private *const pr = m->priv;
    uint32_t uses = 0;

    for (const uint32_t *fn = reach(pr, pr->kernel_fn[k - m->kernels]); *fn != PTX_NONE;
         fn++) {
        for (uint32_t i = 0; i < pr->fn[*fn]->n_insn; i++) {
            uses |= uses_of(pr, &pr->fn[*fn]->insn[i]);
        }
    }
    return uses;
}

/* The first instruction that cc lacks. */
static bool first_lacking(struct ptx_private *pr, uint32_t kernel, uint32_t cc,
                          const struct ptx_insn **in, struct need *n)
{
    for (const uint32_t *fn = reach(pr, kernel); *fn != PTX_NONE; fn++) {
        for (uint32_t i = 0; i < pr->fn[*fn]->n_insn; i++) {
            *n = need_of(pr, *fn, i);
            if (n->cc > cc) {
                *in = &pr->fn[*fn]->insn[i];
                return true;
            }
        }
    }
    return false;
}

bool ptx_check_cc(const struct ptx_module *m, const struct ptx_kernel *k, uint32_t cc,
                  struct smw_err *e)
{
    struct ptx_private *const pr = m->priv;
    const struct ptx_insn *in;
    struct need n;
    const char *text, *what;
    char why[96] = "", whole[48] = "";
    uint32_t line, all, len;

    if (!first_lacking(pr, pr->kernel_fn[k - m->kernels], cc, &in, &n)) {
        return true;
    }
    len = mnemonic(in, &text);
    all = ptx_requires(m, k, &line, &what);
    if (n.what != NULL && strncmp(text, n.what, strlen(n.what)) != 0) {
        snprintf(why, sizeof(why), " (%s)", n.what);
    }
    if (all > n.cc) {
        snprintf(whole, sizeof(whole), "; the whole kernel needs %u.%u", all / 10,
                 all % 10);
    }
    err_set(e, SMW_ERR_INPUT,
            "%.*s needs compute capability %u.%u%s, the device has %u.%u%s",
            (int)(len < 64 ? len : 64), text, n.cc / 10, n.cc % 10, why, cc / 10,
            cc % 10, whole);
    err_at(e, pr->name, NULL, n.line, n.column, n.width);
    ptx_show_line(pr, e);
    return false;
}
