#ifndef VFX_BLEND_H
#define VFX_BLEND_H
#include <stdint.h>

/// Weighted mean of two rows: dst[i] = (a[i]·(256 − w[i]) + b[i]·w[i] + 128) >> 8, halves rounded up.
///
/// 0 ≤ w ≤ 256. Accesses exactly `count` elements of each array. dst may be equal to a or b, but must not overlap them
/// in any other way.
///
/// blend_row_12_to_8 reads 16-bit samples of 0…4080, in 1/16 level, and writes 8-bit ones: the sum + 2048 is shifted
/// right by 12. A mean of samples that were rounded to whole levels before would be rounded twice. Its dst must not
/// overlap a or b.
typedef void vfx_blend_row_fn(void *_Nonnull dst, const void *_Nonnull a, const void *_Nonnull b,
                              const uint16_t *_Nonnull w, int count);
#endif
