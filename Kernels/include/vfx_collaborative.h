#ifndef VFX_COLLABORATIVE_H
#define VFX_COLLABORATIVE_H
#include <stddef.h>
#include <stdint.h>

// Collaborative filtering: blocks that show the same thing form a group, whose three-dimensional spectrum is shrunk (BM3D,
// Dabov et al. 2007; V-BM4D, Maggioni et al. 2012).
//
// IEEE single precision in the written order, without contraction: the same bits on every level. Samples may be any of
// their type.

/// Most frames of a group.
#define VFX_COLLABORATIVE_MAX_FRAMES 17

/// One frame of a group along a row of blocks.
typedef struct vfx_collaborative_frame {
    const void *_Nonnull origin;     // sample (0, y) of the frame, y the row of the blocks
    const void *_Nullable pilot;     // the same place of the basic estimate, same stride; nil in all frames or in none
    ptrdiff_t stride;
    const int16_t *_Nonnull vectors; // x and y of each block, whole samples; 8×8 samples are readable there
} vfx_collaborative_frame;

/// The groups of a row of 8×8 blocks, `step` samples apart (the last one ends with the row): each block with those that show
/// the same thing in other frames.
typedef struct vfx_collaborative_group {
    int frames, centre;              // 1…VFX_COLLABORATIVE_MAX_FRAMES; the one that is wanted
    int blocks, step, width;         // width: samples of the row, 8 or more
    const float *_Nonnull transform; // DCT-II of the frames, frames × frames, orthonormal, one basis function per row
    const float *_Nonnull sigma;     // standard deviation of the noise for each block, code values, 0 or more
    float threshold;                 // without a pilot: coefficients up to threshold·sigma are dropped
    ptrdiff_t sum_stride;
    const vfx_collaborative_frame *_Nonnull frame;
} vfx_collaborative_group;

/// Adds the filtered blocks of the wanted frame, weighted by `window` (8×8) and by how little of the spectrum was needed,
/// to `num`, and the weights to `den`. Both begin at the row's first sample and hold eight rows of `width` values,
/// `sum_stride` apart.
///
/// Spectra are orthonormal three-dimensional DCTs. Without a pilot they are shrunk by hard thresholding, which keeps the
/// mean, and weighted by 1 / (coefficients kept); with one by Wiener's rule, p² / (p² + sigma²), and weighted by 1 / (sum
/// of its squares); the divisor is at least 1. When the wanted frame is the middle one, functions of time that vanish there
/// are left out.
typedef void vfx_collaborative_shrink_row_fn(const vfx_collaborative_group *_Nonnull group, const float *_Nonnull window,
                                             float *_Nonnull num, float *_Nonnull den);

/// For each block of the first of two frames: mean square of its high frequencies, half of that of the difference to the
/// second frame, and its mean. High are the 36 coefficients of the 8×8 DCT whose frequencies add to 7 or more. Of the group,
/// two frames, their vectors, blocks, step and width are read.
typedef void vfx_collaborative_noise_row_fn(const vfx_collaborative_group *_Nonnull group, float *_Nonnull spatial,
                                            float *_Nonnull temporal, float *_Nonnull mean);

/// Aggregation: dst[x] = num[x] / den[x], rounded (halves up) and limited to 0…maximum; den > 0. Exactly `count` of each.
typedef void vfx_collaborative_aggregate_row_fn(void *_Nonnull dst, const float *_Nonnull num, const float *_Nonnull den,
                                                int count, int maximum);
#endif
