#ifndef VFX_VECTOR_MEDIAN_H
#define VFX_VECTOR_MEDIAN_H
#include <stdint.h>
#include "vfx_block_search.h"

// Vector median filter for outliers of a motion field (J. Astola, P. Haavisto and Y. Neuvo, "Vector median filters", 1990).

/// A field of `rows` rows of `columns` vectors, at most 32256 in magnitude, without a gap. Distances are |Δx| + |Δy|.
typedef struct vfx_vector_median {
    const vfx_motion_vector *_Nonnull vectors;
    int columns, rows;
    int agreement;        // distance up to which two vectors agree, 0…32766
    int few_allies;       // a vector with which more of its neighbourhood agree is kept
    int maximum_distance; // distance beyond which it no longer grows, 1…32767
} vfx_vector_median;

/// Filters row `y`: a vector with which at most few_allies of the nine in its 3×3 neighbourhood agree, itself included,
/// becomes the one of the nine with the least sum of distances from all of them, the first in reading order of those. At
/// the edges of the field, its outermost cells are repeated.
///
/// Writes the row to `out`, and the columns of the cells whose vector has changed to `changed`, from left to right, which
/// has room for `columns`. Returns their number.
typedef int vfx_vector_median_row_fn(const vfx_vector_median *_Nonnull field, int y, vfx_motion_vector *_Nonnull out,
                                     int32_t *_Nonnull changed);
#endif
