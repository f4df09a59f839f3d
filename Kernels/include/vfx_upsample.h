#ifndef VFX_UPSAMPLE_H
#define VFX_UPSAMPLE_H
#include <stdint.h>

/// Upsamples a field of cells: computes one row of a plane from two rows of cells, linear between cell centres.
///
/// Cells are N = 2^side_log2 samples wide (0 ≤ side_log2 ≤ 6), with `columns` cells per row. The value is constant
/// before the first centre and after the last. There may be fewer or more cells than the row needs.
/// - Vertically: r = (a·(256 − weight_b) + b·weight_b + 128) >> 8, 0 ≤ weight_b ≤ 256.
/// - Horizontally, k samples after the first of two centres: (r0·(2N − 2k − 1) + r1·(2k + 1)) / (2N·2^shift), rounded
///   to nearest (halves up) and saturated to 16 bits; −side_log2 ≤ shift ≤ 4.
/// - Cells one sample wide are not interpolated horizontally: (r + half) >> shift, half = shift > 0 ? 2^(shift − 1) :
///   0.
///
/// Reads exactly `columns` cells of a and b, which may be the same row, and writes exactly `count` samples. `scratch` has
/// room for `columns` values.
typedef void vfx_upsample_row_fn(int16_t *_Nonnull dst, int count, const int16_t *_Nonnull a, const int16_t *_Nonnull b,
                                 int weight_b, int columns, int side_log2, int shift, int16_t *_Nonnull scratch);
#endif
