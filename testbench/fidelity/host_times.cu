/* What the host costs between two events: a table with a row for each thing that a
 * program may do between cudaEventRecord() and cudaEventRecord(), on a device that had
 * nothing to do before. Build: nvcc -O2 -arch=native. See "usage" for arguments. */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

using body = std::function<void()>;

static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}
#define CHECK(call) check(call, __LINE__)

__global__ void empty()
{
}

__global__ void other()
{
}

struct wide {
    char bytes[4000];
};

__global__ void takes(wide)
{
}

__global__ void spin(long long cycles)
{
    const long long end = clock64() + cycles;

    while (clock64() < end) {
    }
}

static int rounds = 100;
static size_t most = 64 << 20;
static const char *only = "";
static cudaEvent_t start, stop, turn[2];
static cudaStream_t s[2];
static const double cycles_per_us = 1980;

static void spins(double us, cudaStream_t stream = 0)
{
    spin<<<1, 1, 0, stream>>>((long long)(us * cycles_per_us));
}

static bool wanted(const char *what)
{
    return only[0] == '\0' || strstr(only, what) != NULL;
}

static void print(const char *what, int n, size_t size, std::vector<double> &us)
{
    std::sort(us.begin(), us.end());
    printf("%s,%d,%zu,%.2f,%.2f,%.2f\n", what, n, size, us[0], us[us.size() / 2],
           us[us.size() * 9 / 10]);
    fflush(stdout);
}

/* Microseconds of the device between two records in stream 0 with what lies between,
 * at most rounds times, about 0.2 s in all. before: queued first, so that the device is
 * busy while the host goes ahead. */
static void measure(const char *what, int n, size_t size, const body &between,
                    double before = 0, cudaStream_t in = 0)
{
    std::vector<double> us;
    double sum = 0;

    if (!wanted(what)) {
        return;
    }
    for (int i = 0; i < rounds + (rounds > 1 ? 3 : 0) && sum < 2e5; i++) {
        float ms;

        CHECK(cudaDeviceSynchronize());
        if (before > 0) {
            spins(before, in);
        }
        CHECK(cudaEventRecord(start, in));
        between();
        CHECK(cudaEventRecord(stop, in));
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&ms, start, stop));
        if (rounds == 1 || i >= 3) {
            us.push_back(ms * 1e3);
        }
        sum += ms * 1e3 + before;
    }
    if (!us.empty()) {
        print(what, n, size, us);
    }
    CHECK(cudaGetLastError());
}

/* Microseconds of the host's clock for what is called. */
static void call(const char *what, int n, size_t size, const body &called,
                 const body &prepare = [] {})
{
    std::vector<double> us;
    double sum = 0;

    if (!wanted(what)) {
        return;
    }
    for (int i = 0; i < rounds + 3 && sum < 2e5; i++) {
        CHECK(cudaDeviceSynchronize());
        prepare();
        auto a = std::chrono::steady_clock::now();
        called();
        auto b = std::chrono::steady_clock::now();
        if (i >= 3) {
            us.push_back(std::chrono::duration<double, std::micro>(b - a).count() / n);
        }
        sum += std::chrono::duration<double, std::micro>(b - a).count();
    }
    CHECK(cudaDeviceSynchronize());
    if (!us.empty()) {
        print(what, n, size, us);
    }
}

static body times(int n, const body &what)
{
    return [=] {
        for (int i = 0; i < n; i++) {
            what();
        }
    };
}

static void launches()
{
    const body one = [] { empty<<<1, 1>>>(); };

    measure("events", 0, 0, [] {});
    measure("events_behind", 0, 0, [] {}, 100);
    for (int n : {1, 2, 3, 4, 5, 10, 20, 50, 100, 1000}) {
        measure("empty", n, 0, times(n, one));
    }
    for (int n : {1, 2, 3, 4, 5, 10, 20, 50, 100}) {
        measure("empty_behind", n, 0, times(n, one), 100 + 10 * n);
    }
    for (int n : {1, 2, 10}) {
        for (int us : {1, 2, 3, 4, 5, 7, 10, 20, 50, 100}) {
            measure("spin", n, us, times(n, [=] { spins(us); }));
            measure("spin_behind", n, us, times(n, [=] { spins(us); }), 200);
        }
    }
    for (int blocks : {1, 132, 1056, 4224, 16896, 65535}) {
        measure("grid_32", 1, blocks, [=] { empty<<<blocks, 32>>>(); });
        measure("grid_32_behind", 1, blocks, [=] { empty<<<blocks, 32>>>(); }, 100);
        measure("grid_1024", 1, blocks, [=] { empty<<<blocks, 1024>>>(); });
        measure("grid_1024_behind", 1, blocks, [=] { empty<<<blocks, 1024>>>(); }, 100);
    }
    for (int n : {1, 10, 100}) {
        measure("wide", n, sizeof(wide), times(n, [] { takes<<<1, 1>>>(wide()); }));
        measure("stream_empty", n, 0, times(n, [] { empty<<<1, 1, 0, s[0]>>>(); }), 0,
                s[0]);
        measure("two_kernels", n, 0, times(n, [] {
                    empty<<<1, 1>>>();
                    other<<<1, 1>>>();
                }));
    }
}

static void records()
{
    for (int n : {1, 2, 10, 100}) {
        measure("records", n, 0, times(n, [] { CHECK(cudaEventRecord(turn[0])); }));
        measure("records_behind", n, 0, times(n, [] { CHECK(cudaEventRecord(turn[0])); }),
                500);
        measure("kernel_record", n, 0, times(n, [] {
                    empty<<<1, 1>>>();
                    CHECK(cudaEventRecord(turn[0]));
                }));
        measure("kernel_record_behind", n, 0, times(n, [] {
                    empty<<<1, 1>>>();
                    CHECK(cudaEventRecord(turn[0]));
                }), 100 + 10 * n);
        measure("spin5_record_behind", n, 5, times(n, [] {
                    spins(5);
                    CHECK(cudaEventRecord(turn[0]));
                }), 100 + 10 * n);
    }
}

static void waits()
{
    for (int n : {1, 2, 10, 100}) {
        for (int us : {0, 10}) {
            const body one = us == 0 ? body([] { empty<<<1, 1>>>(); })
                                     : body([=] { spins(us); });

            measure("device_sync", n, us, times(n, [=] {
                        one();
                        CHECK(cudaDeviceSynchronize());
                    }));
            measure("stream_sync", n, us, times(n, [=] {
                        one();
                        CHECK(cudaStreamSynchronize(0));
                    }));
            measure("event_sync", n, us, times(n, [=] {
                        one();
                        CHECK(cudaEventRecord(turn[0]));
                        CHECK(cudaEventSynchronize(turn[0]));
                    }));
        }
    }
    measure("nothing_sync", 1, 0, [] { CHECK(cudaDeviceSynchronize()); });
}

static void streams()
{
    const auto join = [](cudaStream_t from, cudaStream_t to) {
        CHECK(cudaEventRecord(turn[0], from));
        CHECK(cudaStreamWaitEvent(to, turn[0], 0));
    };

    for (int n : {2, 4, 10, 100}) {
        for (int us : {0, 5, 20}) {
            const body what = [=] {
                join(s[0], s[1]);
                for (int i = 0; i < n; i++) {
                    if (us == 0) {
                        empty<<<1, 1, 0, s[i % 2]>>>();
                    } else {
                        spins(us, s[i % 2]);
                    }
                }
                join(s[1], s[0]);
            };
            const body chain = [=] {
                for (int i = 0; i < n; i++) {
                    if (us == 0) {
                        empty<<<1, 1, 0, s[i % 2]>>>();
                    } else {
                        spins(us, s[i % 2]);
                    }
                    join(s[i % 2], s[1 - i % 2]);
                }
            };

            measure("side_by_side", n, us, what, 0, s[0]);
            measure("side_by_side_behind", n, us, what, 100 + 15 * n, s[0]);
            measure("ping_pong", n, us, chain, 0, s[0]);
            measure("ping_pong_behind", n, us, chain, 100 + 15 * n, s[0]);
        }
    }
}

static void copies()
{
    char *device, *twin, *pinned, *paged = (char *)malloc(most);

    CHECK(cudaMalloc(&device, most));
    CHECK(cudaMalloc(&twin, most));
    CHECK(cudaMallocHost(&pinned, most));
    memset(paged, 1, most);
    memset(pinned, 1, most);
    /* what the host has just written is in its caches: another table's matter */
    CHECK(cudaMemcpy(device, pinned, most, cudaMemcpyHostToDevice));
    for (int n : {1, 2, 10}) {
        for (size_t size = 4; size <= most; size *= 4) {
            const size_t up_to = n == 1 ? most : 4 << 20;
            const struct {
                const char *what;
                void *to, *from;
                cudaMemcpyKind kind;
            } ways[] = {
                {"up_pinned", device, pinned, cudaMemcpyHostToDevice},
                {"up_paged", device, paged, cudaMemcpyHostToDevice},
                {"down_pinned", pinned, device, cudaMemcpyDeviceToHost},
                {"down_paged", paged, device, cudaMemcpyDeviceToHost},
                {"inside", twin, device, cudaMemcpyDeviceToDevice},
            };

            if (size > up_to) {
                break;
            }
            for (const auto &w : ways) {
                char name[64];

                snprintf(name, sizeof name, "%s_async", w.what);
                measure(name, n, size, times(n, [&] {
                            CHECK(cudaMemcpyAsync(w.to, w.from, size, w.kind));
                        }));
                measure(w.what, n, size, times(n, [&] {
                            CHECK(cudaMemcpy(w.to, w.from, size, w.kind));
                        }));
                snprintf(name, sizeof name, "%s_kernel", w.what);
                measure(name, n, size, times(n, [&] {
                            CHECK(cudaMemcpyAsync(w.to, w.from, size, w.kind));
                            empty<<<1, 1>>>();
                        }));
            }
            measure("fill", n, size, times(n, [&] { CHECK(cudaMemset(device, 0, size)); }));
            measure("fill_kernel", n, size, times(n, [&] {
                        CHECK(cudaMemset(device, 0, size));
                        empty<<<1, 1>>>();
                    }));
            measure("fill_async", n, size,
                    times(n, [&] { CHECK(cudaMemsetAsync(device, 0, size)); }));
            measure("there_and_back_async", n, size, times(n, [&] {
                        CHECK(cudaMemcpyAsync(device, pinned, size, cudaMemcpyDefault));
                        empty<<<1, 1>>>();
                        CHECK(cudaMemcpyAsync(pinned, device, size, cudaMemcpyDefault));
                    }));
            measure("there_and_back", n, size, times(n, [&] {
                        CHECK(cudaMemcpy(device, paged, size, cudaMemcpyDefault));
                        empty<<<1, 1>>>();
                        CHECK(cudaMemcpy(paged, device, size, cudaMemcpyDefault));
                    }));
            if (n == 1) {
                call("call_up_pinned_async", n, size, [&] {
                    CHECK(cudaMemcpyAsync(device, pinned, size, cudaMemcpyHostToDevice));
                });
                call("call_up_paged_async", n, size, [&] {
                    CHECK(cudaMemcpyAsync(device, paged, size, cudaMemcpyHostToDevice));
                });
                call("call_up_paged", n, size, [&] {
                    CHECK(cudaMemcpy(device, paged, size, cudaMemcpyHostToDevice));
                });
                call("call_up_pinned", n, size, [&] {
                    CHECK(cudaMemcpy(device, pinned, size, cudaMemcpyHostToDevice));
                });
                call("call_down_paged", n, size, [&] {
                    CHECK(cudaMemcpy(paged, device, size, cudaMemcpyDeviceToHost));
                });
                call("call_down_pinned", n, size, [&] {
                    CHECK(cudaMemcpy(pinned, device, size, cudaMemcpyDeviceToHost));
                });
                call("call_inside", n, size, [&] {
                    CHECK(cudaMemcpy(twin, device, size, cudaMemcpyDeviceToDevice));
                });
                call("call_fill", n, size, [&] { CHECK(cudaMemset(device, 0, size)); });
            }
        }
    }
    free(paged);
    CHECK(cudaFree(device));
    CHECK(cudaFree(twin));
    CHECK(cudaFreeHost(pinned));
}

static void graphs()
{
    for (int n : {1, 2, 10, 100}) {
        for (int us : {0, 5}) {
            cudaGraph_t graph;
            cudaGraphExec_t exec;

            CHECK(cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal));
            for (int i = 0; i < n; i++) {
                if (us == 0) {
                    empty<<<1, 1, 0, s[0]>>>();
                } else {
                    spins(us, s[0]);
                }
            }
            CHECK(cudaStreamEndCapture(s[0], &graph));
            CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
            measure("graph", n, us, [&] { CHECK(cudaGraphLaunch(exec, s[0])); }, 0, s[0]);
            measure("graph_behind", n, us, [&] { CHECK(cudaGraphLaunch(exec, s[0])); }, 100,
                    s[0]);
            measure("graph_10_times", n, us,
                    times(10, [&] { CHECK(cudaGraphLaunch(exec, s[0])); }), 0, s[0]);
            measure("graph_10_times_behind", n, us,
                    times(10, [&] { CHECK(cudaGraphLaunch(exec, s[0])); }), 400, s[0]);
            call("call_graph", n, us, [&] { CHECK(cudaGraphLaunch(exec, s[0])); });
            CHECK(cudaGraphExecDestroy(exec));
            CHECK(cudaGraphDestroy(graph));
        }
    }
}

static void calls()
{
    const body one = [] { empty<<<1, 1>>>(); };

    for (int n : {1, 2, 5, 10, 100, 1000}) {
        call("call_launch", n, 0, times(n, one));
        call("call_launch_busy", n, 0, times(n, one), [] { spins(2000); });
        call("call_record", n, 0, times(n, [] { CHECK(cudaEventRecord(turn[0])); }));
        call("call_record_busy", n, 0, times(n, [] { CHECK(cudaEventRecord(turn[0])); }),
             [] { spins(2000); });
        call("call_wait_event", n, 0,
             times(n, [] { CHECK(cudaStreamWaitEvent(s[0], turn[0], 0)); }));
    }
    call("call_launch_sync", 1, 0, [] {
        empty<<<1, 1>>>();
        CHECK(cudaDeviceSynchronize());
    });
    call("call_record_sync", 1, 0, [] {
        CHECK(cudaEventRecord(turn[0]));
        CHECK(cudaEventSynchronize(turn[0]));
    });
    for (int n : {1, 10}) {
        call("call_sync_idle", n, 0, times(n, [] { CHECK(cudaDeviceSynchronize()); }));
        call("call_stream_sync_idle", n, 0,
             times(n, [] { CHECK(cudaStreamSynchronize(0)); }));
        call("call_event_query", n, 0, times(n, [] { CHECK(cudaEventQuery(turn[0])); }));
    }
    for (size_t size = 4; size <= most; size *= 64) {
        call("call_malloc_free", 1, size, [=] {
            void *p;

            CHECK(cudaMalloc(&p, size));
            CHECK(cudaFree(p));
        });
    }
}

/* What is done the first time. */
static void first()
{
    float ms;
    const auto timed = [&](const char *what, const body &between) {
        CHECK(cudaEventRecord(start));
        between();
        CHECK(cudaEventRecord(stop));
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&ms, start, stop));
        printf("%s,1,0,%.2f,%.2f,%.2f\n", what, ms * 1e3, ms * 1e3, ms * 1e3);
    };

    timed("first_launch", [] { empty<<<1, 1>>>(); });
    timed("second_launch", [] { empty<<<1, 1>>>(); });
    timed("third_launch", [] { empty<<<1, 1>>>(); });
    timed("first_of_another", [] { other<<<1, 1>>>(); });
    timed("second_of_another", [] { other<<<1, 1>>>(); });
    timed("first_wide", [] { takes<<<1, 1>>>(wide()); });
    timed("second_wide", [] { takes<<<1, 1>>>(wide()); });
}

/* All of the driver's staging memory, 4 MiB, which costs more the first time. */
static void use_staging()
{
    std::vector<char> host(64 << 10);
    char *device;

    CHECK(cudaMalloc(&device, host.size()));
    for (int i = 0; i < 80; i++) {
        CHECK(cudaMemcpyAsync(device, host.data(), host.size(), cudaMemcpyHostToDevice));
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(device));
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "first") == 0) {
        CHECK(cudaEventCreate(&start));
        CHECK(cudaEventCreate(&stop));
        first();
        return 0;
    }
    if (argc > 1) {
        rounds = atoi(argv[1]);
    }
    if (argc > 2) {
        most = strtoull(argv[2], NULL, 10);
    }
    if (rounds < 1 || argc > 4) {
        fprintf(stderr, "usage: host_times first | [ROUNDS [MOST_BYTES [NAMES]]]\n");
        return 2;
    }
    only = argc > 3 ? argv[3] : "";
    for (auto e : {&start, &stop, &turn[0], &turn[1]}) {
        CHECK(cudaEventCreate(e));
    }
    for (auto &stream : s) {
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    use_staging();
    spins(1000); /* so that clocks and caches of the host are awake */
    empty<<<1, 1>>>();
    other<<<1, 1>>>();
    CHECK(cudaEventRecord(start));
    CHECK(cudaDeviceSynchronize());
    printf("what,n,size,us_min,us_median,us_p90\n");
    launches();
    records();
    waits();
    streams();
    graphs();
    copies();
    calls();
    return 0;
}
