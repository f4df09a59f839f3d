#ifndef VFX_DOWNSAMPLE_H
#define VFX_DOWNSAMPLE_H
#include <stddef.h>
#include <stdint.h>

/// Averages each 2×2 samples: dst = (a + b + c + d + 2) >> 2, halves rounded up.
///
/// Reads 2·width × 2·height samples, writes width × height. Any size is allowed; the caller must repeat the last column
/// or row of a plane with an odd size.
typedef void vfx_downsample_fn(uint8_t *_Nonnull dst, ptrdiff_t dst_stride, const uint8_t *_Nonnull src,
                               ptrdiff_t src_stride, int width, int height);
#endif
