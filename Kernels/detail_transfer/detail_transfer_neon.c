#include "../arm/arm.h"
#if defined(__aarch64__)
#pragma STDC FP_CONTRACT OFF
#include <arm_neon.h>
#include "detail_transfer_tuning.h"

// Rows are processed in whole vectors, the last of which overlaps the one before.
enum { COLUMNS = 16 };

typedef struct luma_sums { uint16_t *sum; uint32_t *square; } luma_sums;

// Adds the luma samples and their squares in the columns of five rows.
static inline void add_columns(luma_sums out, const uint8_t *luma, ptrdiff_t stride, int count)
{
    for (int x = 0;; x = x + 2 * COLUMNS <= count ? x + COLUMNS : count - COLUMNS) {
        uint16x8_t sum[2] = {vdupq_n_u16(0), vdupq_n_u16(0)};
        uint32x4_t square[4] = {vdupq_n_u32(0), vdupq_n_u32(0), vdupq_n_u32(0), vdupq_n_u32(0)};
        for (int row = 0; row < 5; row++) {
            const uint8x16_t v = vld1q_u8(luma + row * stride + x);
            const uint16x8_t low = vmull_u8(vget_low_u8(v), vget_low_u8(v)), high = vmull_high_u8(v, v);
            sum[0] = vaddw_u8(sum[0], vget_low_u8(v));
            sum[1] = vaddw_high_u8(sum[1], v);
            square[0] = vaddw_u16(square[0], vget_low_u16(low));
            square[1] = vaddw_high_u16(square[1], low);
            square[2] = vaddw_u16(square[2], vget_low_u16(high));
            square[3] = vaddw_high_u16(square[3], high);
        }
        for (int i = 0; i < 2; i++) vst1q_u16(out.sum + x + 8 * i, sum[i]);
        for (int i = 0; i < 4; i++) vst1q_u32(out.square + x + 4 * i, square[i]);
        if (x + COLUMNS == count) return;
    }
}

static inline void add_misses(uint16_t *miss, const uint8_t *error, ptrdiff_t stride, int count)
{
    for (int x = 0;; x = x + 2 * COLUMNS <= count ? x + COLUMNS : count - COLUMNS) {
        const uint8x16_t a = vld1q_u8(error + x), b = vld1q_u8(error + stride + x);
        const uint8x16_t c = vld1q_u8(error + 2 * stride + x);
        vst1q_u16(miss + x, vaddw_u8(vaddl_u8(vget_low_u8(a), vget_low_u8(b)), vget_low_u8(c)));
        vst1q_u16(miss + x + 8, vaddw_high_u8(vaddl_high_u8(a, b), c));
        if (x + COLUMNS == count) return;
    }
}

static inline uint16x8_t three_of(const uint16_t *p)
{
    return vaddq_u16(vaddq_u16(vld1q_u16(p), vld1q_u16(p + 1)), vld1q_u16(p + 2));
}

static inline uint16x8_t five_of(const uint16_t *p)
{
    return vaddq_u16(three_of(p), vaddq_u16(vld1q_u16(p + 3), vld1q_u16(p + 4)));
}

static inline uint32x4_t five_squares_of(const uint32_t *p)
{
    const uint32x4_t inner = vaddq_u32(vaddq_u32(vld1q_u32(p + 1), vld1q_u32(p + 2)), vld1q_u32(p + 3));
    return vaddq_u32(inner, vaddq_u32(vld1q_u32(p), vld1q_u32(p + 4)));
}

// Four weights from 25²·variance and nine times the mean difference, in the order of the C version and without
// contraction.
static inline uint32x4_t weights(uint32x4_t spread, uint32x4_t missed, const vfx_detail_transfer_trust *trust)
{
    const float32x4_t one = vdupq_n_f32(1.0f), half = vdupq_n_f32(0.5f);
    const float32x4_t variance = vaddq_f32(vmulq_n_f32(vcvtq_f32_u32(spread), 1.0f / 625.0f),
                                           vdupq_n_f32(DETAIL_TRANSFER_VARIANCE_FLOOR));
    const float32x4_t m = vmulq_n_f32(vaddq_f32(vmulq_n_f32(vcvtq_f32_u32(missed), 1.0f / 9.0f),
                                                vdupq_n_f32(DETAIL_TRANSFER_MISMATCH_FLOOR)), trust->scale);
    const float32x4_t r2 = vdivq_f32(vmulq_f32(m, m), variance);
    return vcvtq_u32_f32(vaddq_f32(vdivq_f32(vdupq_n_f32(trust->most), vaddq_f32(one, vmulq_f32(r2, r2))), half));
}

void vfx_detail_transfer_weight_row_neon(uint8_t *dst, const uint8_t *error, ptrdiff_t error_stride,
                                         const uint8_t *luma, ptrdiff_t luma_stride, int width,
                                         const vfx_detail_transfer_trust *trust, int32_t *scratch)
{
    if (width < COLUMNS) {
        vfx_detail_transfer_weight_row_c(dst, error, error_stride, luma, luma_stride, width, trust, scratch);
        return;
    }
    uint32_t *square = (uint32_t *)scratch; // from column −2, as the sums
    uint16_t *sum = (uint16_t *)(square + width + 4), *miss = sum + width + 4; // from column −1
    add_columns((luma_sums){sum, square}, luma - 2 * luma_stride - 2, luma_stride, width + 4);
    add_misses(miss, error - error_stride - 1, error_stride, width + 2);
    for (int x = 0;; x = x + 16 <= width ? x + 8 : width - 8) {
        const uint16x8_t s = five_of(sum + x), m = three_of(miss + x);
        const uint32x4_t q[2] = {five_squares_of(square + x), five_squares_of(square + x + 4)};
        const uint32x4_t low = vmlsl_u16(vmulq_n_u32(q[0], 25), vget_low_u16(s), vget_low_u16(s));
        const uint32x4_t high = vmlsl_high_u16(vmulq_n_u32(q[1], 25), s, s);
        const uint16x4_t w = vmovn_u32(weights(low, vmovl_u16(vget_low_u16(m)), trust));
        vst1_u8(dst + x, vmovn_u16(vmovn_high_u32(w, weights(high, vmovl_high_u16(m), trust))));
        if (x + 8 == width) return;
    }
}

static inline int16x8_t spread8(int16x8_t v, int scale)
{
    const int16x4_t low = vqrshrn_n_s32(vmulq_n_s32(vmovl_s16(vget_low_s16(v)), scale), 14);
    return vqrshrn_high_n_s32(low, vmulq_n_s32(vmovl_high_s16(v), scale), 14);
}

void vfx_detail_transfer_spread_row_neon(int16_t *dst, const int16_t *src, const int32_t *map, int count, int scale)
{
    const int sources = map ? 0 : (count + 1) / 2;
    int i = 0;
    for (; i + 16 <= sources; i += 16) {
        const int16x8_t v = spread8(vld1q_s16(src + i), scale), w = spread8(vld1q_s16(src + i + 8), scale);
        const int16x8x4_t doubled = {{vzip1q_s16(v, v), vzip2q_s16(v, v), vzip1q_s16(w, w), vzip2q_s16(w, w)}};
        vst1q_s16_x4(dst + 2 * i, doubled);
    }
    if (2 * i < count) vfx_detail_transfer_spread_row_c(dst + 2 * i, src + i, map, count - 2 * i, scale);
}

// The detail at four samples on one side of their means, less the interpolated mean.
static inline int32x4_t finer(int32x4_t detail, int32x4_t mean, const int32_t *neighbour)
{
    return vsubq_s32(detail, vrshrq_n_s32(vmlaq_n_s32(vld1q_s32(neighbour), mean, 3), 2));
}

// The samples on the left and right of four means.
static inline int32x4x2_t finer_pairs(const int32_t *detail, const int32_t *mean)
{
    const int32x4x2_t d = vld2q_s32(detail);
    const int32x4_t m = vld1q_s32(mean);
    return (int32x4x2_t){{finer(d.val[0], m, mean - 1), finer(d.val[1], m, mean + 1)}};
}

static inline uint8x8_t merged_8(int32x4_t low, int32x4_t high, uint8x8_t here)
{
    const int16x8_t added = vqrshrn_high_n_s32(vqrshrn_n_s32(low, 8), high, 8);
    return vqmovun_s16(vqaddq_s16(added, vreinterpretq_s16_u16(vmovl_u8(here))));
}

void vfx_detail_transfer_merge_row_8_neon(void *dst_, const void *here_, const int32_t *detail, const int32_t *mean,
                                          const vfx_detail_transfer_place *places, int count, int maximum)
{
    uint8_t *dst = dst_;
    const uint8_t *here = here_;
    const uint8x8_t most = vdup_n_u8((uint8_t)maximum);
    const int pairs = places ? 0 : count / 2;
    int i = 0;
    for (; i + 8 <= pairs; i += 8) {
        const int32x4x2_t low = finer_pairs(detail + 2 * i, mean + i);
        const int32x4x2_t high = finer_pairs(detail + 2 * i + 8, mean + i + 4);
        uint8x8x2_t v = vld2_u8(here + 2 * i);
        for (int k = 0; k < 2; k++) v.val[k] = vmin_u8(merged_8(low.val[k], high.val[k], v.val[k]), most);
        vst2_u8(dst + 2 * i, v);
    }
    if (2 * i < count)
        vfx_detail_transfer_merge_row_8_c(dst + 2 * i, here + 2 * i, detail + 2 * i, mean + i, places, count - 2 * i,
                                          maximum);
}

static inline uint16x8_t merged_16(int32x4_t low, int32x4_t high, uint16x8_t here)
{
    const uint32x4_t a = vaddw_u16(vreinterpretq_u32_s32(vrshrq_n_s32(low, 8)), vget_low_u16(here));
    const uint32x4_t b = vaddw_high_u16(vreinterpretq_u32_s32(vrshrq_n_s32(high, 8)), here);
    return vqmovun_high_s32(vqmovun_s32(vreinterpretq_s32_u32(a)), vreinterpretq_s32_u32(b));
}

void vfx_detail_transfer_merge_row_16_neon(void *dst_, const void *here_, const int32_t *detail, const int32_t *mean,
                                           const vfx_detail_transfer_place *places, int count, int maximum)
{
    uint16_t *dst = dst_;
    const uint16_t *here = here_;
    const uint16x8_t most = vdupq_n_u16((uint16_t)maximum);
    const int pairs = places ? 0 : count / 2;
    int i = 0;
    for (; i + 8 <= pairs; i += 8) {
        const int32x4x2_t low = finer_pairs(detail + 2 * i, mean + i);
        const int32x4x2_t high = finer_pairs(detail + 2 * i + 8, mean + i + 4);
        uint16x8x2_t v = vld2q_u16(here + 2 * i);
        for (int k = 0; k < 2; k++) v.val[k] = vminq_u16(merged_16(low.val[k], high.val[k], v.val[k]), most);
        vst2q_u16(dst + 2 * i, v);
    }
    if (2 * i < count)
        vfx_detail_transfer_merge_row_16_c(dst + 2 * i, here + 2 * i, detail + 2 * i, mean + i, places, count - 2 * i,
                                           maximum);
}
#endif
