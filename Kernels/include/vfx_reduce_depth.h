#ifndef VFX_REDUCE_DEPTH_H
#define VFX_REDUCE_DEPTH_H
#include <stdint.h>

/// Converts a row of 16-bit samples to 8 bits: dst = min(255, (v + half) >> shift), with half = 2^(shift − 1), or 0 if
/// shift is 0.
///
/// 0 ≤ shift ≤ 8. Samples may have any 16-bit value; the sum does not wrap. Reads and writes exactly `width` samples.
typedef void vfx_reduce_depth_fn(uint8_t *_Nonnull dst, const uint16_t *_Nonnull src, int width, int shift);
#endif
