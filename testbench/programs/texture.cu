/* Pictures that the texture unit reads: filtered, turned, beyond their edges; layers, a
 * volume, a cube; numbers in linear memory; a surface that a kernel writes. */
#include <cstdio>
#include <cstdlib>

/* Ends the program when a call of the runtime failed. */
static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

enum { WIDTH = 64, HEIGHT = 48, LAYERS = 3 };

/* A picture of half the size: each of its points is the mean of four. */
__global__ void shrink(cudaTextureObject_t picture, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < WIDTH / 2 && y < HEIGHT / 2) {
        out[y * (WIDTH / 2) + x] = tex2D<float>(picture, 2 * x + 1.0f, 2 * y + 1.0f);
    }
}

/* Where a thread stands left of, in and right of a row of eight, each mode in turn. */
__global__ void beyond(cudaTextureObject_t row, float *out)
{
    out[threadIdx.x] = tex1D<float>(row, ((int)threadIdx.x - 8 + 0.5f) / 8);
}

__global__ void layers(cudaTextureObject_t t, uchar4 *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] =
        tex2DLayered<uchar4>(t, threadIdx.x + 0.5f, 1.5f, blockIdx.x);
}

__global__ void volume(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex3D<float>(t, threadIdx.x + 0.5f, 1.0f, 1.0f);
}

__global__ void cube(cudaTextureObject_t t, int *out)
{
    const float x[6] = {1, -1, 0, 0, 0, 0};
    const float y[6] = {0, 0, 1, -1, 0, 0};
    const float z[6] = {0, 0, 0, 0, 1, -1};
    int i = threadIdx.x;

    out[i] = texCubemap<int>(t, x[i], y[i], z[i]);
}

/* Index i of the list is one past its end. */
__global__ void fetch(cudaTextureObject_t list, int n, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i <= n) {
        out[i] = tex1Dfetch<int>(list, i);
    }
}

/* Each point becomes the sum of its neighbours; those outside count as 0. */
__global__ void spread(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int sum = 0;

    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            sum += surf2Dread<int>(from, (x + dx) * 4, y + dy, cudaBoundaryModeZero);
        }
    }
    surf2Dwrite(sum, to, x * 4, y, cudaBoundaryModeZero);
}

/* An array of the extent, filled from rows that follow each other. */
static cudaArray_t array_of(cudaChannelFormatDesc desc, int bytes, cudaExtent extent,
                            unsigned flags, const void *rows)
{
    cudaMemcpy3DParms p = {};
    cudaArray_t a;
    size_t height = extent.height > 0 ? extent.height : 1;

    check(cudaMalloc3DArray(&a, &desc, extent, flags));
    p.srcPtr =
        make_cudaPitchedPtr((void *)rows, extent.width * bytes, extent.width, height);
    p.dstArray = a;
    p.extent =
        make_cudaExtent(extent.width, height, extent.depth > 0 ? extent.depth : 1);
    p.kind = cudaMemcpyHostToDevice;
    check(cudaMemcpy3D(&p));
    return a;
}

static cudaTextureObject_t texture_of(cudaArray_t a, cudaTextureDesc desc)
{
    cudaResourceDesc resource = {};
    cudaTextureObject_t t;

    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = a;
    check(cudaCreateTextureObject(&t, &resource, &desc, nullptr));
    return t;
}

static cudaTextureDesc reading(cudaTextureAddressMode mode,
                               cudaTextureFilterMode filter)
{
    cudaTextureDesc d = {};

    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = mode;
    d.filterMode = filter;
    return d;
}

static void pictures()
{
    static float h[HEIGHT][WIDTH], small[HEIGHT / 2][WIDTH / 2];
    cudaArray_t a;
    cudaTextureObject_t t;
    float *out;
    int wrong = 0;

    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        h[i / WIDTH][i % WIDTH] = (i * 37 % 101) * 4;
    }
    a = array_of(cudaCreateChannelDesc<float>(), 4, make_cudaExtent(WIDTH, HEIGHT, 0),
                 0, h);
    t = texture_of(a, reading(cudaAddressModeClamp, cudaFilterModeLinear));
    check(cudaMalloc(&out, sizeof(small)));
    shrink<<<dim3(2, 3), dim3(16, 8)>>>(t, out);
    check(cudaMemcpy(small, out, sizeof(small), cudaMemcpyDeviceToHost));
    for (int y = 0; y < HEIGHT / 2; y++) {
        for (int x = 0; x < WIDTH / 2; x++) {
            wrong += small[y][x] != (h[2 * y][2 * x] + h[2 * y][2 * x + 1] +
                                     h[2 * y + 1][2 * x] + h[2 * y + 1][2 * x + 1]) /
                                        4;
        }
    }
    printf("half the size: %d errors\n", wrong);
    check(cudaDestroyTextureObject(t));
    check(cudaFreeArray(a));
    check(cudaFree(out));
}

static void edges()
{
    static const char *const name[] = {"wrap", "clamp", "mirror", "border"};
    const float row[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    float h[24], *out;
    cudaArray_t a =
        array_of(cudaCreateChannelDesc<float>(), 4, make_cudaExtent(8, 0, 0), 0, row);

    check(cudaMalloc(&out, sizeof(h)));
    for (int mode = 0; mode < 4; mode++) {
        cudaTextureDesc d = reading((cudaTextureAddressMode)mode, cudaFilterModePoint);
        cudaTextureObject_t t;

        d.normalizedCoords = 1;
        d.borderColor[0] = 9;
        t = texture_of(a, d);
        beyond<<<1, 24>>>(t, out);
        check(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
        printf("%-6s ", name[mode]);
        for (int i = 0; i < 24; i++) {
            printf("%s%g", i % 8 == 0 ? " " : "", h[i]);
        }
        printf("\n");
        check(cudaDestroyTextureObject(t));
    }
    check(cudaFreeArray(a));
    check(cudaFree(out));
}

static void depths()
{
    static uchar4 h[LAYERS][2][32], got[LAYERS][32];
    float v[2][2][8], sums[8], *sum;
    cudaArray_t a, b;
    cudaTextureObject_t t, u;
    uchar4 *out;
    int wrong = 0;

    for (int i = 0; i < LAYERS * 64; i++) {
        h[i / 64][i / 32 % 2][i % 32] = make_uchar4(i, i / 2, i / 3, 255 - i);
    }
    for (int i = 0; i < 32; i++) {
        v[i / 16][i / 8 % 2][i % 8] = i * i;
    }
    a = array_of(cudaCreateChannelDesc<uchar4>(), 4, make_cudaExtent(32, 2, LAYERS),
                 cudaArrayLayered, h);
    b = array_of(cudaCreateChannelDesc<float>(), 4, make_cudaExtent(8, 2, 2), 0, v);
    t = texture_of(a, reading(cudaAddressModeClamp, cudaFilterModePoint));
    u = texture_of(b, reading(cudaAddressModeClamp, cudaFilterModeLinear));
    check(cudaMalloc(&out, sizeof(got)));
    check(cudaMalloc(&sum, sizeof(sums)));
    layers<<<LAYERS, 32>>>(t, out);
    volume<<<1, 8>>>(u, sum);
    check(cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost));
    check(cudaMemcpy(sums, sum, sizeof(sums), cudaMemcpyDeviceToHost));
    for (int i = 0; i < LAYERS * 32; i++) {
        uchar4 want = h[i / 32][1][i % 32], is = got[i / 32][i % 32];

        wrong += want.x != is.x || want.y != is.y || want.z != is.z || want.w != is.w;
    }
    printf("layers: %d errors\n", wrong);
    wrong = 0;
    for (int x = 0; x < 8; x++) {
        wrong += sums[x] != (v[0][0][x] + v[0][1][x] + v[1][0][x] + v[1][1][x]) / 4;
    }
    printf("a volume: %d errors\n", wrong);
    check(cudaDestroyTextureObject(t));
    check(cudaDestroyTextureObject(u));
    check(cudaFreeArray(a));
    check(cudaFreeArray(b));
    check(cudaFree(out));
    check(cudaFree(sum));
}

static void faces()
{
    int h[6][4][4], got[6], *out;
    cudaTextureDesc d = reading(cudaAddressModeClamp, cudaFilterModePoint);
    cudaArray_t a;
    cudaTextureObject_t t;

    for (int i = 0; i < 96; i++) {
        h[i / 16][i / 4 % 4][i % 4] = i / 16;
    }
    a = array_of(cudaCreateChannelDesc<int>(), 4, make_cudaExtent(4, 4, 6),
                 cudaArrayCubemap, h);
    d.normalizedCoords = 1;
    t = texture_of(a, d);
    check(cudaMalloc(&out, sizeof(got)));
    cube<<<1, 6>>>(t, out);
    check(cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost));
    printf("faces of a cube: %d %d %d %d %d %d\n", got[0], got[1], got[2], got[3],
           got[4], got[5]);
    check(cudaDestroyTextureObject(t));
    check(cudaFreeArray(a));
    check(cudaFree(out));
}

static void lists()
{
    enum { N = 1000 };
    static int h[N + 1];
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    int *list, *out, wrong = 0;

    for (int i = 0; i < N; i++) {
        h[i] = i * i - 7;
    }
    check(cudaMalloc(&list, N * sizeof(int)));
    check(cudaMalloc(&out, sizeof(h)));
    check(cudaMemcpy(list, h, N * sizeof(int), cudaMemcpyHostToDevice));
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = list;
    r.res.linear.desc = cudaCreateChannelDesc<int>();
    r.res.linear.sizeInBytes = N * sizeof(int);
    check(cudaCreateTextureObject(&t, &r, &d, nullptr));
    fetch<<<8, 128>>>(t, N, out);
    check(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        wrong += h[i] != i * i - 7;
    }
    printf("a list: %d errors, behind its end %d\n", wrong, h[N]);
    check(cudaDestroyTextureObject(t));
    check(cudaFree(list));
    check(cudaFree(out));
}

static void surfaces()
{
    static int h[16][32];
    cudaResourceDesc r = {};
    cudaSurfaceObject_t s[2];
    cudaArray_t a[2];
    int sum = 0;

    h[0][0] = 1;
    h[7][9] = 1;
    for (int i = 0; i < 2; i++) {
        a[i] = array_of(cudaCreateChannelDesc<int>(), 4, make_cudaExtent(32, 16, 0),
                        cudaArraySurfaceLoadStore, h);
        r.resType = cudaResourceTypeArray;
        r.res.array.array = a[i];
        check(cudaCreateSurfaceObject(&s[i], &r));
    }
    spread<<<dim3(2, 2), dim3(16, 8)>>>(s[0], s[1]);
    check(cudaMemcpy2DFromArray(h, sizeof(h[0]), a[1], 0, 0, sizeof(h[0]), 16,
                                cudaMemcpyDeviceToHost));
    for (int i = 0; i < 16 * 32; i++) {
        sum += h[i / 32][i % 32];
    }
    printf("a surface: %d points, the corner is %d\n", sum, h[1][1]);
    for (int i = 0; i < 2; i++) {
        check(cudaDestroySurfaceObject(s[i]));
        check(cudaFreeArray(a[i]));
    }
}

int main()
{
    pictures();
    edges();
    depths();
    faces();
    lists();
    surfaces();
    return 0;
}
