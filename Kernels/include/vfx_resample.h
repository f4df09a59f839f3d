#ifndef VFX_RESAMPLE_H
#define VFX_RESAMPLE_H
#include <stdint.h>

// Resampling of a plane with weights from the caller (Keys, Lanczos, area …), first vertically, then horizontally.
// Intermediate values are signed and have 14 bits, or the bit depth of the frame if that is higher: up = max(0, 14 −
// bits). 8 ≤ bits ≤ 16; _8 kernels have 8 bits. Weights are in 1/16384: those of an output sample add up to 16384,
// their magnitudes to at most 40000.

/// Vertical filter: computes one row from `taps` rows, an even number; a row may occur more than once.
///
/// dst[x] = (Σ weights[k]·u_k[x] + 8192) >> 14, saturated to 16 bits, where u = (sample << up) − 2^(bits + up − 1) is
/// made signed by subtracting half the range. Accesses exactly `count` elements of each row; samples have at most
/// `bits` bits.
typedef void vfx_resample_column_fn(int16_t *_Nonnull dst, const void *_Nonnull const *_Nonnull rows,
                                    const int16_t *_Nonnull weights, int taps, int count, int bits);

/// Horizontal filter: computes sample x of a row from `taps` values at src + starts[x], where taps is a multiple of 8.
/// `weights` has `taps` values for each x.
///
/// dst[x] = (Σ weights·src + 2^(bits + up + 13) + 2^(13 + up)) >> (14 + up), limited to 0…2^bits − 1. `starts` and
/// `weights` are readable, and the starts refer to readable values, for `count` rounded up to a multiple of 8; exactly
/// `count` samples are written.
typedef void vfx_resample_row_fn(void *_Nonnull dst, const int16_t *_Nonnull src, const int32_t *_Nonnull starts,
                                 const int16_t *_Nonnull weights, int taps, int count, int bits);
#endif
