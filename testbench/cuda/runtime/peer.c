/* Several devices: who may use whose memory. */
#include "runtime/rt.h"

static cudaError_t two(int a, int b, struct rt_device **x, struct rt_device **y)
{
    cudaError_t rc = rt_device_known(a, x);

    return rc == cudaSuccess ? rt_device_known(b, y) : rc;
}

static cudaError_t can_access(int *can, int device, int other)
{
    struct rt_device *x, *y;
    cudaError_t rc = two(device, other, &x, &y);

    if (rc == cudaSuccess && can == NULL) {
        rc = cudaErrorInvalidValue;
    }
    if (rc == cudaSuccess) {
        *can = device != other;
    }
    return rc;
}

RT_API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int other)
{
    return RT_CALL(can_access(can, device, other));
}

static cudaError_t set_access(int peer, unsigned flags, bool on)
{
    struct rt_device *d, *other;
    struct smw_err e = {0};
    cudaError_t rc = rt_current(&d);

    if (rc == cudaSuccess) {
        rc = rt_device_open(peer, &other);
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    if (flags != 0) {
        return cudaErrorInvalidValue;
    }
    if (d == other) {
        return on ? cudaErrorPeerAccessUnsupported : cudaErrorPeerAccessNotEnabled;
    }
    if (d->peer[peer] == on) {
        return on ? cudaErrorPeerAccessAlreadyEnabled : cudaErrorPeerAccessNotEnabled;
    }
    rc = rt_settle(other);
    if (rc == cudaSuccess) {
        rc = rt_ran(d, smw_peer(d->dev, other->dev, on, &e), &e, "peer access");
    }
    if (rc == cudaSuccess && !on) {
        (void)smw_peer_host(d->dev, other->dev, true, &e);
    }
    if (rc == cudaSuccess) {
        d->peer[peer] = on;
    }
    return rc;
}

RT_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    return RT_CALL(set_access(peer, flags, true));
}

RT_API cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    return RT_CALL(set_access(peer, 0, false));
}

static cudaError_t p2p_attribute(int *value, enum cudaDeviceP2PAttr attr, int a, int b)
{
    struct rt_device *x, *y;
    cudaError_t rc = two(a, b, &x, &y);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (value == NULL) {
        return cudaErrorInvalidValue;
    }
    if (a == b) {
        return cudaErrorInvalidDevice;
    }
    switch (attr) {
    case cudaDevP2PAttrPerformanceRank: *value = 0; return cudaSuccess;
    case cudaDevP2PAttrAccessSupported:
    case cudaDevP2PAttrNativeAtomicSupported: *value = 1; return cudaSuccess;
    case cudaDevP2PAttrCudaArrayAccessSupported:
    case cudaDevP2PAttrOnlyPartialNativeAtomicSupported: *value = 0; return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

RT_API cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr,
                                             int src, int dst)
{
    return RT_CALL(p2p_attribute(value, attr, src, dst));
}
