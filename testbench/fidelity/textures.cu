/* Samples of textures of each shape, format, filter, address mode and kind of
 * coordinate, for golden/data/textures-h100.csv: nvcc -O2 -arch=sm_90 textures.cu; the
 * folder for textures.csv is the argument. */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <stdint.h>
#include <string.h>
#include <vector>
static inline uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}
static inline uint32_t draw(uint32_t seed, uint32_t i)
{
    return mix(mix(seed * 0x9e3779b9u + 1) ^ (i * 0x85ebca6bu + 0x1234567u));
}
static inline float as_f(uint32_t u)
{
    float f;
    memcpy(&f, &u, 4);
    return f;
}
static inline uint32_t as_u(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}
enum { K_1D, K_2D, K_3D, K_1DL, K_2DL, K_CUBE, K_CUBEL, K_LIN, K_PITCH, N_KIND };
enum { F_U8, F_S8, F_U16, F_S16, F_U32, F_S32, F_F16, F_F32, N_FMT };
struct tcase {
    uint32_t kind, fmt, ch, w, h, d; // d: depth or layers
    uint32_t linear, addr[3], norm, readnorm,
        op; // op 0: tex, 1..4: gather component op-1, 5: s32 coordinates
    uint32_t seed, n;
};
/* A component of a texel: floats are of middling size, integers anything. */
static inline uint32_t texel_bits(const struct tcase *c, uint32_t index)
{
    uint32_t r = draw(c->seed, index);
    switch (c->fmt) {
    case F_U8:
    case F_S8: return r & 0xff;
    case F_U16:
    case F_S16: return r & 0xffff;
    case F_F16: return (r & 0x8000u) | ((8u + (r >> 16) % 14u) << 10) | (r & 0x3ff);
    case F_F32:
        return (r & 0x80000000u) | ((120u + (r >> 23 & 7u)) << 23) |
               (mix(r) & 0x7fffff);
    }
    return r;
}
static inline float special(uint32_t i, float size)
{
    static const uint32_t s[] = {0x7fc00000u, 0x7f800000u, 0xff800000u, 0x80000000u,
                                 0u,          1u,          0x80000001u, 0x7f7fffffu,
                                 0xff7fffffu, 0x4f000000u, 0xcf000000u, 0x4effffffu,
                                 0x3f7fffffu, 0x3f800000u, 0x3f800001u, 0xbf800000u,
                                 0x3f000000u, 0xbf000000u, 0x3effffffu, 0x3f000001u,
                                 0x40000000u, 0x3fffffffu, 0xb3800000u, 0x33800000u,
                                 0x4b000000u, 0x4b800000u, 0x5f000000u, 0xdf000000u};
    uint32_t n = sizeof(s) / sizeof(s[0]);
    return i % (n + 4) < n ? as_f(s[i % (n + 4)])
                           : size + (float)(i % (n + 4) - n) * 0.5f - 1.0f;
}
// coordinate k of sample i
static inline float coord(const struct tcase *c, uint32_t i, uint32_t k)
{
    uint32_t size = k == 0 ? c->w : k == 1 ? c->h : c->d;
    uint32_t r = draw(c->seed + 77 + k, i), q = mix(r);
    float s = (float)size, x;
    if (i < 64 && (i + k) % 3 != 1)
        return special(i * 7 + k * 11, s);
    if (c->kind == K_CUBE || c->kind == K_CUBEL) {
        x = (float)(int32_t)q * 4.656612873e-10f;
        if (i % 8 == 7)
            x = (float)((int)(r % 5u) - 2) * 0.5f;
        return x;
    }
    switch (i % 4) {
    case 0:
        x = (float)((int)(r % (64u * size)) - (int)(16 * size)) / 32.0f;
        break; // exact halves and so on
    case 1:
        x = (float)(r % (2 * size)) * 0.5f;
        x = as_f(as_u(x) + q % 5u - (x > 0 ? 2u : 0u));
        break;
    default:
        x = s * (-0.75f + 2.5f * ((float)(r >> 8) * 5.9604644775390625e-8f));
        break;
    }
    return c->norm ? x / s : x;
}
#define OK(x)                                                                          \
    do {                                                                               \
        cudaError_t e_ = (x);                                                          \
        if (e_ != cudaSuccess) {                                                       \
            printf("%s:%d %s: %s\n", __FILE__, __LINE__, #x, cudaGetErrorString(e_));  \
            cudaGetLastError();                                                        \
        }                                                                              \
    } while (0)
__global__ void sample(cudaTextureObject_t t, tcase c, const float4 *in, uint4 *out,
                       int isf)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (int)c.n)
        return;
    float4 p = in[i];
    uint4 o = make_uint4(1, 2, 3, 4);
    float fx, fy, fz, fw;
    int layer = __float_as_int(p.w);
#define GO(G, ARGS, ...)                                                               \
    if (isf) {                                                                         \
        asm volatile("tex." G ".v4.f32.f32 {%0,%1,%2,%3},[%4," ARGS "];"               \
                     : "=f"(fx), "=f"(fy), "=f"(fz), "=f"(fw)                          \
                     : "l"(t), __VA_ARGS__);                                           \
        o = make_uint4(__float_as_uint(fx), __float_as_uint(fy), __float_as_uint(fz),  \
                       __float_as_uint(fw));                                           \
    } else {                                                                           \
        asm volatile("tex." G ".v4.u32.f32 {%0,%1,%2,%3},[%4," ARGS "];"               \
                     : "=r"(o.x), "=r"(o.y), "=r"(o.z), "=r"(o.w)                      \
                     : "l"(t), __VA_ARGS__);                                           \
    }
#define GOI(G, ARGS, ...)                                                              \
    if (isf) {                                                                         \
        asm volatile("tex." G ".v4.f32.s32 {%0,%1,%2,%3},[%4," ARGS "];"               \
                     : "=f"(fx), "=f"(fy), "=f"(fz), "=f"(fw)                          \
                     : "l"(t), __VA_ARGS__);                                           \
        o = make_uint4(__float_as_uint(fx), __float_as_uint(fy), __float_as_uint(fz),  \
                       __float_as_uint(fw));                                           \
    } else {                                                                           \
        asm volatile("tex." G ".v4.u32.s32 {%0,%1,%2,%3},[%4," ARGS "];"               \
                     : "=r"(o.x), "=r"(o.y), "=r"(o.z), "=r"(o.w)                      \
                     : "l"(t), __VA_ARGS__);                                           \
    }
#define GATHER(C)                                                                      \
    if (isf) {                                                                         \
        asm volatile("tld4." C ".2d.v4.f32.f32 {%0,%1,%2,%3},[%4,{%5,%6}];"            \
                     : "=f"(fx), "=f"(fy), "=f"(fz), "=f"(fw)                          \
                     : "l"(t), "f"(p.x), "f"(p.y));                                    \
        o = make_uint4(__float_as_uint(fx), __float_as_uint(fy), __float_as_uint(fz),  \
                       __float_as_uint(fw));                                           \
    } else {                                                                           \
        asm volatile("tld4." C ".2d.v4.u32.f32 {%0,%1,%2,%3},[%4,{%5,%6}];"            \
                     : "=r"(o.x), "=r"(o.y), "=r"(o.z), "=r"(o.w)                      \
                     : "l"(t), "f"(p.x), "f"(p.y));                                    \
    }
    int ix = (int)p.x, iy = (int)p.y, iz = (int)p.z;
    if (c.op == 1) {
        GATHER("r")
    } else if (c.op == 2) {
        GATHER("g")
    } else if (c.op == 3) {
        GATHER("b")
    } else if (c.op == 4) {
        GATHER("a")
    } else if (c.op == 5) {
        switch (c.kind) {
        case K_1D:
        case K_LIN: GOI("1d", "{%5}", "r"(ix)) break;
        case K_2D:
        case K_PITCH: GOI("2d", "{%5,%6}", "r"(ix), "r"(iy)) break;
        case K_3D: GOI("3d", "{%5,%6,%7,%7}", "r"(ix), "r"(iy), "r"(iz)) break;
        case K_1DL: GOI("a1d", "{%5,%6}", "r"(layer), "r"(ix)) break;
        case K_2DL: GOI("a2d", "{%5,%6,%7,%7}", "r"(layer), "r"(ix), "r"(iy)) break;
        }
    } else {
        switch (c.kind) {
        case K_1D: GO("1d", "{%5}", "f"(p.x)) break;
        case K_2D:
        case K_PITCH: GO("2d", "{%5,%6}", "f"(p.x), "f"(p.y)) break;
        case K_3D: GO("3d", "{%5,%6,%7,%7}", "f"(p.x), "f"(p.y), "f"(p.z)) break;
        case K_1DL: GO("a1d", "{%5,%6}", "r"(layer), "f"(p.x)) break;
        case K_2DL: GO("a2d", "{%5,%6,%7,%7}", "r"(layer), "f"(p.x), "f"(p.y)) break;
        case K_CUBE: GO("cube", "{%5,%6,%7,%7}", "f"(p.x), "f"(p.y), "f"(p.z)) break;
        case K_CUBEL:
            GO("acube", "{%5,%6,%7,%8}", "r"(layer), "f"(p.x), "f"(p.y), "f"(p.z))
            break;
        }
    }
    out[i] = o;
}
static const uint32_t fmt_bytes[] = {1, 1, 2, 2, 4, 4, 2, 4};
static FILE *idx;
static cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp,
                                         cudaAddressModeMirror, cudaAddressModeBorder};
static void run(const tcase &c0)
{
    tcase c = c0;
    uint32_t eb = fmt_bytes[c.fmt],
             faces = c.kind == K_CUBE                                       ? 6
                     : c.kind == K_CUBEL                                    ? 6 * c.d
                     : c.kind == K_3D || c.kind == K_1DL || c.kind == K_2DL ? c.d
                                                                            : 1;
    uint32_t hh = c.kind == K_1D || c.kind == K_1DL || c.kind == K_LIN ? 1 : c.h;
    uint64_t n = (uint64_t)c.w * hh * faces * c.ch;
    std::vector<uint8_t> host(n * eb);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t b = texel_bits(&c, i);
        memcpy(&host[i * eb], &b, eb);
    }
    int bits = 8 * eb;
    cudaChannelFormatKind fk = c.fmt == F_F16 || c.fmt == F_F32
                                   ? cudaChannelFormatKindFloat
                               : c.fmt & 1 ? cudaChannelFormatKindSigned
                                           : cudaChannelFormatKindUnsigned;
    cudaChannelFormatDesc fd =
        cudaCreateChannelDesc(bits, c.ch > 1 ? bits : 0, c.ch > 2 ? bits : 0,
                              c.ch > 2 ? bits : 0, fk);
    cudaResourceDesc rd;
    memset(&rd, 0, sizeof rd);
    cudaTextureDesc td;
    memset(&td, 0, sizeof td);
    cudaArray_t arr = nullptr;
    void *mem = nullptr;
    if (c.kind == K_LIN) {
        OK(cudaMalloc(&mem, host.size()));
        OK(cudaMemcpy(mem, host.data(), host.size(), cudaMemcpyHostToDevice));
        rd.resType = cudaResourceTypeLinear;
        rd.res.linear.devPtr = mem;
        rd.res.linear.desc = fd;
        rd.res.linear.sizeInBytes = host.size();
    } else if (c.kind == K_PITCH) {
        size_t pitch;
        OK(cudaMallocPitch(&mem, &pitch, (size_t)c.w * c.ch * eb, c.h));
        OK(cudaMemcpy2D(mem, pitch, host.data(), (size_t)c.w * c.ch * eb,
                        (size_t)c.w * c.ch * eb, c.h, cudaMemcpyHostToDevice));
        rd.resType = cudaResourceTypePitch2D;
        rd.res.pitch2D.devPtr = mem;
        rd.res.pitch2D.desc = fd;
        rd.res.pitch2D.width = c.w;
        rd.res.pitch2D.height = c.h;
        rd.res.pitch2D.pitchInBytes = pitch;
    } else {
        unsigned fl =
            (c.kind == K_1DL || c.kind == K_2DL || c.kind == K_CUBEL ? cudaArrayLayered
                                                                     : 0) |
            (c.kind == K_CUBE || c.kind == K_CUBEL ? cudaArrayCubemap : 0) |
            (c.op >= 1 && c.op <= 4 ? cudaArrayTextureGather : 0);
        cudaExtent e = make_cudaExtent(c.w, c.kind == K_1D || c.kind == K_1DL ? 0 : c.h,
                                       faces == 1 && c.kind != K_3D &&
                                               c.kind != K_1DL && c.kind != K_2DL
                                           ? 0
                                           : faces);
        OK(cudaMalloc3DArray(&arr, &fd, e, fl));
        cudaMemcpy3DParms p;
        memset(&p, 0, sizeof p);
        p.srcPtr = make_cudaPitchedPtr(host.data(), (size_t)c.w * c.ch * eb, c.w, hh);
        p.dstArray = arr;
        p.kind = cudaMemcpyHostToDevice;
        p.extent = make_cudaExtent(c.w, hh, faces);
        OK(cudaMemcpy3D(&p));
        rd.resType = cudaResourceTypeArray;
        rd.res.array.array = arr;
    }
    for (int k = 0; k < 3; k++)
        td.addressMode[k] = modes[c.addr[k]];
    td.filterMode = c.linear ? cudaFilterModeLinear : cudaFilterModePoint;
    td.readMode = c.readnorm ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    td.normalizedCoords = c.norm;
    td.borderColor[0] = 0.25f;
    td.borderColor[1] = 0.5f;
    td.borderColor[2] = 0.75f;
    td.borderColor[3] = 1.0f;
    cudaTextureObject_t t = 0;
    cudaError_t e = cudaCreateTextureObject(&t, &rd, &td, nullptr);
    if (e != cudaSuccess) {
        printf("%s\n", cudaGetErrorName(e));
        cudaGetLastError();
    } else {
        std::vector<float4> in(c.n);
        std::vector<uint4> out(c.n);
        for (uint32_t i = 0; i < c.n; i++) {
            in[i].x = coord(&c, i, 0);
            in[i].y = coord(&c, i, 1);
            in[i].z = coord(&c, i, 2);
            int layer = (int)(draw(c.seed + 99, i) % (c.d + 4)) - 2;
            memcpy(&in[i].w, &layer, 4);
        }
        float4 *din;
        uint4 *dout;
        OK(cudaMalloc(&din, c.n * 16));
        OK(cudaMalloc(&dout, c.n * 16));
        OK(cudaMemcpy(din, in.data(), c.n * 16, cudaMemcpyHostToDevice));
        sample<<<(c.n + 127) / 128, 128>>>(t, c, din, dout,
                                           fk == cudaChannelFormatKindFloat ||
                                               c.readnorm);
        OK(cudaDeviceSynchronize());
        OK(cudaMemcpy(out.data(), dout, c.n * 16, cudaMemcpyDeviceToHost));
        uint64_t hash = 0xcbf29ce484222325ull;
        for (uint32_t i = 0; i < c.n; i++) {
            uint32_t v[4];
            memcpy(v, &out[i], 16);
            for (int k = 0; k < 4; k++)
                for (int b = 0; b < 4; b++) {
                    hash ^= v[k] >> 8 * b & 255;
                    hash *= 0x100000001b3ull;
                }
        }
        fprintf(idx, "%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%016llx\n", c.kind,
                c.fmt, c.ch, c.w, c.h, c.d, c.linear, c.addr[0], c.addr[1], c.addr[2],
                c.norm, c.readnorm, c.op, c.seed, (unsigned long long)hash);
        cudaFree(din);
        cudaFree(dout);
        cudaDestroyTextureObject(t);
    }
    if (arr)
        cudaFreeArray(arr);
    if (mem)
        cudaFree(mem);
}
int main(int argc, char **argv)
{
    char path[512];
    const char *dir = argc > 1 ? argv[1] : ".";
    snprintf(path, 512, "%s/textures.csv", dir);
    idx = fopen(path, "w");
    uint32_t seed = 1;
    /* each kind, format, filter, address mode and kind of coordinate */
    static const uint32_t size[N_KIND][3] = {{37, 1, 1}, {29, 17, 1},  {13, 11, 7},
                                             {37, 1, 5}, {29, 17, 3},  {16, 16, 1},
                                             {8, 8, 3},  {1000, 1, 1}, {40, 17, 1}};
    for (uint32_t k = 0; k < N_KIND; k++)
        for (uint32_t f = 0; f < N_FMT; f++)
            for (uint32_t lin = 0; lin < 2; lin++)
                for (uint32_t m = 0; m < 4; m++)
                    for (uint32_t nm = 0; nm < 2; nm++) {
                        bool is_int = f != F_F16 && f != F_F32, small = f < F_U32;
                        if (k == K_LIN && (lin || m != 1 || nm))
                            continue;
                        if (lin && is_int && !small)
                            continue;
                        if (!nm && (m == 0 || m == 2) && f != F_F32)
                            continue;
                        if ((k == K_CUBE || k == K_CUBEL) &&
                            (!nm || (m != 1 && f != F_F32)))
                            continue;
                        if (m == 2 && f != F_F32 && f != F_U8)
                            continue;
                        tcase c = {k,
                                   f,
                                   1u << (seed % 3),
                                   size[k][0],
                                   size[k][1],
                                   size[k][2],
                                   lin,
                                   {m, (m + seed / 7 % 2 * 2) % 4, m},
                                   nm,
                                   (uint32_t)(lin && is_int),
                                   0,
                                   seed,
                                   192};
                        if (!nm && c.addr[1] != m)
                            c.addr[1] = m;
                        seed++;
                        run(c);
                        if (k == K_LIN) {
                            c.op = 5;
                            run(c);
                        }
                        if (!lin && small && m == 1) {
                            c.readnorm = 1;
                            c.seed = seed++;
                            run(c);
                        }
                        if (!lin && m != 0 && f == F_F32 && k < K_CUBE) {
                            c.op = 5;
                            c.seed = seed++;
                            run(c);
                        }
                        if (k == K_2D &&
                            (f == F_F32 || f == F_U8 || f == F_F16 || f == F_U32)) {
                            c.op = 1 + seed % 4;
                            c.ch = 4;
                            c.seed = seed++;
                            run(c);
                        }
                    }
    fclose(idx);
    return 0;
}
