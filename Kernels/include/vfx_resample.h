#ifndef VFX_RESAMPLE_H
#define VFX_RESAMPLE_H
#include <stdint.h>

// Resampling of a plane with weights of the caller's (Keys, Lanczos, area …): columns first, then rows. In between values
// are signed, 14 bits or the picture's depth if that is more: up = max(0, 14 − bits). 8 ≤ bits ≤ 16; planes of one byte per
// sample have 8. Weights are in 1/16384: those of a sample add to 16384, their magnitudes to at most 40000.

/// One row out of `taps` rows, an even number of them; a row may occur more than once.
///
/// dst[x] = (Σ weights[k]·u_k[x] + 8192) >> 14, saturated to 16 bits, u = (sample << up) − 2^(bits + up − 1): half the range
/// less, so that it is signed. Reads and writes exactly `count` of each row; samples have no more than `bits` bits.
typedef void vfx_resample_column_fn(int16_t *_Nonnull dst, const void *_Nonnull const *_Nonnull rows,
                                    const int16_t *_Nonnull weights, int taps, int count, int bits);

/// Each sample of a row out of `taps` values from src + starts[x] on, taps a multiple of 8, with weights of its own (`taps`
/// for each x, one after another).
///
/// dst[x] = (Σ weights·src + 2^(bits + up + 13) + 2^(13 + up)) >> (14 + up), limited to what `bits` hold. `starts` and
/// `weights` are readable, and `starts` leads to readable values, for `count` rounded up to a multiple of 8; exactly
/// `count` samples are written.
typedef void vfx_resample_row_fn(void *_Nonnull dst, const int16_t *_Nonnull src, const int32_t *_Nonnull starts,
                                 const int16_t *_Nonnull weights, int taps, int count, int bits);
#endif
