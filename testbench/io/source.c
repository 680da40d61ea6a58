#include "io/source.h"

#include "io/file.h"
#include <stdlib.h>
#include <string.h>

/* A module of somebody else does not get to show what is no source. */
static bool is_source(const char *file)
{
    static const char *const endings[] = {".cu",  ".cuh", ".c",   ".cc",  ".cpp",
                                          ".cxx", ".h",   ".hh",  ".hpp", ".hxx",
                                          ".inl", ".inc", ".ptx", ".cl"};

    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        if (file_ends(file, endings[i])) {
            return true;
        }
    }
    return false;
}

/* The file a .loc names: where it says, or beside the PTX. NULL: not there. */
static char *read_source(const struct source *s, const char *file)
{
    const char *slash = strrchr(file, '/');
    char *path = file_relative(s->module_path, file);
    struct smw_err ignored = {0};
    size_t size = 0;
    char *text = file_read(path, UINT64_C(1) << 24, &size, SMW_ERR_IO, &ignored);

    free(path);
    if (text == NULL && slash != NULL) {
        path = file_relative(s->module_path, slash + 1);
        err_clear(&ignored);
        text = file_read(path, UINT64_C(1) << 24, &size, SMW_ERR_IO, &ignored);
        free(path);
    }
    return text;
}

void source_line(struct source *s, const char *file, uint32_t n, char *buf, size_t size)
{
    const char *at;
    size_t length;

    buf[0] = '\0';
    if (s->name == NULL || strcmp(s->name, file) != 0) {
        source_free(s);
        s->text = is_source(file) ? read_source(s, file) : NULL;
        s->name = tb_strdup(file);
    }
    at = s->text;
    for (uint32_t i = 1; at != NULL && i < n; i++) {
        at = strchr(at, '\n');
        at = at == NULL ? NULL : at + 1;
    }
    if (at == NULL) {
        return;
    }
    at += strspn(at, " \t");
    length = strcspn(at, "\r\n");
    snprintf(buf, size, "%.*s", (int)length, at);
    for (char *c = buf; *c != '\0'; c++) {
        *c = (unsigned char)*c < ' ' ? ' ' : *c; /* a tab; nothing a terminal obeys */
    }
}

void source_free(struct source *s)
{
    free(s->text);
    free(s->name);
    s->text = s->name = NULL;
}
