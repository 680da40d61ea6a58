/* Elements wider than a bank: 64 and 128 bits per lane, structures, doubles. One warp
 * each; lane t reads what lane 31 - t stored. */

/* As wide as a double, but there before doubles were. out[t] = t */
extern "C" __global__ void wide_64(long long *out)
{
    __shared__ long long s[32];
    int t = threadIdx.x, other = 31 - t;

    s[t] = other;
    __syncthreads();
    out[t] = s[other];
}

extern "C" __global__ void wide_64_stride_2(long long *out)
{
    __shared__ long long s[64];
    int t = threadIdx.x, other = 31 - t;

    s[2 * t] = other;
    __syncthreads();
    out[t] = s[2 * other];
}

/* Two lanes read one element. out[t] = t */
extern "C" __global__ void wide_64_pairs(long long *out)
{
    __shared__ long long s[32];
    int t = threadIdx.x;

    s[t] = 2 * t;
    __syncthreads();
    out[t] = s[t / 2] + t % 2;
}

/* As wide as a float4. out[32 k + t] = 32 k + t */
extern "C" __global__ void wide_128(int *out)
{
    __shared__ int4 s[32];
    int t = threadIdx.x, other = 31 - t;
    int4 v;

    s[t] = make_int4(other, other + 32, other + 64, other + 96);
    __syncthreads();
    v = s[other];
    out[t] = v.x;
    out[32 + t] = v.y;
    out[64 + t] = v.z;
    out[96 + t] = v.w;
}

struct three {
    int x, y, z;
};

/* Three words per lane, each an access of its own. out[32 k + t] = 32 k + t */
extern "C" __global__ void struct_of_three(int *out)
{
    __shared__ struct three s[32];
    int t = threadIdx.x, other = 31 - t;

    s[t].x = other;
    s[t].y = other + 32;
    s[t].z = other + 64;
    __syncthreads();
    out[t] = s[other].x;
    out[32 + t] = s[other].y;
    out[64 + t] = s[other].z;
}

/* ---- doubles: 1.3 and later ---- */

/* out[t] = t + 0.5 */
extern "C" __global__ void doubles_whole(double *out)
{
    __shared__ double s[32];
    int t = threadIdx.x, other = 31 - t;

    s[t] = other + 0.5;
    __syncthreads();
    out[t] = s[other];
}

/* The same, low and high words in two arrays. */
extern "C" __global__ void doubles_split(double *out)
{
    __shared__ int low[32], high[32];
    int t = threadIdx.x, other = 31 - t;
    double v = other + 0.5;

    low[t] = __double2loint(v);
    high[t] = __double2hiint(v);
    __syncthreads();
    out[t] = __hiloint2double(high[other], low[other]);
}
