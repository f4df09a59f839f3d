#ifndef VFX_FLOW_H
#define VFX_FLOW_H
#include <stddef.h>
#include <stdint.h>
#include "vfx_lucas_kanade.h"
#include "vfx_warp.h"

// Sub-sample refinement of optical flow: for each 4×4 cell, one Gauss-Newton step on its 8×8 patch (Lucas and Kanade
// 1981, mean-normalised), pulled towards the mean motion of its neighbours (B. Horn and B. Schunck, "Determining
// optical flow", 1981). Each iteration calls average, measure and solve for every row; prepare is called once before
// the first.
//
// IEEE single precision in the written order, without contraction, so that every level produces the same bits.
// Constants in capitals are tuned; they are in Kernels/flow/flow_tuning.h. Motion is in samples, differences are in
// grey levels.

/// State of a row of cells. One cell beyond either end, and the rows above and below, are readable in all five arrays;
/// support is 0 outside the plane and positive inside.
typedef struct vfx_flow_row {
    const float *_Nonnull vx, *_Nonnull vy; // motion, samples
    const float *_Nonnull brightness;       // mean of the cell, grey levels
    const float *_Nonnull support;          // weight of the cell as a neighbour, 0 outside the plane
    const float *_Nonnull difference;       // mean absolute difference of the match, grey levels
    ptrdiff_t stride;                       // values from row to row
} vfx_flow_row;

/// Computes the weighted mean motion of each cell and its eight neighbours.
///
/// The weight of the cell itself is s = support·STIFFNESS / (1 + difference² / MATCH²), that of a neighbour
/// support / (1 + Δbrightness² / BRIGHTNESS² + |Δmotion|²·s + difference² / MATCH²)², with the neighbour's support and
/// difference. Neighbours are added row by row. Writes exactly `columns` values of each mean.
typedef void vfx_flow_average_row_fn(const vfx_flow_row *_Nonnull row, float *_Nonnull mean_x, float *_Nonnull mean_y,
                                     int columns);

/// Mean-normalised matrix of a patch's normal equations, from true slopes, and the sums of its doubled slopes.
typedef struct vfx_flow_equation { float xx, xy, yy, x, y; } vfx_flow_equation;

/// Computes equations, brightness (mean of the cell's central 2×2 samples) and support of a row of cells whose first
/// cell begins at `src`. support = SUPPORT_MINIMUM + λ / (λ + TEXTURE), where λ is the smaller eigenvalue of the
/// matrix, or 0 if that is negative. Patches extend 2 samples beyond the cell and gradients one more, so rows −3…6 and
/// columns −3…4·columns + 2 are readable. `structure_tensor` is the kernel of any level.
typedef void vfx_flow_prepare_row_fn(const uint8_t *_Nonnull src, ptrdiff_t stride, int columns,
                                     vfx_lk_structure_tensor_fn *_Nonnull structure_tensor,
                                     vfx_flow_equation *_Nonnull equations, float *_Nonnull brightness,
                                     float *_Nonnull support);

/// Residual of a patch at its current motion: the sums of vfx_lk_residual; the motion that was sampled (rounded to 1/32
/// sample and limited to what can be read); and `inside`, 1 for a patch inside the target, falling linearly to 0 for
/// one that is OUTSIDE samples beyond its edges.
typedef struct vfx_flow_residual { float dx, dy, d, abs, at_x, at_y, inside; } vfx_flow_residual;

/// Computes the residuals of the patches of cell row `y`; `src` is as for vfx_flow_prepare_row_fn. The target has 8×8
/// samples or more. Patches may extend `target->margin` samples beyond it, and one sample more is readable. Motion may
/// have any finite value. `residual` is the kernel of any level.
typedef void vfx_flow_measure_row_fn(const uint8_t *_Nonnull src, ptrdiff_t src_stride,
                                     const vfx_warp_source *_Nonnull target, int y, int columns, const float *_Nonnull vx,
                                     const float *_Nonnull vy, vfx_lk_residual_fn *_Nonnull residual,
                                     vfx_flow_residual *_Nonnull out);

/// One Gauss-Newton step per cell, at most STEP samples in each component, with a pull towards the mean motion (pull >
/// 0, in the units of the matrix).
///
/// With d = abs / 1024, the mean absolute difference, the weight of the residual is inside / (1 + d² / TRUST²). Writes
/// the motion after the step to vx and vy, and d + (1 − inside)·OUTSIDE_DIFFERENCE to difference; exactly `columns`
/// values each.
typedef void vfx_flow_solve_row_fn(const vfx_flow_residual *_Nonnull residuals, const vfx_flow_equation *_Nonnull equations,
                                   const float *_Nonnull mean_x, const float *_Nonnull mean_y, float *_Nonnull vx,
                                   float *_Nonnull vy, float *_Nonnull difference, int columns, float pull);
#endif
