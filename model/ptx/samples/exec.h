/* Functions that exec.cu compiles for the device and exec_test.c for the host: both
 * must give the same results. FN: how a function begins. Signed arithmetic wraps by way
 * of unsigned; no expression has an undefined result. */
struct pack {
    int a;
    signed char b;
    short c;
    double d;
    unsigned char tail[5];
};

FN unsigned mix(unsigned a, unsigned b)
{
    unsigned r = a * 2654435761u + (b ^ a >> 7) - (b << 3);

    r ^= r >> (a & 31) | b << (b & 31);
    r += a / (b | 1) + a % (b | 1);
    return r + (unsigned)((int)a / ((int)(b >> 1) | 1)) -
           (unsigned)((int)a >> (b & 31));
}

FN unsigned long long wide(unsigned long long a, unsigned long long b)
{
    unsigned long long r = a * b + (a >> (b & 63)) - (b << (a & 63));

    r ^= a / (b | 1) + a % (b | 1);
    r += (unsigned long long)((long long)a / ((long long)(b >> 1) | 1));
    r -= (unsigned long long)((long long)a >> (b & 63));
    r += (unsigned long long)(((unsigned __int128)a * b) >> 64);
    return r * 3 + (unsigned)a;
}

FN int narrow(signed char a, unsigned char b, short c, unsigned short d)
{
    signed char e = (signed char)(a * b);
    unsigned short f = (unsigned short)(c - d);
    short g = (short)(f >> 3 ^ e);

    return e + f + g + (a < c) + (b > d) + (signed char)f + (unsigned char)g;
}

FN float single(float a, float b)
{
    float r = a * b + a / b - (b - a);

    if (r > 100.0f || r != r) {
        r = r * 0.5f;
    }
    return r < -3.0f ? -r : r + (float)(int)(a < 1e6f && a > -1e6f ? a : 1.0f);
}

FN double twice(double a, float b)
{
    double r = a * b + a / (b + 1.5) - a;

    return r < 0 ? (double)(float)r
                 : r + (double)(long long)(a < 1e9 && a > -1e9 ? a : 2);
}

FN struct pack change(struct pack p, int by)
{
    p.a = (int)((unsigned)p.a + (unsigned)by);
    p.b = (signed char)(p.b - by);
    p.c = (short)(p.c ^ by);
    p.d = p.d * 0.25 + by;
    p.tail[by & 3] = (unsigned char)(p.tail[4] + by);
    return p;
}

/* Local variables that must survive the calls below them. */
FN unsigned deep(unsigned n, unsigned seed)
{
    unsigned here[5];
    unsigned i, below;

    for (i = 0; i < 5; i++) {
        here[i] = seed * (i + 3) + n;
    }
    below = n == 0 ? seed : deep(n - 1, seed ^ here[n % 5]);
    for (i = 0; i < 5; i++) {
        below = below * 31 + here[(below + i) % 5];
    }
    return below;
}

FN unsigned even(unsigned n, unsigned acc);
FN unsigned odd(unsigned n, unsigned acc)
{
    unsigned keep[2];

    keep[n & 1] = acc * 5;
    keep[~n & 1] = acc + 9;
    return n == 0 ? acc + 1 : even(n - 1, acc * 3) + keep[acc & 1];
}
FN unsigned even(unsigned n, unsigned acc)
{
    return n == 0 ? acc : odd(n - 1, acc + 7) ^ n;
}

FN unsigned fib(unsigned n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

FN unsigned choose(unsigned n, unsigned x)
{
    switch (n % 12) {
    case 0: x += 5; break;
    case 1: x *= 3; break;
    case 2: x ^= n; /* falls through */
    case 3: x -= 77; break;
    case 4: x = x >> 2 | n; break;
    case 5: return mix(x, n);
    case 6: x = fib(x % 9); break;
    case 7: x = ~x; break;
    case 8: x = (unsigned)narrow((signed char)x, (unsigned char)n, (short)x, 7); break;
    case 9: x = x << 5 | x >> 27; break;
    default: x = n;
    }
    return x + n;
}

FN unsigned loops(const unsigned *p, unsigned n)
{
    unsigned s = 0, i, j;

    for (i = 0; i < n; i++) {
        if (p[i % 16] % 5 == 0) {
            continue;
        }
        if (p[i % 16] % 97 == 0) {
            break;
        }
        for (j = i; j < n; j += (p[j % 16] & 3) + 1) {
            if ((p[j % 16] & 1) && s > 1u << 30) {
                goto out;
            }
            s += p[j % 16] > i ? p[j % 16] : 0u - j;
        }
        do {
            s -= s >> 3;
        } while (s > 1u << 28);
    }
out:
    return s;
}

struct in {
    unsigned u[16];
    unsigned long long v[4];
    float f[4];
    double d[4];
    struct pack p;
};

struct out {
    unsigned u[16];
    unsigned long long v[4];
    float f[4];
    double d[4];
    struct pack p;
};

FN void all(const struct in *in, struct out *out)
{
    const unsigned *u = in->u;
    unsigned i;

    for (i = 0; i < 4; i++) {
        out->u[i] = mix(u[i], u[i + 1]);
        out->v[i] = wide(in->v[i], in->v[(i + 1) % 4]);
        out->f[i] = single(in->f[i], in->f[(i + 1) % 4]);
        out->d[i] = twice(in->d[i], in->f[i]);
    }
    out->u[4] = (unsigned)narrow((signed char)u[0], (unsigned char)u[1], (short)u[2],
                                 (unsigned short)u[3]);
    out->u[5] = deep(u[4] % 6, u[5]);
    out->u[6] = even(u[6] % 7, u[7]);
    out->u[7] = fib(u[8] % 10);
    for (i = 8; i < 14; i++) {
        out->u[i] = choose(u[i], u[i + 1]);
    }
    out->u[14] = loops(u, u[15] % 40);
    out->u[15] = 0;
    out->p = change(in->p, (int)u[0]);
}
