#ifndef VFX_BLOCK_SEARCH_H
#define VFX_BLOCK_SEARCH_H
#include <stddef.h>
#include <stdint.h>
#include "vfx_sad.h"

// Whole-sample block matching by predictive zonal search (A. Tourapis, "Enhanced predictive zonal search for single and
// multiple frame motion estimation", 2002). For each 4×4 cell, the 8×8 block centred on the cell is compared with a few
// candidates in the target; then the search descends from the best one.

/// A motion vector in 1/32 sample, at most 32256 in magnitude per component.
typedef struct vfx_motion_vector { int16_t x, y; } vfx_motion_vector;

/// A search for a whole field.
///
/// Candidates are rounded to whole samples, (v + 16) >> 5, and clamped so that no component exceeds displacement_limit
/// and the block reaches at most `reach` samples beyond the target. The cost of a candidate is its SAD +
/// smoothness·min(deviation, deviation_limit), where the deviation is its distance |Δx| + |Δy| from the prediction in
/// 1/32 sample, >> 5. Of candidates with equal costs, the first wins.
///
/// Strides, width + reach, height + reach and smoothness are at most 32767 in magnitude; displacement_limit and
/// deviation_limit are at most 1000, and smoothness·deviation_limit is at most 40000. retry_step is 1, 2, 4 or 8.
/// Blocks of the source are readable; so is the target up to `reach` samples beyond its edges, and 8 samples more on the
/// right.
typedef struct vfx_block_search {
    const uint8_t *_Nonnull source, *_Nonnull target; // sample (0, 0)
    ptrdiff_t source_stride, target_stride;
    int width, height; // of the target
    int columns;       // cells in a row; rows of cells follow each other without a gap
    vfx_motion_vector *_Nonnull vectors;         // receives the vectors
    uint32_t *_Nonnull costs;                    // receives their SADs
    const vfx_motion_vector *_Nullable coarse;   // the next coarser level, or NULL
    const vfx_motion_vector *_Nullable opposite; // the same of the opposite direction; NULL if coarse is NULL
    const vfx_motion_vector *_Nullable previous; // this level of the preceding pair, or NULL
    int coarse_columns, coarse_rows;             // at least half as many as there are cells, rounded up; 0 without coarse
    vfx_sad_x4_fn *_Nonnull sad_8x8_x4;          // the kernel of any level
    int reach, displacement_limit;
    int smoothness, deviation_limit;
    int exhaustive_radius;                       // of a window that is searched instead of a descent, or 0
    uint32_t descent_threshold, retry_threshold; // SAD above which the search descends, and then tries a wider window
    int descent_steps;                           // the longest descent from the best candidate
    int retry_radius, retry_step;                // of the wider window, and between its positions
    int retry_descent_steps;                     // the longest descent after it
    int backward_descent_steps;                  // the longest descent in the backward sweep
} vfx_block_search;

/// Searches the rows of cells from first_row to before last_row, using only vectors of these rows: a sweep forwards,
/// then one backwards.
///
/// Forwards, candidates are in this order: twice the vectors of the coarse cell and of its nearest neighbours in the row
/// and the column; minus twice the opposite vector where the coarse cell's vector ends; no motion; the previous vector;
/// and the vectors of the cells on the left, above, and above on the right. Doubled vectors are limited to 32256 per
/// component. The prediction is the median of the last three.
///
/// A SAD above descent_threshold is followed by a descent: while one of the four nearest positions is better than the
/// best position, it moves there. If the SAD still exceeds retry_threshold, it searches a wider window and descends
/// again.
///
/// Backwards, the candidates are the cell's own vector and those of the cells on the right, below, and below on the
/// left; a cell whose vector equals all three keeps it. Only a descent follows.
///
/// The cell above or below takes the place of a missing one beside the cell or at its corner, and the one beside it that
/// of a missing row. Without either, the prediction is the coarse candidate forwards, and stays as it is backwards.
typedef void vfx_block_search_stripe_fn(const vfx_block_search *_Nonnull search, int first_row, int last_row);
#endif
