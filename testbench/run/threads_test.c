/* Nothing is global: different simulations run in four threads at once, some of them
 * with a waveform, one with a fault, and each leaves what it leaves when it runs alone:
 * memory, counters, times, text, files. Under ThreadSanitizer this is also the proof
 * that they share nothing that is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/observe.h"
#include "io/file.h"
#include "run/host.h"
#include "run/team.h"
#include "wave.h"
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef SMW_GOLDEN
#error "SMW_GOLDEN names the folder of the black-box tests"
#endif

enum { N_JOBS = 8, N_THREADS = 4, N_ROUNDS = 2, N_SHARED = 6, MAX_LAUNCHES = 8 };

static const struct job {
    const char *file, *preset;
    uint64_t shuffle;
    const char *scope; /* of its waveform; NULL: none */
    bool fails;        /* the kernel is at fault */
} jobs[N_JOBS] = {
    {FILE_BUILTIN "launches/reverse.yml", "gtx480", 0, "*", false},
    {FILE_BUILTIN "launches/reduction-small.yml", "k20x", 0, NULL, false},
    {SMW_GOLDEN "/kernels/matmul.yml", "8800gtx", 0, "gpu.sm0.*", false},
    {SMW_GOLDEN "/kernels/histogram.yml", "mean", 7, NULL, false},
    {SMW_GOLDEN "/kernels/printf.yml", "gtx480", 0, NULL, false},
    {SMW_GOLDEN "/faults/bounds.yml", "gtx480", 0, "gpu.sm0.*", true},
    {SMW_GOLDEN "/kernels/double_math.yml", "h100", 0, NULL, false},
    {SMW_GOLDEN "/kernels/last_block.yml", "tiny", 0, "*", false},
};

/* Whose SMs several threads compute. */
static const struct job shared[N_SHARED] = {
    {FILE_BUILTIN "launches/reverse.yml", "k20x", 0, NULL, false},
    {FILE_BUILTIN "launches/reduction-small.yml", "gtx480", 0, NULL, false},
    {FILE_BUILTIN "launches/reduction-small.yml", "8800gtx", 0, NULL, false},
    {SMW_GOLDEN "/kernels/histogram.yml", "h100", 0, NULL, false},
    {SMW_GOLDEN "/kernels/printf.yml", "gtx480", 0, NULL, false},
    {SMW_GOLDEN "/kernels/last_block.yml", "gtx480", 0, NULL, false},
};

/* ---- what a run leaves behind ---- */

struct outcome {
    bool ok;
    enum smw_status status;
    uint32_t n_launches;
    struct smw_counters counters[MAX_LAUNCHES];
    uint64_t end_ps[MAX_LAUNCHES];
    uint64_t cycles, activations, live;
    uint64_t memory; /* FNV-1a of all buffers */
    uint64_t text;   /* of what kernels printed and of the fault */
    uint64_t files;  /* of dump, save file, log, translate files */
    uint64_t n_dump; /* bytes of them */
};

static uint64_t fnv1a(uint64_t h, const void *data, size_t n)
{
    const unsigned char *p = data;

    for (size_t i = 0; i < n; i++) {
        h = (h ^ p[i]) * 0x100000001b3;
    }
    return h;
}

static bool hash_buffers(const struct host *h, struct outcome *o, struct smw_err *e)
{
    for (uint32_t i = 0; i < h->file->n_buffers; i++) {
        const struct launch_buffer *b = &h->file->buffers[i];
        uint64_t bytes = b->count * value_type_size(b->type);
        void *data = malloc(bytes);
        bool ok = data != NULL && smw_read(h->device, h->address[i], data, bytes, e);

        o->memory = ok ? fnv1a(o->memory, data, bytes) : 0;
        free(data);
        if (!ok) {
            return false;
        }
    }
    return true;
}

static void hash_results(const struct smw_device *d, struct outcome *o)
{
    struct smw_progress p;
    struct smw_result r;

    smw_progress(d, &p);
    o->cycles = p.cycles;
    o->activations = p.activations;
    o->live = smw_live_transactions(d);
    for (uint32_t i = 0; i < MAX_LAUNCHES && smw_result(d, i, &r); i++) {
        o->counters[i] = r.counters;
        o->end_ps[i] = r.end_ps;
        o->text = fnv1a(o->text, r.output, strlen(r.output));
        o->n_launches++;
    }
    o->text = fnv1a(o->text, smw_fault(d)->message, strlen(smw_fault(d)->message));
    o->text = fnv1a(o->text, smw_fault(d)->detail, strlen(smw_fault(d)->detail));
}

static bool hash_files(const char *dir, struct outcome *o, struct smw_err *e);

/* A file, or what lies in a directory; it is taken away. */
static bool hash_entry(const char *path, const char *name, struct outcome *o,
                       struct smw_err *e)
{
    struct stat st;
    size_t size = 0;
    char *text;

    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        return hash_files(path, o, e) && rmdir(path) == 0;
    }
    text = file_read(path, UINT64_C(1) << 28, &size, SMW_ERR_IO, e);
    if (text != NULL) {
        o->files += fnv1a(fnv1a(1, name, strlen(name)), text, size);
        o->n_dump += size;
    }
    free(text);
    return text != NULL && remove(path) == 0;
}

/* All files of the directory, which are taken away. The order in which they are found
 * does not count. */
static bool hash_files(const char *dir, struct outcome *o, struct smw_err *e)
{
    DIR *d = opendir(dir);
    bool ok = d != NULL;

    for (struct dirent *f; ok && (f = readdir(d)) != NULL;) {
        if (strcmp(f->d_name, ".") != 0 && strcmp(f->d_name, "..") != 0) {
            char *path = file_join(dir, f->d_name);

            ok = hash_entry(path, f->d_name, o, e);
            free(path);
        }
    }
    if (d != NULL) {
        (void)closedir(d);
    }
    return ok;
}

/* ---- a run ---- */

struct task {
    const struct job *job;
    const struct launch_file *file;
    const struct team *team; /* NULL: its SMs are computed by one thread */
    char dir[64];            /* of its files; made before */
    struct outcome *out;
};

static struct wave *open_wave(const struct task *t, struct smw_device *d,
                              struct smw_err *e)
{
    char *dump = file_join(t->dir, "run.vcd");
    char *gtkw = file_join(t->dir, "run.gtkw");
    char *log = file_join(t->dir, "events.log");
    struct wave_config c = {.path = dump,
                            .gtkw_path = gtkw,
                            .events_path = log,
                            .scope = t->job->scope,
                            .heading = "threads"};
    struct wave *w = wave_open(smw_sim(d), smw_root(d), NULL, &c, e);

    free(dump);
    free(gtkw);
    free(log);
    return w;
}

static bool simulate(const struct task *t, struct host *h, struct smw_err *e)
{
    struct wave *w = NULL;

    if (t->job->scope != NULL) {
        w = open_wave(t, h->device, e);
        if (w == NULL) {
            return false;
        }
    }
    do { /* in slices, as a host program does */
        t->out->status = smw_step(h->device, 1000);
    } while (t->out->status == SMW_RUNNING);
    hash_results(h->device, t->out);
    return wave_close(w, "complete", e) && hash_buffers(h, t->out, e) &&
           (w == NULL || hash_files(t->dir, t->out, e));
}

/* cmocka's assertions belong to the main thread: only say whether all went well. */
static void run_task(const struct task *t)
{
    struct smw_options opt = {.shuffle = t->job->shuffle,
                              .check = SMW_CHECK_FAST,
                              .stalls = true,
                              .team = team_of(t->team)};
    struct smw_config *c = smw_config_new();
    struct host h;
    struct smw_err e;

    err_clear(&e);
    if (c != NULL && smw_config_preset(c, t->job->preset, &e) &&
        smw_config_set(c, "gpu.what_if", "true", &e) &&
        host_open(&h, t->file, c, &opt, &e)) {
        t->out->ok = host_launch(&h, &e) && simulate(t, &h, &e);
        host_close(&h);
    }
    smw_config_free(c);
    if (!t->out->ok) {
        (void)fprintf(stderr, "%s on %s: %s\n", t->job->file, t->job->preset,
                      e.message);
    }
}

/* ---- alone, then at once ---- */

struct worker {
    pthread_t thread;
    struct task task[N_ROUNDS * N_JOBS / N_THREADS];
    uint32_t n;
};

static void *work(void *ctx)
{
    const struct worker *w = ctx;

    for (uint32_t i = 0; i < w->n; i++) {
        run_task(&w->task[i]);
    }
    return NULL;
}

static struct task new_task(const struct job *j, const struct launch_file *f,
                            struct outcome *out)
{
    out->memory = out->text = out->files = 0xcbf29ce484222325;
    return (struct task){.job = j, .file = f, .out = out};
}

static struct task make_task(uint32_t job, const struct launch_file *files,
                             const char *root, uint32_t number, struct outcome *out)
{
    struct task t = new_task(&jobs[job], &files[job], out);

    (void)snprintf(t.dir, sizeof(t.dir), "%s/%02u", root, number);
    return t;
}

static void assert_same(const struct job *j, const struct outcome *alone,
                        const struct outcome *o)
{
    assert_true(o->ok);
    if (o->status != alone->status || o->n_launches != alone->n_launches ||
        memcmp(o->counters, alone->counters, sizeof(o->counters)) != 0 ||
        memcmp(o->end_ps, alone->end_ps, sizeof(o->end_ps)) != 0 ||
        o->cycles != alone->cycles || o->activations != alone->activations ||
        o->live != alone->live || o->memory != alone->memory ||
        o->text != alone->text || o->files != alone->files ||
        o->n_dump != alone->n_dump) {
        print_error("%s on %s is not what it is alone\n", j->file, j->preset);
        fail();
    }
}

static void assert_sound(const struct job *j, const struct outcome *o)
{
    assert_true(o->ok);
    assert_int_equal(o->status, j->fails ? SMW_FAULT : SMW_DONE);
    assert_true(o->n_launches > 0 && o->cycles > 100);
    assert_true(j->fails || (o->counters[0].warp_insts > 0 && o->live == 0));
    assert_true((o->n_dump > 1000) == (j->scope != NULL));
}

static void run_alone(struct launch_file *files, const char *root,
                      struct outcome *alone)
{
    struct smw_err e;

    err_clear(&e);
    for (uint32_t i = 0; i < N_JOBS; i++) {
        struct task t;

        assert_true(launch_read(&files[i], jobs[i].file, &e));
        t = make_task(i, files, root, i, &alone[i]);
        assert_int_equal(mkdir(t.dir, 0777), 0);
        run_task(&t);
        assert_int_equal(rmdir(t.dir), 0);
        assert_sound(&jobs[i], &alone[i]);
    }
}

/* Every job once in every round, each time in another thread. */
static void run_at_once(struct worker *worker, const struct launch_file *files,
                        const char *root, struct outcome *out)
{
    for (uint32_t i = 0; i < N_ROUNDS * N_JOBS; i++) {
        struct worker *w = &worker[(i % N_JOBS + i / N_JOBS) % N_THREADS];
        struct task *t = &w->task[w->n++];

        *t = make_task(i % N_JOBS, files, root, N_JOBS + i, &out[i]);
        assert_int_equal(mkdir(t->dir, 0777), 0);
    }
    for (uint32_t i = 0; i < N_THREADS; i++) {
        assert_int_equal(pthread_create(&worker[i].thread, NULL, work, &worker[i]), 0);
    }
    for (uint32_t i = 0; i < N_THREADS; i++) {
        assert_int_equal(pthread_join(worker[i].thread, NULL), 0);
        for (uint32_t k = 0; k < worker[i].n; k++) {
            assert_int_equal(rmdir(worker[i].task[k].dir), 0);
        }
    }
}

static void test_alone_and_at_once(void **state)
{
    struct launch_file files[N_JOBS];
    struct outcome *alone = calloc(N_JOBS, sizeof(*alone));
    struct outcome *out = calloc((size_t)N_ROUNDS * N_JOBS, sizeof(*out));
    struct worker *worker = calloc(N_THREADS, sizeof(*worker));
    char root[] = "threads-XXXXXX";

    (void)state;
    assert_true(alone != NULL && out != NULL && worker != NULL);
    assert_non_null(mkdtemp(root));
    run_alone(files, root, alone);
    run_at_once(worker, files, root, out);
    for (uint32_t i = 0; i < N_ROUNDS * N_JOBS; i++) {
        assert_same(&jobs[i % N_JOBS], &alone[i % N_JOBS], &out[i]);
    }
    for (uint32_t i = 0; i < N_JOBS; i++) {
        launch_free(&files[i]);
    }
    assert_int_equal(rmdir(root), 0);
    free(worker);
    free(out);
    free(alone);
}

/* ---- one simulation in several threads ---- */

static void test_shared(void **state)
{
    static const uint32_t sizes[] = {2, 3, 5};

    (void)state;
    for (uint32_t i = 0; i < N_SHARED; i++) {
        struct launch_file file;
        struct outcome alone = {0};
        struct task t = new_task(&shared[i], &file, &alone);
        struct smw_err e;

        err_clear(&e);
        assert_true(launch_read(&file, shared[i].file, &e));
        run_task(&t);
        assert_sound(&shared[i], &alone);
        for (uint32_t k = 0; k < ARRAY_LEN(sizes); k++) {
            struct team *team = team_open(sizes[k], &e);
            struct outcome out = {0};

            assert_non_null(team);
            t = new_task(&shared[i], &file, &out);
            t.team = team;
            run_task(&t);
            out.activations = alone.activations; /* SMs run ahead as far as turns go */
            assert_same(&shared[i], &alone, &out);
            team_close(team);
        }
        launch_free(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_alone_and_at_once),
                                       cmocka_unit_test(test_shared)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
