/*
 * Translate files for GTKWave and mapping files for Surfer: the names of a state
 * probe's values, in the colours of their meaning, and the instructions by pc. GTKWave
 * compares the value as it prints it: all bits, in binary; all digits, in hex. Surfer
 * finds its files in .surfer/mappings of the directory that it is started in.
 */
#include "wave_priv.h"

#include "part.h"
#include "view_priv.h"
#include <errno.h>
#include <string.h>

/* What a word means to the eye. X11 names, and the same in numbers for Surfer; white
 * text must stay readable on them. */
static const struct {
    const char *word, *colour, *rgb;
    char letter; /* in diagrams of pipelines; 0: it has none */
} meaning[] = {
    {"idle", "gray25", "404040", '-'},
    {"free", "gray25", "404040", 0},
    {"off", "gray25", "404040", 0},
    {"done", "gray25", "404040", 0},
    {"ready", "dark green", "006400", 'R'},
    {"issue", "green3", "00cd00", 'I'},
    {"run", "dark green", "006400", 0},
    {"hit", "dark green", "006400", 0},
    {"operand", "goldenrod4", "8b6914", 'X'},
    {"shared", "DeepSkyBlue4", "00688b", 'S'},
    {"shared_conflict", "DeepPink3", "cd1076", 'K'},
    {"global", "blue3", "0000cd", 'G'},
    {"local", "sienna4", "8b4726", 'L'},
    {"constant", "DarkOliveGreen4", "6e8b3d", 'N'},
    {"wait", "blue3", "0000cd", 0},
    {"barrier", "dark orange", "ff8c00", 'B'},
    {"fence", "purple3", "7d26cd", 'F'},
    {"async", "SteelBlue4", "36648b", 'A'},
    {"control", "turquoise4", "00868b", 'C'},
    {"fault", "red3", "cd0000", '!'},
    {"conflict", "red3", "cd0000", 0},
    {"miss", "red3", "cd0000", 0},
    {"load", "RoyalBlue3", "3a5fcd", 0},
    {"store", "DarkOrange3", "cd6600", 0},
    {"atom", "magenta4", "8b008b", 0},
    {"red", "maroon4", "8b1c62", 0},
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

static const char *rgb_of(const char *word)
{
    size_t i = meaning_of(word);

    return i < ARRAY_LEN(meaning) ? meaning[i].rgb : NULL;
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

static void write_code(FILE *f, const struct wave *w, const char *before)
{
    for (uint32_t pc = 0; pc < w->cfg.n_code; pc++) {
        if (w->cfg.code[pc] != NULL) {
            fprintf(f, "%s%08x %s\n", before, (unsigned)pc, w->cfg.code[pc]);
        }
    }
}

static void write_translation(FILE *f, const struct wave *w,
                              const struct sim_probe_desc *table, bool letters)
{
    if (table != NULL) {
        write_table(f, table, letters);
        return;
    }
    fprintf(f, "# pc: the instruction there, and its source line\n");
    write_code(f, w, "");
    fprintf(f, "xxxxxxxx not traced\n");
}

/* The same for Surfer: a name, how many bits, and a line per value. */
static void write_mapping(FILE *f, const struct wave *w, const char *name,
                          const struct sim_probe_desc *d, bool letters)
{
    uint32_t bits = d != NULL ? d->width : 32;

    fprintf(f, "Name = " VIEW_MAPPING_NAME "\nBits = %u\n", view_mapping_length(name),
            name, (unsigned)bits);
    for (uint32_t v = 0; d != NULL && v < d->n_names; v++) {
        const char *rgb = rgb_of(d->names[v]);
        char letter[2] = {letter_of(d->names[v]), '\0'};

        fprintf(f, "%u", (unsigned)v);
        if (rgb != NULL) {
            fprintf(f, "[#%s]", rgb);
        }
        fprintf(f, " %s\n", letters ? letter : d->names[v]);
    }
    if (d == NULL) {
        write_code(f, w, "0x");
    }
    fprintf(f, "0b");
    for (uint32_t b = 0; b < bits; b++) {
        putc('x', f);
    }
    fprintf(f, "[undef] not traced\n");
}

const char *wave_code_file(const struct wave *w)
{
    const char *dump = wave_base_name(w->cfg.path);
    size_t n = view_code_path(dump, NULL, 0) + 1;
    char *name = arena_alloc(sim_arena(w->sim), n);

    view_code_path(dump, name, n);
    return name;
}

/* Of the mapping file, in directories made for it; NULL with errno. */
static const char *mapping_path(const struct wave *w, const char *name)
{
    size_t dir = (size_t)(wave_base_name(w->cfg.gtkw_path) - w->cfg.gtkw_path);
    struct arena *a = sim_arena(w->sim);
    const char *top = arena_printf(a, "%.*s.surfer", (int)dir, w->cfg.gtkw_path);
    const char *path = arena_printf(a, "%s/mappings", top);

    return part_directory(top) && part_directory(path)
               ? arena_printf(a, "%s/%.*s.map", path, view_mapping_length(name), name)
               : NULL;
}

/* Both files. table NULL: the instructions. */
static int write_files(const struct wave *w, const char *name,
                       const struct sim_probe_desc *table, bool letters)
{
    size_t dir = (size_t)(wave_base_name(w->cfg.gtkw_path) - w->cfg.gtkw_path);
    const char *path =
        arena_printf(sim_arena(w->sim), "%.*s%s", (int)dir, w->cfg.gtkw_path, name);
    const char *mapping = mapping_path(w, name);
    struct part p;
    FILE *f = mapping != NULL ? part_open(&p, path) : NULL;
    int error;

    if (f == NULL) {
        return errno;
    }
    write_translation(f, w, table, letters);
    error = part_close(&p, 0);
    f = error == 0 ? part_open(&p, mapping) : NULL;
    if (f == NULL) {
        return error != 0 ? error : errno;
    }
    write_mapping(f, w, name, table, letters);
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
    error = write_files(w, wave_code_file(w), NULL, false);
    w->cfg.code = NULL;
    return error == 0;
}

int wave_tables_write(const struct wave *w)
{
    int error = 0;

    for (uint32_t i = 0; i < w->n_tables && error == 0; i++) {
        error = write_files(w, w->table[i].file, w->table[i].desc, false);
        if (error == 0 && w->table[i].stages != NULL) {
            error = write_files(w, w->table[i].stages, w->table[i].desc, true);
        }
    }
    if (error == 0 && w->cfg.n_code > 0) {
        error = write_files(w, wave_code_file(w), NULL, false);
    }
    return error;
}
