#include "model_tables.h"

/* A number of the table or, where nothing was measured, a dash. */
struct cell {
    double value;
    int digits; /* after the point */
    bool known;
};

enum { CELLS = 10 };

static const struct {
    const char *above, *below; /* the heading, in two lines */
    const char *title;         /* and in one */
    int width;
} columns[CELLS] = {
    {"M thread", "insts/s", "M thread insts/s", 9},
    {"M warp", "insts/s", "M warp insts/s", 8},
    {"M", "cycles/s", "M cycles/s", 8},
    {"ns/warp", "best", "ns per warp inst, best", 8},
    {"ns/warp", "median", "median", 8},
    {"wakes/", "warp", "wakes per warp inst", 7},
    {"host", "insts/warp", "host insts per warp inst", 10},
    {"peak", "MB", "peak MB", 7},
    {"buffers", "MB", "of it buffers", 8},
    {"start", "ms", "start ms", 7},
};

enum { NAME_WIDTH = 22 };

static void cells_of(const struct measured *m, struct cell *cells)
{
    double warp = (double)m->warp_insts;
    const struct cell all[CELLS] = {
        {(double)m->thread_insts / m->median / 1e6, 1, true},
        {warp / m->median / 1e6, 2, true},
        {(double)m->cycles / m->median / 1e6, 2, true},
        {m->best / warp * 1e9, 0, true},
        {m->median / warp * 1e9, 0, true},
        {(double)m->activations / warp, 2, true},
        {(double)m->host_insts / warp, 0, m->host_insts != 0},
        {(double)m->peak / 1e6, 1, m->peak != 0},
        {(double)m->buffers / 1e6, 1, true},
        {m->startup * 1e3, 2, true},
    };

    for (int i = 0; i < CELLS; i++) {
        cells[i] = all[i];
    }
}

void table_head(bool markdown)
{
    if (markdown) {
        printf("| row |");
        for (int i = 0; i < CELLS; i++) {
            printf(" %s |", columns[i].title);
        }
        printf("\n|---|");
        for (int i = 0; i < CELLS; i++) {
            printf("---:|");
        }
        printf("\n");
        return;
    }
    printf("%-*s", NAME_WIDTH, "no waveforms,");
    for (int i = 0; i < CELLS; i++) {
        printf(" %*s", columns[i].width, columns[i].above);
    }
    printf("\n%-*s", NAME_WIDTH, "fast checks");
    for (int i = 0; i < CELLS; i++) {
        printf(" %*s", columns[i].width, columns[i].below);
    }
    printf("\n");
}

void table_row(const struct row *r, const struct measured *m, bool markdown)
{
    struct cell cells[CELLS];

    cells_of(m, cells);
    printf(markdown ? "| `%s` |" : "%-22s", r->name);
    for (int i = 0; i < CELLS; i++) {
        int width = markdown ? 0 : columns[i].width;

        if (cells[i].known) {
            printf(" %*.*f", width, cells[i].digits, cells[i].value);
        } else {
            printf(" %*s", width, "-");
        }
        printf(markdown ? " |" : "");
    }
    printf("\n");
    fflush(stdout);
}

bool history_add(FILE *f, const char *label, const struct row *r,
                 const struct measured *m)
{
    if (fseek(f, 0, SEEK_END) == 0 && ftell(f) == 0) {
        fprintf(f, "label,row,warp_insts,thread_insts,cycles,activations,best_seconds,"
                   "median_seconds,startup_seconds,peak_bytes,host_insts\n");
    }
    fprintf(f, "%s,%s,%llu,%llu,%llu,%llu,%.6f,%.6f,%.6f,%llu,", label, r->name,
            (unsigned long long)m->warp_insts, (unsigned long long)m->thread_insts,
            (unsigned long long)m->cycles, (unsigned long long)m->activations, m->best,
            m->median, m->startup, (unsigned long long)m->peak);
    if (m->host_insts != 0) {
        fprintf(f, "%llu", (unsigned long long)m->host_insts);
    }
    return fputc('\n', f) != EOF && fflush(f) == 0;
}
