/* Kernels that say how many blocks a cluster has, in all the ways there are. */
template <int A, int B> struct product {
    enum { value = A * B };
};

constexpr int four()
{
    return 4;
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) plain(int *p)
{
    *p = 2;
}

__cluster_dims__(four()) __global__ void declared(int *p);

__global__ void declared(int *p)
{
    *p = 4;
}

template <int N, class T>
__global__ void __launch_bounds__(32 * N, 1, 2 * N) __cluster_dims__(N, 1 + 1) both(T *p)
{
    *p = N;
}

template __global__ void both<3, float>(float *p);

template <int N> __global__ void __cluster_dims__(1, product<1, N>::value) later(int *p);

template <int N> __global__ void later(int *p)
{
    *p = N;
}

static __global__ void __cluster_dims__(6) hidden(int *p)
{
    *p = 6;
}

namespace
{
__global__ void __cluster_dims__(7) unnamed(int *p)
{
    *p = 7;
}
} // namespace

/* The commas of templates divide no numbers. */
__global__ void __launch_bounds__(product<2, 4>::value, product<1, 2>::value, 8) most()
{
}

__global__ void __launch_bounds__(product<4, 4>::value, 3) bounds()
{
}

__global__ void unbound()
{
}

void launch()
{
    later<5><<<5, 1>>>(nullptr);
    hidden<<<6, 1>>>(nullptr);
    unnamed<<<7, 1>>>(nullptr);
}
