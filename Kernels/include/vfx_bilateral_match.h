#ifndef VFX_BILATERAL_MATCH_H
#define VFX_BILATERAL_MATCH_H
#include <stdint.h>
#include "vfx_block_search.h"
#include "vfx_warp.h"

// Bilateral matching: compares two frames along vectors through the cells of a frame between them.

/// Two 8-bit planes of the same size, 8×8 samples or more, and how they are compared. Blocks may extend `margin` samples
/// outside. Differences are in 1/16 grey level.
typedef struct vfx_bilateral_match {
    vfx_warp_source a, b;
    int t;                  // the phase, 0…1024
    int cell_log2;          // log2 of the side of a cell in samples, 1…4
    int outside_difference; // difference of blocks that leave a plane, 0…4080
    int free_overhang;      // how far a block may extend outside with its difference counted in full, in 1/32 sample
    int ramp_log2;          // log2 of the further overhang over which it blends into outside_difference, 0…15
} vfx_bilateral_match;

/// A cell, given by its column, and the vector along which to compare it. Components
/// are at most 32256 in magnitude.
typedef struct vfx_matched_cell {
    int32_t x;
    vfx_motion_vector v;
} vfx_matched_cell;

/// Compares `count` cells of row `y`, in any order: differences[i] becomes the mean absolute difference of the 8×8 samples
/// around the cell along its vector, rounded down.
///
/// The blocks begin 4 samples left of and above the centre of the cell, moved in the first plane by −((v·t + 512) >> 10)
/// and in the second by (v·(1024 − t) + 512) >> 10. Both are limited to `margin` samples outside, sampled bilinearly and
/// rounded to 1/16 grey level: ((32 − fx)(32 − fy)·s00 + fx(32 − fy)·s01 + (32 − fx)fy·s10 + fx·fy·s11 + 32) >> 6. Where
/// the blocks extend outside before they are limited by more than free_overhang, horizontally plus vertically and in the
/// plane where that is more, the difference d becomes (d·(R − r) + outside_difference·r) >> ramp_log2, with R = 1 <<
/// ramp_log2 and r the lesser of R and the overhang beyond free_overhang.
typedef void vfx_bilateral_match_row_fn(const vfx_bilateral_match *_Nonnull match, int y,
                                        const vfx_matched_cell *_Nonnull cells, int count, int32_t *_Nonnull differences);
#endif
