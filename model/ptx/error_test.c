/* What users get wrong: where, what, and the hint. */
#include "ptx/front_test.h"

#include <stdlib.h>

struct mistake {
    const char *text;
    uint32_t line, column, width;
    const char *message, *hint; /* hint: part of it, NULL: none */
};

/* The first thing that is wrong with text. */
static void first_error(const char *text, size_t size, const char *name,
                        struct smw_err *e)
{
    struct ptx_module *const m = ptx_parse(text, size, name, e);

    if (m != NULL && lower_all(m, e)) {
        fail();
    }
    ptx_free(m);
}

static void check(const struct mistake *m, const char *text, size_t size,
                  uint32_t *n_bad)
{
    struct smw_err e;

    err_clear(&e);
    first_error(text, size, "t.ptx", &e);
    if (e.line != m->line || e.column != m->column || e.width != m->width ||
        strcmp(e.message, m->message) != 0 ||
        (m->hint == NULL ? e.hint[0] != '\0' : strstr(e.hint, m->hint) == NULL)) {
        print_error("%s\n{\"...\", %u, %u, %u, \"%s\", \"%s\"},\n", text, e.line,
                    e.column, e.width, e.message, e.hint);
        (*n_bad)++;
        return;
    }
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    assert_string_equal(e.file, "t.ptx");
}

/* Whole files. */
static const struct mistake modules[] = {
    {"", 1, 1, 1, "PTX begins with .version", NULL},
    {"hello", 1, 1, 5, "PTX begins with .version", NULL},
    {".version nine", 1, 10, 4, "expected a version such as 9.0", NULL},
    {".version 9", 1, 10, 1, "expected a version such as 9.0", NULL},
    {".version 9.0\n.func f;", 2, 1, 5, "expected .target after .version", NULL},
    {".version 9.0\n.target", 2, 8, 1, "expected a target such as sm_75", NULL},
    {".version 9.0\n.target sm_75, debgu", 2, 16, 5, "unknown target 'debgu'",
     "did you mean 'debug'?"},
    {HEAD ".address_size 48", 4, 15, 2, "address size is 32 or 64", NULL},
    {HEAD ".visibel .entry k () {ret;}", 4, 1, 8, "unknown directive '.visibel'",
     "did you mean '.visible'?"},
    {HEAD "entry k", 4, 1, 5, "expected a directive before 'entry'", NULL},
    {HEAD ".global .s33 x;", 4, 9, 4, "unknown type '.s33'", "did you mean '.s32'?"},
    {HEAD ".global .f32x2 x;", 4, 9, 6, ".f32x2 is not supported: packed f32", NULL},
    {HEAD ".global .bf16 x;", 4, 9, 5, "unknown type '.bf16'", "did you mean '.b16'?"},
    {HEAD ".global .f16 x = 1;", 4, 16, 1, "a variable of .f16 has no initial value",
     NULL},
    {HEAD ".global .pred x;", 4, 9, 5, "predicates live in registers only", NULL},
    {HEAD ".global .align 3 .b8 x;", 4, 16, 1, "alignment is a power of two", NULL},
    {HEAD ".global .u32 x[];", 4, 14, 1, "an array without a size needs an initialiser",
     NULL},
    {HEAD ".global .u32 x[2][];", 4, 18, 1, "only the first dimension may be open",
     NULL},
    {HEAD ".global .u32 x[99999][99999];", 4, 22, 1, "array too large", NULL},
    {HEAD ".global .u32 x[2] = {1, 2, 3};", 4, 28, 1, "more initialisers than elements",
     NULL},
    {HEAD ".global .u32 x = y;", 4, 18, 1, "unknown variable 'y'", NULL},
    {HEAD ".global .u32 xyz;\n.global .u64 p = xyy;", 5, 18, 3,
     "unknown variable 'xyy'", "did you mean 'xyz'?"},
    {HEAD ".global .u16 x;\n.global .u16 p = x;", 5, 18, 1,
     "an address needs an element of 4 or 8 bytes", NULL},
    {HEAD ".global .u32 x = 1.5;", 4, 18, 3,
     "floating point constant for an integer variable", NULL},
    {HEAD ".global .u32 x = 1 / 0;", 4, 20, 1, "division by zero in a constant", NULL},
    {HEAD ".global .u32 x = (1 + 2;", 4, 24, 1, "expected ')' before ';'", NULL},
    {HEAD ".global .u32 x = ;", 4, 18, 1, "expected a constant before ';'", NULL},
    {HEAD ".shared .u32 x = 3;", 4, 16, 1, "a shared variable has no initialiser",
     NULL},
    {HEAD ".global .u32 x;\n.global .u32 x;", 5, 14, 1,
     "'x' is declared twice, first in line 4", NULL},
    {HEAD ".extern .global .u32 x;", 4, 0, 0,
     "'x' is extern: variables of other modules cannot be linked", NULL},
    {HEAD ".const .b8 x[70000];", 4, 0, 0,
     "constant variables of more than 65536 bytes", NULL},
    {HEAD ".func (.param .b32 r) f()\n{\n.reg .b64 %d<2>;\nmov.b64 %d0, r;\n"
          "add.s64 %d1, %d0, 4;\nret;\n}",
     7, 14, 1, "the address of the result of a .func is no value", NULL},
    {HEAD ".texref t;", 4, 1, 7, ".texref stands after .global", NULL},
    {HEAD ".tex .u32 t;", 4, 1, 4, ".tex is not supported: write .global .texref",
     NULL},
    {HEAD ".global .samplerref t;", 4, 9, 11,
     "a sampler apart from the texture is not supported", NULL},
    {HEAD ".shared .texref t;", 4, 9, 7,
     "a .texref is a .global variable of the module", NULL},
    {HEAD ".entry k (.param .surfref s) { ret; }", 4, 27, 1,
     "a reference as parameter is not supported: pass an object as .u64", NULL},
    {HEAD ".file 1 name", 4, 9, 4, "expected a file name in quotes", NULL},
    {HEAD ".file 99999 \"a\"", 4, 7, 5, "number too large: at most 65535", NULL},
    {HEAD ".section .debug_str {", 4, 1, 8, "section has no end", NULL},
    {HEAD ".entry k (.reg .u32 x) {ret;}", 4, 11, 4,
     "parameters of a kernel are in .param space", NULL},
    {HEAD ".entry k (.param .pred x) {ret;}", 4, 11, 6,
     "a parameter cannot be a predicate", NULL},
    {HEAD ".entry k (.param .b8 x[40000]) {ret;}", 4, 22, 1,
     "parameter of 40000 bytes: 1 to 32764 are possible", NULL},
    {HEAD ".entry k () .maxntdi 3 {ret;}", 4, 13, 8, "unknown directive '.maxntdi'",
     "did you mean '.maxntid'?"},
    {HEAD ".entry k () .reqnctapercluster 0 {ret;}", 4, 32, 1,
     "expected a positive number", NULL},
    {HEAD ".entry k () {ret;}\n.entry k () {ret;}", 5, 8, 1,
     "'k' is defined twice, first in line 4", NULL},
    {HEAD ".func f (.param .b32 a);\n.func f (.param .b64 a) {ret;}", 5, 7, 1,
     "'f' differs from its declaration in line 4", NULL},
    {HEAD ".entry k () {\nret;\n", 4, 13, 1, "function has no closing brace", NULL},
    {HEAD ".entry k () }", 4, 13, 1, "expected ';' before '}'", NULL},
    {HEAD ".func f ();\n.entry k () { call g; }", 5, 20, 1, "unknown function 'g'",
     NULL},
    {HEAD ".func missing ();\n.entry k () { call missing; }", 5, 15, 4,
     "'missing' is called but not defined in this module", "vprintf"},
    {HEAD ".func f (.param .b32 a) {ret;}\n.entry k () { call f; }", 5, 15, 4,
     "'f' has 0 results and 1 parameters, not 0 and 0", NULL},
    {HEAD ".func f (.param .b32 a) {ret;}\n.entry k () { .param .b64 x; call f, (x); }",
     5, 39, 1, "'x' has 8 bytes, 'a' wants 4", NULL},
    {HEAD ".entry k () { call k; }", 4, 20, 1, "a kernel cannot be called", NULL},
    {HEAD ".func f () {ret;}\n.entry k () { .reg .b64 %d; add.u64 %d, %d, f; }", 5, 45,
     1, "take the address with mov first", NULL},
    {HEAD ".entry l () {ret;}\n.entry k () { .reg .b64 %d; mov.u64 %d, l; }", 5, 41, 1,
     "the address of a kernel is not supported: it is for kernels that launch others "
     "(dynamic parallelism)",
     NULL},
    {HEAD ".func f () {ret;}\n.entry k () { call f, (), p; }", 5, 27, 1,
     "a prototype is for calls through a value", NULL},
    {HEAD ".entry k () { .reg .b64 %d; call %d, p; }", 4, 38, 1,
     "unknown prototype 'p'", NULL},
    {HEAD ".entry k () { .reg .b64 %d; p: .calltargets f; call %d, p; }", 4, 57, 1,
     "calls through .calltargets are not supported", "name a .callprototype"},
    {HEAD ".entry k () { .reg .b32 %r; p: .callprototype _ (); call %r, p; }", 4, 62, 1,
     "the value of a function has 64 bits", NULL},
    {HEAD ".entry k () { .reg .b64 %d; .reg .b32 %r; "
          "p: .callprototype _ (.param .b64 _); call %d, (%r), p; }",
     4, 90, 2, "call wants .b64 here, the register is .b32", NULL},
    {HEAD ".func f (.param .b32 a) {ret;}\n.global .u64 v = f;\n"
          ".entry k () { .reg .b64 %d;\np: .callprototype _ ();\ncall %d, p; }",
     8, 1, 4, "no function whose address is taken has these parameters", NULL},
    {HEAD ".func f (.param .b32 a) { .reg .b32 %r; .reg .b64 %d; "
          "ld.param.b32 %r, [%d]; ret; }",
     4, 73, 2, "parameters of a .func are addressed by name", NULL},
    {HEAD ".func f (.param .b32 a) { .reg .b32 %r; st.param.b32 [a], %r; ret; }", 4, 55,
     1, "parameters of a function cannot be written", NULL},
    {HEAD ".func f (.param .b32 a) {ret;}\n.entry k () { .param .b32 x; "
          "st.param.b32 [x], 1; }",
     5, 30, 2, "an argument is set right before its call only", NULL},
    {HEAD ".entry k (.param .u32 n) { .reg .b64 %d; ld.param.u64 %d, [n]; }", 4, 60, 1,
     "8 bytes at offset 0 are outside 'n', which has 4", NULL},
};

/* Bodies of a kernel: line 5 on. */
#define BODY                                                                           \
    HEAD ".entry k (.param .u32 n) { .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 "     \
         "%f<9>; "                                                                     \
         ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .f64 %g<9>; .shared .u32 sh[4];\n"

static const struct mistake bodies[] = {
    {"ad.s32 %r1, %r2, %r3;", 5, 1, 2, "unknown instruction 'ad'",
     "did you mean 'add'?"},
    {"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, {%f1, %f2}];", 5, 39, 1,
     "unknown name 't'", NULL},
    {"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%d1, {%f1}];", 5, 44, 1,
     "tex wants 2 coordinates here, not 1", NULL},
    {"tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%d1, {%d2}];", 5, 45, 3,
     "a coordinate is a register of 32 bits", NULL},
    {"tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%r1, {%f2}];", 5, 39, 3,
     "an object is in a register of 64 bits", NULL},
    {"tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [sh, {%f2}];", 5, 39, 2,
     "tex wants a .texref or an object in a register", NULL},
    {"suld.b.1d.b32.trap {%r1}, [sh, {%r2}];", 5, 28, 2,
     "suld wants a .surfref or an object in a register", NULL},
    {"tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%d1, sh, {%f2}];", 5, 46, 1,
     "a sampler apart from the texture is not supported", NULL},
    {"tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%d1, {%f2}], {%r1};", 5, 1, 3,
     "tex takes 3 operands, not 4", NULL},
    {"tcgen05.ld.sync %r1;", 5, 1, 7, "tcgen05 is not supported: matrix instructions",
     "smwave ptx list"},
    {"cp.async.ca.shared.global [%r1], [%d1], 12;", 5, 41, 2,
     "cp.async.ca copies 4, 8 or 16 bytes, not 12", NULL},
    {"cp.async.cg.shared.global [%r1], [%d1], 8;", 5, 41, 1,
     "cp.async.cg copies 16 bytes, not 8", NULL},
    {"cp.async.ca.shared.global [%r1], [sh], 4;", 5, 35, 2,
     "the variable is in .shared, not .global", NULL},
    {"cp.async.ca.shared.global [%r1], [%d1], 16, %d1;", 5, 45, 3,
     "cp wants .b32 here, the register is .b64", NULL},
    {"cp.async.bulk.wait_group %r1;", 5, 26, 3, "cp wants an integer constant here",
     NULL},
    {"mbarrier.init.global.b64 [%r1], 3;", 5, 14, 7,
     "mbarrier.init does not take '.global'", "smwave ptx list"},
    {"add.f32x2 %d1, %d2, %d3;", 5, 4, 6, "add.f32x2 is not supported: packed f32",
     "smwave ptx list"},
    {"fma.bf16 %h1, %h2, %h3, %h3;", 5, 1, 3, "fma needs one more word", "rn"},
    {"add.f16 %h1, %h2, 1.0;", 5, 19, 3, ".f16 has no constants",
     "mov.b16 its bits to a register"},
    {"add.f16 %h1, %h2, %r3;", 5, 19, 3, "add wants .f16 here, the register is .b32",
     NULL},
    {"cvt.rs.f16x2.f32 %r1, %f1, %f2, %r3;", 5, 4, 3, "cvt does not take '.rs'",
     "did you mean '.rn'?"},
    {"add.s23 %r1, %r2, %r3;", 5, 4, 4, "add does not take '.s23'",
     "did you mean '.s32'?"},
    {"add.rn.s32 %r1, %r2, %r3;", 5, 7, 4, "add.rn does not take '.s32'",
     "smwave ptx list"},
    {"mul.s32 %r1, %r2, %r3;", 5, 1, 3, "mul needs one more word", "one of .lo hi"},
    {"add %r1, %r2, %r3;", 5, 1, 3, "add needs one more word, a type", "one of .u16"},
    {"add.s32 %r1, %r2;", 5, 1, 3, "add takes 3 operands, not 2", NULL},
    {"setp.lt.and.s32 %p1, %r2, %r3;", 5, 1, 4, "setp takes 4 operands, not 3", NULL},
    {"bar.sync;", 5, 1, 3, "bar takes 1 to 2 operands, not 0", NULL},
    {"add.s32 %r1, %r2, %r9;", 5, 19, 3, "unknown register '%r9'", "%r<9> ends at %r8"},
    {"add.s32 %r1, %r2, %x9;", 5, 19, 3, "unknown register '%x9'", NULL},
    {"add.s32 %r1, %r2, %r01;", 5, 19, 4, "unknown register '%r01'", NULL},
    {"mov.u32 %r1, %tid.w;", 5, 18, 2, "%tid has the elements .x, .y and .z", NULL},
    {"mov.u32 %r1, %pm3;", 5, 14, 4, "special register %pm3 is not supported", NULL},
    {"mov.u32 %r1, %pm0;", 5, 14, 4, "special register %pm0 is not supported", NULL},
    {"add.s32 %r1, %r2, %d3;", 5, 19, 3, "add wants .s32 here, the register is .b64",
     NULL},
    {"add.f32 %f1, %f2, %p3;", 5, 19, 3, "add wants .f32 here, the register is .pred",
     NULL},
    {"add.s32 %r1, %r2, %f3;", 5, 19, 3, "add wants .s32 here, the register is .f32",
     "mov.b32 moves bits"},
    {"cvt.s32.f32 %r1, %f1;", 5, 1, 3, "cvt needs one more word", "one of .rni rzi"},
    {"cvt.rn.s64.s32 %d1, %r1;", 5, 11, 4, "cvt.rn.s64 does not take '.s32'",
     "smwave ptx list"},
    {"add.f32 %f1, %f2, 1;", 5, 19, 1, "integer constant for .f32", "write 1.0"},
    {"add.s32 %r1, %r2, 1.0;", 5, 19, 3, "floating point constant for .s32", NULL},
    {"add.s32 1, %r2, 1;", 5, 9, 1, "the result of add goes to a register", NULL},
    {"add.s32 %r1, %r2, _;", 5, 19, 1, "'_' is no source", NULL},
    {"add.s32 %r1, %r2, [%r3];", 5, 20, 3, "add takes no address here", NULL},
    {"add.s32 %r1, %r2, {%r3};", 5, 19, 1, "add takes no vector here", NULL},
    {"add.s32 %r1, !%r2, 3;", 5, 14, 1, "'!' belongs before a predicate", NULL},
    {"add.s32 %r1, %r2, %r3", 6, 1, 1, "expected ';' before '}'", NULL},
    {"@%r1 bra L;\nL:", 5, 2, 3, "the guard must be a predicate, '%r1' is .b32", NULL},
    {"@%q1 bra L;\nL:", 5, 2, 3, "unknown predicate '%q1'", NULL},
    {"bra LABEL_2;\nLABEL_1: ret;", 5, 5, 7, "unknown label 'LABEL_2'",
     "did you mean 'LABEL_1'?"},
    {"L: ret;\nL: ret;", 6, 1, 1, "label 'L' is declared twice", NULL},
    {"bra L;\n{ L: ret; }", 5, 5, 1, "unknown label 'L'", NULL},
    {"T: .branchtargets L;\nL: bra T;", 6, 8, 1,
     "'T' is a list of branch targets, not a label", NULL},
    {"L: brx.idx %r1, L;", 5, 17, 1, "'L' is a label, not a list of branch targets",
     NULL},
    {"ld.global.u32 %r1, %d1;", 5, 20, 3, "ld wants an address in brackets here", NULL},
    {"ld.global.u32 %r1, [%f1];", 5, 21, 3,
     "an address register has 32 or 64 bits, this is .f32", NULL},
    {"ld.global.u32 %r1, [sh];", 5, 21, 2, "the variable is in .shared, not .global",
     NULL},
    {"ld.global.v2.u32 %r1, [%d1];", 5, 18, 3, ".v2 wants a vector of 2", NULL},
    {"ld.global.v4.u64 {%d1,%d2,%d3,%d4}, [%d1];", 5, 18, 1,
     "a vector of more than 16 bytes", NULL},
    {"ld.global.u32 %h1, [%d1];", 5, 15, 3, "ld wants .u32 here, the register is .b16",
     NULL},
    {"ld.golbal.u32 %r1, [%d1];", 5, 3, 7, "ld does not take '.golbal'",
     "did you mean '.global'?"},
    {"st.param.u32 [n], %r1;", 5, 15, 1, "parameters of a kernel cannot be written",
     NULL},
    {"ld.param.u32 %r1, [n+4];", 5, 20, 1,
     "4 bytes at offset 4 are outside 'n', which has 4", NULL},
    {"atom.global.add.s64 %d1, [%d1], %d2;", 5, 16, 4,
     "atom.global.add does not take "
     "'.s64'",
     "smwave ptx list"},
    {"mov.b64 {%r1, %r2, %r3}, %d1;", 5, 9, 1, "mov.b64 has no vector of 3 elements",
     NULL},
    {"mov.b64 {%r1, %h2}, %d1;", 5, 15, 3, "mov wants .b32 here, the register is .b16",
     NULL},
    {"call %d1, (%r1);", 5, 16, 1, "a call through a register names a .callprototype",
     NULL},
    {".reg .b32 %z<3>;\n.reg .b32 %z<3>;", 6, 11, 2,
     "'%z' is declared twice, first in line 5", NULL},
    {".reg .b128 %q;", 5, 6, 5, ".b128 is not supported: 128-bit values", NULL},
    {".local .u32 x[];", 5, 13, 1, "a local array needs a size", NULL},
    {".local .u32 x = 3;", 5, 15, 1, "a local variable has no initialiser", NULL},
    {".loc 1 2", 6, 1, 1, "expected a number before '}'", NULL},
    {".pragma nounroll;", 5, 9, 8, "expected a string", NULL},
    {"lop3.b32 %r1, %r2, %r3, %r4, %r5;", 5, 30, 3,
     "lop3 wants an integer constant here", NULL},
    {"fence.proxy.alias;", 5, 12, 6, "fence.proxy does not take '.alias'",
     "smwave ptx list"},
    {"alloca.u64 %d1, 8;", 5, 1, 6, "alloca is not supported: stack allocation",
     "smwave ptx list"},
    {"mov.u64 %d1, n + 1.0;", 5, 16, 1, "expected an integer offset", NULL},
    {"3 + 4;", 5, 1, 1, "expected an instruction before '3'", NULL},
    {"@%p1 ;", 5, 6, 1, "expected an instruction before ';'", NULL},
};

static void test_modules(void **state)
{
    uint32_t n_bad = 0;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(modules); i++) {
        check(&modules[i], modules[i].text, strlen(modules[i].text), &n_bad);
    }
    assert_int_equal(n_bad, 0);
}

static void test_bodies(void **state)
{
    char text[2048];
    uint32_t n_bad = 0;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
        snprintf(text, sizeof(text), "%s%s\n}\n", BODY, bodies[i].text);
        check(&bodies[i], text, strlen(text), &n_bad);
    }
    assert_int_equal(n_bad, 0);
}

static void deep(const char *head, char c, uint32_t n, const char *message)
{
    char *const text = malloc(strlen(head) + n + 1);
    struct ptx_module *m;
    struct smw_err e;

    strcpy(text, head);
    memset(text + strlen(head), c, n);
    text[strlen(head) + n] = '\0';
    err_clear(&e);
    m = ptx_parse(text, strlen(head) + n, "t.ptx", &e);
    assert_null(m);
    assert_string_equal(e.message, message);
    free(text);
}

static void test_deep_nesting(void **state)
{
    (void)state;
    deep(HEAD ".entry k () {", '{', 1000000, "blocks nested too deeply");
    deep(HEAD ".global .u32 x = ", '(', 1000000, "expression nested too deeply");
    deep(HEAD ".global .u32 x = ", '-', 1000000, "expression nested too deeply");
    deep(HEAD ".global .u32 x = ", '{', 1000000, "initialiser nested too deeply");
    deep(HEAD ".entry k () { .reg .pred p; add", '.', 3, "a point without a word");
}

static void test_too_many_words(void **state)
{
    struct smw_err e;
    char text[1024] = HEAD ".entry k () {\nld";

    (void)state;
    for (uint32_t i = 0; i < 20; i++) {
        strcat(text, ".global");
    }
    strcat(text, ";}");
    err_clear(&e);
    first_error(text, strlen(text), "t", &e);
    assert_string_equal(e.message, "too many words after ld");
}

static void test_first_error_wins_and_text_may_go(void **state)
{
    struct smw_err e;
    char text[256] = HEAD ".entry k () {\n  foo.s32 %r1;\n bar2.x;}";

    struct ptx_module *m;

    (void)state;
    err_clear(&e);
    m = ptx_parse(text, strlen(text), NULL, &e);
    memset(text, 'x', sizeof(text));
    assert_false(lower_all(m, &e));
    ptx_free(m);
    assert_int_equal(e.line, 5);
    assert_int_equal(e.column, 3);
    assert_string_equal(e.source, "  foo.s32 %r1;");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modules),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_deep_nesting),
        cmocka_unit_test(test_too_many_words),
        cmocka_unit_test(test_first_error_wins_and_text_may_go),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
