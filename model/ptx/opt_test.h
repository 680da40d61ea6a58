/* What the tests of the passes share: one pass over one kernel. */
#ifndef PTX_OPT_TEST_H
#define PTX_OPT_TEST_H

#include "ptx/front_test.h"
#include "ptx/opt_priv.h"

#define KERNEL_HEAD                                                                    \
    HEAD ".shared .align 4 .b32 s[64];\n"                                              \
         ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"                        \
         ".reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .f32 %f<9>;\n"   \
         ".reg .f64 %fd<9>; .reg .b16 %h<9>;\n"
#define KERNEL(body) KERNEL_HEAD body "\nret;\n}\n"

/* The module with the pass done to its kernel, in place. */
static inline struct ptx_module *pass(const char *text, uint32_t cc,
                                      void (*fn)(struct ptx_opt *))
{
    struct smw_err e;
    struct ptx_module *m;
    struct ptx_opt *o;

    err_clear(&e);
    m = ptx_parse(text, strlen(text), "test.ptx", &e);
    if (m == NULL || ptx_refusals(m) > 0) {
        print_error("%u:%u: %s\n", e.line, e.column, e.message);
        fail();
    }
    o = ptx_opt_new(&m->priv->arena, m->priv, cc, m->priv->fn[0]);
    o->max_words = 28; /* what there is of registers on an sm_90 */
    ptx_opt_look(o);
    fn(o);
    if (fn != ptx_opt_overhead) {
        ptx_opt_sweep(o);
    }
    return m;
}

/* The operations that are left, guarded ones after an "@" or "@!". */
static inline void expect_ops(const char *text, uint32_t cc,
                              void (*fn)(struct ptx_opt *), const char *ops)
{
    struct ptx_module *const m = pass(text, cc, fn);
    const struct ptx_ir *const f = m->priv->fn[0];
    char got[400] = "";

    for (uint32_t i = 0; i < f->n_insn; i++) {
        const struct ptx_insn *const in = &f->insn[i];
        const size_t n = strlen(got);

        snprintf(got + n, sizeof(got) - n, "%s%s%s", i == 0 ? "" : " ",
                 in->guard == PTX_NONE ? ""
                 : in->guard_neg       ? "@!"
                                       : "@",
                 isa_op_name((enum isa_op)in->form.op));
    }
    assert_string_equal(got, ops);
    ptx_free(m);
}

#endif /* PTX_OPT_TEST_H */
