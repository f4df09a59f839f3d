#ifndef VFX_DETAIL_TRANSFER_H
#define VFX_DETAIL_TRANSFER_H
#include <stddef.h>
#include <stdint.h>

// Temporal super-resolution: detail of the previous output frame is transferred along the motion where the frames
// match. Weights and motion are on the sample grid of the source, detail is on the grid of the output. `map` contains
// the index of the source sample for each output sample; if it is NULL, the output is twice as large and source sample
// x/2 belongs to output sample x.
//
// Constants in capitals are tuned; they are in Kernels/detail_transfer/detail_transfer_tuning.h.

/// How much detail is transferred: a weight of `most` (0…255, in 1/256) where the frames match exactly, and half of it
/// where the mean difference is the standard deviation of luma divided by `scale` (apart from the floors).
typedef struct vfx_detail_transfer_trust { float most, scale; } vfx_detail_transfer_trust;

/// Computes the weights of a row of source samples.
///
/// With m the mean of the 3×3 motion-compensated differences (`error`) and v the variance of 5×5 luma samples, r² =
/// (scale·(m + MISMATCH_FLOOR))² / (v + VARIANCE_FLOOR) and dst = most / (1 + r⁴), rounded (halves up). `error` is
/// readable one sample beyond the row on all sides, `luma` two. `scratch` has room for 3·(width + 4) values. IEEE
/// single precision without contraction, so that every level produces the same bits.
typedef void vfx_detail_transfer_weight_row_fn(uint8_t *_Nonnull dst, const uint8_t *_Nonnull error, ptrdiff_t error_stride,
                                               const uint8_t *_Nonnull luma, ptrdiff_t luma_stride, int width,
                                               const vfx_detail_transfer_trust *_Nonnull trust, int32_t *_Nonnull scratch);

/// dst[x] = |a[x] − b[x]|. dst may be equal to a or b.
typedef void vfx_detail_transfer_difference_row_fn(uint8_t *_Nonnull dst, const uint8_t *_Nonnull a,
                                                   const uint8_t *_Nonnull b, int count);

/// Scales one component of the motion to the output's grid: dst[x] = (src[map[x]]·scale + 8192) >> 14, saturated to 16
/// bits, 0 ≤ scale < 65536. Without a map, dst has room for `count` values rounded up to an even number.
typedef void vfx_detail_transfer_spread_row_fn(int16_t *_Nonnull dst, const int16_t *_Nonnull src,
                                               const int32_t *_Nullable map, int count, int scale);

/// Extracts weighted detail: detail[x] = weight[map[x]]·(moved[x] − here[x]). Each value is also added to sums[map[x]].
/// Without a map, `count` is even.
typedef void vfx_detail_transfer_extract_row_fn(int32_t *_Nonnull detail, int32_t *_Nonnull sums,
                                                const void *_Nonnull moved, const void *_Nonnull here,
                                                const uint8_t *_Nonnull weight, const int32_t *_Nullable map, int count);

/// Position of an output sample between two means: weight/64 of the way from mean[first] to mean[first + 1],
/// 0 ≤ weight ≤ 63.
typedef struct vfx_detail_transfer_place { int32_t first, weight; } vfx_detail_transfer_place;

/// Adds the detail that is finer than a source sample: dst[x] = here[x] + ((detail[x] − low + 128) >> 8),
/// limited to 0…maximum.
///
/// low is the mean detail per source sample, interpolated linearly at the output sample: with places, (mean[first]·(64
/// − weight) + mean[first + 1]·weight + 32) >> 6; without, (3·mean[x / 2] + n + 2) >> 2, where n is the neighbouring
/// mean on the sample's side, `count` is even, and one mean beyond either end is readable.
typedef void vfx_detail_transfer_merge_row_fn(void *_Nonnull dst, const void *_Nonnull here, const int32_t *_Nonnull detail,
                                              const int32_t *_Nonnull mean,
                                              const vfx_detail_transfer_place *_Nullable places, int count, int maximum);
#endif
