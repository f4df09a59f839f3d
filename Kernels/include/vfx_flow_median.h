#ifndef VFX_FLOW_MEDIAN_H
#define VFX_FLOW_MEDIAN_H
#include <stdint.h>
#include "vfx_block_search.h"

// Weighted median filter of a motion field, which keeps the edges of objects (D. Sun, S. Roth and M. Black, "A
// quantitative analysis of current practices in optical flow estimation and the principles behind them", 2014).

/// A field of `rows` rows of `columns` cells, without a gap. Distances are |Δx| + |Δy|.
typedef struct vfx_flow_median {
    const vfx_motion_vector *_Nonnull vectors;
    const uint8_t *_Nonnull brightness; // mean of each cell
    const uint8_t *_Nonnull trust;      // in each vector, 1…255
    int columns, rows;
    int smooth_distance; // distance from a cell's vector up to which its neighbourhood needs no median, 0…32766
    const uint8_t *_Nonnull brightness_weight; // 256 weights, by the absolute difference of brightness from the cell
    const uint8_t *_Nonnull place_weight;      // 25 weights, by the place in the neighbourhood, row by row
} vfx_flow_median;

/// Filters row `y`: the neighbourhood of a cell is the 5×5 cells around it, without those outside the field. If all of
/// them are within smooth_distance of the cell's own vector, the cell keeps it. Otherwise each component becomes the
/// weighted median of theirs: the smallest of their values for which the weights of the values up to it, times two, add
/// up to the sum of all weights or more.
///
/// The weight of a cell is ((trust·brightness_weight·place_weight) >> 8) + 1. Writes exactly `columns` vectors.
typedef void vfx_flow_median_row_fn(const vfx_flow_median *_Nonnull field, int y, vfx_motion_vector *_Nonnull dst);
#endif
