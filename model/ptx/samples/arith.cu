// Integer and floating point arithmetic, intrinsics, carry chains.
extern "C" __global__ void ints(int *p, unsigned *u, long long *q, unsigned long long *v)
{
    int t = threadIdx.x, a = p[t], b = p[t + 1];
    long long c = q[t], d = q[t + 1];

    p[0] = a / b + a % b;
    u[0] = u[1] / u[2] - u[3] % u[4];
    q[0] = c / d + c % d;
    v[0] = v[1] / v[2] ^ v[3] % v[4];
    p[1] = __mulhi(a, b) + __mul24(a, b) + __umul24(u[1], u[2]);
    q[1] = __mul64hi(c, d) + (long long)a * b;
    p[2] = __popc(a) + __clz(b) + __ffs(a) + __brev(b) + __popcll(c) + __clzll(d);
    p[3] = __byte_perm(a, b, p[9]) + __sad(a, b, 3) + __usad(u[5], u[6], u[7]);
    u[2] = __funnelshift_l(a, b, p[4]) + __funnelshift_rc(a, b, p[5]);
    p[4] = min(a, b) + max(a, 7) + abs(b);
    q[2] = min(c, d) + max(c, 3ll) + llabs(d);
    p[5] = (short)a * (short)b + (signed char)a + (unsigned char)b;
    p[6] = (a << (b & 31)) + (a >> (b & 31)) + (int)(u[1] >> (b & 31));
    q[3] = (c << (b & 63)) + (c >> (b & 63)) + (long long)(v[1] >> (b & 63));
    u[3] = __dp4a(a, b, p[7]) + __dp2a_lo(a, b, p[8]) + __dp4a(u[0], u[1], u[2]);
    p[7] = __hadd(a, b) + __rhadd(a, b) + (a > b ? a & b : a | ~b);
    v[1] = __brevll(v[2]) + __ffsll(c);
}
extern "C" __global__ void wide(unsigned long long *p)
{
    __int128 a = p[0], b = p[1];
    unsigned __int128 c = p[7];

    a = a * b + p[2];
    a -= p[3];
    p[4] = a;
    p[5] = a >> 64;
    p[6] = a >> 13;
    c = c * c + p[8];
    p[9] = c >> 64;
    unsigned lo, hi;
    asm("add.cc.u32 %0, %2, %3; addc.u32 %1, %4, 0;"
        : "=r"(lo), "=r"(hi) : "r"((unsigned)p[1]), "r"((unsigned)p[2]), "r"((unsigned)p[3]));
    asm("mad.lo.cc.u32 %0, %2, %3, %0; madc.hi.u32 %1, %2, %3, %1;"
        : "+r"(lo), "+r"(hi) : "r"((unsigned)p[4]), "r"((unsigned)p[5]));
    asm("sub.cc.u32 %0, %0, %2; subc.cc.u32 %1, %1, %2; subc.u32 %1, %1, 0;"
        : "+r"(lo), "+r"(hi) : "r"((unsigned)p[6]));
    p[10] = lo;
    p[11] = hi;
}
extern "C" __global__ void floats(float *f, double *d)
{
    int t = threadIdx.x;
    float a = f[t], b = f[t + 1];
    double c = d[t], e = d[t + 1];

    f[0] = __fadd_rz(a, b) + __fadd_ru(a, b) + __fmul_rd(a, b) + __fmaf_rn(a, b, 1.0f);
    f[1] = a / b + __fdividef(a, b) + __frcp_rn(a) + __fsqrt_rz(b) + sqrtf(a) + rsqrtf(b);
    f[2] = __sinf(a) + __cosf(b) + __expf(a) + __logf(b) + exp2f(a) + log2f(b);
    f[3] = fminf(a, b) + fmaxf(a, 2.0f) + fabsf(b) + copysignf(a, b) + __saturatef(a);
    f[4] = sinf(a) + powf(a, b) + tanhf(a) + erff(b);
    f[5] = (float)(int)a + (float)(unsigned)b + floorf(a) + ceilf(b) + rintf(a) + truncf(b);
    f[6] = __int2float_rd((int)a) + __float2int_ru(b) + __float2ll_rn(a);
    f[7] = isnan(a) ? 1.0f : isinf(b) ? 2.0f : signbit(a) ? 3.0f : 4.0f;
    d[0] = c / e + sqrt(c) + __dadd_rd(c, e) + __dmul_ru(c, e) + __fma_rz(c, e, 2.0);
    d[1] = exp(c) + log(e) + sin(c) + pow(c, e) + fmin(c, e) + fmax(c, e) + fabs(e);
    d[2] = (double)a + (float)c + (double)(long long)e + floor(c) + __double2int_rz(e);
    d[3] = __hiloint2double(__double2hiint(c), __double2loint(e)) + rsqrt(c) + 1.0 / e;
    f[8] = fmodf(a, b) + remainderf(a, b) + (float)d[5];
}
