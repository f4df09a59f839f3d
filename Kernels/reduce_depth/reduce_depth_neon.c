#include "../arm/arm.h"
#if defined(__aarch64__)
#include <arm_neon.h>

void vfx_reduce_depth_neon(uint8_t *dst, const uint16_t *src, int width, int shift)
{
    // A negative count shifts right; the rounding shift adds half without overflow.
    const int16x8_t count = vdupq_n_s16((int16_t)-shift);
    int x = 0;
    for (; x + 16 <= width; x += 16) {
        const uint16x8_t a = vrshlq_u16(vld1q_u16(src + x), count), b = vrshlq_u16(vld1q_u16(src + x + 8), count);
        vst1q_u8(dst + x, vqmovn_high_u16(vqmovn_u16(a), b));
    }
    if (x < width) vfx_reduce_depth_c(dst + x, src + x, width - x, shift);
}
#endif
