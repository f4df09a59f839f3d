#ifndef VFX_SUBDIVISION_H
#define VFX_SUBDIVISION_H
#include <stdint.h>
#include "vfx_block_search.h"

// Subdivision of a motion field into cells of half the side.

/// A field of `rows` rows of `columns` cells without a gap: vectors of at most 32256 in magnitude, and the difference of
/// the match along each.
typedef struct vfx_subdivision {
    const vfx_motion_vector *_Nonnull vectors;
    const int32_t *_Nonnull differences;
    int columns, rows;
    int scale;           // factor from these vectors to those of the small cells, 1 or 2
    int smooth_distance; // distance |Δx| + |Δy| up to which motion is smooth, in 1/32 sample of the small cells, 0…32766
} vfx_subdivision;

/// Computes the vectors of `count` small cells of row `y`; `count` is at most 2·columns, and y < 2·rows.
///
/// Of the four nearest cells, the small one lies in the first and has the weights 9, 3, 3 and 1, of 16, of it, the one
/// beside it, the one above or below, and the remaining one; outside the field, the outermost cells are repeated. The
/// vector is (weighted sum·scale + 8) >> 4, with each component limited to ±32256, the difference that of the first cell.
/// Where the distance of the first cell's vector from one of the others, times `scale`, is above smooth_distance, motion
/// is rough. The columns of the rough cells are written to `rough`, from left to right, which has room for `count`.
/// Returns their number.
typedef int vfx_subdivide_row_fn(const vfx_subdivision *_Nonnull field, int y, int count, vfx_motion_vector *_Nonnull out,
                                 int32_t *_Nonnull differences, int32_t *_Nonnull rough);
#endif
