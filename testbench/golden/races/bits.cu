/*
 * bits.cu - bit fields of a local structure, as a compiler sets them that does not
 * optimise: the word around a field is loaded before anybody has written it. The twin
 * of localBits reads one that it has not set.
 *
 *     nvcc -ptx -arch=sm_75 -Xcicc -O0 -lineinfo bits.cu
 */
struct Fields {
    unsigned a : 3;
    unsigned b : 7;
    unsigned c : 22;
};

extern "C" __global__ void localBits(unsigned *out)
{
    Fields f;

    f.a = threadIdx.x;
    f.b = 5;
    f.c = threadIdx.x * 3;
    out[threadIdx.x] = f.a + f.b + f.c;
}

extern "C" __global__ void localBitsUnset(unsigned *out)
{
    Fields f, g;

    f.a = threadIdx.x;
    f.b = 5;
    f.c = threadIdx.x * 3;
    out[threadIdx.x] = f.a + f.b + f.c + g.b;
}
