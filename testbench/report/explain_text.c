/* explain_text.c - explain_text() of explain.h: tables of at most 100 columns. */
#include "report/explain.h"

#include "gpu/observe.h"
#include "io/source.h"
#include "report/advice.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 100, CELLS = 4 /* lanes side by side */ };

struct printer {
    const struct explain *x;
    const struct advice *advice;
    struct source source;
    struct text *out;
    const char *bold, *dim, *bad, *plain;
};

/* ---- sources ---- */

/* "reduction.cu:17  s[t] += s[t + k];" below the instruction, if it is known. */
static void print_source(struct printer *p, const struct smw_inst *inst)
{
    const char *slash;
    char line[96], inlined[192];
    int used;

    if (inst->file == NULL || inst->line == 0) {
        return;
    }
    slash = strrchr(inst->file, '/');
    smw_inlined_text(&inst->inlined, inlined, sizeof(inlined));
    source_line(&p->source, inst->file, inst->line, line, sizeof(line));
    used = (int)(strlen(slash == NULL ? inst->file : slash + 1) + strlen(inlined)) + 22;
    used = used < COLUMNS - 20 ? used : COLUMNS - 20;
    text_add(p->out, "%s          %.*s:%u%s%s%.*s%s\n", p->dim, COLUMNS - 20,
             slash == NULL ? inst->file : slash + 1, inst->line, inlined,
             line[0] == '\0' ? "" : "  ", COLUMNS - used, line, p->plain);
}

/* ---- the tables ---- */

static void inst_of(const struct printer *p, uint32_t launch, uint32_t pc,
                    struct smw_inst *inst)
{
    memset(inst, 0, sizeof(*inst));
    (void)smw_inst(p->x->device, launch, pc, inst);
}

/* The instruction in what is left of the line, then where it comes from. */
static void end_row(struct printer *p, const struct smw_inst *inst, int used)
{
    int room = COLUMNS - used;
    bool cut = (int)strlen(inst->text) > room;

    text_add(p->out, "%.*s%s\n", cut ? room - 3 : room, inst->text, cut ? "..." : "");
    print_source(p, inst);
}

static void print_degrees(struct printer *p, const struct explain_row *r)
{
    int used = COLUMNS;

    if (r->worst <= 1) {
        return;
    }
    for (uint32_t d = 1; d <= EXPLAIN_MAX_DEGREE; d++) {
        char item[48];

        if (r->degree[d] == 0) {
            continue;
        }
        snprintf(item, sizeof(item), "  %" PRIu64 " x %u-way", r->degree[d], d);
        if (used + (int)strlen(item) > COLUMNS) {
            text_add(p->out, "%s        ", used == COLUMNS ? "" : "\n");
            used = 8;
        }
        text_add(p->out, "%s", item);
        used += (int)strlen(item);
    }
    text_add(p->out, "\n");
}

static void print_shared(struct printer *p, const struct explain_launch *l,
                         uint32_t launch)
{
    uint64_t executions = 0, wavefronts = 0, ideal = 0;
    const struct explain_row *r;
    uint32_t pc = 0;

    while ((r = explain_next(l, EXPLAIN_SHARED, &pc)) != NULL) {
        bool bad = r->wavefronts > r->ideal;
        struct smw_inst inst;

        if (executions == 0) {
            text_add(p->out,
                     "  %sshared memory%s\n"
                     "    line  executions  wavefronts       ideal      excess  worst  "
                     "instruction\n",
                     p->bold, p->plain);
        }
        inst_of(p, launch, r->pc, &inst);
        text_add(p->out,
                 "%8u%12" PRIu64 "%12" PRIu64 "%12" PRIu64 "%s%12" PRIu64 "%7u%s  ",
                 inst.ptx_line, r->executions, r->wavefronts, r->ideal,
                 bad ? p->bad : "", r->wavefronts - r->ideal, r->worst,
                 bad ? p->plain : "");
        end_row(p, &inst, 65);
        print_degrees(p, r);
        executions += r->executions;
        wavefronts += r->wavefronts;
        ideal += r->ideal;
    }
    if (executions != 0) {
        text_add(p->out,
                 "     all%12" PRIu64 "%12" PRIu64 "%12" PRIu64 "%12" PRIu64 "\n",
                 executions, wavefronts, ideal, wavefronts - ideal);
    }
}

static void print_sectors(struct printer *p, const struct explain_launch *l,
                          uint32_t launch, uint32_t space)
{
    uint64_t executions = 0, requests = 0, sectors = 0, ideal = 0, lines = 0;
    const struct explain_row *r;
    uint32_t pc = 0;

    while ((r = explain_next(l, space, &pc)) != NULL) {
        bool bad = r->sectors > r->ideal_sectors;
        struct smw_inst inst;

        if (executions == 0) {
            text_add(p->out,
                     "  %s%s memory%s\n"
                     "    line  executions  requests   sectors     ideal   each"
                     "     lines  instruction\n",
                     p->bold, explain_space_name(space), p->plain);
        }
        inst_of(p, launch, r->pc, &inst);
        text_add(p->out,
                 "%8u%12" PRIu64 "%10" PRIu64 "%s%10" PRIu64 "%s%10" PRIu64
                 "%7.2f%10" PRIu64 "  ",
                 inst.ptx_line, r->executions, r->requests, bad ? p->bad : "",
                 r->sectors, bad ? p->plain : "", r->ideal_sectors,
                 r->requests == 0 ? 0 : (double)r->sectors / (double)r->requests,
                 r->lines);
        end_row(p, &inst, 69);
        executions += r->executions;
        requests += r->requests;
        sectors += r->sectors;
        ideal += r->ideal_sectors;
        lines += r->lines;
    }
    if (executions != 0) {
        text_add(p->out,
                 "     all%12" PRIu64 "%10" PRIu64 "%10" PRIu64 "%10" PRIu64
                 "%7.2f%10" PRIu64 "\n",
                 executions, requests, sectors, ideal,
                 requests == 0 ? 0 : (double)sectors / (double)requests, lines);
    }
}

static void print_const(struct printer *p, const struct explain_launch *l,
                        uint32_t launch)
{
    uint64_t executions = 0, addresses = 0;
    const struct explain_row *r;
    uint32_t pc = 0;

    while ((r = explain_next(l, EXPLAIN_CONST, &pc)) != NULL) {
        struct smw_inst inst;

        if (executions == 0) {
            text_add(p->out,
                     "  %sconstant memory%s\n"
                     "    line  executions   addresses    each  instruction\n",
                     p->bold, p->plain);
        }
        inst_of(p, launch, r->pc, &inst);
        text_add(p->out, "%8u%12" PRIu64 "%12" PRIu64 "%8.2f  ", inst.ptx_line,
                 r->executions, r->requests,
                 (double)r->requests / (double)r->executions);
        end_row(p, &inst, 42);
        executions += r->executions;
        addresses += r->requests;
    }
    if (executions != 0) {
        text_add(p->out, "     all%12" PRIu64 "%12" PRIu64 "%8.2f\n", executions,
                 addresses, (double)addresses / (double)executions);
    }
}

/* ---- the worst ---- */

static void shared_cell(struct printer *p, uint32_t lane, const struct mem_planned *c,
                        const struct explain_lane *l)
{
    char bank[16], pass[16];

    snprintf(bank, sizeof(bank), l->first_bank == l->last_bank ? "%u" : "%u-%u",
             l->first_bank, l->last_bank);
    snprintf(pass, sizeof(pass), l->first_pass == l->last_pass ? "%u" : "%u-%u",
             l->first_pass, l->last_pass);
    text_add(p->out, "%4u%7" PRIx64 "%6s%6s", lane, c->addr[lane], bank, pass);
}

static void global_cell(struct printer *p, uint32_t lane, const struct mem_planned *c)
{
    uint64_t sector = c->addr[lane] / MEM_SECTOR;

    text_add(p->out, "%4u%12" PRIx64 "%6u", lane, c->addr[lane],
             (uint32_t)(sector % MEM_SECTORS));
}

/* Lanes side by side, numbered down the columns. */
static void print_lanes(struct printer *p, const struct mem_planned *c)
{
    bool shared = c->space == ISA_SP_SHARED;
    struct explain_lane lane[ISA_LANES];
    const uint32_t rows = ISA_LANES / CELLS;

    if (shared) {
        explain_lanes(p->x, c, lane);
    }
    text_add(p->out, "    %s", p->dim);
    for (uint32_t k = 0; k < CELLS; k++) {
        text_add(p->out, "%s",
                 shared ? "lane   addr  bank  pass" : "lane        addr  sect");
        text_add(p->out, "%s", k + 1 < CELLS ? " " : p->plain);
    }
    text_add(p->out, "\n");
    for (uint32_t i = 0; i < rows; i++) {
        text_add(p->out, "    ");
        for (uint32_t k = 0; k < CELLS; k++) {
            uint32_t l = k * rows + i;

            text_add(p->out, "%s", k == 0 ? "" : " ");
            if ((c->mask >> l & 1u) == 0) {
                text_add(p->out, "%4u%*s", l, shared ? 7 : 12, "-");
                text_add(p->out, "%*s", k + 1 == CELLS ? 0 : shared ? 12 : 6, "");
            } else if (shared) {
                shared_cell(p, l, c, &lane[l]);
            } else {
                global_cell(p, l, c);
            }
        }
        text_add(p->out, "\n");
    }
}

static void print_case(struct printer *p, uint32_t launch, uint32_t space,
                       uint32_t rank, const struct explain_case *c)
{
    const struct mem_planned *q = &c->p;
    struct smw_inst inst;

    inst_of(p, launch, q->pc, &inst);
    text_add(p->out, "  %sworst %s access %u%s: ", p->bold, explain_space_name(space),
             rank, p->plain);
    if (space == EXPLAIN_SHARED) {
        text_add(p->out, "%u wavefronts, ideally %u: %u-way conflict\n", q->wavefronts,
                 q->ideal, q->degree);
    } else {
        text_add(p->out, "%u sectors in %u line%s, ideally %u\n", q->sectors, q->lines,
                 q->lines == 1 ? "" : "s", q->sectors - c->excess);
    }
    text_add(p->out,
             "    block %" PRIu64 ", warp %u, cycle %" PRIu64 ", PTX line %u\n    ",
             q->block, q->block_warp, (uint64_t)q->cycle, inst.ptx_line);
    end_row(p, &inst, 4);
    print_lanes(p, q);
}

/* ---- where warps waited ---- */

enum { PLACES = 6, REASONS = 3 };

/* "long_scoreboard 96 %, wait 4 %": the largest first. */
static void print_reasons(struct printer *p, const struct explain_place *at)
{
    struct stalls left = *at->s;

    left.n[STALL_SELECTED] = 0;
    for (uint32_t r = 0; r < REASONS; r++) {
        uint32_t most = 0;

        for (uint32_t k = 1; k < STALL_N; k++) {
            most = left.n[k] > left.n[most] ? k : most;
        }
        if (left.n[most] * 100 < at->waited) {
            break; /* less than a hundredth */
        }
        text_add(p->out, "%s%s %.0f %%", r == 0 ? "          " : ", ",
                 explain_stall_name(most),
                 100.0 * (double)left.n[most] / (double)at->waited);
        left.n[most] = 0;
    }
    text_add(p->out, "\n");
}

static void print_waits(struct printer *p, uint32_t launch)
{
    struct explain_place at[PLACES];
    uint32_t n = explain_most_waited(p->x, launch, at, PLACES), n_pcs;
    const struct stalls *s = smw_stalls(p->x->device, launch, &n_pcs);
    uint64_t all = 0;

    for (uint32_t pc = 0; s != NULL && pc < n_pcs; pc++) {
        all += explain_waited(&s[pc]);
    }
    if (n != 0) {
        text_add(p->out,
                 "  %swhere warps waited%s\n"
                 "    line   warp-cycles   share  instruction that could not issue\n",
                 p->bold, p->plain);
    }
    for (uint32_t i = 0; i < n; i++) {
        struct smw_inst inst;

        inst_of(p, launch, at[i].pc, &inst);
        text_add(p->out, "%8u%14" PRIu64 "%6.1f %%  ", inst.ptx_line, at[i].waited,
                 100.0 * (double)at[i].waited / (double)all);
        end_row(p, &inst, 32);
        print_reasons(p, &at[i]);
    }
}

/* ---- all ---- */

static void print_launch(struct printer *p, uint32_t i, uint32_t n)
{
    const struct explain_launch *l = explain_of(p->x, i);
    static const uint32_t with_worst[] = {EXPLAIN_SHARED, EXPLAIN_GLOBAL};
    struct smw_result k;

    if (!smw_result(p->x->device, i, &k)) {
        return;
    }
    text_add(p->out, "\n%sexplain: %s%s", p->bold, k.kernel, p->plain);
    if (n > 1) {
        text_add(p->out, " (launch %u of %u)", i + 1, n);
    }
    text_add(p->out, "%s\n", l->n_rows == 0 ? ": no memory instructions" : "");
    print_shared(p, l, i);
    print_sectors(p, l, i, EXPLAIN_GLOBAL);
    print_sectors(p, l, i, EXPLAIN_LOCAL);
    print_const(p, l, i);
    print_waits(p, i);
    advice_text(p->advice, i, p->bold[0] != '\0', p->out);
    for (uint32_t s = 0; s < ARRAY_LEN(with_worst); s++) {
        const struct explain_worst *w = &l->worst[with_worst[s]];

        for (uint32_t c = 0; c < w->n; c++) {
            print_case(p, i, with_worst[s], c + 1, &w->at[c]);
        }
    }
}

void explain_text(const struct explain *x, const struct advice *a,
                  const char *module_path, bool color, struct text *out)
{
    struct printer p = {.x = x,
                        .advice = a,
                        .source.module_path = module_path,
                        .out = out};
    uint32_t n = smw_results(x->device);

    p.bold = color ? "\033[1m" : "";
    p.dim = color ? "\033[2m" : "";
    p.bad = color ? "\033[31m" : "";
    p.plain = color ? "\033[0m" : "";
    for (uint32_t i = 0; i < n; i++) {
        print_launch(&p, i, n);
    }
    source_free(&p.source);
}
