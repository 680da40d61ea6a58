// Barriers that the lanes of a warp come to one after the other, from 7.0 on. Translated
// with nvcc -ptx -arch=sm_75 -lineinfo.
extern "C" __global__ void halves(int *d)
{
    int t = threadIdx.x;

    if (t < 16) {
        asm volatile("barrier.sync 1, 64;" ::: "memory");
    } else {
        asm volatile("barrier.sync 1, 64;" ::: "memory");
        d[t] = 2;
    }
    d[t] += 1;
}

// Lanes 16 to 47 of 64 never come: they leave.
extern "C" __global__ void parts(int *d)
{
    int t = threadIdx.x;

    if (t < 16 || t >= 48) {
        asm volatile("barrier.sync 1, 32;" ::: "memory");
        d[t] = 1;
    }
}

// Each quarter of a warp has a barrier of its own place; what it wrote before is there
// for all behind it.
extern "C" __global__ void quarters(int *d, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;

    s[t] = d[t];
    switch (t & 3) {
    case 0: asm volatile("barrier.sync 2;" ::: "memory"); break;
    case 1: s[t] += 1; asm volatile("barrier.sync 2;" ::: "memory"); break;
    case 2: s[t] += 2; asm volatile("barrier.sync 2;" ::: "memory"); break;
    default: s[t] += 3; asm volatile("barrier.sync 2;" ::: "memory"); break;
    }
    out[t] = s[63 - t] - (3 - (t & 3));
}
