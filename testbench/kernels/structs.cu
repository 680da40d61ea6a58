/* A struct as a kernel parameter, structs in memory, and structs by value in calls. */
struct limits {
    int low, high;
    float scale;
    char steps[5];
    double offset;
};

struct particle {
    float x, y, z;
    unsigned short kind;
    unsigned char flags[2];
};

__global__ void apply_limits(struct limits l, const int *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        int v = min(max(in[i], l.low), l.high);

        out[i] = v * l.scale + l.steps[i % 5] + l.offset;
    }
}

__device__ __noinline__ struct particle move(struct particle p, float dt)
{
    p.x += dt;
    p.y -= dt * 2;
    p.z *= 2;
    p.kind ^= 0x0f0f;
    p.flags[p.kind & 1]++;
    return p;
}

__global__ void move_all(struct particle *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        p[i] = move(p[i], 0.5f);
    }
}
