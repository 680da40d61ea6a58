// Sparse matrix times vector: lengths become row starts in one thread, then a warp
// a row.
__global__ void starts(const unsigned *len, int *row, int rows)
{
    int at = 0;
    for (int i = 0; i < rows; i++) {
        row[i] = at;
        at += len[i] % 71u;
    }
    row[rows] = at;
}
__global__ void spmv(const int *row, const unsigned *col, const float *val,
                     const float *x, float *y, int rows)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (warp >= rows) {
        return;
    }
    float s = 0;
    for (int i = row[warp] + lane; i < row[warp + 1]; i += 32) {
        s += val[i] * __ldg(x + col[i] % 200);
    }
    for (int d = 16; d; d >>= 1) {
        s += __shfl_xor_sync(~0u, s, d);
    }
    if (lane == 0) {
        y[warp] = s;
    }
}
