/* Kernels as templates: of the type, of the size of the block and of the operation,
 * which is an object with a call operator or a lambda. */
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

struct plus {
    template <class T> static __host__ __device__ T neutral()
    {
        return 0;
    }
    template <class T> __host__ __device__ T operator()(T a, T b) const
    {
        return a + b;
    }
};

struct larger {
    template <class T> static __host__ __device__ T neutral()
    {
        return T(-1000);
    }
    template <class T> __host__ __device__ T operator()(T a, T b) const
    {
        return a > b ? a : b;
    }
};

/* All of n elements into one, by one block */
template <int BLOCK, class Op, class T>
__global__ void reduce(const T *in, int n, T *out)
{
    __shared__ T s[BLOCK];
    Op op;
    T value = Op::template neutral<T>();

    for (int i = threadIdx.x; i < n; i += BLOCK) {
        value = op(value, in[i]);
    }
    s[threadIdx.x] = value;
#pragma unroll
    for (int k = BLOCK / 2; k > 0; k /= 2) {
        __syncthreads();
        if (threadIdx.x < k) {
            s[threadIdx.x] = op(s[threadIdx.x], s[threadIdx.x + k]);
        }
    }
    if (threadIdx.x == 0) {
        *out = s[0];
    }
}

template <int BLOCK, class Op, class T> static T reduced(const std::vector<T> &h)
{
    T *in, *out, result;

    check(cudaMalloc(&in, h.size() * sizeof(T)));
    check(cudaMalloc(&out, sizeof(T)));
    check(cudaMemcpy(in, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice));
    reduce<BLOCK, Op><<<1, BLOCK>>>(in, (int)h.size(), out);
    check(cudaGetLastError());
    check(cudaMemcpy(&result, out, sizeof(T), cudaMemcpyDeviceToHost));
    check(cudaFree(in));
    check(cudaFree(out));
    return result;
}

template <class T> static std::vector<T> numbers(int n)
{
    std::vector<T> h(n);

    for (int i = 0; i < n; i++) {
        h[i] = T(i * 7 % 31) / 2;
    }
    return h;
}

int main()
{
    printf("int:    sum %d, largest %d\n", reduced<64, plus>(numbers<int>(1000)),
           reduced<128, larger>(numbers<int>(1000)));
    printf("float:  sum %.1f, largest %.1f\n", reduced<64, plus>(numbers<float>(1000)),
           reduced<128, larger>(numbers<float>(1000)));
    printf("double: sum %.1f, largest %.1f\n", reduced<64, plus>(numbers<double>(1000)),
           reduced<128, larger>(numbers<double>(1000)));
    return 0;
}
