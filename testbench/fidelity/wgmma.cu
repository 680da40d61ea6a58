/* wgmma.cu - what wgmma computes and where it reads: hashes and samples of products of drawn
 * operands, and the place of every element for drawn descriptors.
 * nvcc -O2 -I../../model -gencode arch=compute_90a,code=sm_90a -o wgmma wgmma.cu && ./wgmma OUT */
#include "wgmma.inc"

/* Word w of row r of an operand of 8 words a row, for swizzle s, rows of 32 bytes or
 * parts of longer ones. */
__device__ static unsigned word_at(unsigned r, unsigned w, unsigned s)
{
    const unsigned pitch = s == 0 ? 16 : s == 1 ? 128 : s == 2 ? 64 : 32;
    unsigned at = s == 0 ? r / 8 * 256 + w / 4 * 128 + r % 8 * 16
                         : r * pitch + w / 4 * 16;
    const unsigned mask = s == 0 ? 0 : pitch / 16 - 1;
    at ^= (at >> 7 & mask) << 4;
    return at / 4 + w % 4;
}

/* A block is one product; its matrices are rows of 8 words, A of 64, B of N rows. */
template <class S, int RS, int SA, int SB>
__global__ void products(unsigned *out, int keep)
{
    __shared__ __align__(1024) unsigned a[64 * 32], b[8 * 32];
    const unsigned t = threadIdx.x, p = blockIdx.x, s = p / DRAW_MODES % 4;
    const int mode = p % DRAW_MODES;
    for (unsigned i = t; i < 64 * 8; i += 128)
        a[word_at(i / 8, i % 8, s)] = draw_word(DRAW_A, S::KAB, mode, S::IN_E, (uint64_t)p * 512 + i);
    for (unsigned i = t; i < 8 * 8; i += 128)
        b[word_at(i / 8, i % 8, s)] = draw_word(DRAW_B, S::KAB, mode, S::IN_E, (uint64_t)p * 64 + i);
    typename S::TD d[S::ND];
    for (int i = 0; i < S::ND; i++) {
        unsigned w = draw_word(DRAW_C, S::KC, mode, S::IN_E, ((uint64_t)p * 128 + t) * S::ND + i);
        memcpy(&d[i], &w, 4);
    }
    publish();
    const unsigned step = s == 0 ? 256 : s == 1 ? 1024 : s == 2 ? 512 : 256;
    const uint64_t da = wgmma_descriptor((unsigned)__cvta_generic_to_shared(a), 128, step, 0, s),
                   db = wgmma_descriptor((unsigned)__cvta_generic_to_shared(b), 128, step, 0, s);
    unsigned ra[4];
    for (int i = 0; i < 4; i++)
        ra[i] = a[word_at(t / 32 * 16 + t % 32 / 4 + i % 2 * 8, i / 2 * 4 + t % 4, s)];
    fence();
    if (RS)
        S::template rs<SA, SB, 0, 0>(d, ra, db, keep);
    else
        S::template ss<SA, SB, 0, 0>(d, da, db, keep);
    commit();
    drain();
    for (int i = 0; i < S::ND; i++)
        memcpy(&out[((uint64_t)p * 128 + t) * S::ND + i], &d[i], 4);
}

static uint64_t fnv(const unsigned *w, size_t n)
{
    uint64_t h = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < n; i++) {
        h = (h ^ w[i]) * 0x100000001b3ull;
        h ^= h >> 29;
    }
    return h;
}
static FILE *hashes;
static const char *dir;
template <class S, int RS, int SA, int SB> void form(const char *name, unsigned n, int keep, unsigned raw)
{
    std::vector<unsigned> host((size_t)n * 128 * S::ND);
    unsigned *dev;
    CHECK(cudaMalloc(&dev, host.size() * 4));
    products<S, RS, SA, SB><<<n, 128>>>(dev, keep);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host.data(), dev, host.size() * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(dev));
    const unsigned step = n < 256 ? n : 256;
    for (unsigned i = 0; i < n; i += step)
        fprintf(hashes, "%s,%u,%u,%016llx\n", name, i, step,
                (unsigned long long)fnv(&host[(size_t)i * 128 * S::ND], (size_t)step * 128 * S::ND));
    if (raw) {
        FILE *f = fopen((std::string(dir) + "/" + name + ".bin").c_str(), "wb");
        fwrite(host.data(), 4, (size_t)raw * 128 * S::ND, f);
        fclose(f);
    }
}

/* D is the operand itself: A times one, or one times B. Halves in shared memory are
 * their index, low or high ten bits. */
enum { HALVES = 100 * 1024 };
template <int OF_A, int TURNED> __global__ void where(uint64_t desc, int high, unsigned short *out)
{
    extern __shared__ __align__(1024) unsigned short tile[];
    __shared__ __align__(1024) unsigned short one[2 * 128];
    const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
    for (unsigned i = t; i < HALVES; i += 128) {
        const unsigned v = high ? i >> 10 : i & 1023;
        /* binary16 of an integer below 2048 */
        unsigned e = 31 - __clz(v | 1);
        tile[i] = v == 0 ? 0 : (unsigned short)((e + 15) << 10 | ((v << 10 >> e) & 1023));
    }
    for (unsigned i = t; i < 16 * 16; i += 128) /* row n, column k */
        one[i / 16 / 8 * 128 + i % 16 / 8 * 64 + i / 16 % 8 * 8 + i % 8] = i / 16 == i % 16 ? 0x3c00 : 0;
    publish();
    const unsigned base = (unsigned)__cvta_generic_to_shared(tile);
    desc += base >> 4;
    if (OF_A) {
        float d[8] = {};
        const uint64_t db = wgmma_descriptor((unsigned)__cvta_generic_to_shared(one), 128, 256, 0, 0);
        fence();
        n16_f32_f16::ss<1, 1, TURNED, 0>(d, desc, db, 0);
        commit();
        drain();
        for (int i = 0; i < 8; i++)
            out[(warp * 16 + lane / 4 + i / 2 % 2 * 8) * 16 + i / 4 * 8 + lane % 4 * 2 + i % 2] = (unsigned short)d[i];
    } else {
        float d[16] = {};
        unsigned a[4];
        for (int i = 0; i < 4; i++) {
            const unsigned row = lane / 4 + i % 2 * 8, k = i / 2 * 8 + lane % 4 * 2;
            a[i] = warp != 0 ? 0 : (row == k ? 0x3c00u : 0) | (row == k + 1 ? 0x3c000000u : 0);
        }
        fence();
        n32_f32_f16::rs<1, 1, 0, TURNED>(d, a, desc, 0);
        commit();
        drain();
        for (int i = 0; i < 16; i++)
            if (warp == 0)
                out[(lane / 4 + i / 2 % 2 * 8) * 32 + i / 4 * 8 + lane % 4 * 2 + i % 2] = (unsigned short)d[i];
    }
}
typedef void (*where_kernel)(uint64_t, int, unsigned short *);
static void layouts()
{
    const where_kernel all[4] = {where<0, 0>, where<1, 0>, where<0, 1>, where<1, 1>};
    unsigned short *dev, host[2][1024];
    FILE *f = fopen((std::string(dir) + "/places.bin").c_str(), "wb");
    CHECK(cudaMalloc(&dev, 2048));
    for (int i = 0; i < 4; i++)
        CHECK(cudaFuncSetAttribute(all[i], cudaFuncAttributeMaxDynamicSharedMemorySize, HALVES * 2));
    for (unsigned i = 0; i < WGMMA_PLACES; i++) {
        const wgmma_place p = wgmma_draw_place(i);
        unsigned at[1024];
        for (int high = 0; high < 2; high++) {
            CHECK(cudaMemset(dev, 0, 2048));
            all[p.of_a + 2 * p.turned]<<<1, 128, HALVES * 2>>>(
                wgmma_descriptor(p.at, p.lead, p.stride, p.base, p.swizzle), high, dev);
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaMemcpy(host[high], dev, 2048, cudaMemcpyDeviceToHost));
        }
        for (unsigned j = 0; j < 1024; j++)
            at[j] = ((unsigned)host[1][j] << 10 | host[0][j]) * 2;
        fwrite(at, 4, p.of_a ? 1024 : 512, f);
    }
    fclose(f);
}

int main(int argc, char **argv)
{
    dir = argc > 1 ? argv[1] : ".";
    hashes = fopen((std::string(dir) + "/wgmma.csv").c_str(), "w");
    layouts();
#define X(s) form<s, 0, 1, 1>(#s, 16384, 1, 48);
    RESULT_FORMS(X)
#undef X
#define X(s) form<s, 1, 1, 1>(#s "_rs", 256, 1, 0);
    RESULT_FORMS(X)
#undef X
    form<n8_f32_f16, 0, -1, 1>("n8_f32_f16_minus_a", 256, 1, 0);
    form<n8_f32_f16, 0, 1, -1>("n8_f32_f16_minus_b", 256, 1, 0);
    form<n8_f32_f16, 1, -1, -1>("n8_f32_f16_minus_ab", 256, 1, 0);
    form<n8_f32_tf32, 0, -1, 1>("n8_f32_tf32_minus_a", 256, 1, 0);
    form<n8_f32_e4m3_e5m2, 0, -1, 1>("n8_f32_e4m3_e5m2_minus_a", 256, 1, 0);
    form<n8_f32_f16, 0, 1, 1>("n8_f32_f16_zero", 256, 0, 0);
    form<n8_f16_f16, 0, 1, 1>("n8_f16_f16_zero", 256, 0, 0);
    form<n8_s32_s8_s8, 0, 1, 1>("n8_s32_s8_s8_zero", 256, 0, 0);
    fclose(hashes);
    return 0;
}
