/*
 * channel_descriptor.h - cudaCreateChannelDesc<T>(): the bits of T's channels.
 */
#ifndef SMWAVE_CHANNEL_DESCRIPTOR_H
#define SMWAVE_CHANNEL_DESCRIPTOR_H
#define __CHANNEL_DESCRIPTOR_H__
#include "cuda_runtime_api.h"

#ifdef __cplusplus
template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define SMW_CHANNEL(T, one, n, kind)                                                   \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<T>()                \
    {                                                                                  \
        int bits = (int)sizeof(one) * 8;                                               \
        return cudaCreateChannelDesc(bits, n > 1 ? bits : 0, n > 2 ? bits : 0,         \
                                     n > 3 ? bits : 0, cudaChannelFormatKind##kind);   \
    }
#define SMW_CHANNELS(name, one, kind)                                                  \
    SMW_CHANNEL(one, one, 1, kind)                                                     \
    SMW_CHANNEL(name##1, one, 1, kind)                                                 \
    SMW_CHANNEL(name##2, one, 2, kind)                                                 \
    SMW_CHANNEL(name##4, one, 4, kind)

SMW_CHANNEL(char, char, 1, Signed)
SMW_CHANNELS(char, signed char, Signed)
SMW_CHANNELS(uchar, unsigned char, Unsigned)
SMW_CHANNELS(short, short, Signed)
SMW_CHANNELS(ushort, unsigned short, Unsigned)
SMW_CHANNELS(int, int, Signed)
SMW_CHANNELS(uint, unsigned int, Unsigned)
SMW_CHANNELS(float, float, Float)
#undef SMW_CHANNELS
#undef SMW_CHANNEL
#endif

#endif /* SMWAVE_CHANNEL_DESCRIPTOR_H */
