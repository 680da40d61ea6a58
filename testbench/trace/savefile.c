#include "trace/savefile.h"

#include "base/arena.h"
#include "io/file.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SAVE = 64 << 20 /* bytes of a save file */ };

struct names { /* as GTKWave's loader has them, sorted */
    struct arena arena;
    const char **name;
    uint32_t n;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void collect(struct names *names, const struct reader *r)
{
    char path[READER_MAX_PATH];

    arena_init(&names->arena);
    names->n = reader_vars(r);
    names->name = arena_alloc(&names->arena, (names->n + (size_t)1) * sizeof(char *));
    for (uint32_t i = 0; i < names->n; i++) {
        const struct reader_var *v = reader_var(r, i);

        reader_path(r, v, path, sizeof(path));
        names->name[i] =
            v->kind == READER_WIRE && v->width > 1
                ? arena_printf(&names->arena, "%s[%u:0]", path, (unsigned)v->width - 1)
                : arena_strdup(&names->arena, path);
    }
    qsort(names->name, names->n, sizeof(names->name[0]), by_name);
}

static bool has(const struct names *names, const char *name)
{
    return bsearch(&name, names->name, names->n, sizeof(names->name[0]), by_name) !=
           NULL;
}

/* A row of one variable; "(2)gpu.mask[3:0]" is a bit of one. */
static bool check_name(const struct names *names, char *name, struct smw_err *e)
{
    if (name[0] == '(') {
        name += strcspn(name, ")");
        name += name[0] == ')';
    }
    return strchr(name, '*') != NULL /* a pattern: whatever it finds */ ||
           has(names, name) ||
           err_set(e, SMW_ERR_INPUT, "the dump has no variable %.200s", name);
}

/* "#{busy[1:0]} gpu.bank01.busy gpu.bank00.busy" */
static bool check_vector(const struct names *names, char *line, struct smw_err *e)
{
    char *parts = strstr(line, "} ");
    bool ok = true;

    for (char *name = parts != NULL ? strtok(parts + 2, " ") : NULL; ok && name != NULL;
         name = strtok(NULL, " ")) {
        ok = check_name(names, name, e);
    }
    return ok;
}

/* "^1 state_warp.txt"; programs are not looked for. */
static bool check_filter(const char *save, const char *line, struct smw_err *e)
{
    const char *name = strchr(line, ' ');
    bool found;
    char *path;

    if (name == NULL || line[1] < '0' || line[1] > '9' || strcmp(line, "^0") == 0) {
        return true;
    }
    path = file_relative(save, name + 1);
    found = access(path, R_OK) == 0;
    free(path);
    return found ||
           err_set(e, SMW_ERR_INPUT, "there is no translate file %.200s", name + 1);
}

static bool check_line(const struct names *names, const char *save, char *line,
                       uint32_t *rows, struct smw_err *e)
{
    char *name = line;

    switch (line[0]) {
    case '\0':
    case '[':
    case '*':
    case '@':
    case '>': return true;
    case '^': return check_filter(save, line, e);
    case '-': (*rows)++; return true;
    case '#': (*rows)++; return check_vector(names, line, e);
    case '+':
        name = strstr(line, "} ");
        name = name != NULL ? name + 2 : line;
        break;
    default: break;
    }
    (*rows)++;
    return check_name(names, name, e);
}

bool savefile_check(const char *path, const struct reader *r, uint32_t *rows,
                    struct smw_err *e)
{
    size_t size = 0;
    char *text = file_read(path, MAX_SAVE, &size, SMW_ERR_IO, e);
    struct names names;
    uint32_t number = 0;
    bool ok = text != NULL;

    *rows = 0;
    if (!ok) {
        return false;
    }
    collect(&names, r);
    for (char *line = text; ok && line != NULL;) {
        char *next = strchr(line, '\n');

        if (next != NULL) {
            *next++ = '\0';
        }
        number++;
        ok = check_line(&names, path, line, rows, e);
        line = next;
    }
    if (!ok) {
        err_at(e, path, NULL, number, 1, 0);
    }
    arena_free(&names.arena);
    free(text);
    return ok;
}

bool savefile_is_of(const char *path, const char *dump, struct smw_err *e)
{
    static const char key[] = "[dumpfile] \"";
    size_t size = 0, n = strlen(dump);
    char *text = file_read(path, MAX_SAVE, &size, SMW_ERR_IO, e);
    const char *at = text != NULL ? strstr(text, key) : NULL;
    bool is;

    at = at != NULL ? at + strlen(key) : NULL;
    is = at != NULL && strncmp(at, dump, n) == 0 && at[n] == '"';
    free(text);
    return is;
}
