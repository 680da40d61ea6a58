/* Every form that the table lets through must have a lane function. */
#include "ptx/table.h"

#include "ptx/uop.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct walk {
    const struct ptx_row *row;
    struct ptx_form form;
    char text[160];
    uint32_t n_forms, n_missing;
};

static void set(struct ptx_form *f, char class, uint32_t v)
{
    switch (class) {
    case 't':
        if (f->type == PTX_T_NONE) {
            f->type = (uint8_t)v;
        } else {
            f->type2 = (uint8_t)v;
        }
        break;
    case 'r': f->round = (uint8_t)v; break;
    case 's': f->sub = (uint8_t)v; break;
    case 'c': f->cmp = (uint8_t)v; break;
    case 'b': f->boolop = (uint8_t)v; break;
    case 'f': f->flags |= (uint16_t)v; break;
    case 'p': f->space = (uint8_t)v; break;
    default: break;
    }
}

static void finish(struct walk *w)
{
    struct ptx_form f = w->form;
    struct ptx_selected s = {0};

    if (f.op == PTX_OP_ADDC || f.op == PTX_OP_SUBC || f.op == PTX_OP_MADC) {
        f.flags |= PTX_F_CC_IN;
    }
    if (f.op == PTX_OP_DP4A || f.op == PTX_OP_DP2A) {
        f.flags |= f.type == PTX_T_S32 ? PTX_F_ATYPE_S : 0;
        f.flags |= f.type2 == PTX_T_S32 ? PTX_F_BTYPE_S : 0;
    }
    if (f.op == PTX_OP_ISSPACEP) {
        f.type = PTX_T_U64;
    }
    w->n_forms++;
    if (!ptx_select(&f, &s)) {
        w->n_missing++;
        if (w->n_missing < 60) {
            print_message("no lane function: %s\n", w->text);
        }
        return;
    }
    assert_non_null(s.exec);
    assert_true(s.weight > 0);
    assert_true(s.class < PTX_N_CLASSES);
    if (strpbrk(w->row->operands, "qe") != NULL) {
        f.flags |= PTX_F_DST2;
        w->n_forms++;
        if (!ptx_select(&f, &s)) {
            w->n_missing++;
            print_message("no lane function: %s with |q\n", w->text);
        }
    }
}

static void expand(struct walk *w, const char *mods)
{
    const struct ptx_form form = w->form;
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
    static const uint8_t others[] = {PTX_OP_LD,        PTX_OP_LDU,    PTX_OP_ST,
                                     PTX_OP_ATOM,      PTX_OP_RED,    PTX_OP_PREFETCH,
                                     PTX_OP_PREFETCHU, PTX_OP_BAR,    PTX_OP_BARRIER,
                                     PTX_OP_MEMBAR,    PTX_OP_FENCE,  PTX_OP_BRA,
                                     PTX_OP_BRX,       PTX_OP_CALL,   PTX_OP_RET,
                                     PTX_OP_EXIT,      PTX_OP_TRAP,   PTX_OP_BRKPT,
                                     PTX_OP_NANOSLEEP, PTX_OP_PMEVENT};

    return memchr(others, (int)op, sizeof(others)) == NULL;
}

static void test_every_form_has_a_lane_function(void **state)
{
    struct walk w = {0};

    (void)state;
    for (uint32_t r = 0; r < ptx_n_rows; r++) {
        w.row = &ptx_rows[r];
        if (!is_alu(w.row->op)) {
            continue;
        }
        memset(&w.form, 0, sizeof(w.form));
        w.form.op = w.row->op;
        w.form.vec = 1;
        snprintf(w.text, sizeof(w.text), "%s", ptx_op_name((enum ptx_op)w.row->op));
        expand(&w, w.row->mods);
    }
    print_message("%u forms\n", w.n_forms);
    assert_true(w.n_forms > 1000);
    assert_int_equal(w.n_missing, 0);
}

static void test_every_operation_has_a_row(void **state)
{
    (void)state;
    for (uint32_t op = 0; op < PTX_N_OPS; op++) {
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

            assert_non_null(strchr("trsqcbfkpvmx", class));
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
