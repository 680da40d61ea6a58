/* clusters.c - launches whose blocks are in clusters (SPEC CLUSTER-1). */
#include "gpu/clusters.h"

#include <string.h>

static bool is_said(const uint32_t shape[3])
{
    return (shape[0] | shape[1] | shape[2]) != 0;
}

bool clusters_shape(const struct queued *q, uint32_t shape[3])
{
    const struct ptx_kernel *k = q->kernel->ptx;
    const uint32_t *from = is_said(q->args.cluster) ? q->args.cluster : k->cluster;

    for (uint32_t i = 0; i < 3; i++) {
        shape[i] = is_said(from) ? from[i] : 1;
    }
    return is_said(from);
}

uint32_t clusters_at_once(const struct smw_device *d, const struct queued *q)
{
    const uint32_t n_gpcs = d->gpu.cfg.gpu.gpcs;
    uint32_t shape[3], total = 0;

    (void)clusters_shape(q, shape);
    for (uint32_t g = 0; g < n_gpcs; g++) {
        uint32_t room = 0;

        for (uint32_t i = 0; i < d->gpu.n_sms; i++) {
            room += mem_gpc(i, n_gpcs) == g ? q->fit.blocks : 0;
        }
        total += room / sm_cluster_blocks(shape);
    }
    return total;
}

static bool refuse(struct smw_err *e)
{
    return err_code(e, SMW_CODE_INVALID_CLUSTER);
}

/* The launch's shape against what the kernel was compiled for. */
static bool check_kernel(const struct queued *q, bool said, const uint32_t shape[3],
                         struct smw_err *e)
{
    const struct ptx_kernel *k = q->kernel->ptx;

    if (is_said(k->cluster) &&
        (shape[0] != k->cluster[0] || shape[1] != k->cluster[1] ||
         shape[2] != k->cluster[2])) {
        (void)
            err_set(e, SMW_ERR_INPUT,
                    "clusters of %u x %u x %u blocks: %s is compiled for %u x %u x %u "
                    "(.reqnctapercluster)",
                    shape[0], shape[1], shape[2], k->base_name, k->cluster[0],
                    k->cluster[1], k->cluster[2]);
        return refuse(e);
    }
    if (k->explicit_cluster && !said) {
        (void)err_set(e, SMW_ERR_INPUT,
                      "%s is compiled for clusters (.explicitcluster), and the launch "
                      "does not say their shape",
                      k->base_name);
        return refuse(e);
    }
    if (k->max_cluster != 0 && sm_cluster_blocks(shape) > k->max_cluster) {
        (void)err_set(e, SMW_ERR_INPUT,
                      "clusters of %u blocks: %s is compiled for %u at most "
                      "(.maxclusterrank)",
                      sm_cluster_blocks(shape), k->base_name, k->max_cluster);
        return refuse(e);
    }
    return true;
}

bool clusters_check(const struct smw_device *d, const struct queued *q,
                    struct smw_err *e)
{
    const uint32_t most = d->gpu.rules.max_cluster;
    uint32_t shape[3];
    const bool said = clusters_shape(q, shape);
    uint64_t n;

    if (!said && !q->kernel->ptx->explicit_cluster) {
        return true;
    }
    n = (uint64_t)shape[0] * shape[1] * shape[2];
    if (most == 0) {
        (void)err_set(e, SMW_ERR_INPUT,
                      "thread block clusters are from compute capability 9.0 on, this "
                      "device has %u.%u",
                      d->gpu.rules.cc / 10, d->gpu.rules.cc % 10);
        return refuse(e);
    }
    if (shape[0] > most || shape[1] > most || shape[2] > most || n == 0 || n > most) {
        (void)err_set(e, SMW_ERR_INPUT,
                      "clusters of %u x %u x %u blocks: 1 to %u are possible", shape[0],
                      shape[1], shape[2], most);
        return refuse(e);
    }
    for (uint32_t i = 0; i < 3; i++) {
        if (q->args.grid[i] % shape[i] != 0) {
            (void)err_set(e, SMW_ERR_INPUT,
                          "a grid of %u blocks along %c is no whole number of clusters "
                          "of %u",
                          q->args.grid[i], "xyz"[i], shape[i]);
            return refuse(e);
        }
    }
    if (!check_kernel(q, said, shape, e)) {
        return false;
    }
    if (clusters_at_once(d, q) == 0) {
        (void)
            err_set(e, SMW_ERR_INPUT,
                    "no GPC has room for a cluster of %u blocks at once: %u on each SM",
                    (uint32_t)n, q->fit.blocks);
        return refuse(e);
    }
    return true;
}

void clusters_describe(const struct smw_device *d, const struct queued *q,
                       struct sm_launch *s)
{
    if (d->gpu.rules.max_cluster != 0) {
        s->explicit_cluster = clusters_shape(q, s->cluster);
    }
}

bool smw_active_clusters(const struct smw_kernel *k, const struct smw_launch *l,
                         uint32_t *clusters, struct smw_err *e)
{
    uint32_t blocks;
    struct queued q;

    if (!err_given(clusters, "smw_active_clusters: where the number goes", e) ||
        !smw_occupancy(k, l, &blocks, e)) {
        return false;
    }
    memset(&q, 0, sizeof(q));
    q.kernel = k;
    q.args = *l;
    q.fit.blocks = blocks;
    if (!clusters_check(k->module->device, &q, e)) {
        return false;
    }
    *clusters = clusters_at_once(k->module->device, &q);
    return true;
}
