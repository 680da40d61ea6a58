/* What a module holds after parsing and lowering: directive by directive. */
#include "ptx/front_test.h"

static void test_header(void **state)
{
    struct ptx_module *m = load_text(".version 3.2\n.target sm_20, debug\n"
                                     ".address_size 32\n.entry k () { ret; }\n");

    (void)state;
    assert_int_equal(m->version, 32);
    assert_int_equal(m->target_sm, 20);
    assert_int_equal(m->address_size, 32);
    ptx_free(m);
    m = load_text(".version 8.10\n.target sm_90a\n.address_size 64\n");
    assert_int_equal(m->version, 90);
    assert_int_equal(m->target_sm, 90);
    assert_int_equal(m->n_kernels, 0);
    ptx_free(m);
}

static void test_parameters(void **state)
{
    struct ptx_module *const m = load_text(
        HEAD
        ".entry k (.param .u8 a, .param .u64 .ptr .shared .align 16 b, .param .b16 c,\n"
        ".param .align 16 .b8 d[20], .param .f32 e) { ret; }\n");
    const struct ptx_kernel *const k = &m->kernels[0];

    (void)state;
    assert_int_equal(k->n_params, 5);
    assert_int_equal(k->params[0].offset, 0);
    assert_int_equal(k->params[1].offset, 8);
    assert_true(k->params[1].is_pointer);
    assert_int_equal(k->params[1].pointee, ISA_SP_SHARED);
    assert_int_equal(k->params[2].offset, 16);
    assert_int_equal(k->params[3].offset, 32);
    assert_int_equal(k->params[3].size, 20);
    assert_int_equal(k->params[3].type, ISA_T_B8);
    assert_int_equal(k->params[4].offset, 52);
    assert_string_equal(k->params[4].name, "e");
    assert_int_equal(k->param_bytes, 56);
    ptx_free(m);
}

static void test_performance_directives(void **state)
{
    struct ptx_module *const m = load_text(
        HEAD ".visible .entry a () .maxntid 256 .minnctapersm 3 .maxnreg 5\n"
             ".pragma \"x\", \"y\"; { .reg .b64 %d<9>; .pragma \"nounroll\";\n"
             "mov.u64 %d1, 1; mov.u64 %d2, 2; add.s64 %d3, %d1, %d2;\n"
             "st.global.u64 [%d1], %d3; st.global.u64 [%d2], %d3; }\n"
             ".weak .entry b () .reqntid 8, 4, 2 .noreturn { exit; }\n");
    const struct ptx_kernel *const k = m->kernels;

    (void)state;
    assert_int_equal(k[0].maxntid[0], 256);
    assert_int_equal(k[0].maxntid[1], 1);
    assert_int_equal(k[0].reqntid[0], 0);
    assert_int_equal(k[0].minnctapersm, 3);
    assert_int_equal(k[0].regs, 5); /* six words live, held down by .maxnreg */
    assert_int_equal(k[1].reqntid[2], 2);
    assert_int_equal(k[1].line, 8);
    ptx_free(m);
}

static void test_shared_memory(void **state)
{
    struct ptx_module *const m = load_text(
        HEAD
        ".extern .shared .align 32 .b8 dyn[];\n.shared .u16 first[3];\n"
        ".shared .u64 unused[100];\n.shared .align 8 .f64 second;\n"
        ".func f () { .reg .b32 %r; ld.shared.u16 %r, [first+2]; ret; }\n"
        ".entry a () { .reg .b32 %r; .shared .b8 own[5]; mov.u32 %r, own;\n"
        "st.shared.u32 [%r], 1; st.shared.f64 [second], 0d0000000000000000; call f; }\n"
        ".entry b () { .reg .b32 %r; mov.u32 %r, dyn; st.shared.u32 [%r], %r; call f; }"
        "\n");
    const struct ptx_kernel *const k = m->kernels;

    (void)state;
    assert_int_equal(k[0].n_shared, 3);
    assert_string_equal(k[0].shared[0].name, "first");
    assert_int_equal(k[0].shared[1].offset, 8);
    assert_string_equal(k[0].shared[2].name, "own");
    assert_int_equal(k[0].shared[2].offset, 16);
    assert_int_equal(k[0].shared_bytes, 21);
    assert_int_equal(k[1].n_shared, 2);
    assert_int_equal(k[1].shared_bytes, 6);
    assert_int_equal(k[1].dynamic_base, 32);
    assert_int_equal(k[1].shared[1].size, 0);
    assert_int_equal(k[1].shared[1].offset, 32);
    assert_int_equal(m->n_funcs, 2); /* f once per kernel */
    ptx_free(m);
}

static void test_initialisers(void **state)
{
    static const uint8_t grid[] = {1, 0, 2, 0, 0, 0, 0xff, 0xff};
    struct ptx_module *const m = load_text(
        HEAD ".global .u16 grid[2][2] = {{1, 2}, {0, -1}};\n"
             ".global .align 16 .u64 where[2] = {generic(grid) + 2, grid};\n"
             ".const .f32 c[2] = {1.5, 0f40000000};\n"
             ".const .f64 d = 0.25;\n.const .u64 both[2] = {c, generic(c)};\n"
             ".global .b8 open[] = {1, 2, 3};\n"
             ".const .s32 e = -(5 % 3) << 2 | 0x100 ^ (1 ? 3 : 4), f = ~0 & 0xffU;\n");
    const struct ptx_symbol *s = ptx_find_symbol(m, "grid");
    uint64_t v[2];
    float f[2];
    int32_t e[2];

    (void)state;
    assert_memory_equal(s->init, grid, sizeof(grid));
    assert_int_equal(s->size, 8);
    memcpy(v, ptx_find_symbol(m, "where")->init, sizeof(v));
    assert_true(v[0] == s->addr + 2 && v[1] == s->addr);
    assert_int_equal(ptx_find_symbol(m, "where")->align, 16);
    memcpy(f, m->const_image + ptx_find_symbol(m, "c")->addr, sizeof(f));
    assert_true(f[0] == 1.5f && f[1] == 2.0f);
    memcpy(v, m->const_image + ptx_find_symbol(m, "both")->addr, sizeof(v));
    assert_true(v[0] == 0 && v[1] == ISA_CONST_WINDOW);
    assert_int_equal(ptx_find_symbol(m, "open")->size, 3);
    memcpy(e, m->const_image + ptx_find_symbol(m, "e")->addr, sizeof(e));
    assert_int_equal(e[0], (-2 * 4) | (0x100 ^ 3));
    assert_int_equal(e[1], 0xff);
    assert_null(ptx_find_symbol(m, "nothing"));
    ptx_free(m);
}

static void test_source_lines(void **state)
{
    struct ptx_module *const m = load_text(
        HEAD ".file 1 \"a.cu\"\n.file 2 \"b.h\", 1600000000, 33\n"
             ".entry k () { .reg .b32 %r;\nmov.u32 %r, 1;\n.loc 1 10 3\n"
             "mov.u32 %r, %tid.x;\n"
             ".loc 2 20 1, function_name $L__info0+4, inlined_at 1 11 5\n"
             "st.shared.u32 [0], %r; }\n.section .debug_str { $L__info0: .b8 65,0 }\n");

    (void)state;
    assert_string_equal(m->files[1], "a.cu");
    assert_string_equal(m->files[2], "b.h");
    assert_int_equal(m->n_files, 3);
    assert_int_equal(m->uops[0].src_line, 0);
    assert_int_equal(m->uops[1].src_file, 1);
    assert_int_equal(m->uops[1].src_line, 10);
    assert_int_equal(m->uops[1].line, 9);
    assert_int_equal(m->uops[2].src_file, 2);
    assert_int_equal(m->uops[2].src_line, 20);
    assert_null(ptx_inlined(m, 1, 0));
    assert_int_equal(ptx_inlined(m, 2, 0)->file, 1);
    assert_int_equal(ptx_inlined(m, 2, 0)->line, 11);
    assert_null(ptx_inlined(m, 2, 1));
    ptx_free(m);
}

/* g, inlined into f, inlined into k, once at line 30 and once at line 31; then k's own
 * line again; at last a call of a file without a name. */
static void test_inlined(void **state)
{
    static const uint32_t lines[4][3] = {{5, 7, 30},
                                         {5, 7, 31},
                                         {5, 8, 31},
                                         {32, 0, 0}};
    struct ptx_module *const m = load_text(
        HEAD ".file 1 \"k.cu\"\n.file 2 \"f.h\"\n.entry k () { .reg .b32 %r;\n"
             ".loc 2 7 1, function_name $L, inlined_at 1 30 2\n"
             ".loc 2 5 1, function_name $L, inlined_at 2 7 1\n"
             "mov.u32 %r, %tid.x;\n"
             ".loc 2 7 9, function_name $L, inlined_at 1 31 2\n"
             ".loc 2 5 1, function_name $L, inlined_at 2 7 9\nst.shared.u32 [0], %r;\n"
             ".loc 2 8 1, function_name $L, inlined_at 1 31 2\n"
             ".loc 2 5 1, function_name $L, inlined_at 2 8 1\nst.shared.u32 [0], %r;\n"
             ".loc 1 32 1\nst.shared.u32 [0], %r;\n"
             ".loc 1 33 1, function_name $L, inlined_at 9 8 1\nst.shared.u32 [0], %r;\n"
             "}\n.section .debug_str { $L: .b8 65,0 }\n");

    (void)state;
    for (uint32_t k = 0; k < 4; k++) {
        assert_int_equal(m->uops[k].src_line, lines[k][0]);
        for (uint32_t i = 1; i < 3; i++) {
            const struct ptx_site *s = ptx_inlined(m, k, i - 1);

            assert_int_equal(s == NULL ? 0 : s->line, lines[k][i]);
        }
        assert_null(ptx_inlined(m, k, 2));
    }
    assert_int_equal(m->uops[4].src_line, 33);
    assert_null(ptx_inlined(m, 4, 0));
    ptx_free(m);
}

/* .loc of files that no .file names, below and beyond one that is named. */
static void test_unnamed_files(void **state)
{
    struct ptx_module *const m =
        load_text(HEAD ".file 2 \"b.h\"\n.entry k () { .reg .b32 %r;\n.loc 1 10 3\n"
                       "mov.u32 %r, %tid.x;\n.loc 7 20 1\nst.shared.u32 [0], %r; }\n");

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(m->uops[i].src_file, 0);
        assert_int_equal(m->uops[i].src_line, 0);
    }
    ptx_free(m);
}

static const struct {
    const char *name, *base;
} mangled[] = {
    {"plain", "plain"},
    {"_Z6reducePfi", "reduce"},
    {"_Z6reduceIfEvPT_i", "reduce"},
    {"_ZN2ns3fooEv", "ns::foo"},
    {"_ZN2ns3fooIfLi3EEEvPT_", "ns::foo"},
    {"_ZN2ns3redIfEEvPT_1VIS1_Li3EEi", "ns::red"},
    {"_ZN1AIiLb1EE1B3fooIN2ns1CIfEEEEvT_", "A::B::foo"},
    {"_ZN12_GLOBAL__N_13barEv", "(anonymous)::bar"},
    {"_ZL6secretv", "secret"},
    {"_ZN3c103fooIJifEEEvDpT_", "c10::foo"},
    {"_Z", "_Z"},
    {"_Z99short", "_Z99short"},
    {"_ZN2ns", "_ZN2ns"},
    {"_ZN2nsIE", "_ZN2nsIE"},
    {"_Z99999999999999999999x", "_Z99999999999999999999x"},
};

static void test_demangling(void **state)
{
    struct arena a;

    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < ARRAY_LEN(mangled); i++) {
        assert_string_equal(ptx_demangle(&a, mangled[i].name), mangled[i].base);
    }
    arena_free(&a);
}

static void test_finding_kernels(void **state)
{
    struct ptx_module *const m = load_text(
        HEAD ".entry _ZN2ns3fooIfEEvv () {ret;}\n.entry _ZN2ns3fooIdEEvv () {ret;}"
             "\n.entry _ZN2ns3barEv () {ret;}\n.entry plain () {ret;}\n");
    struct smw_err e;

    (void)state;
    err_clear(&e);
    assert_ptr_equal(ptx_find_kernel(m, "bar", &e), &m->kernels[2]);
    assert_ptr_equal(ptx_find_kernel(m, "ns::bar", &e), &m->kernels[2]);
    assert_ptr_equal(ptx_find_kernel(m, "plain", &e), &m->kernels[3]);
    assert_ptr_equal(ptx_find_kernel(m, "_ZN2ns3fooIdEEvv", &e), &m->kernels[1]);
    assert_int_equal(e.kind, SMW_ERR_NONE);
    assert_null(ptx_find_kernel(m, "foo", &e));
    assert_string_equal(e.message, "2 kernels are called 'foo'");
    assert_string_equal(e.hint, "_ZN2ns3fooIfEEvv, _ZN2ns3fooIdEEvv");
    err_clear(&e);
    assert_null(ptx_find_kernel(m, "plian", &e));
    assert_string_equal(e.message, "no kernel 'plian' in test.ptx");
    assert_string_equal(e.hint, "did you mean 'plain'?");
    ptx_free(m);
}

static void test_calls_pass_words(void **state)
{
    struct ptx_module *const m = load_text(
        HEAD
        ".func (.param .b16 r) f (.param .b8 a, .param .b64 b, .param .b8 c[5])\n"
        "{ .reg .b32 %r; .reg .b16 %h; ld.param.u8 %r, [c+4]; st.param.b16 [r], %h;"
        " ret; }\n"
        ".entry k () { .reg .b32 %r; .reg .b64 %d; .reg .b16 %h; .param .b16 x;\n"
        ".param .b8 y; .param .b64 z; .param .b8 t[5]; mov.u64 %d, 1;\n"
        "st.param.b8 [y], 3; st.param.b64 [z], %d; st.param.b8 [t+4], 7;\n"
        "call (x), f, (y, z, t); ld.param.b16 %h, [x]; st.shared.u16 [0], %h; }\n");
    const struct isa_uop *const u = m->uops;
    const uint32_t n = m->kernels[0].n_slots;

    (void)state;
    assert_int_equal(n, 3);
    assert_int_equal(u[1].imm, 4); /* r 0, a 4, b 8, c 16 */
    assert_int_equal(u[1].frame, n);
    assert_int_equal(u[2].imm, 8);
    assert_true(u[2].sets == (1ull << (n + 2) | 1ull << (n + 3)));
    assert_int_equal(u[3].imm, 20);
    assert_int_equal(u[4].kind, ISA_K_CALL);
    assert_int_equal(u[4].frame, n);
    assert_int_equal(u[4].target, m->funcs[0].entry);
    assert_int_equal(u[5].imm, 0);
    assert_int_equal(m->kernels[0].frame_slots, n + m->funcs[0].n_slots);
    assert_int_equal(m->funcs[0].n_slots, 6 + 2); /* six words of area */
    assert_int_equal(u[m->funcs[0].entry].imm, 20);
    assert_int_equal(u[m->funcs[0].entry].frame, 0);
    assert_int_equal(u[m->funcs[0].entry + 2].kind, ISA_K_RET);
    ptx_free(m);
}

static void test_printf_and_assert(void **state)
{
    struct ptx_module *const m = load_text(
        HEAD ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
             ".extern .func __assertfail (.param .b64 a);\n"
             ".entry k () { .param .b64 x; .param .b64 y; .param .b32 z;\n"
             "st.param.b64 [x], 1; st.param.b64 [y], 2; call (z), vprintf, (x, y);\n"
             "st.param.b64 [x], 3; call __assertfail, (x); }\n");

    (void)state;
    assert_int_equal(m->uops[2].kind, ISA_K_PRINTF);
    assert_int_equal(m->uops[0].imm, 8); /* the format, behind the result */
    assert_int_equal(m->uops[1].imm, 16);
    assert_int_equal(m->kernels[0].frame_slots, 6);
    assert_int_equal(m->uops[4].kind, ISA_K_TRAP);
    ptx_free(m);
}

static void test_wide_registers_in_cvt(void **state)
{
    struct ptx_module *const m = load_text(
        HEAD ".entry k () { .reg .b32 %r; .reg .b64 %d; .reg .f32 %f; mov.u64 %d, 5;\n"
             "cvt.s8.s32 %r, 300; cvt.s32.s64 %d, %d; cvt.u32.u8 %r, %d;\n"
             "st.shared.u32 [0], %r; st.shared.u64 [8], %d; }\n");
    uint32_t first = 0;

    (void)state;
    for (uint32_t i = 0; i < m->n_uops; i++) {
        first += !m->uops[i].part;
    }
    assert_int_equal(first, 7);
    assert_true(m->n_uops > 7);
    ptx_free(m);
}

static void test_sinks_have_a_place(void **state)
{
    struct ptx_module *const m = load_text(
        HEAD
        ".entry k () { .reg .b32 %r; .reg .pred %p;\n"
        "add.cc.u32 _, 1, 2; addc.u32 %r, 0, 0; shfl.sync.idx.b32 _|%p, %r, 0, 31, "
        "-1;\n"
        "setp.lt.u32 _|%p, %r, 3; @%p st.shared.u32 [0], %r; add.u32 _, %r, %r; }\n");

    (void)state;
    assert_true(m->uops[0].dst[0] >= 0 && m->uops[0].cc >= 0);
    assert_true(m->uops[2].dst[0] >= 0 && m->uops[2].dst2 >= 0);
    assert_int_equal(m->uops[3].dst[0], ISA_NO_REF);
    assert_int_equal(m->uops[5].kind, ISA_K_NOP);
    ptx_free(m);
}

static void test_constants_are_shared(void **state)
{
    struct ptx_module *const m = load_text(
        HEAD
        ".entry k () { .reg .b32 %r; .reg .b64 %d; .reg .f32 %f;\n"
        "mov.u32 %r, 7; st.shared.u32 [0], %r; mov.u32 %r, 7; st.shared.u32 [0], %r;\n"
        "mov.u64 %d, -1; st.shared.u64 [0], %d; mov.u64 %d, -1; st.shared.u64 [0], "
        "%d;\n"
        "mov.f32 %f, 1.0; st.shared.f32 [0], %f; mov.u32 %r, 0x3f800000;\n"
        "st.shared.u32 [0], %r; mov.u64 %d, 7; st.shared.u64 [0], %d; }\n");

    (void)state;
    assert_int_equal(m->n_k, 1 + 2 + 1 + 2);
    assert_int_equal(m->uops[0].src[0], m->uops[2].src[0]);
    assert_int_equal(m->k[31], 7);
    ptx_free(m);
}

static void test_requirements(void **state)
{
    struct ptx_module *const m = load_text(
        HEAD ".func f () { .reg .f64 %g; atom.global.add.f64 %g, [64], %g; ret; }\n"
             ".entry a () { ret; }\n.entry b () { red.shared.add.u32 [0], 1;\n"
             "red.global.add.u32 [0], 1; }\n.entry c () { call f; }\n");
    const char *what;
    uint32_t line;

    (void)state;
    assert_int_equal(ptx_requires(m, &m->kernels[0], &line, &what), 10);
    assert_int_equal(ptx_requires(m, &m->kernels[1], &line, &what), 12);
    assert_int_equal(line, 6);
    assert_string_equal(what, "atomics on shared memory");
    assert_int_equal(ptx_requires(m, &m->kernels[2], &line, &what), 60);
    assert_int_equal(line, 4);
    ptx_free(m);
}

static void count_line(void *ctx, const char *text)
{
    uint32_t *const n = ctx;

    assert_true(strlen(text) > 2);
    *n += 1 + (strcmp(text, "add{.rn,.rz}{.ftz}{.sat}.f32 d, a, b") == 0) * 1000;
}

static void test_list_and_disasm(void **state)
{
    struct ptx_module *const m = load_text(
        HEAD ".entry k () { .reg .pred %p; .reg .b32 %r;\nL: @!%p  bra.uni\tL; }\n");
    uint32_t n = 0;
    char text[64], tiny[4];

    (void)state;
    ptx_list(count_line, &n);
    assert_true(n > 1200 && n < 2000);
    ptx_disasm(m, 0, text, sizeof(text));
    assert_string_equal(text, "@!%p bra.uni L");
    ptx_disasm(m, 0, tiny, sizeof(tiny));
    assert_true(strlen(tiny) < sizeof(tiny));
    ptx_disasm(m, 1000, text, sizeof(text));
    assert_string_equal(text, "");
    assert_string_equal(ptx_disasm_kept(m, 0), "@!%p bra.uni L");
    assert_ptr_equal(ptx_disasm_kept(m, 0), ptx_disasm_kept(m, 0));
    assert_string_equal(ptx_disasm_kept(m, 1000), "");
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_performance_directives),
        cmocka_unit_test(test_shared_memory),
        cmocka_unit_test(test_initialisers),
        cmocka_unit_test(test_source_lines),
        cmocka_unit_test(test_inlined),
        cmocka_unit_test(test_unnamed_files),
        cmocka_unit_test(test_demangling),
        cmocka_unit_test(test_finding_kernels),
        cmocka_unit_test(test_calls_pass_words),
        cmocka_unit_test(test_printf_and_assert),
        cmocka_unit_test(test_wide_registers_in_cvt),
        cmocka_unit_test(test_sinks_have_a_place),
        cmocka_unit_test(test_constants_are_shared),
        cmocka_unit_test(test_requirements),
        cmocka_unit_test(test_list_and_disasm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
