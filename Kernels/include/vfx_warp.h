#ifndef VFX_WARP_H
#define VFX_WARP_H
#include <stddef.h>
#include <stdint.h>

/// Cubic interpolation weights for each 1/32 sample, four taps that add to 64: Keys' kernel with a = −0.6, rounded by hand
/// so that the taps' centre of gravity stays on the sub-sample position (R. Keys, "Cubic convolution interpolation for
/// digital image processing", 1981).
extern const int8_t vfx_cubic_taps[32][4];

/// A plane to sample from. `origin` is sample (0, 0); margin + 1 samples to the left and above and margin + 2 to the right
/// and below can be read. The plane spans less than 2^31 samples; 32·(width + margin) and 32·(height + margin) fit 31 bits.
typedef struct vfx_warp_source {
    const void *_Nonnull origin;
    ptrdiff_t stride;
    int width, height, margin;
} vfx_warp_source;

/// One row, resampled along a vector per sample: backward warping.
///
/// Sample i is read at (x0 + i, y) plus (vx[i], vy[i])·scale / 2^14, rounded to 1/32 sample ((v·scale + 2^13) >> 14, which
/// must not leave 32 bits) and clamped to x in [−margin, width − 1 + margin], y in [−margin, height − 1 + margin]; the
/// fraction is dropped where it clamps. Vectors may point anywhere.
///
/// 4×4 taps of vfx_cubic_taps: (sum of the 16 products + 2048) >> 12, limited to 0…maximum; nothing is rounded between
/// columns and rows. Whole positions copy the sample, limited to maximum. Of vx, vy and dst exactly `count` are accessed.
typedef void vfx_warp_row_fn(void *_Nonnull dst, const vfx_warp_source *_Nonnull src, int x0, int y, int count,
                             const int16_t *_Nonnull vx, const int16_t *_Nonnull vy, int scale, int maximum);
#endif
