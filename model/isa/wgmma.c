#include "isa/wgmma.h"

/* ---- descriptors ---- */

/* Bytes of a field of 14 bits, in units of 16. */
static uint32_t field(uint64_t descriptor, uint32_t from)
{
    return (uint32_t)(descriptor >> from & 0x3fff) << 4;
}

/* Pieces of 16 bytes in a row of the swizzled block: 1, 8, 4, 2. */
static uint32_t pieces_of(uint64_t descriptor)
{
    static const uint8_t pieces[4] = {1, 8, 4, 2};

    return pieces[descriptor >> 62];
}

uint32_t isa_wgmma_at(uint64_t descriptor, bool turned, uint32_t bits, uint32_t row,
                      uint32_t from)
{
    const uint32_t lead = field(descriptor, 16), stride = field(descriptor, 32);
    const uint32_t wide = pieces_of(descriptor);
    const uint32_t base = (uint32_t)(descriptor >> 49) & 7;
    uint32_t at = field(descriptor, 0);

    if (turned) { /* 16 bytes are 8 rows */
        const uint32_t piece = row / 8;

        at += wide == 1 ? piece * stride + from / 8 * lead + from % 8 * 16
                        : piece % wide * 16 + piece / wide * lead +
                              from % 8 * wide * 16 + from / 8 * stride;
    } else {
        const uint32_t piece = from * bits / 128;

        at += row / 8 * stride + row % 8 * wide * 16 + piece * (wide == 1 ? lead : 16);
    }
    return at ^ ((((at >> 7) - base) & (wide - 1)) << 4);
}

/* ---- forms ---- */

void isa_wgmma_of(const struct isa_form *f, struct isa_wgmma *out)
{
    out->n = f->cols * 8u;
    out->bits = isa_type_bits((enum isa_type)f->type2);
    out->k = ISA_WGMMA_ROW * 8 / out->bits;
    out->d_regs = f->type == ISA_T_F16 ? out->n / 4 : out->n / 2;
    out->a_regs = 4;
}

uint32_t isa_wgmma_row(const struct isa_env *env)
{
    const uint32_t thread =
        env->tid[0][0] +
        env->ntid[0] * (env->tid[1][0] + env->ntid[1] * env->tid[2][0]);

    return thread / ISA_LANES % 4 * 16;
}

static uint64_t pair_of(const struct isa_lanes *w, isa_ref ref)
{
    const uint32_t *const p = ref >= 0 ? w->r + (size_t)ref * ISA_LANES
                                       : w->k + (size_t)(-1 - ref) * ISA_LANES;

    return p[0] | (uint64_t)p[1] << 32;
}

/* 8 rows of 16 bytes after 8 rows. */
static void pieces(uint64_t descriptor, bool turned, uint32_t bits, uint32_t first,
                   uint32_t rows, isa_wgmma_piece *each, void *arg)
{
    for (uint32_t row = first; row < first + rows; row += 8) {
        for (uint32_t i = 0; i < 16; i++) {
            each(arg, turned ? isa_wgmma_at(descriptor, true, bits, row, i)
                             : isa_wgmma_at(descriptor, false, bits, row + i % 8,
                                            i / 8 * 128 / bits));
        }
    }
}

void isa_wgmma_pieces(const struct isa_uop *u, const struct isa_lanes *w,
                      isa_wgmma_piece *each, void *arg)
{
    const isa_ref *list = u->tile;
    struct isa_wgmma g;

    isa_wgmma_of(&u->form, &g);
    list += g.d_regs;
    if ((u->imm & ISA_WGMMA_A_REGS) == 0) {
        pieces(pair_of(w, list[0]), (u->imm & ISA_WGMMA_TURN_A) != 0, g.bits,
               isa_wgmma_row(w->env), 16, each, arg);
        list += 1;
    } else {
        list += g.a_regs;
    }
    pieces(pair_of(w, list[0]), (u->imm & ISA_WGMMA_TURN_B) != 0, g.bits, 0, g.n, each,
           arg);
}

static void reach(void *arg, uint32_t addr)
{
    uint32_t *const most = arg;

    *most = addr + 16 > *most ? addr + 16 : *most;
}

uint32_t isa_wgmma_reach(const struct isa_uop *u, const struct isa_lanes *w)
{
    uint32_t most = 0;

    isa_wgmma_pieces(u, w, reach, &most);
    return most;
}

/* Wavefronts of shared memory: 64 rows of A and n columns of B, 32 bytes each, by 128
 * bytes. Eight of them never meet in a bank, however the descriptor has them lie. */
uint32_t isa_wgmma_wavefronts(const struct isa_uop *u)
{
    const uint32_t n = u->form.cols * 8u;

    return ((u->imm & ISA_WGMMA_A_REGS) == 0 ? 64 / 4 : 0) + n / 4;
}

void isa_wgmma_time_of(const struct isa_uop *u, struct isa_wgmma_time *out)
{
    enum { LEAST = 13, LATENCY = 53, BEHIND = 24 };
    const bool in_regs = (u->imm & ISA_WGMMA_A_REGS) != 0;
    const uint32_t n = u->form.cols * 8u, shared = isa_wgmma_wavefronts(u);
    uint32_t cycles = n / 2 > LEAST ? n / 2 : LEAST;

    cycles = shared > cycles ? shared : cycles;
    *out = (struct isa_wgmma_time){cycles, LATENCY, in_regs ? BEHIND : 0};
}
