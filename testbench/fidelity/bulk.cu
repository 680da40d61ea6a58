/* bulk.cu - bulk copies and tensor maps of capability 9.0: what a driver makes of maps and
 * refuses, and what copies leave in memory, of drawn cases. Answers only, but for "times".
 * nvcc -O2 -gencode arch=compute_90a,code=sm_90a -o bulk bulk.cu
 * ./bulk maps|errors|loads|stores|copies|times|fault N */
#include "check.cuh"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <vector>

enum { AREA = 49152, SPACE = 1 << 20, FILL = 0xa5 };

static CUresult (*encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                          const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                          const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                          CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

/* ---- drawn numbers and hashes: splitmix64, FNV-1a ---- */

static uint64_t state;
static uint64_t draw()
{
    uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
static uint32_t below(uint32_t n) { return (uint32_t)(draw() % n); }
static int among(int lo, int hi) { return lo + (int)below((uint32_t)(hi - lo + 1)); }

static uint64_t fnv(const void *p, size_t n)
{
    uint64_t h = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < n; i++)
        h = (h ^ ((const uint8_t *)p)[i]) * 0x100000001b3ull;
    return h;
}
/* Byte i of what global memory begins with. */
static uint8_t pattern(uint32_t i) { return (uint8_t)((i * 2654435761u) >> 24 ^ i); }

/* ---- maps ---- */

struct Case {
    int type, rank, interleave, swizzle, promotion, fill;
    uint64_t dim[5], stride[5];
    uint32_t box[5], step[5];
    uint64_t base;
};
static const int sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
static CUresult make(CUtensorMap *m, const Case &c)
{
    memset(m, 0xee, sizeof(*m));
    return encode(m, (CUtensorMapDataType)c.type, (cuuint32_t)c.rank, (void *)c.base,
                  (const cuuint64_t *)c.dim, (const cuuint64_t *)c.stride, c.box, c.step,
                  (CUtensorMapInterleave)c.interleave, (CUtensorMapSwizzle)c.swizzle,
                  (CUtensorMapL2promotion)c.promotion, (CUtensorMapFloatOOBfill)c.fill);
}
static Case plain()
{
    Case c = {2, 2, 0, 0, 0, 0, {64, 32, 8, 4, 2}, {256, 8192, 65536, 262144, 0},
              {16, 8, 4, 2, 1}, {1, 1, 1, 1, 1}, 0x7f1234560000ull};
    return c;
}
template <class T> static void list(const T *p, int n)
{
    for (int i = 0; i < n; i++)
        printf("%s%llu", i == 0 ? "" : " ", (unsigned long long)p[i]);
    printf(",");
}
static void describe(const Case &c)
{
    printf("%d,%d,%d,%d,%d,%d,%llx,", c.type, c.rank, c.interleave, c.swizzle, c.promotion,
           c.fill, (unsigned long long)c.base);
    int n = c.rank < 0 ? 0 : c.rank > 5 ? 5 : c.rank;
    list(c.dim, n);
    list(c.stride, n > 0 ? n - 1 : 0);
    list(c.box, n);
    list(c.step, n);
}
static void tell_map(const Case &c)
{
    CUtensorMap m;
    CUresult r = make(&m, c);
    describe(c);
    printf("%d,", (int)r);
    if (r == CUDA_SUCCESS)
        for (int i = 0; i < 16; i++)
            printf("%s%016llx", i == 0 ? "" : " ", (unsigned long long)m.opaque[i]);
    printf("\n");
}
static const char *columns =
    "type,rank,interleave,swizzle,promotion,fill,base,dim,stride,box,step";
static Case drawn(bool legal);

static void maps()
{
    printf("%s,result,map\n", columns);
    tell_map(plain());
    for (int t = 0; t < 16; t++) { Case c = plain(); c.type = t; c.box[0] = 16; c.stride[0] = 1024; tell_map(c); }
    for (int r = 0; r < 7; r++) { Case c = plain(); c.rank = r > 5 ? 6 : r; tell_map(c); }
    for (int i = 0; i < 4; i++) for (int w = 0; w < 8; w++) {
        Case c = plain(); c.rank = 4; c.interleave = i; c.swizzle = w; c.box[0] = i == 0 ? 8 : 4; tell_map(c); }
    for (int p = 0; p < 5; p++) { Case c = plain(); c.promotion = p; tell_map(c); }
    for (int f = 0; f < 3; f++) for (int t = 0; t < 13; t++) { Case c = plain(); c.fill = f; c.type = t; c.stride[0] = 1024; tell_map(c); }
    for (int d = 0; d < 5; d++) for (int b = 0; b < 33; b += 4) { Case c = plain(); c.rank = 5; c.dim[d] = b == 32 ? 1ull << 32 : (1ull << b) + 5;
        tell_map(c); }
    for (int d = 0; d < 4; d++) for (int b = 3; b < 41; b += 3) { Case c = plain(); c.rank = 5; c.stride[d] = 1ull << b; tell_map(c); }
    for (int d = 0; d < 5; d++) for (uint32_t b : {0u, 1u, 3u, 4u, 37u, 255u, 256u, 257u}) { Case c = plain(); c.rank = 5; c.box[d] = d == 0 ? b / 4 * 4 : b; tell_map(c); }
    for (int d = 0; d < 5; d++) for (uint32_t b : {0u, 2u, 3u, 7u, 8u, 9u}) { Case c = plain(); c.rank = 5; c.step[d] = b; tell_map(c); }
    for (int b = 0; b < 6; b++) { Case c = plain(); c.base = 0x7f1234560000ull + (1ull << b); tell_map(c); }
    for (uint64_t b : {0ull, 16ull, 1ull << 40, 1ull << 47, 1ull << 56, 1ull << 57}) { Case c = plain(); c.base = b; tell_map(c); }
    state = 5;
    for (int i = 0; i < 300; i++) tell_map(drawn(i % 3 != 0));
}

/* A case; legal: mostly one that a driver takes. Its tensor fits into SPACE. */
static Case drawn(bool legal)
{
    Case c = {};
    c.type = (int)below(13);
    const int size = sizes[c.type];
    c.interleave = below(5) != 0 ? 0 : 1 + (int)below(2);
    c.rank = c.interleave != 0 ? among(3, 5) : among(1, 5);
    c.swizzle = c.interleave == 2 ? 1 : below(3) == 0 ? 0 : (int)below(4);
    c.promotion = (int)below(4);
    c.fill = (int)below(2) && ((c.type >= 6)) ? 1 : 0;
    c.base = 0x7f1234560000ull + 32 * below(4);
    const int unit = 16 / size;
    int most = c.interleave == 1 ? unit : c.interleave == 2 ? 2 * unit
               : c.swizzle != 0  ? unit << c.swizzle : 256;
    if (most > 256)
        most = 256;
    for (int d = 0; d < c.rank; d++) {
        const int top = d == 0 ? 200 : d == 1 ? 40 : d == 2 ? 9 : d == 3 ? 5 : 3;
        c.dim[d] = (uint64_t)among(1, top);
        c.step[d] = below(6) == 0 ? (uint32_t)among(1, 4) : 1;
        c.box[d] = d == 0 ? (uint32_t)(unit * among(1, most / unit > 8 ? 8 : most / unit))
                          : (uint32_t)among(1, d == 1 ? 24 : d == 2 ? 5 : 3);
    }
    c.step[0] = c.interleave != 0 ? 1 : c.step[0];
    uint64_t bytes = (c.dim[0] * (uint64_t)size + 31) / 32 * 32;
    for (int d = 0; d + 1 < c.rank; d++) {
        c.stride[d] = bytes + 32 * below(3);
        bytes = c.stride[d] * c.dim[d + 1];
    }
    if (!legal) {
        const int what = (int)below(6);
        if (what == 0) c.swizzle = (int)below(4);
        if (what == 1) c.box[0] += 1;
        if (what == 2) c.interleave = (int)below(3);
        if (what == 3 && c.rank > 1) c.stride[below((uint32_t)c.rank - 1)] += 8;
        if (what == 4) c.fill = 1;
        if (what == 5) c.base += 8;
    }
    return c;
}

/* ---- the device's part ---- */

__device__ static uint32_t at_shared(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ static void init(uint64_t *bar, uint32_t n)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at_shared(bar)), "r"(n) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
}
__device__ static void expect(uint64_t *bar, uint32_t bytes)
{
    asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1; }" ::"r"(at_shared(bar)),
                 "r"(bytes) : "memory");
}
/* False: it did not come for a long time. */
__device__ static bool await(uint64_t *bar, uint32_t parity)
{
    for (int i = 0; i < 100000; i++) {
        uint32_t over;
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(over) : "r"(at_shared(bar)), "r"(parity) : "memory");
        if (over)
            return true;
    }
    return false;
}
__device__ static void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ static void drain() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }

struct Coords { int32_t c[5]; };

#define LOAD(n, text, ...)                                                             \
    asm volatile("cp.async.bulk.tensor." #n "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" text  \
                 "}], [%2];" ::"r"(to), "l"(m), "r"(bar), __VA_ARGS__ : "memory")
__device__ static void load(int rank, uint32_t to, const CUtensorMap *m, uint32_t bar, const Coords &x)
{
    switch (rank) {
    case 1: LOAD(1, "%3", "r"(x.c[0])); break;
    case 2: LOAD(2, "%3,%4", "r"(x.c[0]), "r"(x.c[1])); break;
    case 3: LOAD(3, "%3,%4,%5", "r"(x.c[0]), "r"(x.c[1]), "r"(x.c[2])); break;
    case 4: LOAD(4, "%3,%4,%5,%6", "r"(x.c[0]), "r"(x.c[1]), "r"(x.c[2]), "r"(x.c[3])); break;
    default: LOAD(5, "%3,%4,%5,%6,%7", "r"(x.c[0]), "r"(x.c[1]), "r"(x.c[2]), "r"(x.c[3]), "r"(x.c[4])); break;
    }
}
#define STORE(op, n, text, ...)                                                        \
    asm volatile(op "." #n "d.global.shared::cta." HOW "tile.bulk_group [%0, {" text "}], [%1];" ::"l"(m), "r"(from), __VA_ARGS__ : "memory")
#define STORES(op)                                                                     \
    switch (rank) {                                                                    \
    case 1: STORE(op, 1, "%2", "r"(x.c[0])); break;                                    \
    case 2: STORE(op, 2, "%2,%3", "r"(x.c[0]), "r"(x.c[1])); break;                    \
    case 3: STORE(op, 3, "%2,%3,%4", "r"(x.c[0]), "r"(x.c[1]), "r"(x.c[2])); break;    \
    case 4: STORE(op, 4, "%2,%3,%4,%5", "r"(x.c[0]), "r"(x.c[1]), "r"(x.c[2]), "r"(x.c[3])); break; \
    default: STORE(op, 5, "%2,%3,%4,%5,%6", "r"(x.c[0]), "r"(x.c[1]), "r"(x.c[2]), "r"(x.c[3]), "r"(x.c[4])); break; \
    }
__device__ static void store(int how, int rank, uint32_t from, const CUtensorMap *m, const Coords &x)
{
#define HOW ""
    if (how == 0) { STORES("cp.async.bulk.tensor") return; }
#undef HOW
#define HOW "add."
    if (how == 1) { STORES("cp.reduce.async.bulk.tensor") return; }
#undef HOW
#define HOW "min."
    if (how == 2) { STORES("cp.reduce.async.bulk.tensor") return; }
#undef HOW
#define HOW "max."
    if (how == 3) { STORES("cp.reduce.async.bulk.tensor") return; }
#undef HOW
#define HOW "and."
    if (how == 4) { STORES("cp.reduce.async.bulk.tensor") return; }
#undef HOW
#define HOW "or."
    if (how == 5) { STORES("cp.reduce.async.bulk.tensor") return; }
#undef HOW
#define HOW "xor."
    if (how == 6) { STORES("cp.reduce.async.bulk.tensor") return; }
#undef HOW
#define HOW "inc."
    if (how == 7) { STORES("cp.reduce.async.bulk.tensor") return; }
#undef HOW
#define HOW "dec."
    if (how == 8) { STORES("cp.reduce.async.bulk.tensor") return; }
#undef HOW
}

/* Not a parameter: of those some compilers make a copy of each thread's. */
__constant__ CUtensorMap chosen;

/* One box to shared memory at `at`; out[AREA]: whether its bytes came. */
__global__ void load_box(int rank, Coords x, uint32_t at,
                         uint32_t bytes, uint8_t *out)
{
    extern __shared__ __align__(1024) uint8_t area[];
    __shared__ uint64_t bar;
    for (uint32_t i = threadIdx.x; i < AREA; i += blockDim.x)
        area[i] = FILL;
    if (threadIdx.x == 0)
        init(&bar, 1);
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(&bar, bytes);
        load(rank, at_shared(area) + at, &chosen, at_shared(&bar), x);
    }
    const bool came = await(&bar, 0);
    if (threadIdx.x == 0)
        *(uint64_t *)(out + AREA) = came;
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < AREA; i += blockDim.x)
        out[i] = area[i];
}

__global__ void store_box(int rank, Coords x, uint32_t at, int how, int small)
{
    extern __shared__ __align__(1024) uint8_t area[];
    for (uint32_t i = threadIdx.x; i < AREA; i += blockDim.x)
        area[i] = small ? (i % 2 ? 0x3c + i / 2 % 5 : 0) : (uint8_t)((i * 40503u) >> 7 ^ i);
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        store(how, rank, at_shared(area) + at, &chosen, x);
        commit();
        drain();
    }
}

/* ---- host ---- */

static uint8_t *space, *out;
static std::vector<uint8_t> first(SPACE), now(SPACE), got(AREA + 8);

static uint32_t box_bytes(const Case &c)
{
    uint32_t n = (uint32_t)sizes[c.type];
    for (int d = 0; d < c.rank; d++)
        n *= d == 0 ? c.box[d] : (c.box[d] + c.step[d] - 1) / c.step[d]; /* no stride in the first */
    return n;
}
/* Interleaved tensors are asked for with INTERLEAVED in the environment, and those alone. */
static bool is_usual(const Case &c)
{
    return (c.interleave == 0) == (getenv("INTERLEAVED") == NULL);
}
/* RAW in the environment names a file that gets the bytes behind each row. */
static FILE *open_raw()
{
    FILE *f = getenv("RAW") != NULL ? fopen(getenv("RAW"), "ab") : NULL;
    if (f != NULL)
        setvbuf(f, NULL, _IONBF, 0);
    return f;
}
static Coords place(const Case &c)
{
    Coords x = {};
    const bool inside = below(3) == 0;
    for (int d = 0; d < c.rank; d++)
        x.c[d] = inside ? (int)below((uint32_t)c.dim[d]) / 2 : among(-3, (int)c.dim[d] + 1);
    x.c[0] &= ~(16 / sizes[c.type] - 1); /* else an illegal instruction */
    return x;
}
static void start()
{
    for (uint32_t i = 0; i < SPACE; i++)
        first[i] = pattern(i);
    CHECK(cudaMalloc(&space, SPACE));
    CHECK(cudaMalloc(&out, AREA + 8));
    CHECK(cudaMemcpy(space, first.data(), SPACE, cudaMemcpyHostToDevice));
    CHECK(cudaFuncSetAttribute(load_box, cudaFuncAttributeMaxDynamicSharedMemorySize, AREA));
    CHECK(cudaFuncSetAttribute(store_box, cudaFuncAttributeMaxDynamicSharedMemorySize, AREA));
}
static void tell_coords(const Case &c, const Coords &x)
{
    for (int d = 0; d < c.rank; d++)
        printf("%s%d", d == 0 ? "" : " ", x.c[d]);
}

/* A case that faults ends the program: say which on standard error, for the next round. */
static void stop_at(int i, Case c, uint64_t where, const Coords &x)
{
    const cudaError_t e = cudaDeviceSynchronize();
    if (e == cudaSuccess)
        return;
    c.base = where;
    describe(c);
    tell_coords(c, x);
    printf(",,%s,,\n", cudaGetErrorName(e));
    fflush(stdout);
    fprintf(stderr, "%d\n", i);
    _Exit(3);
}

static void loads(int n, int from)
{
    if (from == 0)
        printf("%s,coords,at,bytes,came,shared_fnv1a\n", columns);
    start();
    FILE *raw = open_raw();
    state = 11;
    for (int i = 0; i < n; i++) {
        Case c = drawn(true);
        CUtensorMap m;
        Coords x = place(c);
        const uint32_t at = 128 * below(i % 4 == 0 ? 1 : 8);
        const uint64_t where = c.base;
        c.base = (uint64_t)space + (c.base & 0xff);
        if (!is_usual(c) || box_bytes(c) > 40960 || make(&m, c) != CUDA_SUCCESS)
            continue;
        if (i < from)
            continue;
        const uint32_t bytes = box_bytes(c);
        CHECK(cudaMemcpyToSymbol(chosen, &m, sizeof(m)));
        load_box<<<1, 128, AREA>>>(c.rank, x, at, bytes, out);
        stop_at(i, c, where, x);
        CHECK(cudaMemcpy(got.data(), out, AREA + 8, cudaMemcpyDeviceToHost));
        c.base = where;
        describe(c);
        tell_coords(c, x);
        printf(",%u,%u,%u,%016llx\n", at, bytes, got[AREA], (unsigned long long)fnv(got.data(), AREA));
        if (raw != NULL)
            fwrite(got.data(), 1, AREA, raw);
    }
    if (raw != NULL)
        fclose(raw);
}

static const char *const hows[] = {"store", "add", "min", "max", "and", "or", "xor", "inc", "dec"};
static bool takes(int how, int type)
{
    const bool whole = type >= 2 && type <= 5;
    switch (how) {
    case 0: return true;
    case 1: return whole || type == 6 || type == 7 || type == 9 || type == 10;
    case 2:
    case 3: return whole || type == 6 || type == 9;
    case 7:
    case 8: return type == 2;
    default: return whole;
    }
}
static void stores(int n, int from)
{
    if (from == 0)
        printf("%s,coords,at,how,space_fnv1a\n", columns);
    start();
    FILE *raw = open_raw();
    state = 12;
    for (int i = 0; i < n; i++) {
        Case c = drawn(true);
        CUtensorMap m;
        Coords x = place(c);
        const uint32_t at = 128 * below(8);
        const int how = below(2) ? 0 : (int)below(9);
        const uint64_t where = c.base;
        c.fill = 0;
        c.base = (uint64_t)space + (c.base & 0xff);
        if (!is_usual(c) || box_bytes(c) > 40960 || make(&m, c) != CUDA_SUCCESS || !takes(how, c.type))
            continue;
        const bool floats = c.type >= 6;
        if (i < from)
            continue;
        for (uint32_t k = 0; k < SPACE; k++)
            first[k] = floats && how != 0 ? (k % 2 ? 0x3d + k / 2 % 4 : 0) : pattern(k);
        CHECK(cudaMemcpy(space, first.data(), SPACE, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpyToSymbol(chosen, &m, sizeof(m)));
        store_box<<<1, 128, AREA>>>(c.rank, x, at, how, floats && how != 0);
        stop_at(i, c, where, x);
        CHECK(cudaMemcpy(now.data(), space, SPACE, cudaMemcpyDeviceToHost));
        c.base = where;
        describe(c);
        tell_coords(c, x);
        printf(",%u,%s,%016llx\n", at, hows[how], (unsigned long long)fnv(now.data(), SPACE));
        if (raw != NULL && how == 0)
            fwrite(now.data(), 1, SPACE, raw);
    }
    if (raw != NULL)
        fclose(raw);
}

/* ---- copies without maps ---- */

__global__ void reduce_lines(uint8_t *g, uint32_t from, uint32_t to, uint32_t bytes, int how)
{
    extern __shared__ __align__(1024) uint8_t area[];
    const bool floats = how >= 20;
    for (uint32_t i = threadIdx.x; i < AREA; i += blockDim.x)
        area[i] = floats ? (i % 2 ? 0x3c + i / 2 % 5 : 0) : (uint8_t)((i * 40503u) >> 7 ^ i);
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x != 0)
        return;
#define RED(k, text)                                                                   \
    case k:                                                                            \
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." text " [%0], [%1], %2;" ::"l"(g + to), \
                     "r"(at_shared(area) + from), "r"(bytes) : "memory");              \
        break
    switch (how) {
        RED(0, "and.b32"); RED(1, "or.b32"); RED(2, "xor.b32"); RED(3, "and.b64"); RED(4, "or.b64"); RED(5, "xor.b64");
        RED(6, "add.u32"); RED(7, "add.s32"); RED(8, "add.u64"); RED(9, "inc.u32"); RED(10, "dec.u32");
        RED(11, "min.u32"); RED(12, "min.s32"); RED(13, "min.u64"); RED(14, "min.s64");
        RED(15, "max.u32"); RED(16, "max.s32"); RED(17, "max.u64"); RED(18, "max.s64");
        RED(20, "add.f32"); RED(21, "add.f64"); RED(22, "add.noftz.f16"); RED(23, "add.noftz.bf16");
        RED(24, "min.f16"); RED(25, "max.f16"); RED(26, "min.bf16"); RED(27, "max.bf16");
    default:
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(g + to),
                     "r"(at_shared(area) + from), "r"(bytes) : "memory");
    }
    commit();
    drain();
}

static void copies()
{
    printf("how,from,to,bytes,space_fnv1a\n");
    start();
    CHECK(cudaFuncSetAttribute(reduce_lines, cudaFuncAttributeMaxDynamicSharedMemorySize, AREA));
    state = 13;
    for (int how = 0; how < 29; how++) {
        if (how == 19)
            continue;
        for (int k = 0; k < 4; k++) {
            const uint32_t from = 16 * below(256), to = 16 * below(4096), bytes = 16 * (uint32_t)among(1, k == 0 ? 4 : 900);
            for (uint32_t i = 0; i < SPACE; i++)
                first[i] = how >= 20 && how < 28 ? (i % 2 ? 0x3d + i / 2 % 4 : 0) : pattern(i);
            CHECK(cudaMemcpy(space, first.data(), SPACE, cudaMemcpyHostToDevice));
            reduce_lines<<<1, 128, AREA>>>(space, from, to, bytes, how);
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaMemcpy(now.data(), space, SPACE, cudaMemcpyDeviceToHost));
            printf("%d,%u,%u,%u,%016llx\n", how, from, to, bytes, (unsigned long long)fnv(now.data(), SPACE));
        }
    }
}

/* ---- times: cycles of one thread, the least of some rounds ---- */

__global__ void time_load(const __grid_constant__ CUtensorMap m, int rank, uint32_t bytes, int n, long long *t)
{
    extern __shared__ __align__(1024) uint8_t area[];
    __shared__ uint64_t bar;
    init(&bar, 1);
    Coords x = {};
    for (uint32_t round = 0; round < 6; round++) {
        const long long t0 = clock64();
        expect(&bar, bytes * n);
        for (int i = 0; i < n; i++)
            load(rank, at_shared(area) + (bytes + 127) / 128 * 128 * i, &m, at_shared(&bar), x);
        await(&bar, round & 1);
        t[round] = clock64() - t0;
    }
}
__global__ void time_store(const __grid_constant__ CUtensorMap m, int rank, uint8_t *g, uint32_t bytes, int read, long long *t)
{
    extern __shared__ __align__(1024) uint8_t area[];
    Coords x = {};
    for (uint32_t round = 0; round < 6; round++) {
        const long long t0 = clock64();
        if (rank != 0)
            store(0, rank, at_shared(area), &m, x);
        else
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(g), "r"(at_shared(area)), "r"(bytes) : "memory");
        commit();
        if (read)
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        else
            drain();
        t[round] = clock64() - t0;
    }
}
__global__ void time_plain(const uint8_t *g, uint32_t bytes, int n, long long *t)
{
    extern __shared__ __align__(1024) uint8_t area[];
    __shared__ uint64_t bar;
    init(&bar, 1);
    for (uint32_t round = 0; round < 6; round++) {
        const long long t0 = clock64();
        expect(&bar, bytes * n);
        for (int i = 0; i < n; i++)
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at_shared(area) + bytes * i), "l"(g), "r"(bytes), "r"(at_shared(&bar)) : "memory");
        await(&bar, round & 1);
        t[round] = clock64() - t0;
    }
}
static long long least(const long long *t)
{
    long long best = t[1];
    for (int i = 2; i < 6; i++)
        best = t[i] < best ? t[i] : best;
    return best;
}
static void times()
{
    long long *t;
    const int room = 200 * 1024;
    start();
    CHECK(cudaMallocManaged(&t, 64));
    CHECK(cudaFuncSetAttribute(time_load, cudaFuncAttributeMaxDynamicSharedMemorySize, room));
    CHECK(cudaFuncSetAttribute(time_store, cudaFuncAttributeMaxDynamicSharedMemorySize, room));
    CHECK(cudaFuncSetAttribute(time_plain, cudaFuncAttributeMaxDynamicSharedMemorySize, room));
    printf("what,bytes,n,cycles\n");
    for (uint32_t bytes : {16u, 64u, 128u, 256u, 512u, 1024u, 2048u, 4096u, 8192u, 16384u, 32768u, 65536u}) {
        for (int n : {1, 2, 4}) {
            if (bytes * n > (uint32_t)room)
                continue;
            time_plain<<<1, 1, room>>>(space, bytes, n, t);
            CHECK(cudaDeviceSynchronize());
            printf("load,%u,%d,%lld\n", bytes, n, least(t));
        }
        for (int read = 0; read < 2; read++) {
            CUtensorMap none = {};
            time_store<<<1, 1, room>>>(none, 0, space, bytes, read, t);
            CHECK(cudaDeviceSynchronize());
            printf("%s,%u,1,%lld\n", read ? "store_read" : "store", bytes, least(t));
        }
    }
    for (int w = 0; w < 4; w++) for (uint32_t rows : {1u, 8u, 64u, 256u}) for (int wide = 0; wide < 4; wide++) {
        Case c = plain();
        CUtensorMap m;
        c.type = 1; /* u16 */
        c.swizzle = w;
        c.dim[0] = 256; c.dim[1] = 512; c.stride[0] = 512;
        c.box[0] = 8u << wide; c.box[1] = rows;
        c.base = (uint64_t)space;
        if (make(&m, c) != CUDA_SUCCESS)
            continue;
        for (int n : {1, 4}) {
            if (n * box_bytes(c) > (uint32_t)room)
                continue;
            time_load<<<1, 1, room>>>(m, 2, box_bytes(c), n, t);
            CHECK(cudaDeviceSynchronize());
            printf("tile_%ux%u_swizzle%d,%u,%d,%lld\n", 8u << wide, rows, w, box_bytes(c), n, least(t));
        }
        time_store<<<1, 1, room>>>(m, 2, space, 0, 1, t);
        CHECK(cudaDeviceSynchronize());
        printf("tile_store_read_%ux%u_swizzle%d,%u,1,%lld\n", 8u << wide, rows, w, box_bytes(c), least(t));
        time_store<<<1, 1, room>>>(m, 2, space, 0, 0, t);
        CHECK(cudaDeviceSynchronize());
        printf("tile_store_%ux%u_swizzle%d,%u,1,%lld\n", 8u << wide, rows, w, box_bytes(c), least(t));
    }
}

/* ---- faults: one a process ---- */

__global__ void wrong(int which, uint8_t *g, const __grid_constant__ CUtensorMap m)
{
    extern __shared__ __align__(1024) uint8_t area[];
    __shared__ uint64_t bar;
    init(&bar, 1);
    const uint32_t s = at_shared(area), b = at_shared(&bar);
    Coords x = {};
    expect(&bar, 16);
#define IN(to, from, n, bar) asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "l"(from), "r"(n), "r"(bar) : "memory")
#define OUT_(to, from, n) asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(from), "r"(n) : "memory")
    switch (which) {
    case 0: IN(s + 8, g, 16, b); break;
    case 1: IN(s, g + 8, 16, b); break;
    case 2: IN(s, g, 8, b); break;
    case 3: IN(s, g, 0, b); break;
    case 4: IN(s, g, 16, b + 4); break;
    case 5: IN(s + 1000000, g, 16, b); break;
    case 6: IN(s, (uint8_t *)0x1000, 16, b); break;
    case 7: OUT_(g + 8, s, 16); break;
    case 8: OUT_(g, s + 8, 16); break;
    case 9: OUT_(g, s, 24); break;
    case 10: load(2, s + 64, &m, b, x); break;
    case 11: load(2, s, (const CUtensorMap *)(g + 8), b, x); break;
    case 12: load(2, s, (const CUtensorMap *)g, b, x); break;
    case 13: load(3, s, &m, b, x); break;
    case 14: IN(s, g + SPACE - 16, 32 << 20, b); break;
    case 15: IN(s, g, 1u << 20, b); break;
    case 16: asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(1u << 20) : "memory"); break;
    default: IN(s, g, 16, b); break;
    }
    commit();
    drain();
    long long t = clock64();
    while (clock64() - t < 20000)
        ;
}
static void fault(int which)
{
    CUtensorMap m;
    Case c = plain();
    start();
    c.base = (uint64_t)space;
    c.dim[1] = 512;
    make(&m, c);
    wrong<<<1, 1, 2048>>>(which, space, m);
    printf("%d,%s\n", which, cudaGetErrorName(cudaDeviceSynchronize()));
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    cudaDriverEntryPointQueryResult found;
    CHECK(cudaFree(NULL));
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &found));
    if (strcmp(what, "maps") == 0) maps();
    else if (strcmp(what, "loads") == 0) loads(argc > 2 ? atoi(argv[2]) : 400, argc > 3 ? atoi(argv[3]) : 0);
    else if (strcmp(what, "stores") == 0) stores(argc > 2 ? atoi(argv[2]) : 500, argc > 3 ? atoi(argv[3]) : 0);
    else if (strcmp(what, "copies") == 0) copies();
    else if (strcmp(what, "times") == 0) times();
    else if (strcmp(what, "fault") == 0) fault(atoi(argv[2]));
    else return 2;
    return 0;
}
