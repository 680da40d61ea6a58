/* Bodies that attract each other: every thread moves one and goes through all of them,
 * which its block loads into shared memory a tile at a time. */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

/* Ends the program when a call of the runtime failed. */
static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

enum { N = 256, BLOCK = 64, STEPS = 3 };

__global__ void forces(const float4 *bodies, float3 *speeds, float dt)
{
    __shared__ float4 tile[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float4 me = bodies[i];
    float3 a = make_float3(0, 0, 0);

    for (int first = 0; first < N; first += BLOCK) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < BLOCK; k++) {
            float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            float near = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float pull = tile[k].w * near * near * near;

            a.x += dx * pull;
            a.y += dy * pull;
            a.z += dz * pull;
        }
        __syncthreads();
    }
    speeds[i].x += a.x * dt;
    speeds[i].y += a.y * dt;
    speeds[i].z += a.z * dt;
}

__global__ void move(float4 *bodies, const float3 *speeds, float dt)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;

    bodies[i].x += speeds[i].x * dt;
    bodies[i].y += speeds[i].y * dt;
    bodies[i].z += speeds[i].z * dt;
}

int main()
{
    std::vector<float4> h(N);
    std::vector<float3> speeds(N);
    float4 *bodies;
    float3 *dspeeds;
    double x = 0, y = 0, z = 0, before = 0, after = 0;

    for (int i = 0; i < N; i++) { /* on a sphere, all of the same mass */
        float up = (i + 0.5f) / N * 2 - 1, around = i * 2.4f, r = sqrtf(1 - up * up);

        h[i] = make_float4(r * cosf(around), r * sinf(around), up, 1.0f / N);
        before += sqrt(h[i].x * h[i].x + h[i].y * h[i].y + h[i].z * h[i].z) / N;
    }
    check(cudaMalloc(&bodies, N * sizeof(float4)));
    check(cudaMalloc(&dspeeds, N * sizeof(float3)));
    check(cudaMemcpy(bodies, h.data(), N * sizeof(float4), cudaMemcpyHostToDevice));
    check(cudaMemset(dspeeds, 0, N * sizeof(float3)));
    for (int step = 0; step < STEPS; step++) {
        forces<<<N / BLOCK, BLOCK>>>(bodies, dspeeds, 0.1f);
        move<<<N / BLOCK, BLOCK>>>(bodies, dspeeds, 0.1f);
    }
    check(cudaGetLastError());
    check(cudaMemcpy(h.data(), bodies, N * sizeof(float4), cudaMemcpyDeviceToHost));
    check(
        cudaMemcpy(speeds.data(), dspeeds, N * sizeof(float3), cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        x += speeds[i].x;
        y += speeds[i].y;
        z += speeds[i].z;
        after += sqrt(h[i].x * h[i].x + h[i].y * h[i].y + h[i].z * h[i].z) / N;
    }
    /* Action is reaction: the sum of all speeds stays what it was. */
    printf("sum of the speeds is %s\n",
           fabs(x) + fabs(y) + fabs(z) < 1e-3 ? "zero" : "NOT zero");
    printf("mean distance from the middle: %.3f, then %.3f\n", before, after);
    return 0;
}
