#ifndef VFX_DETAIL_TRANSFER_H
#define VFX_DETAIL_TRANSFER_H
#include <stddef.h>
#include <stdint.h>

// Super-resolution in time: detail of the previous output is taken over along the motion where the pictures match. Weights
// and motion are on the grid of the source, detail on that of the output. A `map` names the source sample of each output
// sample; without one the output is twice as large and sample x belongs to x / 2.
//
// Constants in capitals are tuned; they are in Kernels/detail_transfer/detail_transfer_tuning.h.

/// How far detail is taken over: `most` (0…255 of 256) where the pictures match, half of that where the mean difference is
/// the standard deviation over `scale`.
typedef struct vfx_detail_transfer_trust { float most, scale; } vfx_detail_transfer_trust;

/// Weights of a row of source samples.
///
/// With m the mean of 3×3 differences along the motion and v the variance of 5×5 samples of luma,
/// r² = (scale·(m + MISMATCH_FLOOR))² / (v + VARIANCE_FLOOR) and dst = most / (1 + r⁴), rounded (halves up). `error` is
/// readable one sample round the row, `luma` two. `scratch` has room for 3·(width + 4) values. IEEE single precision without
/// contraction: the same bits on every level.
typedef void vfx_detail_transfer_weight_row_fn(uint8_t *_Nonnull dst, const uint8_t *_Nonnull error, ptrdiff_t error_stride,
                                               const uint8_t *_Nonnull luma, ptrdiff_t luma_stride, int width,
                                               const vfx_detail_transfer_trust *_Nonnull trust, int32_t *_Nonnull scratch);

/// dst[x] = |a[x] − b[x]|. dst may be a or b.
typedef void vfx_detail_transfer_difference_row_fn(uint8_t *_Nonnull dst, const uint8_t *_Nonnull a,
                                                   const uint8_t *_Nonnull b, int count);

/// Motion on the output's grid, one component: dst[x] = (src[map[x]]·scale + 8192) >> 14, saturated to 16 bits,
/// 0 ≤ scale < 65536. Without a map, dst has room for `count` rounded up to an even number.
typedef void vfx_detail_transfer_spread_row_fn(int16_t *_Nonnull dst, const int16_t *_Nonnull src,
                                               const int32_t *_Nullable map, int count, int scale);

/// detail[x] = weight[map[x]]·(moved[x] − here[x]), which is also added to sums[map[x]]. Without a map `count` is even.
typedef void vfx_detail_transfer_extract_row_fn(int32_t *_Nonnull detail, int32_t *_Nonnull sums,
                                                const void *_Nonnull moved, const void *_Nonnull here,
                                                const uint8_t *_Nonnull weight, const int32_t *_Nullable map, int count);

/// Position of an output sample between two means: weight/64 of the way from the one at `first` to the next, 0 ≤ weight ≤ 63.
typedef struct vfx_detail_transfer_place { int32_t first, weight; } vfx_detail_transfer_place;

/// dst[x] = here[x] + ((detail[x] − low + 128) >> 8), limited to 0…maximum: detail without what is coarser than a source
/// sample.
///
/// low is the mean interpolated linearly at the sample's position: (m0·(64 − weight) + m1·weight + 32) >> 6, or without
/// places (3·mean[x / 2] + its neighbour on the sample's side + 2) >> 2, where `count` is even and one mean beyond either
/// end is readable.
typedef void vfx_detail_transfer_merge_row_fn(void *_Nonnull dst, const void *_Nonnull here, const int32_t *_Nonnull detail,
                                              const int32_t *_Nonnull mean,
                                              const vfx_detail_transfer_place *_Nullable places, int count, int maximum);
#endif
