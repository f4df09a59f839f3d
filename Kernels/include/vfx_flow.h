#ifndef VFX_FLOW_H
#define VFX_FLOW_H
#include <stddef.h>
#include <stdint.h>
#include "vfx_lucas_kanade.h"
#include "vfx_warp.h"

// Sub-sample refinement of optical flow: per 4×4 cell one Gauss-Newton step on its 8×8 patch (Lucas and Kanade 1981,
// mean-normalised), pulled towards the mean of its neighbours (B. Horn and B. Schunck, "Determining optical flow", 1981).
// A round is average, measure and solve for every row; prepare comes once before.
//
// IEEE single precision in the written order, without contraction: the same bits on every level. Constants in capitals are
// tuned; they are in Kernels/flow/flow_tuning.h. Motion is in samples, differences are in grey levels.

/// State of a row of cells. One cell beyond either end, and one row above and below, is readable in all five; support is 0
/// there and more inside. Rows are `stride` values apart.
typedef struct vfx_flow_row {
    const float *_Nonnull vx, *_Nonnull vy; // motion
    const float *_Nonnull brightness;       // mean of the cell, grey levels
    const float *_Nonnull support;          // weight as a neighbour, 0 outside the picture
    const float *_Nonnull difference;       // mean absolute difference of the match
    ptrdiff_t stride;
} vfx_flow_row;

/// Mean motion of each cell and its eight neighbours.
///
/// The cell's own weight is s = support·STIFFNESS / (1 + difference² / MATCH²), a neighbour's
/// support / (1 + Δbrightness² / BRIGHTNESS² + |Δmotion|²·s + difference² / MATCH²)². Neighbours are added row by row.
/// Writes exactly `columns` values of each mean.
typedef void vfx_flow_average_row_fn(const vfx_flow_row *_Nonnull row, float *_Nonnull mean_x, float *_Nonnull mean_y,
                                     int columns);

/// Mean-normalised normal matrix of a patch, with true slopes, and the sums of its doubled slopes.
typedef struct vfx_flow_equation { float xx, xy, yy, x, y; } vfx_flow_equation;

/// Equations, brightness (mean of the cell's middle 2×2 samples) and support of a row of cells whose first cell begins at
/// `src`. support = SUPPORT_MINIMUM + λ / (λ + TEXTURE), λ the smaller eigenvalue of the matrix where it is above 0.
/// Patches reach 2 samples beyond the cell, gradients one more: rows −3…6, columns −3…4·columns + 2 are readable.
/// `structure_tensor` is a kernel of any level.
typedef void vfx_flow_prepare_row_fn(const uint8_t *_Nonnull src, ptrdiff_t stride, int columns,
                                     vfx_lk_structure_tensor_fn *_Nonnull structure_tensor,
                                     vfx_flow_equation *_Nonnull equations, float *_Nonnull brightness,
                                     float *_Nonnull support);

/// What a patch measures at a motion: the sums of vfx_lk_residual, the motion as sampled (rounded to 1/32, limited to what
/// can be read), and the share of the patch inside the target: 1, falling to 0 at OUTSIDE samples outside.
typedef struct vfx_flow_residual { float dx, dy, d, abs, at_x, at_y, inside; } vfx_flow_residual;

/// Measures the patches of row `y` of cells, `src` as for vfx_flow_prepare_row_fn. The target is 8×8 samples or more;
/// `target->margin` is how far patches may reach outside, and one sample more is readable. Motion may be any finite
/// value. `residual` is a kernel of any level.
typedef void vfx_flow_measure_row_fn(const uint8_t *_Nonnull src, ptrdiff_t src_stride,
                                     const vfx_warp_source *_Nonnull target, int y, int columns, const float *_Nonnull vx,
                                     const float *_Nonnull vy, vfx_lk_residual_fn *_Nonnull residual,
                                     vfx_flow_residual *_Nonnull out);

/// One Gauss-Newton step per cell, at most STEP samples each way, with a pull towards the mean (pull > 0, in the units of
/// the matrix).
///
/// With d = abs / 1024 the mean difference, measurements count by inside / (1 + d² / TRUST²). Writes the motion after the
/// step and d + (1 − inside)·OUTSIDE_DIFFERENCE; exactly `columns` values of each.
typedef void vfx_flow_solve_row_fn(const vfx_flow_residual *_Nonnull residuals, const vfx_flow_equation *_Nonnull equations,
                                   const float *_Nonnull mean_x, const float *_Nonnull mean_y, float *_Nonnull vx,
                                   float *_Nonnull vy, float *_Nonnull difference, int columns, float pull);
#endif
