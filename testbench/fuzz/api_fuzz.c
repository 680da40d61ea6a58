/*
 * api_fuzz.c - libFuzzer: any bytes as calls of smwave.h in any order with any numbers,
 * by two threads, each with a device of its own, while a third one stops them. Every
 * call ends; one that fails says why; what has ended leaves nothing alive.
 */
#include "smwave.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    BYTES = 4096, /* of a buffer, here and on the device, at most */
    MAX_CYCLES = 20000,
    MAX_CALLS = 400,
    N_THREADS = 2,
    N_BUFFERS = 6,
    N_MODULES = 3,
    N_PAGES = 4,
    N_MARKS = 4
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char ptx[] =
    ".version 3.2\n.target sm_20\n.address_size 64\n"
    ".visible .global .align 4 .b32 count[8];\n"
    ".visible .const .align 4 .b32 by = 3;\n"
    ".visible .entry add(.param .u64 p, .param .u32 n) {\n"
    ".reg .b32 %r<4>; .reg .b64 %d<3>; .reg .pred %p;\n"
    "ld.param.u64 %d0, [p]; ld.param.u32 %r0, [n]; mov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %d1, %r1, 4; add.u64 %d0, %d0, %d1;\n"
    "again: ld.global.u32 %r2, [%d0]; ld.const.u32 %r3, [by];\n"
    "add.u32 %r2, %r2, %r3; st.global.u32 [%d0], %r2; sub.u32 %r0, %r0, 1;\n"
    "setp.gt.s32 %p, %r0, 0; @%p bra again; ret; }\n"
    ".visible .entry share(.param .u64 p) {\n"
    ".reg .b32 %r<5>; .reg .b64 %d<3>; .shared .b32 s[64];\n"
    "ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; and.b32 %r0, %r0, 63;\n"
    "shl.b32 %r1, %r0, 2; mov.u32 %r2, s; add.u32 %r1, %r1, %r2;\n"
    "st.shared.u32 [%r1], %r0; bar.sync 0; xor.b32 %r1, %r1, 124;\n"
    "ld.shared.u32 %r3, [%r1]; mov.u64 %d1, count;\n"
    "atom.global.add.u32 %r4, [%d1], 1; atom.global.add.u32 %r4, [%d0], %r3; ret; }\n"
    ".visible .entry forever() { again: bra again; }\n";

struct input {
    const uint8_t *at, *end;
};

struct user {
    struct input in;
    struct smw_device *d;
    uint64_t buffer[N_BUFFERS];
    struct smw_module *module[N_MODULES];
    uint64_t mark[N_MARKS], texture;
    void *page[N_PAGES]; /* of smw_alloc_host() */
    uint32_t n_pages;
    uint8_t host[2][BYTES]; /* what copies that are queued read and write */
};

static void must(bool condition)
{
    if (!condition) {
        abort();
    }
}

/* ---- numbers of the input ---- */

static uint32_t byte(struct input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

static uint64_t number(struct input *in)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < 8; i++) {
        n = n << 8 | byte(in);
    }
    return n;
}

/* Mostly small, at times anything. */
static uint64_t any(struct input *in)
{
    const uint32_t b = byte(in);

    return b == 255 ? number(in) : b == 254 ? byte(in) * 16 : b;
}

/* Mostly of a buffer or near it. */
static uint64_t address(struct user *u)
{
    const uint32_t b = byte(&u->in);

    return b == 255 ? number(&u->in) : u->buffer[b % N_BUFFERS] + b / N_BUFFERS * 4;
}

/* A call that has failed says why; one that has not says nothing. */
static bool told(bool ok, const struct smw_err *e)
{
    must(ok ? e->kind == SMW_ERR_NONE
            : e->kind != SMW_ERR_NONE && e->message[0] != '\0');
    return ok;
}

/* ---- calls ---- */

static void *place(void *ctx, uint64_t addr, uint64_t bytes)
{
    struct user *u = ctx;

    (void)addr;
    if (u->n_pages == N_PAGES) {
        return NULL;
    }
    u->page[u->n_pages] = calloc(1, bytes);
    return u->page[u->n_pages++];
}

static void memory(struct user *u, uint32_t what)
{
    static const uint64_t huge = UINT64_C(1) << 44;
    struct smw_allocation where;
    struct smw_err e = {0};
    uint64_t addr = 0, n = any(&u->in) * 8;
    uint8_t back[BYTES];

    n = n > BYTES ? huge : n;
    switch (what % 7) {
    case 0:
        if (told(smw_alloc(u->d, n, &addr, &e), &e)) {
            u->buffer[byte(&u->in) % N_BUFFERS] = addr;
        }
        break;
    case 1: told(smw_free(u->d, address(u), &e), &e); break;
    case 2:
        memset(back, (int)n, sizeof(back));
        told(smw_write(u->d, address(u), back, n, &e), &e);
        break;
    case 3: told(smw_read(u->d, address(u), back, n, &e), &e); break;
    case 4:
        addr = address(u);
        told(smw_copy(u->d, addr, address(u), n, &e), &e);
        break;
    case 5:
        if (told(smw_alloc_host(u->d, n, place, u, &addr, &e), &e)) {
            u->buffer[byte(&u->in) % N_BUFFERS] = addr;
        }
        break;
    default:
        (void)smw_find(u->d, address(u), &where);
        smw_memory_info(u->d, &addr, &n);
        smw_name(u->d, address(u), "a buffer");
        break;
    }
}

static void code(struct user *u, uint32_t what)
{
    struct smw_module **m = &u->module[byte(&u->in) % N_MODULES];
    struct smw_err e = {0};
    uint64_t addr, bytes;
    uint8_t value[64];

    switch (what % 4) {
    case 0:
        if (*m == NULL) {
            *m = smw_load(u->d, ptx, sizeof(ptx) - 1 - any(&u->in) % sizeof(ptx),
                          "a.ptx", &e);
            told(*m != NULL, &e);
        }
        break;
    case 1:
        smw_unload(*m);
        *m = NULL;
        break;
    case 2:
        told(smw_read_symbol(*m, "count", any(&u->in), value, any(&u->in) % 64, &e),
             &e);
        e = (struct smw_err){0};
        told(smw_symbol_address(*m, "by", &addr, &bytes, &e), &e);
        break;
    default:
        memset(value, 1, sizeof(value));
        told(smw_write_symbol(*m, "by", any(&u->in), value, any(&u->in) % 64, &e), &e);
        break;
    }
}

static void launch(struct user *u)
{
    const struct smw_module *m = u->module[byte(&u->in) % N_MODULES];
    const struct smw_kernel *k = smw_kernel_at(m, byte(&u->in) % 4);
    struct smw_launch l = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    struct smw_err e = {0};
    uint32_t blocks;
    struct {
        uint64_t p;
        uint32_t n;
    } params = {0};

    params.p = address(u);
    params.n = (uint32_t)any(&u->in);
    l.params = &params;
    l.param_bytes = smw_kernel_params(k) == 2 ? 12 : smw_kernel_params(k) == 1 ? 8 : 0;
    l.grid[0] = (uint32_t)any(&u->in);
    l.block[0] = (uint32_t)any(&u->in);
    l.shared = any(&u->in);
    l.stream = byte(&u->in) % 4;
    l.functional = byte(&u->in) % 4 == 1;
    l.cooperative = byte(&u->in) % 8 == 1;
    l.cache_config = (enum smw_cache_config)(byte(&u->in) % 5);
    l.begin_ps = byte(&u->in) % 8 == 1 ? any(&u->in) * 1000 : 0;
    if (l.grid[0] < 64 || l.grid[0] > 1u << 30) { /* else it takes too long */
        told(smw_launch(u->d, k, &l, &e), &e);
    }
    e = (struct smw_err){0};
    told(smw_occupancy(k, &l, &blocks, &e), &e);
}

static void queue(struct user *u, uint32_t what)
{
    const uint32_t stream = byte(&u->in) % 4;
    struct smw_err e = {0};
    struct smw_transfer t = {.stream = stream,
                             .direction = (enum smw_direction)(byte(&u->in) % 6),
                             .width = any(&u->in),
                             .height = 1 + byte(&u->in) % 4};
    uint64_t *mark = &u->mark[byte(&u->in) % N_MARKS];

    switch (what % 5) {
    case 0:
        t.dst = address(u);
        t.src = address(u);
        t.dst_pitch = t.src_pitch = any(&u->in);
        if (t.direction == SMW_UP || t.direction == SMW_DOWN) {
            uint64_t *host = t.direction == SMW_UP ? &t.src : &t.dst;

            *host = (uintptr_t)u->host[t.direction == SMW_UP];
            t.pinned = byte(&u->in) % 2 == 1;
            t.width = t.width % 512;
            t.dst_pitch = t.src_pitch = 1024;
        }
        told(smw_queue_copy(u->d, &t, &e), &e);
        break;
    case 1:
        told(smw_queue_fill(u->d, stream, address(u), 77, 1u << byte(&u->in) % 4,
                            t.width, t.height, any(&u->in), &e),
             &e);
        break;
    case 2:
        *mark = smw_queue_mark(u->d, stream, &e);
        told(*mark != 0, &e);
        break;
    case 3: told(smw_queue_wait(u->d, stream, *mark, &e), &e); break;
    default: smw_host_call(u->d, (enum smw_host_call)byte(&u->in)); break;
    }
}

static void wait(struct user *u, uint32_t what)
{
    struct smw_err e = {0};
    uint64_t ps;

    switch (what % 5) {
    case 0: told(smw_synchronize(u->d, &e), &e); break;
    case 1: (void)smw_step(u->d, 1 + any(&u->in) % 4096); break;
    case 2: told(smw_synchronize_stream(u->d, byte(&u->in) % 5, &e), &e); break;
    case 3:
        told(smw_synchronize_mark(u->d, u->mark[byte(&u->in) % N_MARKS], &e), &e);
        break;
    default:
        (void)smw_mark_reached(u->d, any(&u->in), &ps);
        (void)smw_stream_idle(u->d, byte(&u->in));
        smw_forget_results(u->d);
        break;
    }
}

static void ask(struct user *u)
{
    const uint32_t i = (uint32_t)any(&u->in);
    struct smw_finding finding;
    struct smw_result r;
    struct smw_transferred x;
    struct smw_inst inst;
    struct smw_progress p;
    char where[256];

    must(smw_finding(u->d, i, &finding) || i >= smw_findings(u->d));
    must(i < smw_findings(u->d) || !smw_finding(u->d, i, &finding));
    must(smw_result(u->d, i, &r) == (i < smw_results(u->d)));
    must(smw_transferred(u->d, i, &x) == (i < smw_transfers(u->d)));
    (void)smw_inst(u->d, i, byte(&u->in), &inst);
    smw_progress(u->d, &p);
    smw_where(u->d, where, sizeof(where));
    must(strlen(where) < sizeof(where));
    must(p.blocks_done <= p.blocks_total);
}

static void texture(struct user *u)
{
    struct smw_texture t = {.shape = (enum smw_shape)(byte(&u->in) % 9),
                            .layout = (enum smw_layout)(byte(&u->in) % 4),
                            .kind = (enum smw_channel)(byte(&u->in) % 4),
                            .bits = 8u << byte(&u->in) % 4,
                            .channels = byte(&u->in) % 5,
                            .width = (uint32_t)any(&u->in),
                            .height = (uint32_t)any(&u->in),
                            .depth = (uint32_t)any(&u->in) % 16};
    struct smw_err e = {0};
    uint64_t pitch;

    if (byte(&u->in) % 2 == 1) {
        told(smw_texture_free(u->d, u->texture, &e), &e);
        e = (struct smw_err){0};
    }
    if (t.layout == SMW_ARRAY && t.width < 256 && t.height < 256) {
        if (!told(smw_array(u->d, &t, &t.addr, &pitch, &e), &e)) {
            return;
        }
        u->buffer[byte(&u->in) % N_BUFFERS] = t.addr;
    } else {
        t.addr = address(u);
    }
    e = (struct smw_err){0};
    told(smw_texture_new(u->d, &t, &u->texture, &e), &e);
}

static void *use(void *arg)
{
    struct user *u = arg;

    for (uint32_t i = 0; i < MAX_CALLS && u->in.at < u->in.end; i++) {
        const uint32_t what = byte(&u->in);

        switch (what % 8) {
        case 0:
        case 1: memory(u, what / 8); break;
        case 2: code(u, what / 8); break;
        case 3: launch(u); break;
        case 4:
        case 5: queue(u, what / 8); break;
        case 6: wait(u, what / 8); break;
        default: what >= 128 ? texture(u) : ask(u); break;
        }
    }
    return NULL;
}

/* ---- a run ---- */

static struct smw_device *open_device(uint32_t how)
{
    const struct smw_options options = {.max_cycles = MAX_CYCLES,
                                        .stalls = (how & 1) != 0,
                                        .shuffle = how >> 4,
                                        .check = (enum smw_check)(how >> 1 & 3)};
    struct smw_config *c = smw_config_new();
    struct smw_err e = {0};
    struct smw_device *d;

    must(c != NULL && smw_config_preset(c, (how & 8) != 0 ? "v100" : "tiny", &e) &&
         smw_config_set(c, "gpu.what_if", "true", &e) &&
         smw_config_set(c, "gpu.sms", "2", &e));
    d = smw_open(c, &options, &e);
    must(d != NULL);
    smw_config_free(c);
    return d;
}

static void finish(struct user *u)
{
    if (smw_step(u->d, 0) == SMW_DONE) {
        must(smw_live_transactions(u->d) == 0);
    }
    smw_close(u->d);
    for (uint32_t i = 0; i < u->n_pages; i++) {
        free(u->page[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct user users[N_THREADS];
    struct input in = {data, data + size};
    const uint32_t stops = byte(&in) % 32;
    const size_t share = (size_t)(in.end - in.at) / N_THREADS;
    pthread_t thread[N_THREADS];

    memset(users, 0, sizeof(users));
    for (uint32_t i = 0; i < N_THREADS; i++) {
        struct user *u = &users[i];

        u->in = (struct input){in.at + i * share, in.at + (i + 1) * share};
        u->d = open_device(byte(&u->in));
    }
    for (uint32_t i = 0; i < N_THREADS; i++) {
        must(pthread_create(&thread[i], NULL, use, &users[i]) == 0);
    }
    for (uint32_t i = 0; i < stops; i++) {
        smw_stop(users[i % N_THREADS].d);
    }
    for (uint32_t i = 0; i < N_THREADS; i++) {
        must(pthread_join(thread[i], NULL) == 0);
        finish(&users[i]);
    }
    return 0;
}
