#ifndef VFX_DISPLACE_H
#define VFX_DISPLACE_H
#include <stdint.h>

/// Where samples are read in one neighbour: a share of their motion, plus an offset of their own.
///
/// dst[i] = ((v[i]·scale + 2^13) >> 14) + offset[i], limited to −32768…32767. −2^14 ≤ scale ≤ 2^14. A warp with scale
/// 2^14 takes dst as its vectors; for offsets of 0, it then reads where one of v with `scale` does (vfx_warp.h), except
/// for the limit. Accesses exactly `count` elements of each array.
typedef void vfx_displace_row_fn(int16_t *_Nonnull dst, const int16_t *_Nonnull v, const int16_t *_Nonnull offset,
                                 int count, int scale);
#endif
