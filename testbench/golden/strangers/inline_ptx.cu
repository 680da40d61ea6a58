// Instructions that only inline PTX reaches.
#define OP(n, text)                                                                    \
    asm volatile(text : "=r"(r) : "r"(a), "r"(b), "r"(c));                             \
    out[(n)*64 + t] = r;
__global__ void ops(const unsigned *in, unsigned *out)
{
    int t = threadIdx.x;
    unsigned a = in[t], b = in[64 + t], c = in[128 + t], r;
    OP(0, "prmt.b32 %0, %1, %2, %3;")
    OP(1, "prmt.b32.f4e %0, %1, %2, %3;")
    OP(2, "prmt.b32.b4e %0, %1, %2, %3;")
    OP(3, "prmt.b32.rc8 %0, %1, %2, %3;")
    OP(4, "prmt.b32.ecl %0, %1, %2, %3;")
    OP(5, "prmt.b32.ecr %0, %1, %2, %3;")
    OP(6, "prmt.b32.rc16 %0, %1, %2, %3;")
    OP(7, "bfi.b32 %0, %1, %2, %3, 9;")
    OP(8,
       "{.reg .u32 p, l; and.b32 p, %2, 63; and.b32 l, %3, 63; bfe.u32 %0, %1, p, l;}")
    OP(9,
       "{.reg .u32 p, l; and.b32 p, %2, 63; and.b32 l, %3, 63; bfe.s32 %0, %1, p, l;}")
    OP(10, "lop3.b32 %0, %1, %2, %3, 0x96;")
    OP(11, "lop3.b32 %0, %1, %2, %3, 0xe8;")
    OP(12, "lop3.b32 %0, %1, %2, %3, 0x1b;")
    OP(13, "shf.l.wrap.b32 %0, %1, %2, %3;")
    OP(14, "shf.r.wrap.b32 %0, %1, %2, %3;")
    OP(15, "{.reg .u32 s; and.b32 s, %3, 63; shf.l.clamp.b32 %0, %1, %2, s;}")
    OP(16, "{.reg .u32 s; and.b32 s, %3, 63; shf.r.clamp.b32 %0, %1, %2, s;}")
    OP(17, "{.reg .u32 s; and.b32 s, %3, 63; shl.b32 %0, %1, s;}")
    OP(18, "{.reg .u32 s; and.b32 s, %3, 63; shr.s32 %0, %1, s;}")
    OP(19, "mad24.lo.u32 %0, %1, %2, %3;")
    OP(20, "mad24.hi.s32 %0, %1, %2, %3;")
    OP(21, "mul24.hi.u32 %0, %1, %2;")
    OP(22, "mad.hi.s32 %0, %1, %2, %3;")
    OP(23, "mad.hi.sat.s32 %0, %1, %2, %3;")
    OP(24, "add.sat.s32 %0, %1, %2;")
    OP(25, "sub.sat.s32 %0, %1, %2;")
    OP(26, "sad.s32 %0, %1, %2, %3;")
    OP(27, "sad.u32 %0, %1, %2, %3;")
    OP(28, "cnot.b32 %0, %1;")
    OP(29, "bfind.s32 %0, %1;")
    OP(30, "bfind.shiftamt.u32 %0, %1;")
    OP(31, "slct.u32.s32 %0, %1, %2, %3;")
    OP(32, "set.lt.u32.s32 %0, %1, %2;")
    OP(33, "set.hi.u32.u32 %0, %1, %2;")
    OP(34, "dp4a.u32.s32 %0, %1, %2, %3;")
    OP(35, "dp2a.hi.s32.u32 %0, %1, %2, %3;")
    OP(36, "{.reg .pred p, q; setp.lt.and.s32 p|q, %1, %2, 1; selp.b32 %0, %2, %3, q;}")
    OP(37, "{.reg .u16 x, y; mov.b32 {x, y}, %1; mul.wide.s16 %0, x, y;}")
    OP(38, "{.reg .b64 d; mov.b64 d, {%1, %2}; shr.s64 d, d, 13; mov.b64 {_, %0}, d;}")
    OP(39, "{.reg .b8 z; .reg .u16 h; cvt.u16.u32 h, %1; cvt.s32.s8 %0, h;}")
    OP(40, "szext.wrap.s32 %0, %1, %2;")
    OP(41, "{.reg .u32 p; and.b32 p, %2, 63; szext.clamp.u32 %0, %1, p;}")
    OP(42, "bmsk.wrap.b32 %0, %1, %2;")
    OP(43, "{.reg .u32 p; and.b32 p, %2, 31; fns.b32 %0, %1, p, 2;}")
}
__global__ void barriers(const unsigned *in, unsigned *out)
{
    int t = threadIdx.x;
    unsigned n, any, all;
    asm volatile("{.reg .pred p, q; setp.lt.u32 p, %3, 1000000000;\n\t"
                 "bar.red.popc.u32 %0, 0, p;\n\t"
                 "bar.red.or.pred q, 1, p; selp.u32 %1, 7, 3, q;\n\t"
                 "bar.red.and.pred q, 2, 96, !p; selp.u32 %2, 11, 5, q;}"
                 : "=r"(n), "=r"(any), "=r"(all)
                 : "r"(in[t]));
    out[t] = n * 100 + any * 1000 + all;
    __shared__ unsigned box[32];
    if (t < 32) {
        box[t] = in[t];
        asm volatile("bar.arrive 5, 64;");
    } else if (t < 64) {
        asm volatile("bar.sync 5, 64;");
        out[t] ^= box[63 - t];
    }
}
