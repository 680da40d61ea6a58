/*
 * mma.sp against an H100: which elements of B meet those of A, for drawn metadata
 * (mma_sparse_pairs.csv), and hashes of products (mma_sparse.csv); both made by
 * testbench/fidelity/mma_sparse.cu. The first 1,024 products of each form; with the
 * argument "all", all of them.
 */
#include "isa/mma_shapes_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static bool wants_all;

/* sp_m16n8k16_f32_f16, sp_m16n8k64_f32_e4m3_e5m2, sp_m16n8k32_s32_s8_u8 */
static void begin(struct mma_run *m, const char *name)
{
    const char *dense = name + strlen("sp_");
    char short_name[64];
    uint32_t n = 0, slot = 0;
    const char *const sums = strstr(dense, "_s32");

    if (sums != NULL) { /* the other list's names do not say it */
        snprintf(short_name, sizeof(short_name), "%.*s%s", (int)(sums - dense), dense,
                 sums + strlen("_s32"));
        dense = short_name;
    }
    memset(m, 0, sizeof(*m));
    assert_true(mma_form(dense, &m->form));
    m->form.sub = ISA_S_SPARSE;
    assert_true(isa_select(&m->form, &m->selected));
    isa_tile_of(&m->form, &m->tile);
    m->env.cc = 90;
    for (uint32_t f = 0; f < ISA_N_FRAGS; f++) {
        m->first[f] = slot;
        m->words[f] = m->tile.regs[f];
        for (uint32_t i = 0; i < m->tile.regs[f]; i++) {
            m->list[n++] = (isa_ref)(slot + i);
        }
        slot += m->words[f];
    }
    m->list[n] = (isa_ref)slot; /* metadata */
    m->u.form = m->form;
    m->u.tile = m->list;
}

/* As in the program: eight pairs of indices in order; of tf32, one of two places. */
static uint32_t draw_pairs(uint64_t index, bool wide)
{
    const uint64_t h = draw_hash(index ^ (7ull << 60));
    uint32_t e = 0;

    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t r = (uint32_t)(h >> 8 * i) & 255;

        e |= (wide ? ((r & 1) != 0 ? 14 : 4) : (0xed9c84u >> r % 6 * 4) & 15) << 4 * i;
    }
    return e;
}

/* Of every word of D of a product, as the device's program numbers them. */
static uint64_t hash_of(struct mma_run *m, uint32_t first, uint32_t n)
{
    static const enum isa_frag order[3] = {ISA_FRAG_A, ISA_FRAG_B, ISA_FRAG_C};
    const enum isa_type type[3] = {(enum isa_type)m->form.type2,
                                   (enum isa_type)m->form.type2,
                                   (enum isa_type)m->form.type};
    const int in_e = mma_exponent_bits(type[0]);
    const uint32_t words = m->words[ISA_FRAG_D];
    const bool wide = m->tile.bits[ISA_FRAG_A] == 32;
    uint32_t *const meta =
        m->r +
        (size_t)m->list[2 * words + m->words[ISA_FRAG_A] + m->words[ISA_FRAG_B]] *
            ISA_LANES;
    const struct isa_lanes w = {m->r, NULL, NULL, &m->env};
    uint64_t h = H100_HASH;

    for (uint32_t p = first; p < first + n; p++) {
        const int mode = (int)(p % DRAW_MODES);

        for (uint32_t l = 0; l < ISA_LANES; l++) {
            const uint64_t at = (uint64_t)p * 32 + l;

            for (uint32_t f = 0; f < 3; f++) {
                const uint32_t many = m->words[order[f]];

                for (uint32_t i = 0; i < many; i++) {
                    m->r[(m->first[order[f]] + i) * ISA_LANES + l] =
                        draw_word((int)f, mma_kind(type[f]), mode, in_e, at * many + i);
                }
            }
            meta[l] = draw_pairs(at, wide);
        }
        m->u.imm = p / DRAW_MODES % isa_sparse_selectors(&m->tile);
        m->selected.exec(&m->u, &w, UINT32_MAX);
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            for (uint32_t i = 0; i < words; i++) {
                h = h100_hash(h, m->r[i * ISA_LANES + l]);
            }
        }
    }
    return h;
}

static void test_products(void **state)
{
    FILE *const f = fopen(SMW_DATA "/h100/mma_sparse.csv", "r");
    static struct mma_run m;
    uint32_t forms = 0, wrong = 0;
    char line[H100_LINE];

    (void)state;
    assert_non_null(f);
    while (h100_line(f, line)) {
        const struct h100_products p = h100_products_of(line);

        assert_int_not_equal(p.n, 0);
        forms += p.first == 0;
        if (!wants_all && p.first != 0) {
            continue;
        }
        begin(&m, p.form);
        if (hash_of(&m, p.first, p.n) != p.hash) {
            print_error("%s: %u products from %u on are not those of the H100\n",
                        p.form, p.n, p.first);
            wrong++;
        }
    }
    (void)fclose(f);
    assert_int_equal(wrong, 0);
    assert_int_equal(forms, 24);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),
    };

    wants_all = argc > 1 && strcmp(argv[1], "all") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
