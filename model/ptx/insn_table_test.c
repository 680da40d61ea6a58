/* Every form that the table lets through must have a lane function. */
#include "ptx/insn_table.h"

#include "isa/uop.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct walk {
    const struct ptx_row *row;
    struct isa_form form;
    char text[160];
    uint32_t n_forms, n_missing;
};

static void set(struct isa_form *f, char class, uint32_t v)
{
    switch (class) {
    case 't':
        if (f->type == ISA_T_NONE) {
            f->type = (uint8_t)v;
        } else {
            f->type2 = f->type2 == ISA_T_NONE ? (uint8_t)v : f->type2;
        }
        break;
    case 'r': f->round = (uint8_t)v; break;
    case 's': f->sub = (uint8_t)v; break;
    case 'c': f->cmp = (uint8_t)v; break;
    case 'b': f->boolop = (uint8_t)v; break;
    case 'f':
    case 'z': f->flags |= v; break;
    case 'p': f->space = (uint8_t)v; break;
    default: break;
    }
}

static void finish(struct walk *w)
{
    struct isa_form f = w->form;
    struct isa_selected s = {0};

    if (f.op == ISA_OP_ADDC || f.op == ISA_OP_SUBC || f.op == ISA_OP_MADC) {
        f.flags |= ISA_F_CC_IN;
    }
    if (f.op == ISA_OP_DP4A || f.op == ISA_OP_DP2A) {
        f.flags |= f.type == ISA_T_S32 ? ISA_F_ATYPE_S : 0;
        f.flags |= f.type2 == ISA_T_S32 ? ISA_F_BTYPE_S : 0;
    }
    if (f.op == ISA_OP_ISSPACEP) {
        f.type = ISA_T_U64;
    }
    w->n_forms++;
    if (!isa_select(&f, &s)) {
        w->n_missing++;
        if (w->n_missing < 60) {
            print_message("no lane function: %s\n", w->text);
        }
        return;
    }
    assert_non_null(s.exec);
    assert_true(s.weight > 0);
    assert_true(s.class < ISA_N_CLASSES);
    if (strpbrk(w->row->operands, "qe") != NULL) {
        f.flags |= ISA_F_DST2;
        w->n_forms++;
        if (!isa_select(&f, &s)) {
            w->n_missing++;
            print_message("no lane function: %s with |q\n", w->text);
        }
    }
}

static void expand(struct walk *w, const char *mods)
{
    const struct isa_form form = w->form;
    const size_t used = strlen(w->text);
    const char *end, *word;

    mods += strspn(mods, " ");
    if (*mods == '\0') {
        finish(w);
        return;
    }
    end = mods + strcspn(mods, " ");
    if (mods[1] == '?') {
        expand(w, end);
    }
    for (word = mods + 2; word < end;) {
        const size_t n = strcspn(word, "| ");
        uint32_t v;

        assert_true(ptx_word_value(mods[0], word, (uint32_t)n, &v));
        set(&w->form, mods[0], v);
        snprintf(w->text + used, sizeof(w->text) - used, ".%.*s", (int)n, word);
        expand(w, end);
        w->form = form;
        w->text[used] = '\0';
        word += n + 1;
    }
}

static bool is_alu(uint32_t op)
{
    static const uint8_t others[] = {
        ISA_OP_LD, ISA_OP_LDU, ISA_OP_ST, ISA_OP_ATOM, ISA_OP_RED, ISA_OP_PREFETCH,
        ISA_OP_PREFETCHU, ISA_OP_BAR, ISA_OP_BARRIER, ISA_OP_MEMBAR, ISA_OP_FENCE,
        ISA_OP_BRA, ISA_OP_BRX, ISA_OP_CALL, ISA_OP_RET, ISA_OP_EXIT, ISA_OP_TRAP,
        ISA_OP_BRKPT, ISA_OP_NANOSLEEP, ISA_OP_PMEVENT, ISA_OP_LDMATRIX,
        ISA_OP_STMATRIX, ISA_OP_WMMA, ISA_OP_TEX, ISA_OP_TLD4, ISA_OP_TXQ, ISA_OP_SULD,
        ISA_OP_SUST, ISA_OP_SURED, ISA_OP_SUQ, ISA_OP_CP, ISA_OP_MBARRIER, ISA_OP_WGMMA,
        /* caches and launches, nothing here */
        ISA_OP_DISCARD, ISA_OP_APPLYPRIORITY, ISA_OP_CREATEPOLICY,
        ISA_OP_GRIDDEPCONTROL};

    if (op >= ISA_OP_VADD && op <= ISA_OP_VSET4) { /* lane_video.c */
        return false;
    }

    return memchr(others, (int)op, sizeof(others)) == NULL;
}

static void test_every_form_has_a_lane_function(void **state)
{
    struct walk w = {0};

    (void)state;
    for (uint32_t r = 0; r < ptx_n_rows; r++) {
        w.row = &ptx_rows[r];
        if (!is_alu(w.row->op) ||
            (w.row->what != NULL && (strcmp(w.row->what, "packed integers") == 0 ||
                                     strcmp(w.row->what, "relu") == 0))) {
            continue;
        }
        memset(&w.form, 0, sizeof(w.form));
        w.form.op = w.row->op;
        w.form.vec = 1;
        snprintf(w.text, sizeof(w.text), "%s", isa_op_name((enum isa_op)w.row->op));
        expand(&w, w.row->mods);
    }
    print_message("%u forms\n", w.n_forms);
    assert_true(w.n_forms > 1000);
    assert_int_equal(w.n_missing, 0);
}

static void test_every_operation_has_a_row(void **state)
{
    (void)state;
    for (uint32_t op = 0; op < ISA_N_OPS; op++) {
        bool found = false;

        for (uint32_t r = 0; r < ptx_n_rows; r++) {
            found |= ptx_rows[r].op == op;
        }
        assert_true(found);
    }
}

static void test_words_of_every_row_are_known(void **state)
{
    (void)state;
    for (uint32_t r = 0; r < ptx_n_rows; r++) {
        const char *s = ptx_rows[r].mods;

        while (*(s += strspn(s, " ")) != '\0') {
            const char class = s[0];

            assert_non_null(strchr("tyrsqcbfzkpvmxnNlwgj", class));
            assert_true(s[1] == ':' || s[1] == '?');
            for (s += 2; *s != ' ' && *s != '\0';) {
                const size_t n = strcspn(s, "| ");
                uint32_t v;

                assert_true(n > 0);
                assert_true(ptx_word_value(class, s, (uint32_t)n, &v));
                s += n + (s[n] == '|');
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_form_has_a_lane_function),
        cmocka_unit_test(test_every_operation_has_a_row),
        cmocka_unit_test(test_words_of_every_row_are_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
