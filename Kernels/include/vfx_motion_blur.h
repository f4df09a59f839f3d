#ifndef VFX_MOTION_BLUR_H
#define VFX_MOTION_BLUR_H
#include <stddef.h>
#include <stdint.h>

// Motion blur integrates samples along the path of a block while the shutter is open, each weighted by the time spent
// near it. The path is a list of taps, which form the point spread function of the block.

/// Two neighbouring samples of the path: weight·p[i] + weight_next·p[i + step], p = sources[source] + offset. The two
/// weights interpolate linearly at positions between the samples.
typedef struct vfx_motion_blur_tap {
    int32_t source, offset, step; // source 0…2; offset and step in samples
    int16_t weight, weight_next;
} vfx_motion_blur_tap;

/// dst = (sum of all taps + 8192) >> 14, limited to 0…maximum, for a block of width × height samples, 1 ≤ width ≤ 8.
///
/// The weights of all taps add up to 16384 and their magnitudes to at most 24000, so the sum fits into 32 bits. Rows of
/// all sources are `stride` samples apart. In each of `height` rows, eight samples are read at p and at p + step,
/// regardless of the width and the weights; exactly `width` samples are written.
typedef void vfx_motion_blur_block_fn(void *_Nonnull dst, ptrdiff_t dst_stride, int width, int height,
                                      const void *_Nonnull const sources[_Nonnull 3], ptrdiff_t stride,
                                      const vfx_motion_blur_tap *_Nonnull taps, int count, int maximum);
#endif
