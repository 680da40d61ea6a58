// Large frames in local memory at every depth of a recursion, written through
// pointers.
struct state {
    long long key[20];
    unsigned char tag[11];
    float w;
};
__device__ __noinline__ state next(state s, int by)
{
    for (int i = 0; i < 20; i++) {
        s.key[(i + by) % 20] = s.key[i] * 3 + by;
    }
    s.tag[by % 11] ^= by;
    s.w = s.w * 0.5f + by;
    return s;
}
__device__ __noinline__ long long descend(const state *up, int depth, long long *out)
{
    state here = next(*up, depth);
    long long s = here.key[depth % 20] + here.tag[depth % 11];
    if (depth > 0) {
        s += descend(&here, max(depth - 1 - (here.tag[0] & 1), 0), out);
        s ^= descend(&here, max(depth - 3, 0), out + 1);
    }
    *out += s + here.key[3] + (long long)here.w;
    return s;
}
__global__ void frames(const long long *in, long long *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    state s;
    long long mine[16] = {0};
    for (int i = 0; i < 20; i++) {
        s.key[i] = in[(t + i) % 64];
    }
    for (int i = 0; i < 11; i++) {
        s.tag[i] = t * i;
    }
    s.w = t;
    long long r = descend(&s, t % 8, mine);
    for (int i = 0; i < 16; i++) {
        r = r * 31 + mine[i];
    }
    out[t] = r;
}
