#ifndef VFX_WARP_H
#define VFX_WARP_H
#include <stddef.h>
#include <stdint.h>

/// Cubic interpolation weights for each 1/32 sample, four taps that add up to 64: the Keys kernel with a = −0.6,
/// rounded by hand so that the centre of gravity of the taps stays at the sub-sample position (R. Keys, "Cubic
/// convolution interpolation for digital image processing", 1981).
extern const int8_t vfx_cubic_taps[32][4];

/// A plane to sample from. `origin` is sample (0, 0); margin + 1 samples to the left and above and margin + 2 to the
/// right and below are readable. The plane spans less than 2^31 samples; 32·(width + margin) and 32·(height + margin)
/// fit into 31 bits.
typedef struct vfx_warp_source {
    const void *_Nonnull origin;
    ptrdiff_t stride;
    int width, height, margin;
} vfx_warp_source;

/// Backward warping: resamples one row, with a motion vector for each sample.
///
/// Sample i is read at (x0 + i, y) plus (vx[i], vy[i])·scale / 2^14, rounded to 1/32 sample ((v·scale + 2^13) >> 14,
/// where v·scale + 2^13 must fit into 32 bits) and clamped to x in [−margin, width − 1 + margin], y in [−margin, height
/// − 1 + margin], without a fraction where it is clamped. Vectors may point anywhere.
///
/// Interpolates with 4×4 taps from vfx_cubic_taps: (sum of the 16 products + 2048) >> 12, limited to 0…maximum, without
/// rounding between the horizontal and the vertical filter. Whole positions copy the sample, limited to maximum.
/// warp_row_8_to_12 keeps four more bits: it reads 8-bit samples and writes 16-bit ones, (sum of the 16 products + 128)
/// >> 8. Accesses exactly `count` elements of vx, vy and dst.
typedef void vfx_warp_row_fn(void *_Nonnull dst, const vfx_warp_source *_Nonnull src, int x0, int y, int count,
                             const int16_t *_Nonnull vx, const int16_t *_Nonnull vy, int scale, int maximum);
#endif
