#include "../arm/arm.h"
#if defined(__aarch64__)
#include <arm_neon.h>

// The mean is a·256 + (b − a)·w, divided by 256: the sum fits into 16 bits, although the product does not.
static inline uint16x8_t sum_8(uint16x8_t a256, uint16x8_t difference, const uint16_t *w)
{
    return vmlaq_u16(a256, difference, vld1q_u16(w));
}

void vfx_blend_row_8_neon(void *dst_, const void *a_, const void *b_, const uint16_t *w, int count)
{
    uint8_t *dst = dst_;
    const uint8_t *a = a_, *b = b_;
    int i = 0;
#pragma clang loop unroll_count(2)
    for (; i + 16 <= count; i += 16) {
        const uint8x16_t va = vld1q_u8(a + i), vb = vld1q_u8(b + i);
        const uint8x8_t a_low = vget_low_u8(va), b_low = vget_low_u8(vb);
        const uint16x8_t low = sum_8(vshll_n_u8(a_low, 8), vsubl_u8(b_low, a_low), w + i);
        const uint16x8_t high = sum_8(vshll_high_n_u8(va, 8), vsubl_high_u8(vb, va), w + i + 8);
        vst1q_u8(dst + i, vrshrn_high_n_u16(vrshrn_n_u16(low, 8), high, 8));
    }
    if (i < count) vfx_blend_row_8_c(dst + i, a + i, b + i, w + i, count - i);
}

// (a·256 + (b − a)·w) / 256, rounded down. Only the 8-bit result is rounded, which the lost bits cannot change.
static inline uint16x8_t mean_12(const uint16_t *a, const uint16_t *b, const uint16_t *w)
{
    const int16x8_t va = vreinterpretq_s16_u16(vld1q_u16(a)), vb = vreinterpretq_s16_u16(vld1q_u16(b));
    // The multiplication doubles the product and shifts it right by 16; both factors have headroom.
    const int16x8_t difference = vshlq_n_s16(vsubq_s16(vb, va), 3);
    const int16x8_t weight = vshlq_n_s16(vreinterpretq_s16_u16(vld1q_u16(w)), 4);
    return vreinterpretq_u16_s16(vaddq_s16(va, vqdmulhq_s16(difference, weight)));
}

void vfx_blend_row_12_to_8_neon(void *dst_, const void *a_, const void *b_, const uint16_t *w, int count)
{
    uint8_t *dst = dst_;
    const uint16_t *a = a_, *b = b_;
    int i = 0;
#pragma clang loop unroll_count(2)
    for (; i + 16 <= count; i += 16) {
        const uint16x8_t low = mean_12(a + i, b + i, w + i), high = mean_12(a + i + 8, b + i + 8, w + i + 8);
        vst1q_u8(dst + i, vrshrn_high_n_u16(vrshrn_n_u16(low, 4), high, 4));
    }
    if (i < count) vfx_blend_row_12_to_8_c(dst + i, a + i, b + i, w + i, count - i);
}

static inline uint16x8_t mean_16(const uint16_t *a, const uint16_t *b, const uint16_t *w)
{
    const uint16x8_t va = vld1q_u16(a), vb = vld1q_u16(b), wb = vld1q_u16(w), wa = vsubq_u16(vdupq_n_u16(256), wb);
    const uint32x4_t low = vmlal_u16(vmull_u16(vget_low_u16(va), vget_low_u16(wa)), vget_low_u16(vb), vget_low_u16(wb));
    const uint32x4_t high = vmlal_high_u16(vmull_high_u16(va, wa), vb, wb);
    return vrshrn_high_n_u32(vrshrn_n_u32(low, 8), high, 8);
}

void vfx_blend_row_16_neon(void *dst_, const void *a_, const void *b_, const uint16_t *w, int count)
{
    uint16_t *dst = dst_;
    const uint16_t *a = a_, *b = b_;
    int i = 0;
#pragma clang loop unroll_count(2)
    for (; i + 16 <= count; i += 16) {
        const uint16x8_t low = mean_16(a + i, b + i, w + i), high = mean_16(a + i + 8, b + i + 8, w + i + 8);
        vst1q_u16(dst + i, low);
        vst1q_u16(dst + i + 8, high);
    }
    if (i < count) vfx_blend_row_16_c(dst + i, a + i, b + i, w + i, count - i);
}
#endif
