// Exchanges between lanes at every width, past the ends, among part of a warp.
template <int W> __device__ unsigned mixed(int v, int by)
{
    return __shfl_sync(~0u, v, by, W) + 3 * __shfl_up_sync(~0u, v, by & 15, W) +
           5 * __shfl_down_sync(~0u, v, by & 15, W) +
           7 * __shfl_xor_sync(~0u, v, by & 31, W);
}
__global__ void shuffles(const int *in, unsigned *out)
{
    int t = threadIdx.x, lane = t & 31, v = in[t];
    unsigned *o = out + t * 12;
    o[0] = mixed<32>(v, in[t ^ 1] & 63);
    o[1] = mixed<16>(v, 5);
    o[2] = mixed<8>(v, lane * 3);
    o[3] = mixed<2>(v, lane);
    o[4] = mixed<1>(v, 9);
    double d = __shfl_xor_sync(~0u, v * 0.5, 17);
    o[5] =
        __double2int_rn(d * 4) + __shfl_sync(~0u, (long long)v << 20, lane + 1) / 1000;
    o[6] = o[7] = 0;
    if (lane % 3 == 1) {
        o[6] = __shfl_down_sync(0x92492492u, v, 3) + __ballot_sync(0x92492492u, v > 0);
        o[7] = __match_any_sync(0x92492492u, v & 1);
    } else if (lane & 8) {
        unsigned m = __activemask();
        int p;
        o[6] = __match_all_sync(m, v >> 12, &p) + p;
        o[7] = __shfl_sync(m, v, 31 - __clz(m));
    }
    unsigned r;
    asm volatile("{.reg .pred p; shfl.sync.down.b32 %0|p, %1, 6, 0x0c1f, -1; selp.u32 "
                 "%0, %0, 77, p;}"
                 : "=&r"(r)
                 : "r"(v));
    o[8] = r;
    asm volatile("{.reg .pred p; shfl.sync.idx.b32 %0|p, %1, %2, 0x181f, -1; @!p "
                 "add.u32 %0, %0, 1000000;}"
                 : "=&r"(r)
                 : "r"(v), "r"(lane * 5));
    o[9] = r;
    asm volatile("{.reg .pred p, q; setp.gt.s32 p, %1, 0; vote.sync.uni.pred q, p, -1; "
                 "selp.u32 %0, 1, 2, q;}"
                 : "=r"(r)
                 : "r"(v));
    o[10] = r + __any_sync(~0u, v == 0) * 10 + __all_sync(~0u, v < 5000) * 100;
    o[11] = __match_any_sync(~0u, (long long)(v & 3) << 40);
}
