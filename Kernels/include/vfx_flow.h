#ifndef VFX_FLOW_H
#define VFX_FLOW_H
#include <stddef.h>
#include <stdint.h>
#include "vfx_block_search.h"
#include "vfx_warp.h"

// Sub-sample refinement of optical flow: for each 4×4 cell, one Gauss-Newton step on its 8×8 patch (B. Lucas and T.
// Kanade, "An iterative image registration technique", 1981; mean-normalised), pulled towards the mean motion of its
// neighbours (B. Horn and B. Schunck, "Determining optical flow", 1981). Each iteration calls average, measure and solve
// for every row; load and prepare are called once before the first, store after the last.
//
// IEEE single precision in the written order, without contraction, so that every level produces the same bits.
// Constants in capitals are tuned; they are in Kernels/flow/flow_tuning.h. Motion is in samples, differences are in
// grey levels.
//
// Patches of neighbouring cells overlap by half. Slopes are therefore computed once for each tile of 4×4 samples: a
// patch consists of the tiles x and x + 1 of two rows of tiles. Slopes are central differences, gx = right − left and
// gy = below − above, that is, twice the true slopes.

/// Computes a row of tiles, the first of which begins at `src`; reads one sample more on each side.
///
/// out = {gx, gy, 16·sample} of the upper two rows of each tile, then of its lower two rows: six times 8·tiles values, 4
/// of the upper and 4 of the lower row for each tile in turn.
typedef void vfx_flow_tiles_row_fn(const uint8_t *_Nonnull src, ptrdiff_t stride, int tiles, int16_t *_Nonnull out);

/// The two rows of tiles that the patches of a row of cells consist of, columns + 1 tiles each.
typedef struct vfx_flow_tiles { const int16_t *_Nonnull upper, *_Nonnull lower; } vfx_flow_tiles;

/// Computes equations, brightness and support of a row of cells.
///
/// equations = {xx, xy, yy, x, y}, `columns` values each: the mean-normalised matrix of a patch's normal equations, from
/// true slopes, and the sums of its doubled slopes. brightness is the mean of the cell's central 2×2 samples. support =
/// SUPPORT_MINIMUM + λ / (λ + TEXTURE), where λ is the smaller eigenvalue of the matrix, or 0 if that is negative.
typedef void vfx_flow_prepare_row_fn(const vfx_flow_tiles *_Nonnull tiles, int columns, float *_Nonnull equations,
                                     float *_Nonnull brightness, float *_Nonnull support);

/// Converts vectors to samples and SADs of 8×8 samples to mean differences.
typedef void vfx_flow_load_row_fn(const vfx_motion_vector *_Nonnull vectors, const uint32_t *_Nonnull costs,
                                  float *_Nonnull vx, float *_Nonnull vy, float *_Nonnull difference, int columns);

/// Converts motion to vectors, rounded to the nearest 1/32 sample, halves away from zero, and limited to 32256 in
/// magnitude; and differences below 2^24 to SADs, rounded down.
typedef void vfx_flow_store_row_fn(const float *_Nonnull vx, const float *_Nonnull vy, const float *_Nonnull difference,
                                   vfx_motion_vector *_Nonnull vectors, uint32_t *_Nonnull costs, int columns);

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

/// Residual of a patch: sums of its difference e from the counterpart, in 1/16 grey level, and of e times the slopes.
/// Sums are exact; they fit into 32 bits for any samples.
typedef struct vfx_flow_residual {
    int32_t dx, dy; // sums of e·gx, e·gy
    int32_t d;      // sum of e
    int32_t abs;    // sum of |e|
} vfx_flow_residual;

/// Computes the residuals of the patches of cell row `y` at their current motion, with
/// e = (((32−fx)(32−fy)·b00 + fx(32−fy)·b01 + (32−fx)fy·b10 + fx·fy·b11 + 32) >> 6) − 16·a: the counterpart is sampled
/// bilinearly at (fx, fy), in 1/32 sample, 0…31, and rounded to 1/16 grey level.
///
/// sampled = {x, y, inside}, `columns` values each: the motion that was sampled (rounded to 1/32 sample and limited to
/// what can be read), and 1 for a patch inside the target, falling linearly to 0 for one that is OUTSIDE samples beyond
/// its edges. The target has 8×8 samples or more. Patches may extend `target->margin` samples beyond it; one sample more
/// is readable on each side, and 8 on the right. Motion may have any finite value.
typedef void vfx_flow_measure_row_fn(const vfx_flow_tiles *_Nonnull tiles, const vfx_warp_source *_Nonnull target, int y,
                                     int columns, const float *_Nonnull vx, const float *_Nonnull vy,
                                     vfx_flow_residual *_Nonnull residuals, float *_Nonnull sampled);

/// One Gauss-Newton step per cell, at most STEP samples in each component, with a pull towards the mean motion (pull >
/// 0, in the units of the matrix).
///
/// With d = abs / 1024, the mean absolute difference, the weight of the residual is inside / (1 + d² / TRUST²). Writes
/// the motion after the step to vx and vy, and d + (1 − inside)·OUTSIDE_DIFFERENCE to difference; exactly `columns`
/// values each.
typedef void vfx_flow_solve_row_fn(const vfx_flow_residual *_Nonnull residuals, const float *_Nonnull sampled,
                                   const float *_Nonnull equations, const float *_Nonnull mean_x,
                                   const float *_Nonnull mean_y, float *_Nonnull vx, float *_Nonnull vy,
                                   float *_Nonnull difference, int columns, float pull);

/// Computes the forward-backward consistency errors of row `y` of a field, in 1/32 sample: |v(x) + w(x + v(x))|, rounded
/// down and limited to 65535.
///
/// w is `back`, `rows` rows of `columns` vectors without a gap, sampled bilinearly: positions are in 1/128 cell and
/// clamped to cell centres, weights are exact, and the result is (sum + 8192) >> 14. Fields have at most 16384 columns
/// and rows and 2^24 cells.
typedef void vfx_flow_consistency_row_fn(const vfx_motion_vector *_Nonnull vectors, const vfx_motion_vector *_Nonnull back,
                                         int columns, int rows, int y, uint16_t *_Nonnull errors);
#endif
