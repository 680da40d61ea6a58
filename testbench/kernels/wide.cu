/* Integers of 64 and 128 bits: products, quotients, shifts, carries from word to word. */
typedef unsigned long long u64;

__global__ void arithmetic64(const long long *a, const long long *b, long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        long long x = a[i], y = b[i] | 1;

        out[i * 6 + 0] = x * y;
        out[i * 6 + 1] = x / y;
        out[i * 6 + 2] = x % y;
        out[i * 6 + 3] = (long long)((u64)x / ((u64)y >> (i % 40)));
        out[i * 6 + 4] = __mul64hi(x, y) + (long long)__umul64hi((u64)x, (u64)y);
        out[i * 6 + 5] = (x >> (i & 63)) ^ (y << (63 - (i & 63))) ^ (x < y ? x : y);
    }
}

__global__ void arithmetic128(const u64 *a, const u64 *b, u64 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        unsigned __int128 x = (unsigned __int128)a[i] << 64 | b[i];
        unsigned __int128 y = (unsigned __int128)b[i] << 64 | a[i];
        unsigned __int128 s = x + y, d = x - y, p = x * y;

        out[i * 6 + 0] = (u64)(s >> 64);
        out[i * 6 + 1] = (u64)s;
        out[i * 6 + 2] = (u64)(d >> 64);
        out[i * 6 + 3] = (u64)d;
        out[i * 6 + 4] = (u64)(p >> 64);
        out[i * 6 + 5] = (u64)(p >> (i & 63));
    }
}

/* 96-bit sum, difference and 64 x 64 product word by word, the carry flag in between */
__global__ void carry_chain(const unsigned *a, const unsigned *b, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        const unsigned *x = a + 3 * i, *y = b + 3 * i;
        unsigned *r = out + 11 * i;

        asm("add.cc.u32 %0, %4, %7;\n\t"
            "addc.cc.u32 %1, %5, %8;\n\t"
            "addc.cc.u32 %2, %6, %9;\n\t"
            "addc.u32 %3, 0, 0;"
            : "=&r"(r[0]), "=&r"(r[1]), "=&r"(r[2]), "=r"(r[3])
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(y[0]), "r"(y[1]), "r"(y[2]));
        asm("sub.cc.u32 %0, %3, %6;\n\t"
            "subc.cc.u32 %1, %4, %7;\n\t"
            "subc.u32 %2, %5, %8;"
            : "=&r"(r[4]), "=&r"(r[5]), "=r"(r[6])
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(y[0]), "r"(y[1]), "r"(y[2]));
        asm("mul.lo.u32 %0, %4, %6;\n\t"
            "mul.hi.u32 %1, %4, %6;\n\t"
            "mad.lo.cc.u32 %1, %4, %7, %1;\n\t"
            "madc.hi.u32 %2, %4, %7, 0;\n\t"
            "mad.lo.cc.u32 %1, %5, %6, %1;\n\t"
            "madc.hi.cc.u32 %2, %5, %6, %2;\n\t"
            "addc.u32 %3, 0, 0;\n\t"
            "mad.lo.cc.u32 %2, %5, %7, %2;\n\t"
            "madc.hi.u32 %3, %5, %7, %3;"
            : "=&r"(r[7]), "=&r"(r[8]), "=&r"(r[9]), "=&r"(r[10])
            : "r"(x[0]), "r"(x[1]), "r"(y[0]), "r"(y[1]));
    }
}
