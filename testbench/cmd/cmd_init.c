/* cmd_init.c - "smwave init": a launch file for a kernel, to begin with. */
#include "cmd/commands.h"
#include "io/cli.h"

#include "io/file.h"
#include "run/init_file.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct options {
    const char *file, *kernel, *output;
    bool force, quiet;
};

enum { OPT_FORCE = 256 };

static const struct argp_option option_table[] = {
    {"output", 'o', "FILE", 0,
     "write FILE (default: KERNEL.yml), or - for standard output", 0},
    {"force", OPT_FORCE, NULL, 0, "replace a file that is there", 0},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case 'o': o->output = arg; return 0;
    case OPT_FORCE: o->force = true; return 0;
    case ARGP_KEY_ARG:
        if (o->kernel != NULL) {
            argp_error(state, "'%s' is one word too many", arg);
        }
        *(o->file == NULL ? &o->file : &o->kernel) = arg;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "the PTX file is missing"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp init_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "FILE.ptx [KERNEL]",
    .doc =
        "Write a launch file for a kernel: a buffer for each pointer, a number for "
        "each scalar, a grid and a block, guessed from the PTX. Its comments say what "
        "is a guess; 'smwave run KERNEL.yml' runs it.",
};

/* ---- the module, as seen from the launch file ---- */

/* The directory of a file that need not exist, without links; the caller frees. NULL: it
 * does not exist either. */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *dir = slash == NULL
                    ? tb_strdup(".")
                    : tb_printf("%.*s", slash == path ? 1 : (int)(slash - path), path);
    char *real = realpath(dir, NULL);

    free(dir);
    return real;
}

static const char *behind_last_slash(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

/* From one real directory to another: "../a/b/", "" if they are the same. */
static char *way(const char *from, const char *to)
{
    struct text t = {0};
    size_t same = 0, i = 0;

    while (from[i] != '\0' && from[i] == to[i]) {
        i++;
        if ((from[i] == '/' || from[i] == '\0') && (to[i] == '/' || to[i] == '\0')) {
            same = i;
        }
    }
    from += from[same] == '/' ? same + 1 : same;
    to += to[same] == '/' ? same + 1 : same;
    text_add(&t, "%s", "");
    while (*from != '\0') {
        text_add(&t, "../");
        from += strcspn(from, "/");
        from += *from == '/';
    }
    text_add(&t, "%s%s", to, *to == '\0' ? "" : "/");
    return t.s;
}

/* The caller frees. */
static char *module_path(const char *ptx, const char *output)
{
    char *from = directory_of(output), *to = directory_of(ptx);
    char *path;

    if (from == NULL || to == NULL || ptx[0] == '/') {
        path = tb_strdup(ptx);
    } else {
        char *dir = way(strcmp(from, "/") == 0 ? "" : from, to);

        path = tb_printf("%s%s", dir, behind_last_slash(ptx));
        free(dir);
    }
    free(from);
    free(to);
    return path;
}

/* ---- writing ---- */

static bool may_write(const struct options *o, const char *path, struct smw_err *e)
{
    struct stat st;

    if (o->force || lstat(path, &st) != 0) {
        return true;
    }
    err_set(e, SMW_ERR_IO, "%s exists", path);
    err_hint(e, "--force replaces it, -o names another file");
    return false;
}

static bool write_to(const struct options *o, const struct ptx_module *m,
                     const struct ptx_kernel *k, const char *path, struct smw_err *e)
{
    char *module = module_path(o->file, path);
    struct text t = {0};
    bool ok;

    if (!may_write(o, path, e)) {
        free(module);
        return false;
    }
    init_write(&t, m, k, module, path);
    ok = text_write(NULL, path, &t, e); /* which frees it */
    if (ok && !o->quiet) {
        printf("%s: a launch file for %s; 'smwave run %s' runs it\n", path,
               k->base_name, path);
    }
    free(module);
    return ok;
}

static void print(const struct options *o, const struct ptx_module *m,
                  const struct ptx_kernel *k)
{
    char *name = init_name(k);
    char *module = module_path(o->file, name);
    struct text t = {0};

    init_write(&t, m, k, module, name);
    fputs(t.s, stdout);
    text_free(&t);
    free(module);
    free(name);
}

/* The error of a kernel that was not found; without a name, those there are. */
static int refuse_kernel(const struct options *o, const struct ptx_module *m,
                         const struct smw_err *e)
{
    int code = (int)diag_error(e);

    if (m != NULL && o->kernel == NULL && m->n_kernels > 1) {
        for (uint32_t i = 0; i < m->n_kernels; i++) {
            fputs("    ", stderr);
            diag_text(stderr, init_kernel_name(m, &m->kernels[i]));
            fputs("\n", stderr);
        }
    }
    return code;
}

int cmd_init(int argc, char **argv)
{
    struct options o = {0};
    struct smw_err e = {0};
    const struct ptx_kernel *k = NULL;
    struct ptx_module *m;
    char *path;
    bool ok;

    o.quiet = cli_parse(&init_argp, argc, argv, &o).quiet;
    m = init_read(o.file, &e);
    k = m == NULL ? NULL : init_kernel(m, o.file, o.kernel, &e);
    if (k == NULL) {
        int code = refuse_kernel(&o, m, &e);

        ptx_free(m);
        return code;
    }
    if (o.output != NULL && strcmp(o.output, "-") == 0) {
        print(&o, m, k);
        ok = true;
    } else {
        path = o.output != NULL ? tb_strdup(o.output) : init_name(k);
        ok = write_to(&o, m, k, path, &e);
        free(path);
    }
    ptx_free(m);
    return ok ? TB_OK : (int)diag_error(&e);
}
