/* Conway's game of life on a torus, the rows of 32 cells as the bits of a word: a warp
 * plays it with shuffles alone, its lanes being the rows. */
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

__device__ unsigned rotated(unsigned row, int by)
{
    return row << (by & 31) | row >> (-by & 31);
}

__global__ void life(unsigned *rows, int generations)
{
    const unsigned all = 0xffffffff;
    int lane = threadIdx.x;
    unsigned row = rows[lane];

    for (int g = 0; g < generations; g++) {
        unsigned up = __shfl_sync(all, row, (lane + 31) % 32);
        unsigned down = __shfl_sync(all, row, (lane + 1) % 32);
        unsigned near[8] = {up,
                            rotated(up, 1),
                            rotated(up, -1),
                            down,
                            rotated(down, 1),
                            rotated(down, -1),
                            rotated(row, 1),
                            rotated(row, -1)};
        unsigned one = 0, two = 0, four = 0; /* bits of 32 counts, which stay at 4 */

        for (unsigned cell : near) {
            unsigned carry = one & cell;

            one ^= cell;
            four |= two & carry;
            two ^= carry;
        }
        row = two & ~four & (one | row); /* three neighbours, or two and alive */
    }
    rows[lane] = row;
}

static void show(const char *title, const unsigned *rows)
{
    printf("%s\n", title);
    for (int y = 0; y < 32; y++) {
        if (rows[y] != 0) {
            printf("%2d: ", y);
            for (int x = 0; x < 32; x++) {
                putchar(rows[y] >> x & 1 ? '#' : '.');
            }
            printf("\n");
        }
    }
}

int main()
{
    unsigned h[32] = {0}, *rows;

    h[1] = 1u << 2; /* a glider, and a row of three cells that blinks */
    h[2] = 1u << 3;
    h[3] = 7u << 1;
    h[20] = 7u << 20;
    check(cudaMalloc(&rows, sizeof h));
    check(cudaMemcpy(rows, h, sizeof h, cudaMemcpyHostToDevice));
    show("at first", h);
    for (int generations : {1, 39}) {
        life<<<1, 32>>>(rows, generations);
        check(cudaGetLastError());
        check(cudaMemcpy(h, rows, sizeof h, cudaMemcpyDeviceToHost));
        show(generations == 1 ? "after 1 generation" : "after 40 generations", h);
    }
    return 0;
}
