#include "../arm/arm.h"
#if defined(__aarch64__)
#include <arm_neon.h>
#include <string.h>

// Sums of the vertical filter without the shift to 14 bits, which the final shift contains instead: samples minus half
// their range fit into signed 16 bits. Weights add up to 16384, so subtracting half the range afterwards is the same;
// 8-bit samples, which have room, are multiplied as they are.

static inline void add_8(int32x4_t sum[4], const void *row, int x, int16x4_t w)
{
    const uint8x16_t v = vld1q_u8((const uint8_t *)row + x);
    const int16x8_t low = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(v)));
    const int16x8_t high = vreinterpretq_s16_u16(vmovl_high_u8(v)), all = vcombine_s16(w, w);
    sum[0] = vmlal_s16(sum[0], vget_low_s16(low), w);
    sum[1] = vmlal_high_s16(sum[1], low, all);
    sum[2] = vmlal_s16(sum[2], vget_low_s16(high), w);
    sum[3] = vmlal_high_s16(sum[3], high, all);
}

static inline void add_16(int32x4_t sum[4], const void *row, int x, int16x4_t w, uint16x8_t half)
{
    const uint16_t *p = (const uint16_t *)row + x;
    const int16x8_t low = vreinterpretq_s16_u16(vsubq_u16(vld1q_u16(p), half));
    const int16x8_t high = vreinterpretq_s16_u16(vsubq_u16(vld1q_u16(p + 8), half)), all = vcombine_s16(w, w);
    sum[0] = vmlal_s16(sum[0], vget_low_s16(low), w);
    sum[1] = vmlal_high_s16(sum[1], low, all);
    sum[2] = vmlal_s16(sum[2], vget_low_s16(high), w);
    sum[3] = vmlal_high_s16(sum[3], high, all);
}

// Filters `blocks` times sixteen samples from x on.
static inline __attribute__((always_inline)) void columns_8(int16_t *dst, const void *const *rows,
                                                            const int16_t *weights, int taps, int x,
                                                            int blocks)
{
    int32x4_t sum[4][4];
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < 4; i++) sum[b][i] = vdupq_n_s32(-8192 * 256);
    for (int k = 0; k < taps; k++) {
        const int16x4_t w = vld1_dup_s16(weights + k);
        for (int b = 0; b < blocks; b++) add_8(sum[b], rows[k], x + 16 * b, w);
    }
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < 4; i += 2)
            vst1q_s16(dst + x + 16 * b + 4 * i, vqrshrn_high_n_s32(vqrshrn_n_s32(sum[b][i], 8), sum[b][i + 1], 8));
}

static inline __attribute__((always_inline)) void columns_16(int16_t *dst, const void *const *rows,
                                                             const int16_t *weights, int taps, int x, int bits,
                                                             int blocks)
{
    const uint16x8_t half = vdupq_n_u16((uint16_t)(1 << (bits - 1)));
    const int32x4_t down = vdupq_n_s32(bits < 14 ? -bits : -14); // a negative count shifts right
    int32x4_t sum[4][4];
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < 4; i++) sum[b][i] = vdupq_n_s32(0);
    for (int k = 0; k < taps; k++) {
        const int16x4_t w = vld1_dup_s16(weights + k);
        for (int b = 0; b < blocks; b++) add_16(sum[b], rows[k], x + 16 * b, w, half);
    }
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < 4; i += 2) {
            const int32x4_t low = vrshlq_s32(sum[b][i], down), high = vrshlq_s32(sum[b][i + 1], down);
            vst1q_s16(dst + x + 16 * b + 4 * i, vqmovn_high_s32(vqmovn_s32(low), high));
        }
}

void vfx_resample_column_8_neon(int16_t *dst, const void *const *rows, const int16_t *weights, int taps, int count,
                                int bits)
{
    if (count < 16) {
        vfx_resample_column_8_c(dst, rows, weights, taps, count, bits);
        return;
    }
    int x = 0;
    for (; x + 64 <= count; x += 64) columns_8(dst, rows, weights, taps, x, 4);
    for (; x + 16 <= count; x += 16) columns_8(dst, rows, weights, taps, x, 1);
    if (x < count) columns_8(dst, rows, weights, taps, count - 16, 1);
}

void vfx_resample_column_16_neon(int16_t *dst, const void *const *rows, const int16_t *weights, int taps, int count,
                                 int bits)
{
    if (count < 16) {
        vfx_resample_column_16_c(dst, rows, weights, taps, count, bits);
        return;
    }
    int x = 0;
    for (; x + 64 <= count; x += 64) columns_16(dst, rows, weights, taps, x, bits, 4);
    for (; x + 16 <= count; x += 16) columns_16(dst, rows, weights, taps, x, bits, 1);
    if (x < count) columns_16(dst, rows, weights, taps, count - 16, bits, 1);
}

static inline int32x4_t products(const int16_t *src, const int16_t *weights, int taps)
{
    int32x4_t sum = vdupq_n_s32(0);
    for (int k = 0; k < taps; k += 8) {
        const int16x8_t s = vld1q_s16(src + k), w = vld1q_s16(weights + k);
        sum = k == 0 ? vmull_s16(vget_low_s16(s), vget_low_s16(w)) : vmlal_s16(sum, vget_low_s16(s), vget_low_s16(w));
        sum = vmlal_high_s16(sum, s, w);
    }
    return sum;
}

static inline int32x4_t four_sums(const int16_t *src, const int32_t *starts, const int16_t *weights, int taps)
{
    const int32x4_t a = products(src + starts[0], weights, taps), b = products(src + starts[1], weights + taps, taps);
    const int32x4_t c = products(src + starts[2], weights + 2 * taps, taps);
    const int32x4_t d = products(src + starts[3], weights + 3 * taps, taps);
    return vpaddq_s32(vpaddq_s32(a, b), vpaddq_s32(c, d));
}

static inline __attribute__((always_inline)) void row(void *dst, const int16_t *src, const int32_t *starts,
                                                      const int16_t *weights, int taps, int count, int bits, int wide)
{
    const int up = bits < 14 ? 14 - bits : 0;
    const int32x4_t middle = vdupq_n_s32(1 << (bits + up + 13)), down = vdupq_n_s32(-(14 + up));
    const uint16x8_t maximum = vdupq_n_u16((uint16_t)((1 << bits) - 1));
    for (int x = 0; x < count; x += 8, starts += 8, weights += 8 * (ptrdiff_t)taps) {
        const int32x4_t low = vaddq_s32(four_sums(src, starts, weights, taps), middle);
        const int32x4_t high = vaddq_s32(four_sums(src, starts + 4, weights + 4 * (ptrdiff_t)taps, taps), middle);
        uint16x8_t words = vqmovun_high_s32(vqmovun_s32(vrshlq_s32(low, down)), vrshlq_s32(high, down));
        words = vminq_u16(words, maximum);
        uint8_t *to = (uint8_t *)dst + (wide ? 2 : 1) * (ptrdiff_t)x;
        if (x + 8 > count) {
            uint16_t all[8];
            if (wide) vst1q_u16(all, words);
            else vst1_u8((uint8_t *)all, vmovn_u16(words));
            memcpy(to, all, (size_t)(count - x) * (wide ? 2 : 1));
        } else if (wide) {
            vst1q_u16((uint16_t *)to, words);
        } else {
            vst1_u8(to, vmovn_u16(words));
        }
    }
}

void vfx_resample_row_8_neon(void *dst, const int16_t *src, const int32_t *starts, const int16_t *weights, int taps,
                             int count, int bits)
{
    (void)bits; // always 8
    if (taps == 8) row(dst, src, starts, weights, 8, count, 8, 0);
    else row(dst, src, starts, weights, taps, count, 8, 0);
}

void vfx_resample_row_16_neon(void *dst, const int16_t *src, const int32_t *starts, const int16_t *weights, int taps,
                              int count, int bits)
{
    if (taps == 8) row(dst, src, starts, weights, 8, count, bits, 1);
    else row(dst, src, starts, weights, taps, count, bits, 1);
}
#endif
