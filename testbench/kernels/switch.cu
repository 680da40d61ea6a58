/* A dense switch with a case per lane, which nvcc makes a tree of comparisons, and a
 * branch through a table, which it writes only where told to. */
__global__ void interpret(const unsigned char *code, const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n) {
        return;
    }
    int v = in[i];

    for (int k = 0; k < 4; k++) {
        switch (code[(i * 3 + k) % n] % 12) {
        case 0: v += 17; break;
        case 1: v *= 3; break;
        case 2: v ^= 0x5555; break;
        case 3: v = -v; break;
        case 4: v >>= 2; /* and on */
        case 5: v -= k; break;
        case 6: v = v / 7; break;
        case 7: v = v % 1000; break;
        case 8: v |= k << 8; break;
        case 9: v = abs(v); break;
        case 10: v = __popc(v); break;
        default: v++; break;
        }
    }
    out[i] = v;
}

__global__ void branch_table(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        int v = in[i], r;

        asm volatile("{\n\t"
                     ".reg .u32 t;\n\t"
                     "targets: .branchtargets first, second, third, second, fourth;\n\t"
                     "rem.u32 t, %1, 5;\n\t"
                     "brx.idx t, targets;\n"
                     "first:\n\t"
                     "add.s32 %0, %2, 10;\n\t"
                     "bra done;\n"
                     "second:\n\t"
                     "mul.lo.s32 %0, %2, %2;\n\t"
                     "bra done;\n"
                     "third:\n\t"
                     "neg.s32 %0, %2;\n\t"
                     "bra done;\n"
                     "fourth:\n\t"
                     "shl.b32 %0, %2, 2;\n"
                     "done:\n\t"
                     "}"
                     : "=&r"(r)
                     : "r"(i), "r"(v));
        out[i] = r;
    }
}
