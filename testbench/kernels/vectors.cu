/* Vector and byte accesses: pixels to grey, a*x + y by fours, complex products, and a
 * string in upper case by single bytes. */
__global__ void grey(const uchar4 *pixels, unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        uchar4 p = pixels[i];

        out[i] = (unsigned char)((p.x * 77 + p.y * 150 + p.z * 29 + (255 - p.w)) >> 8);
    }
}

__global__ void axpy4(float a, const float4 *x, float4 *y, int n4)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n4) {
        float4 u = x[i], v = y[i];

        v.x += a * u.x;
        v.y += a * u.y;
        v.z += a * u.z;
        v.w += a * u.w;
        y[i] = v;
    }
}

__global__ void complex_product(const double2 *a, const double2 *b, double2 *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        double2 p = a[i], q = b[i];

        c[i] = make_double2(p.x * q.x - p.y * q.y, p.x * q.y + p.y * q.x);
    }
}

__global__ void upper_case(char *text, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        char c = text[i];

        if (c >= 'a' && c <= 'z') {
            text[i] = c - 'a' + 'A';
        }
    }
}

/* 16-bit pairs and 64-bit words, signed and not */
__global__ void mixed_widths(const short2 *a, const unsigned short *b, long long *wide,
                             signed char *narrow, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        short2 s = a[i];

        wide[i] = (long long)s.x * s.y * b[i] - 1;
        narrow[i] = (signed char)(s.x ^ b[i]);
    }
}
