/* launch.h - kernels, as the calls ask for them. */
#ifndef RUNTIME_LAUNCH_H
#define RUNTIME_LAUNCH_H

#include "runtime/op.h"

/* Prototypes that no header has. */
unsigned smwavePushCallConfiguration_ptsz(struct dim3 grid, struct dim3 block,
                                          size_t shared, void *stream);
cudaError_t __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block,
                                       size_t *shared, void *stream);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, struct dim3 grid, struct dim3 block,
                               void **args, size_t shared, cudaStream_t s);
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, struct dim3 grid,
                                    struct dim3 block, void **args, size_t shared,
                                    cudaStream_t s);

/* *out with a parameter block of its own. */
cudaError_t rt_launch_pack(const void *func, struct dim3 grid, struct dim3 block,
                           void **args, size_t shared, struct rt_device *d,
                           struct rt_launch *out);
cudaError_t rt_launch(const void *func, struct dim3 grid, struct dim3 block,
                      void **args, size_t shared, cudaStream_t stream,
                      bool cooperative);
/* The same in clusters of that shape; all 0: as the kernel says. */
cudaError_t rt_launch_clusters(const void *func, struct dim3 grid, struct dim3 block,
                               void **args, size_t shared, cudaStream_t stream,
                               bool cooperative, struct dim3 cluster);

#endif /* RUNTIME_LAUNCH_H */
