/* Steps of the 3n + 1 sequence to 1, and its highest value: as many turns of the loop as
 * each lane's number asks for. */
__global__ void collatz(int *steps, unsigned long long *highest, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n) {
        return;
    }
    unsigned long long v = (unsigned long long)i + 1, top = v;
    int count = 0;

    while (v != 1) {
        if (v % 2 == 0) {
            v /= 2;
        } else {
            v = 3 * v + 1;
            if (v > top) {
                top = v;
            }
        }
        if (++count == 1000) {
            break;
        }
    }
    steps[i] = count;
    highest[i] = top;
}
