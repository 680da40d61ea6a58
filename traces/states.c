/*
 * Translate files: the names of a state probe's values, in the colours of their
 * meaning, and the instructions by pc. GTKWave compares the value as it prints it: all
 * bits, in binary; all digits, in hex.
 */
#include "wave_priv.h"

#include "part.h"
#include <errno.h>
#include <string.h>

/* What a word means to the eye. X11 names; white text must stay readable on them. */
static const struct {
    const char *word, *colour;
    char letter; /* in diagrams of pipelines; 0: it has none */
} meaning[] = {
    {"idle", "gray25", '-'},
    {"free", "gray25", 0},
    {"off", "gray25", 0},
    {"done", "gray25", 0},
    {"ready", "dark green", 'R'},
    {"issue", "green3", 'I'},
    {"run", "dark green", 0},
    {"hit", "dark green", 0},
    {"operand", "goldenrod4", 'X'},
    {"shared", "DeepSkyBlue4", 'S'},
    {"shared_conflict", "DeepPink3", 'K'},
    {"global", "blue3", 'G'},
    {"local", "sienna4", 'L'},
    {"constant", "DarkOliveGreen4", 'N'},
    {"wait", "blue3", 0},
    {"barrier", "dark orange", 'B'},
    {"fence", "purple3", 'F'},
    {"async", "SteelBlue4", 'A'},
    {"control", "turquoise4", 'C'},
    {"fault", "red3", '!'},
    {"conflict", "red3", 0},
    {"miss", "red3", 0},
    {"load", "RoyalBlue3", 0},
    {"store", "DarkOrange3", 0},
    {"atom", "magenta4", 0},
    {"red", "maroon4", 0},
};

/* Index of its meaning, ARRAY_LEN(meaning): none. */
static size_t find(const char *word)
{
    size_t i = 0;

    while (i < ARRAY_LEN(meaning) && strcmp(word, meaning[i].word) != 0) {
        i++;
    }
    return i;
}

/* "load_conflict" has no meaning of its own: a conflict. */
static size_t meaning_of(const char *word)
{
    const char *tail = strrchr(word, '_');
    size_t i = find(word);

    return i == ARRAY_LEN(meaning) && tail != NULL ? find(tail + 1) : i;
}

static const char *colour_of(const char *word)
{
    size_t i = meaning_of(word);

    return i < ARRAY_LEN(meaning) ? meaning[i].colour : NULL;
}

static char letter_of(const char *word)
{
    size_t i = meaning_of(word);

    return i < ARRAY_LEN(meaning) ? meaning[i].letter : '\0';
}

/* ---- which files ---- */

/* "state_bank.txt" for smem.bank07.op; the probe's name too if that is taken. */
static const char *file_name(const struct wave *w, const struct sim_probe *p)
{
    size_t n = strlen(p->module->name);
    struct arena *a = sim_arena(w->sim);
    const char *name;

    while (n > 1 && p->module->name[n - 1] >= '0' && p->module->name[n - 1] <= '9') {
        n--;
    }
    name = arena_printf(a, "state_%.*s.txt", (int)n, p->module->name);
    for (uint32_t i = 0; i < w->n_tables; i++) {
        if (strcmp(w->table[i].file, name) == 0) {
            return arena_printf(a, "state_%.*s_%s_%u.txt", (int)n, p->module->name,
                                p->desc->name, (unsigned)w->n_tables);
        }
    }
    return name;
}

/* The table with a letter per word, if all have one: "stage_warp.txt". */
static const char *stages_name(const struct wave *w, const struct wave_table *t)
{
    for (uint32_t i = 0; i < t->desc->n_names; i++) {
        if (letter_of(t->desc->names[i]) == '\0') {
            return NULL;
        }
    }
    return arena_printf(sim_arena(w->sim), "stage_%s", strchr(t->file, '_') + 1);
}

uint32_t wave_table_of(struct wave *w, const struct sim_probe *p)
{
    for (uint32_t i = 0; i < w->n_tables; i++) {
        const struct sim_probe_desc *d = w->table[i].desc;

        if (d->names == p->desc->names && d->n_names == p->desc->n_names &&
            d->width == p->desc->width) {
            return i;
        }
    }
    w->table[w->n_tables].desc = p->desc;
    w->table[w->n_tables].file = file_name(w, p);
    w->table[w->n_tables].stages = stages_name(w, &w->table[w->n_tables]);
    return w->n_tables++;
}

/* ---- writing ---- */

static void write_bits(FILE *f, uint64_t value, uint32_t width)
{
    for (uint32_t b = width; b-- > 0;) {
        putc((int)('0' + (value >> b & 1u)), f);
    }
}

static void write_table(FILE *f, const struct sim_probe_desc *d, bool letters)
{
    fprintf(f, "# %s: %s\n", d->name, d->doc != NULL ? d->doc : "states");
    for (uint32_t v = 0; v < d->n_names; v++) {
        const char *colour = colour_of(d->names[v]);

        write_bits(f, v, d->width);
        fprintf(f, colour != NULL ? " ?%s?" : " %s", colour != NULL ? colour : "");
        if (letters) {
            fprintf(f, "%c\n", letter_of(d->names[v]));
        } else {
            fprintf(f, "%s\n", d->names[v]);
        }
    }
    for (uint32_t b = 0; b < d->width; b++) {
        putc('x', f);
    }
    fprintf(f, " not traced\n");
}

static void write_code(FILE *f, const struct wave *w)
{
    fprintf(f, "# pc: the instruction there, and its source line\n");
    for (uint32_t pc = 0; pc < w->cfg.n_code; pc++) {
        if (w->cfg.code[pc] != NULL) {
            fprintf(f, "%08x %s\n", (unsigned)pc, w->cfg.code[pc]);
        }
    }
    fprintf(f, "xxxxxxxx not traced\n");
}

const char *wave_code_file(const struct wave *w)
{
    const char *dump = wave_base_name(w->cfg.path);
    size_t n = view_code_path(dump, NULL, 0) + 1;
    char *name = arena_alloc(sim_arena(w->sim), n);

    view_code_path(dump, name, n);
    return name;
}

/* table NULL: the instructions. */
static int write_file(const struct wave *w, const char *name,
                      const struct sim_probe_desc *table, bool letters)
{
    size_t dir = (size_t)(wave_base_name(w->cfg.gtkw_path) - w->cfg.gtkw_path);
    const char *path =
        arena_printf(sim_arena(w->sim), "%.*s%s", (int)dir, w->cfg.gtkw_path, name);
    struct part p;
    FILE *f = part_open(&p, path);

    if (f == NULL) {
        return errno;
    }
    if (table != NULL) {
        write_table(f, table, letters);
    } else {
        write_code(f, w);
    }
    return part_close(&p, 0);
}

bool wave_code(struct wave *w, const char *const *code, uint32_t n)
{
    int error = 0;

    if (w->cfg.gtkw_path == NULL || w->cfg.n_code == 0 || n == 0) {
        return true;
    }
    w->cfg.code = code;
    w->cfg.n_code = n;
    error = write_file(w, wave_code_file(w), NULL, false);
    w->cfg.code = NULL;
    return error == 0;
}

int wave_tables_write(const struct wave *w)
{
    int error = 0;

    for (uint32_t i = 0; i < w->n_tables && error == 0; i++) {
        error = write_file(w, w->table[i].file, w->table[i].desc, false);
        if (error == 0 && w->table[i].stages != NULL) {
            error = write_file(w, w->table[i].stages, w->table[i].desc, true);
        }
    }
    if (error == 0 && w->cfg.n_code > 0) {
        error = write_file(w, wave_code_file(w), NULL, false);
    }
    return error;
}
