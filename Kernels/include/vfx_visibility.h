#ifndef VFX_VISIBILITY_H
#define VFX_VISIBILITY_H
#include <stdint.h>
#include "vfx_block_search.h"

// Visibility of the cells of a frame between two neighbours: a neighbour shows a cell's content if what is found there,
// along the cell's vector, moves as the cell does.
//
// IEEE single precision in the written order, without contraction, so that every level produces the same bits.

/// The motion between the neighbours, and how it is judged. Both fields have `rows` rows of `columns` vectors without a
/// gap, at most 16384 of each and 2^24 cells. Vectors are limited to 32256 in magnitude, the phase is 0…1024.
typedef struct vfx_visibility {
    const vfx_motion_vector *_Nonnull forward;  // from the first to the second neighbour
    const vfx_motion_vector *_Nonnull backward; // from the second to the first neighbour
    int columns, rows;
    int vector_shift;           // log2 of the factor by which judged vectors are longer than those of the fields, 0…5
    int t;                      // the phase, in 1/1024
    float half_difference;      // square of the difference at which a match has half its weight
    float matched_trust;        // trust in both neighbours from a perfect match
    float least_trust;          // least trust in a neighbour that contains the position
    float unseen_trust;         // trust in a neighbour that does not contain it; above 0
    float agreement;            // square of the distance between motions at which trust falls to a quarter
    int unexplained_difference; // difference above which a match explains nothing
    float unexplained_trust;    // trust in the better neighbour below which a cell is unexplained
    float trust_scale;          // factor from the trust in the better neighbour to the output
    int first_only, second_only; // weights below and above which a cell is made from one neighbour only, 0…256
} vfx_visibility;

/// A row of judged cells.
typedef struct vfx_visibility_row {
    int16_t *_Nonnull vx, *_Nonnull vy; // the judged vectors
    int16_t *_Nonnull weight;           // blending weight of the second neighbour, 0…256
    int16_t *_Nonnull share;            // share of the second neighbour in the trust, 0…256
    int16_t *_Nonnull trust;            // trust in the better neighbour, 0…255
} vfx_visibility_row;

typedef struct vfx_visibility_counts {
    int one_side;    // cells with a weight below first_only or above second_only
    int unexplained; // cells that neither neighbour explains
} vfx_visibility_counts;

/// Judges the `count` cells of row `y`, which have half the side of the fields' cells, with the difference of the
/// neighbours along each vector, 0…32767.
///
/// Positions are in 1/128 cell of the fields from the centre of their first cell. With the centre of the judged cell at
/// c = 64·(x, y) − 32 and v the vector >> vector_shift, it comes from a = c − (v·t >> 10) and goes to b = a + v. A
/// neighbour shows positions from −64 to 128·columns − 64 and 128·rows − 64. With d = difference² / half_difference,
///
///     matched = least_trust + matched_trust / (1 + d²), or only least_trust if a neighbour does not show its position,
///     trust = 1 / (1 + |e|² / agreement)² + matched, or unseen_trust if the neighbour does not show its position,
///
/// where e is forward(a) − v for the first and backward(b) + v for the second neighbour, sampled bilinearly; divisions by
/// half_difference and agreement are multiplications by their reciprocals. With w₀ = trust₀·(1 − t/1024) and
/// w₁ = trust₁·(t/1024), the outputs are 256·w₁ / (w₀ + w₁) + 0.5, 256·trust₁ / (trust₀ + trust₁) + 0.5 and the lesser of
/// trust_scale·(greater trust) and 255, all rounded down. A cell is unexplained if the greater trust is below
/// unexplained_trust and either a neighbour does not show its position or the difference is above unexplained_difference.
typedef vfx_visibility_counts vfx_visibility_row_fn(const vfx_visibility *_Nonnull visibility, int y,
                                                    const vfx_motion_vector *_Nonnull vectors,
                                                    const int32_t *_Nonnull differences, int count,
                                                    const vfx_visibility_row *_Nonnull row);
#endif
