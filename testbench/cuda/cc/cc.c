/* cc.c - the command, from its words to its exit code. */
#include "cc/cc.h"

#include "io/diag.h"
#include "smwave.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The words that build systems look for stand in what nvcc prints. */
static void print_version(void)
{
    printf("smwave cc %s, in the place of nvcc: NVIDIA (R) Cuda compiler driver\n"
           "CUDA C++ for the modelled GPU, compiled by clang; made for programs of\n"
           "Cuda compilation tools, release %s, V%s.0\n",
           smw_version(), CC_CUDA_RELEASE, CC_CUDA_RELEASE);
}

static void print_help(void)
{
    struct text t = {0};

    text_add(
        &t,
        "Usage: smwave cc [OPTION...] FILE...\n"
        "Compile CUDA C++ with clang, without a toolkit, to programs that run on the\n"
        "modelled GPU. Options are nvcc's:\n\n");
    cc_options_help(&t);
    text_add(&t, "\nSMWAVE_CLANG names the clang to use. Other options of nvcc are "
                 "accepted where they\nhave nothing to do here; -v says why.\n");
    fputs(t.s, stdout);
    text_free(&t);
}

static void print_targets(void)
{
    static const uint32_t known[] = {20, 21, 30,  32,  35,  37,  50, 52, 53,
                                     60, 61, 62,  70,  72,  75,  80, 86, 87,
                                     89, 90, 100, 101, 103, 120, 121};

    for (uint32_t i = 0; i < ARRAY_LEN(known); i++) {
        printf("compute_%u\n", (unsigned)known[i]);
    }
}

/* A folder for the files in between; the caller frees. NULL and *e: there is none. */
static char *make_dir(const struct cc_options *o, struct smw_err *e)
{
    const char *tmp = getenv("TMPDIR");
    char *dir;

    if (o->keep) {
        return tb_strdup(o->keep_dir != NULL ? o->keep_dir : ".");
    }
    dir = tb_printf("%s/smwave-cc-XXXXXX", tmp != NULL && *tmp != '\0' ? tmp : "/tmp");
    if (!o->dry && mkdtemp(dir) == NULL) {
        err_set(e, SMW_ERR_IO, "%s: no folder for files in between can be made", dir);
        free(dir);
        return NULL;
    }
    return dir;
}

/* What is the same to the linker, for build systems that link by themselves: they take
 * the first word and the folders from the line with LIBRARIES. */
static void print_link(const struct cc_options *o, const struct cc_tools *t)
{
    if (o->mode == CC_LINK) {
        fprintf(stderr,
                "#$ \"%s/bin/nvcc\" \"-L%s/lib64\" -lcudadevrt -lcudart_static\n",
                t->root, t->root);
    }
}

static int compile(const struct cc_options *o, const struct cc_tools *t)
{
    struct smw_err e = {0};
    struct cc_plan p = {0};
    char *dir = make_dir(o, &e);
    int code;

    if (dir == NULL || !cc_plan_make(&p, o, t, dir, &e)) {
        code = (int)diag_error(&e);
    } else {
        if (o->verbose || o->dry) {
            cc_plan_environment(t, stderr);
            for (uint32_t i = 0; i < o->n_targets; i++) {
                fprintf(stderr, "#$ PTX=-arch compute_%u\n",
                        (unsigned)o->target[i].number);
            }
            for (uint32_t i = 0; i < o->notes.n; i++) {
                fprintf(stderr, "#$ note: %s\n", o->notes.w[i]);
            }
        }
        code = cc_run(&p, o);
        if (code == 0 && (o->verbose || o->dry)) {
            print_link(o, t);
        }
    }
    if (dir != NULL && !o->keep && !o->dry) {
        rmdir(dir);
    }
    cc_plan_free(&p);
    free(dir);
    return code;
}

int cc_main(int argc, char *const *argv)
{
    struct smw_err e = {0};
    struct cc_options o = {0};
    struct cc_tools t = {0};
    int code = TB_OK;

    t.root = cc_find_root(&e);
    if (!cc_options_read(&o, argc - 1, argv + 1, t.root,
                         t.root == NULL ? &(struct smw_err){0} : &e)) {
        code = (int)diag_error(&e);
    } else if (o.mode == CC_VERSION) {
        print_version();
    } else if (o.mode == CC_HELP) {
        print_help();
    } else if (o.mode == CC_LIST_TARGETS) {
        print_targets();
    } else if (t.root == NULL || !cc_find_clang(&t, &e)) {
        code = (int)diag_error(&e);
    } else {
        code = compile(&o, &t);
    }
    cc_options_free(&o);
    cc_tools_free(&t);
    return code;
}
