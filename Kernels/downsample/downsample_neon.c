#include "../arm/arm.h"
#if defined(__aarch64__)
#include <arm_neon.h>

// Eight averages from 16 samples of two rows.
static inline uint8x8_t average8(const uint8_t *upper, const uint8_t *lower)
{
    return vrshrn_n_u16(vpadalq_u8(vpaddlq_u8(vld1q_u8(upper)), vld1q_u8(lower)), 2);
}

void vfx_downsample_neon(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                         int height)
{
    const int whole = width / 8 * 8;
    if (whole < width)
        vfx_downsample_c(dst + whole, dst_stride, src + 2 * whole, src_stride, width - whole, height);
    for (int y = 0; y < height; y++, dst += dst_stride, src += 2 * src_stride) {
        const uint8_t *next = src + src_stride;
        int x = 0;
        for (; x + 16 <= whole; x += 16) {
            const uint8_t *p = src + 2 * x, *q = next + 2 * x;
            vst1q_u8(dst + x, vcombine_u8(average8(p, q), average8(p + 16, q + 16)));
        }
        if (x < whole) vst1_u8(dst + x, average8(src + 2 * x, next + 2 * x));
    }
}
#endif
