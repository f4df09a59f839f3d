#ifndef VFX_COMBING_H
#define VFX_COMBING_H
#include <stddef.h>
#include <stdint.h>

// Measures which fields of two successive frames belong together. Rows that alternate between two pictures of a moving
// scene zigzag at its edges (combing). A frame is compared with two others that are woven from one of its fields and the
// other field of the previous frame.

/// Sums over a block of 16 samples per row.
typedef struct vfx_combing {
    uint32_t frame;          // zigzag of the frame
    uint32_t frame_long;     // the same over six rows instead of four
    uint32_t earlier_bottom; // zigzag of its top field woven with the previous bottom field
    uint32_t earlier_top;    // zigzag of its bottom field woven with the previous top field
    uint32_t top_change;     // difference between the top fields
    uint32_t bottom_change;  // difference between the bottom fields
} vfx_combing;

/// Measures `blocks` blocks of 16 samples by `rows` rows, side by side; `current` and `previous` point to the first row.
///
/// The zigzag at a sample b, of the rows a, b, c, d below one another in a column, is max(0, min(b − a, b − c, d − c) − t,
/// min(a − b, c − b, c − d) − t), where t is the threshold. Over six rows z, a, b, c, d, e, the first minimum includes z − a
/// and d − e as well, and the second a − z and e − d. The change of a sample is max(0, |current − previous| − t), and is
/// added to the field that its row belongs to; `is_bottom` is 1 if the first row belongs to the bottom field, and otherwise
/// 0. 1 ≤ rows ≤ 16, 0 ≤ threshold ≤ 32767, and below 256 in the _8 kernel. 16 · blocks samples are readable of all rows,
/// of two rows above the first and of three below the last. Writes `blocks` sums.
typedef void vfx_combing_row_fn(vfx_combing *_Nonnull sums, const void *_Nonnull current, ptrdiff_t current_stride,
                                const void *_Nonnull previous, ptrdiff_t previous_stride, int blocks, int rows,
                                int is_bottom, int threshold);
#endif
