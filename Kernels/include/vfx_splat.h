#ifndef VFX_SPLAT_H
#define VFX_SPLAT_H
#include <stdint.h>
#include "vfx_block_search.h"

// Forward splatting of a motion field: each vector is carried along a share of its own length, to the up to four cells
// that it covers there. A first pass finds the owner of each cell, a second one adds up the vectors that agree with it.

/// Sums of weights, and of the vectors times their weights.
typedef struct vfx_splat_sum { int32_t weight, x, y, unused; } vfx_splat_sum;

/// A splat of one field onto the rows of cells from first_row to before last_row. All grids have `columns` cells in a
/// row, and rows follow each other without a gap.
///
/// The vector of cell x, y lands at 128·x + (vx·share >> 10), 128·y + (vy·share >> 10), in 1/128 cell, and covers that
/// cell (>> 7) and the ones on the right and below by the products of (128 − f) or f on each axis, with f the position
/// & 127. Cells outside the rows and columns are left out.
///
/// agreement is below 32767, weight_offset + weight_per_error·maximum_error at most 32767, weight_offset at least 64.
typedef struct vfx_splat {
    const vfx_motion_vector *_Nonnull vectors;
    const uint16_t *_Nonnull errors; // consistency errors, in 1/32 sample
    const uint32_t *_Nonnull costs;  // SADs
    int columns, first_row, last_row;
    int share;                       // 0…1024
    int negated;                     // whether vectors are negated on arrival
    uint32_t *_Nonnull rank;         // of each cell's owner; UINT32_MAX without one
    vfx_motion_vector *_Nonnull owner;
    vfx_splat_sum *_Nonnull sums;
    int owner_coverage;              // coverage below which a vector does not own a cell, in 1/16384
    int error_weight, uncovered_shift, difference_shift;
    int agreement;                   // largest distance |Δx| + |Δy| from the owner's vector, in 1/32 sample
    int weight_offset, weight_per_error, maximum_error;
} vfx_splat;

/// Splats the vectors of row `y`, from left to right, onto ranks and owners: a vector takes over each cell that it covers
/// enough if its rank is lower, errors·error_weight + (costs >> difference_shift) + ((16384 − coverage) >>
/// uncovered_shift), which is below 2^31.
typedef void vfx_splat_owner_row_fn(const vfx_splat *_Nonnull splat, int y);
/// Adds the vectors of row `y` to the sums of the owned cells that they cover and whose owner they agree with, with the
/// weight ⌊coverage / (weight_offset + weight_per_error·min(error, maximum_error))⌋.
typedef void vfx_splat_mean_row_fn(const vfx_splat *_Nonnull splat, int y);
#endif
