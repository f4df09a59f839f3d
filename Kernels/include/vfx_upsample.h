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

/// Overwrites the samples at motion edges with the vectors of their own cells.
///
/// Cells are N = 2^side_log2 samples wide (1 ≤ side_log2 ≤ 6). `edges` has columns + 1 elements: if edges[c] is not 0, the
/// N/2 samples on both sides of the left side of cell c are overwritten as far as they lie inside the row and in a cell.
/// A component v becomes (v + 2^(shift − 1)) >> shift for shift > 0, otherwise v·2^−shift saturated to 16 bits, which is
/// what vfx_upsample_row_fn makes of equal cells; −6 ≤ shift ≤ 4.
typedef void vfx_upsample_edges_row_fn(int16_t *_Nonnull vx, int16_t *_Nonnull vy, int count,
                                       const int16_t *_Nonnull cells_x, const int16_t *_Nonnull cells_y,
                                       const uint8_t *_Nonnull edges, int columns, int side_log2, int shift_x,
                                       int shift_y);
#endif
