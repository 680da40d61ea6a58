// 256-bit numbers: sums, differences and products with carry chains.
#include <stdint.h>
__global__ void bigint(const uint32_t *a, const uint32_t *b, uint32_t *sum,
                       uint32_t *difference, uint32_t *product, uint64_t *wide)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t x[8], y[8], s[9], d[9], p[16] = {0};
    for (int k = 0; k < 8; k++) {
        x[k] = a[i * 8 + k] | (i % 3 == 0 ? ~0u : 0); // long carries
        y[k] = b[i * 8 + k];
    }
    asm("add.cc.u32 %0, %9, %17;\n\taddc.cc.u32 %1, %10, %18;\n\taddc.cc.u32 %2, %11, "
        "%19;\n\t"
        "addc.cc.u32 %3, %12, %20;\n\taddc.cc.u32 %4, %13, %21;\n\taddc.cc.u32 %5, "
        "%14, %22;\n\t"
        "addc.cc.u32 %6, %15, %23;\n\taddc.cc.u32 %7, %16, %24;\n\taddc.u32 %8, 0, 0;"
        : "=&r"(s[0]), "=&r"(s[1]), "=&r"(s[2]), "=&r"(s[3]), "=&r"(s[4]), "=&r"(s[5]),
          "=&r"(s[6]), "=&r"(s[7]), "=&r"(s[8])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5]), "r"(x[6]),
          "r"(x[7]), "r"(y[0]), "r"(y[1]), "r"(y[2]), "r"(y[3]), "r"(y[4]), "r"(y[5]),
          "r"(y[6]), "r"(y[7]));
    asm("sub.cc.u32 %0, %9, %17;\n\tsubc.cc.u32 %1, %10, %18;\n\tsubc.cc.u32 %2, %11, "
        "%19;\n\t"
        "subc.cc.u32 %3, %12, %20;\n\tsubc.cc.u32 %4, %13, %21;\n\tsubc.cc.u32 %5, "
        "%14, %22;\n\t"
        "subc.cc.u32 %6, %15, %23;\n\tsubc.cc.u32 %7, %16, %24;\n\tsubc.u32 %8, 0, 0;"
        : "=&r"(d[0]), "=&r"(d[1]), "=&r"(d[2]), "=&r"(d[3]), "=&r"(d[4]), "=&r"(d[5]),
          "=&r"(d[6]), "=&r"(d[7]), "=&r"(d[8])
        : "r"(y[0]), "r"(y[1]), "r"(y[2]), "r"(y[3]), "r"(y[4]), "r"(y[5]), "r"(y[6]),
          "r"(y[7]), "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5]),
          "r"(x[6]), "r"(x[7]));
    for (int j = 0; j < 8; j++) {
        uint32_t carry = 0;
        for (int k = 0; k < 8; k++) {
            uint32_t top;
            asm("mad.lo.cc.u32 %0, %3, %4, %0;\n\t"
                "madc.hi.u32 %1, %3, %4, 0;\n\t"
                "add.cc.u32 %0, %0, %2;\n\t"
                "addc.u32 %1, %1, 0;"
                : "+&r"(p[j + k]), "=&r"(top)
                : "r"(carry), "r"(x[j]), "r"(y[k]));
            carry = top;
        }
        p[j + 8] = carry;
    }
    for (int k = 0; k < 9; k++) {
        sum[i * 9 + k] = s[k];
        difference[i * 9 + k] = d[k];
    }
    for (int k = 0; k < 16; k++) {
        product[i * 16 + k] = p[k];
    }
    unsigned long long u = (uint64_t)x[1] << 32 | x[0], v = (uint64_t)y[1] << 32 | y[0],
                       lo, hi;
    asm("mad.lo.cc.u64 %0, %2, %3, %2;\n\tmadc.hi.u64 %1, %2, %3, %3;"
        : "=&l"(lo), "=&l"(hi)
        : "l"(u), "l"(v));
    wide[i * 2] = lo;
    wide[i * 2 + 1] = hi;
    unsigned __int128 q = (unsigned __int128)u * v + v;
    wide[i * 2] ^= (uint64_t)(q % 1000003u);
}
