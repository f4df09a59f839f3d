#ifndef VFX_DOWNSAMPLE_H
#define VFX_DOWNSAMPLE_H
#include <stddef.h>
#include <stdint.h>

/// Averages of 2×2 samples: dst = (a + b + c + d + 2) >> 2, halves up.
///
/// Reads 2·width × 2·height samples, writes width × height. Any size; an odd last column or row of a picture is the
/// caller's to repeat.
typedef void vfx_downsample_fn(uint8_t *_Nonnull dst, ptrdiff_t dst_stride, const uint8_t *_Nonnull src,
                               ptrdiff_t src_stride, int width, int height);
#endif
