/*
 * Lanes of a warp that part and meet again. Each thread keeps a sum over the masks of
 * the lanes it passed each place with, and what it computed; h100.raw is what an H100
 * left of both.
 *
 * nvcc -O2 -arch=sm_90 -ptx lanes.cu; measure.cu runs them on a device.
 */
enum { NOTES = 3, THREADS = 64, CELLS = 256 };

#define BEGIN                                                                          \
    const unsigned t = threadIdx.x, l = t & 31u;                                       \
    unsigned *const p = all + (which * THREADS + t) * NOTES;                               \
    unsigned *const g = cells + which * CELLS;                                             \
    unsigned n = 0;                                                                    \
    (void)l;                                                                           \
    (void)g
/* Words of a thread: the sum, results. */
#define PLACE                                                                          \
    do {                                                                               \
        unsigned m_;                                                                   \
        asm volatile("activemask.b32 %0;" : "=r"(m_)::"memory");                       \
        n = n * 31u + m_;                                                              \
        p[0] = n;                                                                      \
    } while (0)
#define RESULT(x)    (p[1] = (unsigned)(x))
#define RESULT2(x)   (p[2] = (unsigned)(x))
#define KERNEL(name) extern "C" __global__ void name(unsigned *all, unsigned *cells, unsigned which)
typedef volatile unsigned vu;

/* ---- parting and meeting ---- */
KERNEL(if_else)
{
    BEGIN;
    PLACE;
    if (g[l] + l < 16) {
        PLACE;
    } else {
        PLACE;
    }
    PLACE;
}
KERNEL(if_nested)
{
    BEGIN;
    if (g[0] + l < 20) {
        PLACE;
        if (l & 1) {
            PLACE;
        } else {
            PLACE;
        }
        PLACE;
    } else if (l < 28) {
        PLACE;
    }
    PLACE;
}
KERNEL(trips)
{
    BEGIN;
    for (unsigned i = g[0]; i < (l & 7); i++) {
        PLACE;
    }
    PLACE;
}
KERNEL(nested_trips)
{
    BEGIN;
    for (unsigned i = g[0]; i < (l & 3); i++) {
        for (unsigned k = g[1]; k < (l >> 3 & 3); k++) {
            PLACE;
        }
        PLACE;
    }
    PLACE;
}
KERNEL(breaks)
{
    BEGIN;
    unsigned x = l * 2654435761u + g[0];
    for (unsigned i = 0; i < 10; i++) {
        x = x * 1664525u + 1013904223u;
        if (x >> 28 < 4) {
            if (x & 0x100000u) {
                break;
            }
            x ^= l;
        }
        PLACE;
    }
    PLACE;
    RESULT(x);
}
KERNEL(continues)
{
    BEGIN;
    unsigned x = l * 2654435761u + g[0];
    for (unsigned i = 0; i < 6; i++) {
        x = x * 1664525u + 1013904223u;
        if (x >> 31) {
            continue;
        }
        PLACE;
        x += g[1];
    }
    PLACE;
    RESULT(x);
}
KERNEL(switches)
{
    BEGIN;
    switch (l % 7 + g[0]) {
    case 0: PLACE; break;
    case 1: PLACE; n ^= 1;
    case 2: PLACE; break;
    case 3: PLACE; n ^= 2; break;
    case 4: PLACE; n ^= 3; break;
    case 5: PLACE;
    default: PLACE; break;
    }
    PLACE;
}
KERNEL(switch_wide)
{
    BEGIN;
    unsigned x = l + g[0];
    switch (x % 12) {
    case 0: x *= 3; PLACE; break;
    case 1: x += g[1] + 7; PLACE; break;
    case 2: x ^= 5; PLACE; break;
    case 3: x -= 11; PLACE; break;
    case 4: x = x << 2; PLACE; break;
    case 5: x = x >> 1; PLACE; break;
    case 6: x |= 64; PLACE; break;
    case 7: x = ~x; PLACE; break;
    case 8: x = x * x; PLACE; break;
    case 9: x += 100; PLACE; break;
    default: x = 0; PLACE; break;
    }
    PLACE;
    RESULT(x);
}
KERNEL(gotos)
{
    BEGIN;
    unsigned x = l + g[0];
    if (x & 1) {
        goto b;
    }
a:
    PLACE;
    x += 3;
    if (x > 24) {
        goto done;
    }
    if (x & 2) {
        goto c;
    }
b:
    PLACE;
    x += 5;
    if (x % 3 == 0) {
        goto a;
    }
c:
    PLACE;
    x += 2;
    if (x < 40) {
        goto b;
    }
done:
    PLACE;
    RESULT(x);
}
KERNEL(early_exit)
{
    BEGIN;
    PLACE;
    if (g[0] + l >= 20) {
        return;
    }
    PLACE;
    if (l & 1) {
        PLACE;
        return;
    }
    PLACE;
}
KERNEL(exit_in_loop)
{
    BEGIN;
    for (unsigned i = g[0]; i < 8; i++) {
        PLACE;
        if (i == (l & 7)) {
            RESULT(i);
            return;
        }
    }
    PLACE;
}
KERNEL(return_or_not)
{
    BEGIN;
    for (unsigned i = g[0]; i < 4; i++) {
        if ((l >> i & 1) && (l & 16)) {
            PLACE;
            RESULT(i);
            return;
        }
        if (l >> i == 1) {
            break;
        }
        PLACE;
    }
    PLACE;
    RESULT2(7);
}
__device__ __noinline__ unsigned work(unsigned *p, unsigned &n, unsigned x)
{
    PLACE;
    if (x & 1) {
        PLACE;
        return x * 3;
    }
    PLACE;
    return x + 1;
}
KERNEL(calls)
{
    BEGIN;
    unsigned x = g[0] + l;
    if (l < 12) {
        x = work(p, n, x);
    } else if (l < 20) {
        x = work(p, n, x + 1) + 1;
    }
    PLACE;
    RESULT(x);
}
__device__ __noinline__ unsigned deep(unsigned *p, unsigned &n, unsigned x)
{
    PLACE;
    if (x == 0) {
        return 1;
    }
    return x + deep(p, n, x - 1);
}
KERNEL(recursion)
{
    BEGIN;
    RESULT(deep(p, n, (l & 3) + g[0]));
    PLACE;
}
KERNEL(conditions)
{
    BEGIN;
    unsigned a = g[l];
    if ((l & 1 && a < (l & 4)) || (l & 2 && a + l > 16)) {
        PLACE;
    }
    PLACE;
}
KERNEL(do_while)
{
    BEGIN;
    unsigned x = l + g[0] + 1, left = 12;
    do {
        x = x & 1 ? 3 * x + 1 : x / 2;
        PLACE;
    } while (x != 1 && --left != 0);
    PLACE;
    RESULT(x);
}

/* ---- locks between lanes ---- */
KERNEL(lock)
{
    BEGIN;
    while (atomicCAS(&g[0], 0u, 1u) != 0) {
    }
    PLACE;
    unsigned k = ((vu *)g)[1];
    ((vu *)g)[1] = k + 1;
    RESULT(k);
    __threadfence();
    atomicExch(&g[0], 0u);
    PLACE;
}
KERNEL(lock_done)
{
    BEGIN;
    bool done = false;
    while (!done) {
        if (atomicCAS(&g[0], 0u, 1u) == 0) {
            unsigned k = ((vu *)g)[1];
            ((vu *)g)[1] = k + 1;
            RESULT(k);
            __threadfence();
            atomicExch(&g[0], 0u);
            done = true;
        }
    }
    PLACE;
}
KERNEL(lock_try)
{
    BEGIN;
    for (unsigned i = 0; i < 8; i++) {
        if (atomicCAS(&g[0], 0u, 1u) == 0) {
            RESULT(++((vu *)g)[1]);
            __threadfence();
            atomicExch(&g[0], 0u);
            break;
        }
    }
    PLACE;
}
KERNEL(lock_two)
{
    BEGIN;
    unsigned *k = g + (l & 1) * 32;
    while (atomicCAS(k, 0u, 1u) != 0) {
    }
    PLACE;
    RESULT(++((vu *)k)[1]);
    __threadfence();
    atomicExch(k, 0u);
    PLACE;
    __syncwarp();
    PLACE;
}
KERNEL(lock_shared)
{
    __shared__ unsigned s[2];
    BEGIN;
    s[0] = s[1] = 0;
    __syncthreads();
    while (atomicCAS(&s[0], 0u, 1u) != 0) {
    }
    PLACE;
    RESULT(++((vu *)s)[1]);
    __threadfence_block();
    atomicExch(&s[0], 0u);
    PLACE;
}
KERNEL(lock_ticket)
{
    BEGIN;
    unsigned k = atomicAdd(&g[0], 1u);
    while (((vu *)g)[1] != k) {
    }
    PLACE;
    RESULT(k);
    __threadfence();
    ((vu *)g)[1] = k + 1;
    PLACE;
}
KERNEL(lock_sleep)
{
    BEGIN;
    unsigned ns = 8;
    while (atomicCAS(&g[0], 0u, 1u) != 0) {
        __nanosleep(ns);
        ns = ns < 256 ? ns * 2 : ns;
    }
    PLACE;
    RESULT(++((vu *)g)[1]);
    __threadfence();
    atomicExch(&g[0], 0u);
    PLACE;
}
KERNEL(lock_inside)
{
    BEGIN;
    PLACE;
    if (l % 3 == g[3]) {
        while (atomicCAS(&g[0], 0u, 1u) != 0) {
        }
        PLACE;
        RESULT(++((vu *)g)[1]);
        __threadfence();
        atomicExch(&g[0], 0u);
        PLACE;
    }
    PLACE;
    __syncwarp();
    PLACE;
}
KERNEL(lock_often)
{
    BEGIN;
    unsigned sum = 0;
    for (unsigned i = 0; i < 3; i++) {
        while (atomicCAS(&g[0], 0u, 1u) != 0) {
        }
        sum += ++((vu *)g)[1];
        __threadfence();
        atomicExch(&g[0], 0u);
        PLACE;
    }
    RESULT(sum);
    PLACE;
}
KERNEL(lock_warps)
{
    BEGIN;
    while (atomicCAS(&g[0], 0u, 1u) != 0) {
    }
    PLACE;
    RESULT(++((vu *)g)[1]);
    __threadfence();
    atomicExch(&g[0], 0u);
    PLACE;
    __syncthreads();
    PLACE;
}
KERNEL(cas_add)
{
    BEGIN;
    unsigned old = g[0], was;
    do {
        was = old;
        old = atomicCAS(&g[0], was, was + l + 1);
    } while (was != old);
    PLACE;
    RESULT(old);
}
KERNEL(cas_max)
{
    BEGIN;
    unsigned old = g[0], x = l * 37 % 32;
    while (old < x) {
        unsigned was = atomicCAS(&g[0], old, x);
        if (was == old) {
            break;
        }
        old = was;
    }
    PLACE;
}

/* ---- lanes that wait for what others store ---- */
KERNEL(last_gives)
{
    BEGIN;
    vu *f = g;
    if (l == 31) {
        PLACE;
        f[1] = 5;
        __threadfence();
        f[0] = 1;
    } else {
        while (f[0] == 0) {
        }
        RESULT(f[1]);
        PLACE;
    }
    PLACE;
}
KERNEL(first_gives)
{
    BEGIN;
    vu *f = g;
    if (l != 0) {
        while (f[0] == 0) {
        }
        RESULT(f[1]);
        PLACE;
    } else {
        PLACE;
        f[1] = 5;
        __threadfence();
        f[0] = 1;
    }
    PLACE;
}
KERNEL(given_after)
{
    BEGIN;
    vu *f = g;
    if (l != 3) {
        while (f[0] == 0) {
        }
    }
    PLACE;
    if (l == 3) {
        f[0] = 1;
    }
    PLACE;
}
KERNEL(chain)
{
    BEGIN;
    vu *f = g;
    while (f[0] != l) {
    }
    PLACE;
    f[0] = l + 1;
    PLACE;
    RESULT(f[0] > l);
}
KERNEL(chain_back)
{
    BEGIN;
    vu *f = g;
    while (f[0] != 31 - l) {
    }
    PLACE;
    f[0] = 32 - l;
    PLACE;
}
KERNEL(ping_pong)
{
    BEGIN;
    vu *f = g;
    if (l < 2) {
        for (unsigned i = 0; i < 8; i++) {
            while ((f[0] & 1) != l) {
            }
            PLACE;
            f[0] = f[0] + 1;
        }
    }
    PLACE;
    RESULT(f[0]);
}
KERNEL(ring)
{
    __shared__ unsigned s[32];
    BEGIN;
    vu *f = s;
    f[l] = l == 0;
    __syncwarp();
    for (unsigned i = 0; i < 3; i++) {
        while (f[l] != i + 1) {
        }
        PLACE;
        f[(l + 1) & 31] = i + 1 + (l == 31);
    }
    RESULT(f[l]);
    PLACE;
}
KERNEL(sleepers)
{
    BEGIN;
    vu *f = g;
    if (l < 16) {
        while (f[0] != 16) {
            __nanosleep(100);
        }
        PLACE;
    } else {
        atomicAdd(&g[0], 1u);
        PLACE;
    }
    PLACE;
}
KERNEL(queue)
{
    BEGIN;
    vu *f = g;
    if (l < 8) {
        for (unsigned i = 0; i < 3; i++) {
            unsigned k = atomicAdd(&g[0], 1u);
            f[8 + k] = l * 3 + i + 1;
        }
        PLACE;
    } else {
        unsigned k = l - 8, x;
        while ((x = f[8 + k]) == 0) {
        }
        atomicAdd(&g[1], x);
        PLACE;
    }
    __syncwarp();
    RESULT(f[1]);
    PLACE;
}
KERNEL(both_wait)
{
    BEGIN;
    vu *f = g;
    if (l < 16) {
        if (l == 0) {
            f[0] = 1;
        }
        while (f[1] == 0) {
        }
        PLACE;
    } else {
        while (f[0] == 0) {
        }
        PLACE;
        if (l == 16) {
            f[1] = 1;
        }
    }
    PLACE;
}
KERNEL(three_ways)
{
    BEGIN;
    vu *f = g;
    switch (l % 3 + g[9]) {
    case 0:
        while (f[0] < 2) {
        }
        PLACE;
        break;
    case 1:
        while (f[0] < 1) {
        }
        PLACE;
        f[0] = 2;
        break;
    default: PLACE; f[0] = 1; break;
    }
    PLACE;
}

/* ---- masks ---- */
KERNEL(sync_halves)
{
    BEGIN;
    if (g[0] + l < 16) {
        PLACE;
        __syncwarp(0xffffu);
        PLACE;
    } else {
        PLACE;
        __syncwarp(0xffff0000u);
        PLACE;
    }
    PLACE;
}
KERNEL(sync_both)
{
    BEGIN;
    if (g[0] + l < 16) {
        PLACE;
        __syncwarp();
        PLACE;
    } else {
        PLACE;
        __syncwarp();
        PLACE;
    }
    PLACE;
}
KERNEL(sync_after)
{
    BEGIN;
    vu *f = g;
    if (g[0] + l < 16) {
        PLACE;
        f[100 + l] = l;
    } else {
        PLACE;
    }
    __syncwarp();
    PLACE;
    RESULT(f[100 + (l ^ 16)]);
}
KERNEL(sync_in_loop)
{
    BEGIN;
    for (unsigned i = g[0]; i < (l & 3) + 1; i++) {
        const unsigned m = i == 0 ? ~0u : i == 1 ? 0xeeeeeeeeu : i == 2 ? 0xccccccccu : 0x88888888u;
        if (l & 4) {
            PLACE;
        }
        __syncwarp(m);
        PLACE;
    }
    PLACE;
}
KERNEL(sync_quads)
{
    BEGIN;
    for (unsigned i = g[0]; i < (l >> 2 & 3); i++) {
        __syncwarp(0xfu << (l & 28));
        PLACE;
    }
    __syncwarp();
    PLACE;
}
KERNEL(shfl_sides)
{
    BEGIN;
    unsigned x = l * 10;
    if (g[0] + l < 16) {
        x = __shfl_xor_sync(0xffffu, x, 1);
        PLACE;
    } else {
        x = __shfl_xor_sync(0xffff0000u, x, 2);
        PLACE;
    }
    RESULT(x);
    PLACE;
}
KERNEL(shfl_apart)
{
    BEGIN;
    unsigned x = l * 10;
    if (g[0] + l < 16) {
        PLACE;
    }
    x = __shfl_sync(~0u, x, l ^ 16);
    PLACE;
    RESULT(x);
}
KERNEL(vote_loop)
{
    BEGIN;
    unsigned m = ~0u, sum = 0;
    for (unsigned i = g[0]; i < 8; i++) {
        unsigned b = __ballot_sync(m, (l & 7) > i);
        sum = sum * 31 + b;
        if ((l & 7) <= i) {
            PLACE;
            break;
        }
        m = b;
    }
    RESULT(sum);
    PLACE;
}
KERNEL(match_groups)
{
    BEGIN;
    unsigned m = __match_any_sync(~0u, l % 5 + g[0]);
    if (l % 5 < 3) {
        __syncwarp(m);
        PLACE;
        RESULT(__reduce_add_sync(m, l));
    }
    PLACE;
    RESULT2(m);
}
KERNEL(elects)
{
    BEGIN;
    unsigned x, ok;
    if (l & 1) {
        asm volatile("{ .reg .pred q; elect.sync %0|q, 0xaaaaaaaa; selp.u32 %1, 1, 0, q; }"
                     : "=r"(x), "=r"(ok)::"memory");
        PLACE;
    } else {
        asm volatile("{ .reg .pred q; elect.sync %0|q, 0x55555555; selp.u32 %1, 1, 0, q; }"
                     : "=r"(x), "=r"(ok)::"memory");
        PLACE;
    }
    RESULT(x);
    RESULT2(ok);
}
KERNEL(masks_differ)
{
    BEGIN;
    if (l < 8 + g[0]) {
        PLACE;
    } else if (l < 24) {
        PLACE;
        __syncwarp(0x00ffff00u);
        PLACE;
    } else {
        PLACE;
    }
    if (l >= 4) {
        __syncwarp(0xfffffff0u);
        PLACE;
    }
    PLACE;
}
KERNEL(exited_synced)
{
    BEGIN;
    if (g[0] + l < 8) {
        PLACE;
        return;
    }
    if (l & 1) {
        PLACE;
    }
    __syncwarp(0xffffff00u);
    PLACE;
}
KERNEL(give_then_sync)
{
    BEGIN;
    vu *f = g;
    if (l < 4) {
        while (f[0] == 0) {
        }
        PLACE;
        __syncwarp(0xfu);
        PLACE;
    } else {
        PLACE;
        if (l == 9) {
            f[0] = 1;
        }
    }
    __syncwarp();
    PLACE;
}
KERNEL(shfl_waits)
{
    BEGIN;
    vu *f = g;
    unsigned x = l;
    if (l == 5) {
        while (f[0] == 0) {
        }
        x = 77;
    } else if (l == 6) {
        f[0] = 1;
    }
    x = __shfl_sync(~0u, x, 5);
    PLACE;
    RESULT(x);
}

/* ---- barriers of the block: 64 threads ---- */
KERNEL(bar_sides)
{
    BEGIN;
    if (g[0] + l < 16) {
        PLACE;
        asm volatile("barrier.sync 0;" ::: "memory");
        PLACE;
    } else {
        PLACE;
        asm volatile("barrier.sync 0;" ::: "memory");
        PLACE;
    }
    PLACE;
}
KERNEL(bar_exit)
{
    BEGIN;
    if (t % 3 == g[0]) {
        PLACE;
        return;
    }
    PLACE;
    __syncthreads();
    PLACE;
}
KERNEL(bar_trips)
{
    BEGIN;
    for (unsigned i = g[0]; i < (t & 3) + 1; i++) {
        asm volatile("barrier.sync 0;" ::: "memory");
        PLACE;
    }
}
KERNEL(bar_given)
{
    BEGIN;
    vu *f = g;
    if (t < 16) {
        while (f[0] == 0) {
        }
        PLACE;
    } else if (t >= 32) {
        if (t == 32) {
            f[0] = 1;
        }
    }
    asm volatile("barrier.sync 0;" ::: "memory");
    PLACE;
}
KERNEL(bar_sides_given)
{
    BEGIN;
    vu *f = g;
    if (l < 16) {
        PLACE;
        f[0] = 1;
        asm volatile("barrier.sync 1;" ::: "memory");
        PLACE;
    } else {
        while (f[0] == 0) {
        }
        PLACE;
        asm volatile("barrier.sync 1;" ::: "memory");
        PLACE;
    }
    PLACE;
}
KERNEL(bar_count)
{
    BEGIN;
    unsigned x;
    if (l < 16 + g[0]) {
        PLACE;
    }
    x = __syncthreads_count(l & 1);
    PLACE;
    RESULT(x);
}

/* ---- who runs meanwhile ---- */
KERNEL(long_side)
{
    BEGIN;
    float x = (float)l;
    if (g[0] + l < 16) {
        PLACE;
        for (unsigned i = 0; i < 500 + g[1]; i++) {
            x = x * 1.5f + 1.0f;
        }
        PLACE;
    } else {
        PLACE;
        for (unsigned i = 0; i < 500 + g[1]; i++) {
            x = x * 0.5f + 2.0f;
        }
        PLACE;
    }
    PLACE;
    RESULT(__float_as_uint(x));
}
KERNEL(load_sides)
{
    BEGIN;
    unsigned x = 0;
    if (g[0] + l < 16) {
        PLACE;
        for (unsigned i = 0; i < 16 + g[1]; i++) {
            x = __ldcg(&g[x + 32]);
        }
        PLACE;
    } else {
        PLACE;
        for (unsigned i = 0; i < 16 + g[1]; i++) {
            x = __ldcg(&g[x + 64]);
        }
        PLACE;
    }
    PLACE;
    RESULT(x);
}
KERNEL(poll_clock)
{
    BEGIN;
    if (g[0] + l < 16) {
        const unsigned c = clock();
        PLACE;
        while (clock() - c < 4000) {
        }
        PLACE;
    } else {
        PLACE;
        PLACE;
    }
    PLACE;
}
KERNEL(sleep_side)
{
    BEGIN;
    if (g[0] + l < 16) {
        PLACE;
        __nanosleep(2000);
        PLACE;
    } else {
        PLACE;
        PLACE;
    }
    PLACE;
}
KERNEL(sleep_other_side)
{
    BEGIN;
    if (g[0] + l < 16) {
        PLACE;
        PLACE;
    } else {
        PLACE;
        __nanosleep(2000);
        PLACE;
    }
    PLACE;
}
KERNEL(sleep_both)
{
    BEGIN;
    if (g[0] + l < 16) {
        PLACE;
        __nanosleep(4000);
        PLACE;
    } else {
        PLACE;
        __nanosleep(4000);
        PLACE;
    }
    PLACE;
}
KERNEL(atom_loops)
{
    BEGIN;
    if (g[0] + l < 16) {
        for (unsigned i = 0; i < 6 + g[2]; i++) {
            atomicExch(&g[16], i);
            PLACE;
        }
    } else {
        for (unsigned i = 0; i < 6 + g[2]; i++) {
            atomicExch(&g[17], i);
            PLACE;
        }
    }
    PLACE;
}
KERNEL(volatile_loops)
{
    BEGIN;
    vu *f = g;
    unsigned x = 0;
    if (g[0] + l < 16) {
        for (unsigned i = 0; i < 6 + g[2]; i++) {
            x += f[16];
            PLACE;
        }
    } else {
        for (unsigned i = 0; i < 6 + g[2]; i++) {
            x += f[17];
            PLACE;
        }
    }
    PLACE;
    RESULT(x);
}
KERNEL(volatile_trips)
{
    BEGIN;
    vu *f = g;
    unsigned x = 0;
    for (unsigned i = g[0]; i < (l & 7); i++) {
        x += f[16];
        PLACE;
    }
    PLACE;
    RESULT(x);
    __syncwarp();
    PLACE;
}
KERNEL(atom_trips)
{
    BEGIN;
    for (unsigned i = g[0]; i < (l & 7); i++) {
        RESULT(atomicExch(&g[16], i));
        PLACE;
    }
    PLACE;
    __syncwarp();
    PLACE;
}
KERNEL(long_trips)
{
    BEGIN;
    vu *f = g;
    unsigned x = 0;
    for (unsigned i = g[0]; i < (l == 7 ? 40 : 2); i++) {
        x += f[16];
    }
    PLACE;
    RESULT(x);
    PLACE;
}
