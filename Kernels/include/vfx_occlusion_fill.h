#ifndef VFX_OCCLUSION_FILL_H
#define VFX_OCCLUSION_FILL_H
#include <stdint.h>
#include "vfx_block_search.h"

// Filling holes of a motion field, cells whose own motion is wrong, with the motion of their surroundings: that of the
// nearest other cell, where a path is longer the more the brightness changes along it (J. Revaud, P. Weinzaepfel, Z.
// Harchaoui and C. Schmid, "EpicFlow", 2015).

/// The length of the path to a cell that has not been reached.
#define VFX_FILL_UNREACHED (1 << 30)

/// A hole: its index in the field, and in a grid with a border of one cell, that is, two columns more.
typedef struct vfx_fill_hole { int32_t at, bordered; } vfx_fill_hole;

/// A field with holes of `columns` × `rows` cells.
typedef struct vfx_fill_field {
    vfx_motion_vector *_Nonnull vectors;
    const uint8_t *_Nonnull brightness; // of each cell, with a border of one cell, of any value
    int32_t *_Nonnull distance; // length of the path to the cell whose motion each cell has, with the same border; 0 for
                                // cells that are not holes, VFX_FILL_UNREACHED in the border
    int columns, rows;
} vfx_fill_field;

/// Finds the holes in row `y`: cells with an error above `tolerance` and those whose vector leads out of the field, that
/// is, from the cell's centre to a position below 0 or at or above limit_x or limit_y, in 1/32 sample, with cells of 128.
///
/// Vectors and errors begin at the row; `holes` receives the holes from left to right and has room for `columns`, all of
/// which may be written; distance, at the row's first cell, receives 0 or, in holes, VFX_FILL_UNREACHED. Returns the
/// number of holes.
typedef int vfx_fill_find_row_fn(const vfx_motion_vector *_Nonnull vectors, const uint16_t *_Nonnull errors, int y,
                                 int columns, int limit_x, int limit_y, int tolerance, vfx_fill_hole *_Nonnull holes,
                                 int32_t *_Nonnull distance);

/// Visits `count` holes in order if `step` is −1, in reverse order if it is 1; each takes the vector of a neighbour if the
/// path through it is shorter. Distances are at most VFX_FILL_UNREACHED.
///
/// Neighbours in order: in the row and in the column at `step`; in the row at `step` and the columns at `step` and
/// −step. The path is the neighbour's distance plus (1 + |Δbrightness|) times `straight` for the first two, `diagonal`
/// for the others; those are at most 1000. The first of equal paths wins.
typedef void vfx_fill_sweep_fn(const vfx_fill_field *_Nonnull field, const vfx_fill_hole *_Nonnull holes, int count, int step,
                               int straight, int diagonal);

/// Computes the weighted mean of the vectors of each hole and its eight neighbours, without changing the field.
///
/// The hole has the weight 1024, an unreached neighbour 0, another (⌊1024·half_brightness / (half_brightness +
/// |Δbrightness|)⌋ · ⌊256·half_motion / (half_motion + min(1023, |Δx| + |Δy|))⌋) >> 8. Components are rounded towards
/// 0. Both halves are 1…256.
typedef void vfx_fill_smooth_fn(const vfx_fill_field *_Nonnull field, const vfx_fill_hole *_Nonnull holes, int count,
                                int half_brightness, int half_motion, vfx_motion_vector *_Nonnull means);
#endif
