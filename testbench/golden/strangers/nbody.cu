// Bodies pull at each other, tiles of float3 in shared memory; IEEE roots and
// quotients.
__global__ void nbody(const float3 *at, float3 *speed, int n, float dt)
{
    __shared__ float3 tile[48];
    int i = blockIdx.x * 48 + threadIdx.x;
    float3 p = i < n ? at[i] : make_float3(0, 0, 0), a = make_float3(0, 0, 0);
    for (int base = 0; base < n; base += 48) {
        if (base + threadIdx.x < n) {
            tile[threadIdx.x] = at[base + threadIdx.x];
        }
        __syncthreads();
        for (int k = 0; k < min(48, n - base); k++) {
            float x = tile[k].x - p.x, y = tile[k].y - p.y, z = tile[k].z - p.z;
            float r = __fmaf_rn(x, x, __fmaf_rn(y, y, __fmaf_rn(z, z, 0.01f)));
            float f = __fdiv_rn(1.0f, __fmul_rn(r, __fsqrt_rn(r)));
            a.x = __fmaf_rn(x, f, a.x);
            a.y = __fmaf_rn(y, f, a.y);
            a.z = __fmaf_rn(z, f, a.z);
        }
        __syncthreads();
    }
    if (i < n) {
        speed[i].x += a.x * dt;
        speed[i].y += a.y * dt;
        speed[i].z += a.z * dt;
    }
}
