// Loops in loops with breaks, continues, returns and gotos taken by few threads;
// long switches.
__global__ void loops(const unsigned *in, int *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
    if (t >= n) {
        return;
    }
    unsigned x = in[t];
    for (int i = 0; i < 12; i++) {
        if ((x >> i & 3) == 3) {
            continue;
        }
        int j = 0;
        while (true) {
            s += j * (i + 1);
            if (++j > (int)(x >> (i + 4) & 7)) {
                break;
            }
            for (int k = t & 3; k < j; k++) {
                if (k == 5) {
                    goto out;
                }
                if ((x + k) % 7 == 0) {
                    s ^= k;
                    break;
                }
                s += k;
            }
        }
        do {
            s = s * 3 + 1;
        } while (s & 1 && --j > 0);
        if (s > 1 << 24) {
            out[t] = -s;
            return;
        }
    }
    s += 1000;
out:
    out[t] = s;
}
__global__ void states(const unsigned *in, int *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, a = t, b = 1;
    unsigned x = in[t % n];
    for (int steps = 0; steps < 60; steps++) {
        switch (x % 16) {
        case 0:
            a += b;
            x = x / 16 + 7;
            break;
        case 1:
            b ^= a;
            x = x * 5 + 1;
            break;
        case 2: a = -a; // fall through
        case 3:
            b++;
            x += 2;
            break;
        case 4:
            a <<= 1;
            x -= 3;
            break;
        case 5:
            a >>= 2;
            x ^= b;
            break;
        case 6:
            for (int i = 0; i < (b & 3); i++) {
                a += i;
            }
            x >>= 1;
            break;
        case 7: x = ~x; break;
        case 8:
            a *= 3;
            x = x * 3 + 1;
            break;
        case 9:
            b -= 5;
            x /= 3;
            break;
        case 10:
            if (a < 0) {
                steps += 9;
            }
            x++;
            break;
        case 11:
            a = max(a, b);
            x += 5;
            break;
        case 12:
            b = __popc(a);
            x = x << 3 | 1;
            break;
        case 13:
            if (b > 100) {
                goto done;
            }
            x += 9;
            break;
        case 14:
            a = __brev(a);
            x -= 1;
            break;
        default: x = x * 2654435761u + t; break;
        }
    }
done:
    out[t] = a * 31 + b;
}
__global__ void votes(const unsigned *in, unsigned *out)
{
    int t = threadIdx.x;
    unsigned x = in[t], r = 0;
    for (int i = 0; i < 8; i++) {
        if (x >> i & 1) {
            unsigned m = __activemask();
            r += __popc(__ballot_sync(m, x >> 8 & 1)) + __any_sync(m, x >> 9 & 1);
            if (x >> (i + 10) & 1) {
                unsigned k = __activemask();
                r = r * 3 + __shfl_sync(k, x, __ffs(k) - 1) % 1000 +
                    __all_sync(k, x >> 5 & 1);
            }
            __syncwarp(m);
        } else {
            r ^= __popc(__activemask()) << i;
        }
        __syncwarp();
    }
    out[t] = r;
}
