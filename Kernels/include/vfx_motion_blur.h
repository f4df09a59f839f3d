#ifndef VFX_MOTION_BLUR_H
#define VFX_MOTION_BLUR_H
#include <stddef.h>
#include <stdint.h>

// Motion blur adds up what a block sees while the shutter is open: samples along its path, weighted by the time spent near
// each. The path is a list of taps, the point spread function of the block.

/// Two neighbouring samples of the path: weight·p[i] + weight_next·p[i + step], p = sources[source] + offset. Between the
/// two a position off the grid is interpolated linearly.
typedef struct vfx_motion_blur_tap {
    int32_t source, offset, step; // source 0…2; offset and step in samples
    int16_t weight, weight_next;
} vfx_motion_blur_tap;

/// dst = (sum of all taps + 8192) >> 14, limited to 0…maximum, for a block of width × height samples, 1 ≤ width ≤ 8.
///
/// All weights of all taps add to 16384, their magnitudes to at most 24000, so that 32 bits hold the sum. Rows of all
/// sources are `stride` samples apart. Of each of `height` rows, eight samples are read at p and at p + step, whatever the
/// width and the weights; exactly `width` are written.
typedef void vfx_motion_blur_block_fn(void *_Nonnull dst, ptrdiff_t dst_stride, int width, int height,
                                      const void *_Nonnull const sources[_Nonnull 3], ptrdiff_t stride,
                                      const vfx_motion_blur_tap *_Nonnull taps, int count, int maximum);
#endif
