/* Bit tricks: funnel shifts, counts, reversals, byte shuffles, fields, mixed with the
 * shifts beyond the width that PTX defines and C does not. */
__global__ void bit_tricks(const unsigned *a, const unsigned *b, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n) {
        return;
    }
    unsigned x = a[i], y = b[i], r, s = y & 63;
    unsigned long long w = (unsigned long long)x << 32 | y;
    unsigned *o = out + 20 * i;

    o[0] = __funnelshift_l(x, y, i);
    o[1] = __funnelshift_r(x, y, i);
    o[2] = __funnelshift_lc(x, y, s);
    o[3] = __funnelshift_rc(x, y, s);
    o[4] = __popc(x) + __popcll(w) * 100;
    o[5] = __clz(x >> (i & 31)) + __clzll(w >> s) * 100;
    o[6] = __ffs(x << (i & 31)) + __ffsll((long long)(w << s)) * 100;
    o[7] = __brev(x);
    o[8] = (unsigned)(__brevll(w) >> 16);
    o[9] = __byte_perm(x, y, i * 0x1357);
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(s), "r"(i & 63));
    o[10] = r;
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(s), "r"(i & 63));
    o[11] = r;
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(x), "r"(y), "r"(i & 63), "r"(s));
    o[12] = r;
    asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(x >> (i & 31)));
    o[13] = r;
    asm("bfind.shiftamt.s32 %0, %1;" : "=r"(r) : "r"((int)x >> (i & 31)));
    o[14] = r;
    asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(s));
    o[15] = r;
    asm("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(s));
    o[16] = r;
    asm("lop3.b32 %0, %1, %2, %3, 0xd2;" : "=r"(r) : "r"(x), "r"(y), "r"(i * 0x01010101u));
    o[17] = r;
    o[18] = __sad((int)x, (int)y, 3u) + __usad(x, y, 5u) + (unsigned)__mulhi((int)x, (int)y);
    o[19] = __umul24(x, y) + (unsigned)__mul24((int)x, (int)y) + __uhadd(x, y) +
            (unsigned)__rhadd((int)x, (int)y) + (unsigned)__dp4a((int)x, (int)y, 7);
}
