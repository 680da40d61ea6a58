// What the carry flag is after a subtraction, read by addc, and after a sum, read
// by subc.
__global__ void cc(const unsigned *in, unsigned *out)
{
    int t = threadIdx.x;
    unsigned a = in[t], b = in[64 + t], r[8];
    unsigned long long A = (unsigned long long)a << 32 | b,
                       B = (unsigned long long)b << 32 | a, d;
    asm volatile("{.reg .u32 x; sub.cc.u32 x, %1, %2; addc.u32 %0, 0, 0;}"
                 : "=r"(r[0])
                 : "r"(a), "r"(b));
    asm volatile("{.reg .u32 x; add.cc.u32 x, %1, %2; subc.u32 %0, 0, 0;}"
                 : "=r"(r[1])
                 : "r"(a), "r"(b));
    asm volatile(
        "{.reg .u32 x; sub.cc.u32 x, %1, %2; subc.cc.u32 x, 0, 0; addc.u32 %0, 5, 0;}"
        : "=r"(r[2])
        : "r"(a), "r"(b));
    asm volatile("{.reg .u32 x; sub.cc.u32 x, %1, %2; madc.lo.u32 %0, %1, %2, 0;}"
                 : "=r"(r[3])
                 : "r"(a), "r"(b));
    asm volatile("{.reg .u32 x; mad.lo.cc.u32 x, %1, %2, %1; subc.u32 %0, %2, %1;}"
                 : "=r"(r[4])
                 : "r"(a), "r"(b));
    asm volatile("{.reg .u64 x; sub.cc.u64 x, %1, %2; addc.u64 %0, 0, 0;}"
                 : "=l"(d)
                 : "l"(A), "l"(B));
    r[5] = d;
    asm volatile("{.reg .u64 x; add.cc.u64 x, %1, %2; subc.u64 %0, 0, 0;}"
                 : "=l"(d)
                 : "l"(A), "l"(B));
    r[6] = d;
    asm volatile("{.reg .u32 x; sub.cc.u32 x, %1, %1; addc.u32 %0, 0, 0;}"
                 : "=r"(r[7])
                 : "r"(a), "r"(b));
    for (int k = 0; k < 8; k++) {
        out[k * 64 + t] = r[k];
    }
}
