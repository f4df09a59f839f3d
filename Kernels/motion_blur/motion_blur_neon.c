#include "../arm/arm.h"
#if defined(__aarch64__)
#include <arm_neon.h>
#include <string.h>

// Eight samples as signed numbers.
static inline int16x8_t samples_8(const uint8_t *p, ptrdiff_t at)
{
    return vreinterpretq_s16_u16(vmovl_u8(vld1_u8(p + at)));
}

// 16-bit samples are reduced by 32768. The weights add up to 16384, so the result is exactly 32768 too low.
static inline int16x8_t samples_16(const uint16_t *p, ptrdiff_t at)
{
    const uint16_t *row = (const uint16_t *)((const uint8_t *)p + at);
    return vreinterpretq_s16_u16(veorq_u16(vld1q_u16(row), vdupq_n_u16(0x8000)));
}

static inline int16x8_t rounded(const int32x4_t sum[2])
{
    return vqrshrn_high_n_s32(vqrshrn_n_s32(sum[0], 14), sum[1], 14);
}

static inline void store_8(uint8_t *dst, const int32x4_t sum[2], int width, int maximum)
{
    const uint8x8_t bytes = vmin_u8(vqmovun_s16(rounded(sum)), vdup_n_u8((uint8_t)maximum));
    if (width == 8) {
        vst1_u8(dst, bytes);
    } else {
        uint8_t all[8];
        vst1_u8(all, bytes);
        memcpy(dst, all, (size_t)width);
    }
}

static inline void store_16(uint16_t *dst, const int32x4_t sum[2], int width, int maximum)
{
    uint16x8_t words = veorq_u16(vreinterpretq_u16_s16(rounded(sum)), vdupq_n_u16(0x8000));
    words = vminq_u16(words, vdupq_n_u16((uint16_t)maximum));
    if (width == 8) {
        vst1q_u16(dst, words);
    } else {
        uint16_t all[8];
        vst1q_u16(all, words);
        memcpy(dst, all, (size_t)width * 2);
    }
}

#define ROWS(n, PIXEL, bits)                                                                                          \
    static inline void rows_##n##_##bits(PIXEL *dst, ptrdiff_t dst_stride, int width, const void *const sources[3],   \
                                         ptrdiff_t first, ptrdiff_t stride, const vfx_motion_blur_tap *taps,          \
                                         int count, int maximum)                                                      \
    {                                                                                                                 \
        int32x4_t sum[n][2];                                                                                          \
        ptrdiff_t at[n]; /* offsets of the rows, in bytes: loads add them for free */                                 \
        for (int r = 0; r < n; r++) sum[r][0] = sum[r][1] = vdupq_n_s32(0);                                           \
        for (int r = 0; r < n; r++) at[r] = r * stride * (ptrdiff_t)sizeof(PIXEL);                                    \
        for (int i = 0; i < count; i++) {                                                                             \
            const PIXEL *p = (const PIXEL *)sources[taps[i].source] + taps[i].offset + first;                         \
            const PIXEL *next = p + taps[i].step;                                                                     \
            const int16x4_t w = vdup_n_s16(taps[i].weight), w_next = vdup_n_s16(taps[i].weight_next);                 \
            _Pragma("clang loop unroll(full)") for (int r = 0; r < n; r++)                                            \
            {                                                                                                         \
                const int16x8_t a = samples_##bits(p, at[r]), b = samples_##bits(next, at[r]);                        \
                sum[r][0] = vmlal_s16(vmlal_s16(sum[r][0], vget_low_s16(a), w), vget_low_s16(b), w_next);             \
                sum[r][1] = vmlal_high_s16(vmlal_high_s16(sum[r][1], a, vcombine_s16(w, w)), b,                       \
                                           vcombine_s16(w_next, w_next));                                             \
            }                                                                                                         \
        }                                                                                                             \
        for (int r = 0; r < n; r++) store_##bits(dst + r * dst_stride, sum[r], width, maximum);                       \
    }

ROWS(8, uint8_t, 8)
ROWS(4, uint8_t, 8)
ROWS(1, uint8_t, 8)
ROWS(8, uint16_t, 16)
ROWS(4, uint16_t, 16)
ROWS(1, uint16_t, 16)

#define BLOCK(PIXEL, bits)                                                                                             \
    void vfx_motion_blur_block_##bits##_neon(void *dst_, ptrdiff_t dst_stride, int width, int height,                  \
                                             const void *const sources[3], ptrdiff_t stride,                           \
                                             const vfx_motion_blur_tap *taps, int count, int maximum)                  \
    {                                                                                                                  \
        PIXEL *dst = dst_;                                                                                             \
        int y = 0;                                                                                                     \
        for (; y + 8 <= height; y += 8)                                                                                \
            rows_8_##bits(dst + y * dst_stride, dst_stride, width, sources, y * stride, stride, taps, count, maximum); \
        for (; y + 4 <= height; y += 4)                                                                                \
            rows_4_##bits(dst + y * dst_stride, dst_stride, width, sources, y * stride, stride, taps, count, maximum); \
        for (; y < height; y++)                                                                                        \
            rows_1_##bits(dst + y * dst_stride, dst_stride, width, sources, y * stride, stride, taps, count, maximum); \
    }

BLOCK(uint8_t, 8)
BLOCK(uint16_t, 16)
#endif
