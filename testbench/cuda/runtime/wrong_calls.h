/* wrong_calls.h - what the calls of wrong_calls.inc name, made anew before each. */
#ifndef RUNTIME_WRONG_CALLS_H
#define RUNTIME_WRONG_CALLS_H

#include <stdlib.h>

enum { BYTES = 2 << 20 }; /* of dev: whole pages of a device */

static void *dev, *pinned, *managed, *p;
static char host[3 * 4096] __attribute__((aligned(4096)));
static char large[BYTES + 8192];
static size_t n;
static int i, optin;
static unsigned u;
static float f;
static void *args[1] = {&dev};
static cudaStream_t stream, other_stream;
static cudaEvent_t event, fresh_event, untimed_event, other_event;
static cudaArray_t array, other_array;
static cudaGraph_t graph, graph2;
static cudaGraphExec_t exec;
static cudaGraphNode_t node;
static enum cudaGraphNodeType node_type;
static struct cudaDeviceProp prop;
static struct cudaPitchedPtr pitched;
static struct cudaPointerAttributes attributes;
static struct cudaFuncAttributes function_attributes;
static struct cudaMemcpy3DParms empty_parms;
static struct cudaExtent box;
static cudaLaunchConfig_t empty_config;
static struct cudaChannelFormatDesc channel = {32, 0, 0, 0, cudaChannelFormatKindFloat};
static struct cudaChannelFormatDesc odd_channel = {7, 0, 0, 0,
                                                   cudaChannelFormatKindSigned};
static struct cudaChannelFormatDesc three_channels = {32, 32, 32, 0,
                                                      cudaChannelFormatKindFloat};

static struct dim3 dim(unsigned x, unsigned y, unsigned z)
{
    struct dim3 d;

    d.x = x;
    d.y = y;
    d.z = z;
    return d;
}

static struct cudaExtent extent(size_t w, size_t h, size_t d)
{
    struct cudaExtent e;

    e.width = w;
    e.height = h;
    e.depth = d;
    return e;
}

static struct cudaPitchedPtr pitched_of(void *ptr, size_t pitch, size_t x, size_t y)
{
    struct cudaPitchedPtr q;

    q.ptr = ptr;
    q.pitch = pitch;
    q.xsize = x;
    q.ysize = y;
    return q;
}

static void callback(cudaStream_t s, cudaError_t status, void *arg)
{
    (void)s, (void)status, (void)arg;
}

/* A kernel whose fault is number which: see the kernels. */
static cudaError_t bad_launch(int which)
{
    void *bad_args[2];

    bad_args[0] = &dev;
    bad_args[1] = &which;
    return cudaLaunchKernel(BAD_KERNEL, dim(1, 1, 1), dim(1, 1, 1), bad_args, 0, NULL);
}

static void make_objects(void)
{
    cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    cudaMalloc(&dev, BYTES);
    cudaMallocHost(&pinned, 4096);
    cudaMallocManaged(&managed, 4096, cudaMemAttachGlobal);
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    cudaEventCreate(&fresh_event);
    cudaEventCreateWithFlags(&untimed_event, cudaEventDisableTiming);
    cudaEventRecord(event, stream);
    cudaEventRecord(untimed_event, stream);
    cudaStreamSynchronize(stream);
    cudaMallocArray(&array, &channel, 16, 16, 0);
    cudaGraphCreate(&graph, 0);
    cudaGetLastError();
}

#endif /* RUNTIME_WRONG_CALLS_H */
