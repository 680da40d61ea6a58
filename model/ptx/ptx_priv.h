/*
 * ptx_priv.h - what the parts of the front end share: the parsed module.
 *
 * parse*.c, decl.c, const_expr.c, insn.c, check.c fill it; flow.c, live.c, origin.c,
 * slots.c and lower*.c read it. Everything lives in the module's arena. Names are
 * slices of the module's own copy of the text.
 */
#ifndef PTX_PTX_PRIV_H
#define PTX_PTX_PRIV_H

#include "base/arena.h"
#include "ptx/insn_table.h"
#include "ptx/lex.h"
#include "ptx/name_scope.h"
#include "ptx/ptx.h"

#define PTX_NONE UINT32_MAX

enum {
    PTX_MAX_NESTING = 200,      /* of { } and of parentheses: a limit of our stack */
    PTX_MAX_MODS = 16,          /* words after an operation */
    PTX_MAX_OPNDS = 8,          /* operands of one instruction, calls apart */
    PTX_MAX_ELEMS = 128,        /* of a vector operand: of wgmma */
    PTX_MAX_FILES = 65536,      /* numbers of .file */
    PTX_MAX_COMPARED = 1 << 20, /* names compared for hints, in all of a module */
    PTX_MAX_REFUSALS = 20,  /* mistakes kept of one function; then reading it ends */
    PTX_MAX_REFS = 32000,   /* slots of a frame, constants of a module: isa_ref */
    PTX_MAX_VAR = 1 << 30,  /* bytes of one variable */
    PTX_MAX_PARAMS = 32764, /* bytes of a kernel's parameters */
    PTX_CONST_BANK = 65536  /* bytes */
};

enum ptx_opnd_kind {
    OK_REG,     /* id: register; value: 1 + its parts, as written in hexadecimal with
                   a digit for b or h in front, of video instructions; 0: all */
    OK_IMM,     /* value: bits; sub: enum ptx_imm; base: 1 + function whose value it is
                   to become */
    OK_SYM,     /* id: symbol, value: addend; sub 1: generic() */
    OK_LOCAL,   /* id: local variable of the function, value: addend */
    OK_PARAM,   /* id: parameter variable of the function, value: addend */
    OK_SREG,    /* id: enum isa_sreg */
    OK_LABEL,   /* id: label */
    OK_TARGETS, /* id: branch target list */
    OK_SINK,    /* _ */
    OK_VEC,     /* id: first element, n elements */
    OK_PAIR,    /* d|p: id: first element, n == 2 */
    OK_ADDR,    /* sub: OK_REG, OK_SYM, OK_LOCAL, OK_PARAM, OK_IMM; id; value: offset */
    OK_ABSENT
};

enum ptx_imm { IMM_INT, IMM_F32, IMM_F64 };

struct ptx_opnd {
    uint8_t kind; /* enum ptx_opnd_kind */
    uint8_t sub;
    uint8_t n;
    bool neg; /* !p, -r */
    uint32_t id;
    uint32_t base; /* OK_ADDR, sub OK_REG: 1 + symbol whose address is added; 0: none */
    uint64_t value;
    uint32_t line, column, width;
};

struct ptx_insn {
    struct isa_form form;
    uint16_t row; /* index into ptx_rows */
    uint8_t n_opnds;
    uint8_t guard_neg;
    uint32_t guard; /* register, PTX_NONE: unconditional */
    uint32_t opnd;  /* first of n_opnds operands */
    uint32_t line, column;
    uint32_t src_file, src_line, inlined;
    const char *text; /* the instruction, guard included, without the semicolon */
    uint32_t text_len;
    uint32_t callee; /* CALL: function; PTX_NONE: that whose value is in operand n_call,
                        until indirect.c has been there */
    uint32_t proto;  /* then: what it looks like, in ptx_ir.proto */
    uint32_t level;  /* MEMBAR, FENCE: enum isa_level */
    uint32_t n_rets; /* CALL: operands 0..n_rets-1 are results, n_call in all */
    uint32_t n_call;
    bool by_value;   /* CALL: one of those made of a call through a register */
    bool is_fresh;   /* guarded, and no other value of what it writes is ever read */
    uint32_t joined; /* 1 + first of the loads it was made of, in ptx_ir.joined; 0 */
    bool inserts;    /* LD: of what only bits are put into, see flow_insert.c */
    bool counts;     /* atomic: lanes of one word take effect at once */
    uint8_t before;  /* machine instructions that make it one that counts */
    bool stops;      /* nothing of its basic block passes it */
    uint8_t acts_as; /* 1 + enum isa_class it takes the time of; 0: its own */
};

struct ptx_label {
    const char *s;
    uint32_t len, line;
    uint32_t at;   /* instruction; n_insns: the end of the function */
    bool nounroll; /* of a loop that is to stay as it is */
};

struct ptx_targets {
    uint32_t first, n; /* in target_list: labels */
};

/* A parameter of the function, or a .param variable made for calls. */
struct ptx_pvar {
    struct ptx_param
        p; /* offset: in the block (kernel) or in the word area (function) */
    const char *s;
    uint32_t len;
    bool is_own; /* of the function itself */
    bool is_ret;
    uint32_t reg;   /* own parameter in register space: the register, else PTX_NONE */
    uint32_t local; /* local variable that holds it, its address taken, else PTX_NONE */
    uint32_t line, column;
};

struct ptx_local {
    const char *s;
    uint32_t len, offset, size, align;
};

struct ptx_vreg {
    const char *s;        /* declared name or prefix */
    uint32_t len, number; /* number: of a parameterised name, else PTX_NONE */
    uint8_t type;
};

struct ptx_ir {
    const char *name; /* terminated */
    uint32_t line, column;
    bool is_kernel, is_defined, has_prototype, is_extern;
    enum ptx_linkage linkage;
    uint32_t alias;        /* function, PTX_NONE: none */
    struct ptx_pvar *pvar; /* results, then parameters, then variables for calls */
    uint32_t n_pvar, cap_pvar, n_rets, n_params;
    uint32_t area_words;  /* of the incoming area: results and parameters */
    uint32_t param_bytes; /* of a kernel */
    struct ptx_vreg *vreg;
    uint32_t n_vreg, cap_vreg;
    struct ptx_insn *insn;
    uint32_t n_insn, cap_insn;
    struct ptx_opnd *opnd;
    uint32_t n_opnd, cap_opnd;
    struct ptx_label *label;
    uint32_t n_label, cap_label;
    struct ptx_targets *targets;
    uint32_t n_targets, cap_targets;
    uint32_t *target_list;
    uint32_t n_target_list, cap_target_list;
    struct ptx_local *local;
    uint32_t n_local, cap_local;
    uint32_t local_bytes;
    bool uses_cc;
    struct ptx_ir **proto; /* .callprototype: results and parameters only */
    uint32_t n_proto, cap_proto;
    struct ptx_insn *joined; /* loads that became parts of others, as they were */
    uint32_t n_joined, cap_joined;
    bool has_copies; /* some instructions run at several places (assemble.c) */
    uint32_t maxntid[3], reqntid[3], minnctapersm, maxnreg;
    uint32_t cluster[3], max_cluster;
    bool explicit_cluster;
    /* links (link.c) */
    uint32_t *callee; /* functions called, each once */
    uint32_t n_callee, cap_callee;
    uint32_t *shared; /* shared symbols used in the body, each once */
    uint32_t n_shared, cap_shared;
    bool is_linked; /* its calls have been looked at */
    /* refuse.c: why it cannot be run */
    uint32_t n_refusals, first_refusal;
};

/* One of the texts that the module's is made of. */
struct ptx_part {
    const char *name;
    uint32_t first_line; /* of the module's text, from 1 */
};

struct ptx_private {
    struct arena arena;
    const char *text; /* our copy of all texts, terminated */
    size_t size;
    const char *name; /* of the module; the first text's */
    struct ptx_part *part;
    uint32_t n_part;
    struct ptx_symbol *sym;
    uint32_t n_sym, cap_sym;
    struct ptx_ir **fn;
    uint32_t n_fn, cap_fn;
    struct ptx_reloc *reloc;
    uint32_t n_reloc, cap_reloc;
    const char **file;
    uint32_t n_file, cap_file;
    struct ptx_site *site;
    uint32_t n_site, cap_site;
    uint32_t *kernel_fn;      /* function of each kernel */
    uint32_t *kernel_refusal; /* of each kernel, PTX_NONE: it can be launched */
    struct ptx_refusal *refusal;
    uint32_t n_refusal, cap_refusal;
    const char *near;        /* the line looked at last, NULL: none */
    uint32_t near_line;      /* its number */
    struct ptx_needs *needs; /* need.c's, NULL until it is asked */
    struct ptx_ir **run;     /* after ptx_lower(), what runs of each function: fn, or
                                what an assembler made of it */
    struct ptx_where *where; /* of each micro-op */
};

/* Where a micro-op comes from. */
struct ptx_where {
    uint32_t fn, insn;         /* of run[fn]; insn PTX_NONE: made by lowering */
    const struct ptx_insn *in; /* not run: one that has become part of another */
    const char *text;          /* ptx_disasm_kept() has been asked for it; else NULL */
};

struct ptx_mods { /* an operation and the words after it */
    struct ptx_tok op;
    struct ptx_tok word[PTX_MAX_MODS];
    uint32_t n;
};

struct ptx_matched { /* words and what they mean */
    struct ptx_mods mods;
    struct isa_form form;
    uint16_t row;
    uint32_t level;
};

/* The state of one parse. */
struct ptx_parser {
    struct ptx_lex lex;
    struct ptx_module *m;
    struct ptx_private *pr;
    struct arena *a;
    struct ptx_scope names;
    struct ptx_ir *fn; /* being read, NULL outside */
    uint32_t fn_id;    /* its number, once it has one */
    uint32_t depth;    /* of { } */
    uint32_t expr_depth;
    struct ptx_names_map *map;     /* parameterised registers in use */
    struct ptx_names_map *matches; /* words matched before, into matched */
    struct ptx_matched *matched;
    uint32_t n_matched, cap_matched;
    struct ptx_range *range;
    uint32_t n_range, cap_range;
    struct ptx_pending *pending; /* label references not yet resolved */
    uint32_t n_pending, cap_pending;
    uint32_t pending_mark[PTX_MAX_NESTING + 4]; /* n_pending when each scope opened */
    struct ptx_scope labels;
    uint32_t src_file, src_line, inlined;
    struct ptx_names_map *sites, *callers; /* of site.c; NULL: none was inlined */
    uint32_t first_file;                   /* added to the numbers of .file */
    enum ptx_linkage linkage;              /* of what is being declared */
    bool has_version, has_target;
    bool in_texture;        /* an address may have coordinates behind it: ... */
    struct ptx_opnd inside; /* ... these; OK_ABSENT: none */
    uint32_t n_compared;
};

/* Where a statement begins, to read on after it if it is wrong. */
struct ptx_mark {
    struct ptx_lex lex;
    uint32_t n_pending;
};

/* .reg .b32 %r<n> */
struct ptx_range {
    const char *s;
    uint32_t len;
    uint32_t n;
    uint8_t type;
};

struct ptx_pending {
    const char *s;
    uint32_t len, line, column;
    uint32_t opnd;   /* operand to fill, or PTX_NONE: */
    uint32_t target; /* entry of target_list to fill */
    bool is_targets; /* names a branch target list */
};

/* Room for one more element: *v may move, old memory stays in the arena. */
void *ptx_grow(struct arena *a, void *v, uint32_t n, uint32_t *cap, size_t size);
#define PTX_PUSH(a, v, n, cap)                                                         \
    ((v) = ptx_grow(a, v, n, &(cap), sizeof(*(v))), &(v)[(n)++])

char *ptx_copy(struct arena *a, const char *s, uint32_t len);

/* ---- parse.c ---- */
/* All of the text that the lexer stands at the beginning of. */
bool ptx_module_text(struct ptx_parser *p);
bool ptx_accept(struct ptx_parser *p, char c);
bool ptx_expect(struct ptx_parser *p, char c);
bool ptx_accept_dot(struct ptx_parser *p, const char *word);
bool ptx_fail(struct ptx_parser *p, const struct ptx_tok *t, const char *fmt, ...)
    ATTR_PRINTF(3, 4);
/* What ptx_fail() has just said is not wrong, it is not supported. False too. */
bool ptx_lacks(struct ptx_parser *p);
/* Describe t in a message: "`word'" or "end of file". buf: 48 bytes or more. */
const char *ptx_tok_text(const struct ptx_tok *t, char *buf, size_t size);
bool ptx_fail_near(struct ptx_parser *p, const struct ptx_tok *t, const char *what,
                   const char *const *names, uint32_t n);
bool ptx_body_directive(struct ptx_parser *p); /* .pragma .loc .file .section ... */

/* ---- decl.c, init.c ---- */
struct ptx_decl { /* what stands before the name of a variable */
    enum isa_type type;
    uint32_t align, vec;
    bool is_ptr;
    enum isa_space ptr_space;
    enum ptx_opaque opaque; /* its type is B64 */
};
bool ptx_variable(struct ptx_parser *p, enum isa_space space, bool is_extern);
bool ptx_reg_decl(struct ptx_parser *p);
bool ptx_decl_head(struct ptx_parser *p, struct ptx_decl *d);
/* The name and [n] of a .param; results in *v. */
bool ptx_param_decl(struct ptx_parser *p, struct ptx_pvar *v, bool may_omit_name);
bool ptx_init(struct ptx_parser *p, uint32_t sym, bool open_size);
bool ptx_dims(struct ptx_parser *p, uint64_t *count, bool *is_array, bool *is_open);

/* ---- const_expr.c ---- */
struct ptx_const {
    bool is_float, is_unsigned;
    uint64_t u; /* integer, or bits of the f64 or f32 */
    enum ptx_imm imm;
};
bool ptx_const_expr(struct ptx_parser *p, struct ptx_const *out);
bool ptx_const_u32(struct ptx_parser *p, uint64_t max, uint32_t *out);

/* ---- func.c, label.c ---- */
/* The ret that a closing brace stands for. */
void ptx_add_ret(struct arena *a, struct ptx_ir *f, uint32_t line, uint32_t column);
bool ptx_label(struct ptx_parser *p);
bool ptx_function(struct ptx_parser *p, bool is_kernel, bool is_extern);
/* What follows .callprototype, semicolon included; results in **out. */
bool ptx_prototype(struct ptx_parser *p, struct ptx_ir **out);
/* What a call needs to know must not change between declaration and definition. */
bool ptx_same_shape(const struct ptx_ir *a, const struct ptx_ir *b);

/* ---- refuse.c ---- */
/* Function fn cannot be run because of *e, which is empty then. */
void ptx_refuse_fn(struct ptx_private *pr, uint32_t fn, struct smw_err *e);
/* Give *e, whose place is a line of the module's text, the text's name, its own number
 * of the line, and the line. */
void ptx_show_line(struct ptx_private *pr, struct smw_err *e);
const struct ptx_part *ptx_part_at(const struct ptx_private *pr, uint32_t line);
/* Its body becomes a ret. */
void ptx_empty_body(struct ptx_private *pr, struct ptx_ir *f);
/* Refuse the function being read for the statement at *mark and read on: after it if it
 * is an instruction, else after the body. False: that has no end. */
bool ptx_skip_statement(struct ptx_parser *p, const struct ptx_mark *mark);
/* The same of what stands between its name and its body or semicolon, which comes next
 * then; the reason goes to *why. */
bool ptx_skip_header(struct ptx_parser *p, const struct ptx_mark *mark,
                     struct smw_err *why);
/* What stands in braces. */
bool ptx_skip_braces(struct ptx_parser *p);

/* ---- vocabulary.c ---- */
struct ptx_names_map *ptx_map_new(struct arena *a);
void ptx_map_clear(struct ptx_names_map *map);
/* The value of key, or *found false and a place to put it. */
uint32_t *ptx_map_at(struct ptx_names_map *map, uint64_t key, bool *found);
/* 1 + index of a place at which something was inlined, and that what was inlined
 * there, at such a place, was called from site `caller` (of those numbers). */
uint32_t ptx_site(struct ptx_parser *p, uint32_t file, uint32_t line, uint32_t column);
void ptx_site_caller(struct ptx_parser *p, uint32_t file, uint32_t line,
                     uint32_t column, uint32_t caller);
bool ptx_declare(struct ptx_parser *p, const struct ptx_tok *t, enum ptx_name_kind kind,
                 uint32_t id);
/* The register named t; PTX_NONE: none. */
uint32_t ptx_find_reg(struct ptx_parser *p, const struct ptx_tok *t);
bool ptx_fail_unknown(struct ptx_parser *p, const struct ptx_tok *t, const char *what,
                      uint32_t kinds);
/* How many of n names there is time to compare. */
uint32_t ptx_may_compare(struct ptx_parser *p, uint32_t n);
bool ptx_scope_open(struct ptx_parser *p, const struct ptx_tok *t);
bool ptx_scope_close(struct ptx_parser *p);
bool ptx_find_sreg(const char *s, uint32_t len, uint32_t *sreg);
const char *ptx_sreg_name(uint32_t sreg);
/* C++ names as Itanium mangles them, without parameters: "ns::f"; the name itself when
 * it is no such name. */
const char *ptx_demangle(struct arena *a, const char *name);

/* ---- insn.c, operand.c, match.c, check.c ---- */
static inline bool ptx_is_surface(enum isa_op op)
{
    return op >= ISA_OP_SULD && op <= ISA_OP_SUQ;
}

static inline bool ptx_is_texture(enum isa_op op) /* or surface */
{
    return op >= ISA_OP_TEX && op <= ISA_OP_SUQ;
}

bool ptx_instruction(struct ptx_parser *p);
/* .b0 to .b7654, .h0 to .h32 behind a register: o->value says so. */
void ptx_video_parts(struct ptx_parser *p, struct ptx_opnd *o);
bool ptx_is_video(const struct ptx_insn *in);
/* Of what is matched: an instruction that is computed as a video instruction is one. */
void ptx_make_video(struct ptx_insn *in);
struct ptx_check;
/* Whether such parts may stand there. */
bool ptx_check_video(const struct ptx_check *c);
bool ptx_check_video_count(struct ptx_parser *p, const struct ptx_insn *in);
/* mov.v2 and mov.v4, as one for each element. */
bool ptx_vector_mov(struct ptx_parser *p, const struct ptx_insn *in);
bool ptx_match(struct ptx_parser *p, const struct ptx_mods *mods, struct ptx_insn *in);
bool ptx_operand(struct ptx_parser *p, struct ptx_opnd *o);
bool ptx_call_operands(struct ptx_parser *p, struct ptx_insn *in);
bool ptx_check(struct ptx_parser *p, struct ptx_insn *in);
struct ptx_check { /* one operand being checked */
    struct ptx_parser *p;
    const struct ptx_insn *in;
    const struct ptx_opnd *o;
    enum isa_type type; /* what it must be */
    char letter;        /* of insn_table.h */
};
bool ptx_refuse_opnd(const struct ptx_check *c, const char *fmt, ...) ATTR_PRINTF(2, 3);
bool ptx_check_dst(const struct ptx_check *c, bool may_be_wider);
/* check_wgmma.c: a descriptor; what the operands of wgmma say together. */
bool ptx_check_descriptor(const struct ptx_check *c);
bool ptx_check_wgmma(struct ptx_check *c);
bool ptx_check_src(const struct ptx_check *c, bool may_be_wider);
bool ptx_check_param_address(const struct ptx_check *c);
bool ptx_check_call(struct ptx_parser *p, const struct ptx_insn *in,
                    const struct ptx_ir *callee);
/* Accesses to parameters of a .func through a register that holds the address of one.
 */
bool ptx_check_bases(struct ptx_parser *p);
/* The letter (insn_table.h) of each operand of in, or NULL with the counts possible. */
const char *ptx_letters(const struct ptx_insn *in, char out[PTX_MAX_OPNDS + 1],
                        uint32_t *least, uint32_t *most);
/* Does the dotted word, dot included, stand among the words of the operation? */
bool ptx_has_word(const struct ptx_insn *in, const char *word);
/* The type operand letter c of in must have. */
enum isa_type ptx_letter_type(const struct ptx_insn *in, char c);
uint32_t ptx_reg_bits(const struct ptx_ir *f, uint32_t reg);

/* ---- list.c ---- */
/* The instruction as ptx_disasm() has it. size: 2 or more. */
void ptx_insn_text(const struct ptx_insn *in, char *buf, size_t size);

/* ---- indirect.c ---- */
/* Calls through values become calls of functions (SPEC PTX-7). */
void ptx_expand_calls(struct ptx_parser *p);
/* What a function is in registers and memory. */
uint64_t ptx_fn_value(const struct ptx_private *pr, uint32_t fn);

/* ---- heap.c ---- */
enum { PTX_HEAP_TEXT = 8192 }; /* bytes that it has room in */
/* The text for a heap of so many bytes, as smw_device_heap() takes it; its length. */
size_t ptx_heap_text(char *to, uint64_t bytes);
/* Some text calls malloc() or free(), and none defines one. */
bool ptx_wants_heap(const struct ptx_module *m);

/* ---- join.c ---- */
/* Names that one text declares and another defines mean the same from here on. */
bool ptx_join(struct ptx_parser *p);

/* ---- link.c ---- */
/* Refuse the module for what is in a line; false. */
bool ptx_fail_line(struct ptx_parser *p, uint32_t line, uint32_t column, uint32_t width,
                   const char *message);
/* Functions the machine provides. */
enum ptx_builtin { PTX_BUILTIN_NONE, PTX_BUILTIN_VPRINTF, PTX_BUILTIN_ASSERT };
bool ptx_link(struct ptx_parser *p);
/* Which kernels reach a function that is refused. */
void ptx_find_refused(struct ptx_module *m);
uint32_t ptx_resolve_fn(const struct ptx_private *pr, uint32_t fn); /* through .alias */
enum ptx_builtin ptx_builtin_of(const struct ptx_ir *f);

#endif /* PTX_PTX_PRIV_H */
