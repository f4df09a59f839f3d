#ifndef VFX_BLEND_H
#define VFX_BLEND_H
#include <stdint.h>

/// Weighted mean of two rows: dst[i] = (a[i]·(256 − w[i]) + b[i]·w[i] + 128) >> 8, halves rounded up.
///
/// 0 ≤ w ≤ 256. Accesses exactly `count` elements of each array. dst may be equal to a or b, but must not overlap them
/// in any other way.
typedef void vfx_blend_row_fn(void *_Nonnull dst, const void *_Nonnull a, const void *_Nonnull b,
                              const uint16_t *_Nonnull w, int count);
#endif
