/*
 * measure.cu - runs the cases of cases.csv on a real device, by hand (nvcc -O2 measure.cu -lcuda):
 *
 *   measure CASES.csv LAUNCHES[f] FILE.cubin...
 *
 * Each case starts from fresh inputs and an output of zeros and is launched LAUNCHES times, one
 * after the other. A line per case on standard output: id, FNV-1a of the output after the first
 * launch, microseconds per launch of 20 back to back (the median of 5 rounds; 0 if LAUNCHES is
 * negative, which also leaves these launches out, for a profiler that counts launches). With an f
 * behind their number the host writes inputs and output anew before each launch.
 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <string>
#include <vector>

static void check(CUresult r, const char *what)
{
    const char *name = "?";

    if (r != CUDA_SUCCESS) {
        cuGetErrorName(r, &name);
        fprintf(stderr, "measure: %s: %s\n", what, name);
        exit(1);
    }
}

static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* "f": floats from -8 to 8; "i:MASK": words & MASK; "iota": 0, 1, 2 ... */
static std::vector<uint32_t> fill(const char *how, uint64_t words, uint64_t seed)
{
    std::vector<uint32_t> v(words);
    uint32_t mask = strncmp(how, "i:", 2) == 0 ? (uint32_t)strtoul(how + 2, NULL, 16) : 0;

    for (uint64_t i = 0; i < words; i++) {
        uint64_t z = draw(&seed);
        float f = (float)((int)(z % 17) - 8);

        if (strcmp(how, "iota") == 0) {
            v[i] = (uint32_t)i;
        } else if (mask != 0) {
            v[i] = (uint32_t)z & mask;
        } else {
            memcpy(&v[i], &f, 4);
        }
    }
    return v;
}

static void write(CUdeviceptr p, const std::vector<uint32_t> &v)
{
    check(cuMemcpyHtoD(p, v.data(), v.size() * 4), "copy");
}

static CUdeviceptr put(const std::vector<uint32_t> &v)
{
    CUdeviceptr p;

    check(cuMemAlloc(&p, v.size() * 4), "alloc");
    write(p, v);
    return p;
}

int main(int argc, char **argv)
{
    CUdevice dev;
    CUcontext ctx;
    std::vector<CUmodule> modules;
    FILE *f;
    char line[512];
    int launches, plain, fresh;

    if (argc < 4 || (f = fopen(argv[1], "r")) == NULL) {
        fprintf(stderr, "measure CASES.csv LAUNCHES FILE.cubin...\n");
        return 2;
    }
    launches = abs(atoi(argv[2]));
    plain = atoi(argv[2]) > 0;
    fresh = strchr(argv[2], 'f') != NULL;
    check(cuInit(0), "init");
    check(cuDeviceGet(&dev, 0), "device");
    check(cuDevicePrimaryCtxRetain(&ctx, dev), "context");
    check(cuCtxSetCurrent(ctx), "context");
    for (int i = 3; i < argc; i++) {
        CUmodule m;

        check(cuModuleLoad(&m, argv[i]), argv[i]);
        modules.push_back(m);
    }
    if (fgets(line, sizeof(line), f) == NULL) {
        return 2;
    }
    while (fgets(line, sizeof(line), f) != NULL) {
        char set[16], source[32], kernel[64], ha[32], hb[32];
        unsigned id, gx, gy, bx, by, shared;
        int n, m, approximate;
        unsigned long long wa, wb, wc;
        CUfunction k = NULL;

        if (sscanf(line,
                   "%u,%15[^,],%31[^,],%63[^,],%u,%u,%u,%u,%u,%d,%d,%31[^,],%31[^,],%llu,%llu,%llu,%d",
                   &id, set, source, kernel, &gx, &gy, &bx, &by, &shared, &n, &m, ha, hb, &wa, &wb,
                   &wc, &approximate) != 17) {
            fprintf(stderr, "measure: %s", line);
            return 1;
        }
        for (CUmodule mod : modules) {
            if (k == NULL) {
                cuModuleGetFunction(&k, mod, kernel);
            }
        }
        if (k == NULL) {
            fprintf(stderr, "measure: no kernel %s\n", kernel);
            return 1;
        }
        const std::vector<uint32_t> va = fill(ha, wa, 262), vb = fill(hb, wb, 263);
        CUdeviceptr a = put(va), b = put(vb);
        const std::vector<uint32_t> zeros(wc, 0);
        std::vector<uint32_t> out(wc, 0);
        CUdeviceptr c = put(out);
        void *args[] = {&a, &b, &c, &n, &m};
        uint64_t hash = UINT64_C(0xcbf29ce484222325);
        double us = 0;

        for (int i = 0; i < launches; i++) {
            if (fresh) {
                write(a, va);
                write(b, vb);
                write(c, zeros);
            }
            check(cuLaunchKernel(k, gx, gy, 1, bx, by, 1, shared, 0, args, NULL), kernel);
            check(cuCtxSynchronize(), kernel);
            if (i == 0) {
                check(cuMemcpyDtoH(out.data(), c, wc * 4), "copy");
                for (unsigned long long j = 0; j < wc * 4; j++) {
                    hash = (hash ^ ((unsigned char *)out.data())[j]) * UINT64_C(0x100000001b3);
                }
            }
        }
        if (plain) {
            std::vector<float> rounds;
            CUevent from, to;

            check(cuEventCreate(&from, 0), "event");
            check(cuEventCreate(&to, 0), "event");
            for (int r = 0; r < 5; r++) {
                float ms;

                check(cuEventRecord(from, 0), "event");
                for (int i = 0; i < 20; i++) {
                    check(cuLaunchKernel(k, gx, gy, 1, bx, by, 1, shared, 0, args, NULL), kernel);
                }
                check(cuEventRecord(to, 0), "event");
                check(cuEventSynchronize(to), "event");
                check(cuEventElapsedTime(&ms, from, to), "event");
                rounds.push_back(ms * 1000 / 20);
            }
            std::sort(rounds.begin(), rounds.end());
            us = rounds[2];
            cuEventDestroy(from);
            cuEventDestroy(to);
        }
        printf("%u,%016llx,%.3f\n", id, (unsigned long long)hash, us);
        fflush(stdout);
        cuMemFree(a);
        cuMemFree(b);
        cuMemFree(c);
    }
    return 0;
}
