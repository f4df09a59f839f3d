#ifndef VFX_COLLABORATIVE_H
#define VFX_COLLABORATIVE_H
#include <stddef.h>
#include <stdint.h>

// Collaborative filtering: matching blocks of several frames form a group, whose three-dimensional spectrum is shrunk
// to remove noise (BM3D, Dabov et al. 2007; V-BM4D, Maggioni et al. 2012).
//
// IEEE single precision in the written order, without contraction, so that every level produces the same bits. Samples
// may have any value of their type.

/// The largest number of frames in a group.
#define VFX_COLLABORATIVE_MAX_FRAMES 17

/// One frame of a group, for a row of blocks.
typedef struct vfx_collaborative_frame {
    const void *_Nonnull origin;     // sample (0, y) of the frame, where y is the top row of the blocks
    const void *_Nullable pilot;     // the same position in the basic estimate, same stride; NULL in all or no frames
    ptrdiff_t stride;                // in samples
    const int16_t *_Nonnull vectors; // x and y for each block, whole samples; 8×8 samples are readable there
} vfx_collaborative_frame;

/// The groups of a row of 8×8 blocks. Blocks are `step` samples apart; the last one is aligned with the end of the row.
/// Each group consists of a block and its matches in the other frames.
typedef struct vfx_collaborative_group {
    int frames, centre;              // number of frames, 1…VFX_COLLABORATIVE_MAX_FRAMES; index of the frame to filter
    int blocks, step, width;         // width: samples per row, 8 or more
    const float *_Nonnull transform; // DCT-II over time, frames × frames, orthonormal, one basis function per row
    const float *_Nonnull spectrum;  // variance of the noise in each of the 64 coefficients of a block / sigma², above 0
    const float *_Nonnull sigma;     // standard deviation of the noise for each block, in code values, 0 or more
    float constant_scale;            // factor on the variance of coefficients at temporal frequency 0 when shrinking
    float threshold;                 // without a pilot: coefficients up to threshold standard deviations are set to 0
    ptrdiff_t sum_stride;            // values from row to row of the sums
    const vfx_collaborative_frame *_Nonnull frame;
} vfx_collaborative_group;

/// Filters the blocks of frame `centre`, adds them to `num`, weighted by `window` (8×8) and by the sparsity of the
/// spectrum, and adds the weights to `den`. Both arrays begin at the first sample of the row and have eight rows of
/// `width` values, `sum_stride` apart.
///
/// Spectra are orthonormal three-dimensional DCTs. The noise of a coefficient has the variance n·sigma², where n is its
/// value in `spectrum`: eight rows, one per horizontal frequency, of eight vertical frequencies, for every frequency
/// over time. Coefficients are shrunk as if it were v = n·sigma², times `constant_scale` at temporal frequency 0. Without
/// a pilot, hard thresholding keeps those above threshold·√v, and always the mean; the weight is 1 / (sum of n over the
/// coefficients kept). With a pilot p, Wiener filtering multiplies each coefficient by p² / (p² + v), and the weight is
/// 1 / (sum of n times the squares of these factors). The divisor of the weight is at least 1. If `centre` is the middle
/// frame, basis functions over time that are 0 there are skipped.
typedef void vfx_collaborative_shrink_row_fn(const vfx_collaborative_group *_Nonnull group, const float *_Nonnull window,
                                             float *_Nonnull num, float *_Nonnull den);

/// Measures what stays and what changes along the motion. For each block and each coefficient of its 8×8 DCT, in the
/// order of `spectrum`, writes the square of the mean over the frames to `texture` and the variance over the frames
/// (divisor frames − 1; 0 for a single frame) to `variance`, 64 values per block. Of the group, `centre`,
/// `transform`, `spectrum`, `sigma`, `constant_scale`, `threshold`, `sum_stride` and the pilots are not read.
typedef void vfx_collaborative_noise_row_fn(const vfx_collaborative_group *_Nonnull group, float *_Nonnull texture,
                                            float *_Nonnull variance);

/// As `vfx_collaborative_noise_row_fn`, where the light changes: what a gain of each block in each frame explains is not
/// in `variance`. The gain is fitted to the coefficients other than the first, relative to their means m over the
/// frames, and each variance is divided by the part of independent noise that such a fit leaves, 1 - m² / (sum of all
/// m²), at least 0.5. The first one, of the block's mean, is that of the other kernel.
typedef void vfx_collaborative_light_row_fn(const vfx_collaborative_group *_Nonnull group, float *_Nonnull texture,
                                            float *_Nonnull variance);

/// Aggregation: dst[x] = num[x] / den[x], rounded (halves up) and limited to 0…maximum; den > 0. Accesses exactly
/// `count` elements of each array.
typedef void vfx_collaborative_aggregate_row_fn(void *_Nonnull dst, const float *_Nonnull num, const float *_Nonnull den,
                                                int count, int maximum);
#endif
