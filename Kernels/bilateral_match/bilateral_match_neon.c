#include "../arm/arm.h"
#if defined(__aarch64__)
#include "../arm/bilinear_neon.h"
#include <string.h>

// The blocks of four cells in one plane.
typedef struct blocks4 {
    int32x4_t offset, fx, fy; // from the origin in samples; in 1/32 sample
    int32x4_t outside;        // in 1/32 sample
} blocks4;

static inline int32x4_t limited(int32x4_t v, int size, int margin)
{
    return vminq_s32(vmaxq_s32(v, vdupq_n_s32(-32 * margin)), vdupq_n_s32(32 * (size - 8 + margin)));
}

// How far blocks extend outside on one axis: before the first or after the last sample, since planes are no smaller
// than blocks.
static inline int32x4_t overhang(int32x4_t v, int size)
{
    const int32x4_t before = vnegq_s32(v), after = vaddq_s32(v, vdupq_n_s32(256 - 32 * size));
    return vmaxq_s32(vmaxq_s32(before, after), vdupq_n_s32(0));
}

static inline blocks4 blocks_at(const vfx_warp_source *plane, int32x4_t x, int32x4_t y)
{
    const int32x4_t mask = vdupq_n_s32(31);
    const int32x4_t px = limited(x, plane->width, plane->margin), py = limited(y, plane->height, plane->margin);
    return (blocks4){vmlaq_n_s32(vshrq_n_s32(px, 5), vshrq_n_s32(py, 5), (int32_t)plane->stride),
                     vandq_s32(px, mask), vandq_s32(py, mask),
                     vaddq_s32(overhang(x, plane->width), overhang(y, plane->height))};
}

// The share `t` / 1024 of four components.
static inline int32x4_t part(int16x4_t v, int t) { return vrshrq_n_s32(vmull_n_s16(v, (int16_t)t), 10); }

static inline uint32_t sad_subpixel(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs,
                                    vfx_bilinear_weights at_a, vfx_bilinear_weights at_b)
{
    int16x8_t row_a = vfx_bilinear_row(a, at_a), row_b = vfx_bilinear_row(b, at_b), sum = vdupq_n_s16(0);
#pragma clang loop unroll(full)
    for (int y = 0; y < 8; y++) {
        const int16x8_t next_a = vfx_bilinear_row(a += as, at_a), next_b = vfx_bilinear_row(b += bs, at_b);
        sum = vabaq_s16(sum, vfx_bilinear_rows(row_a, next_a, at_a), vfx_bilinear_rows(row_b, next_b, at_b));
        row_a = next_a;
        row_b = next_b;
    }
    return vaddlvq_u16(vreinterpretq_u16_s16(sum));
}

// Four differences from SADs of 64 samples.
static inline int32x4_t blended(const vfx_bilateral_match *m, uint32x4_t sums, int32x4_t outside)
{
    const int32x4_t ramp = vdupq_n_s32(1 << m->ramp_log2), inside = vreinterpretq_s32_u32(vshrq_n_u32(sums, 6));
    const int32x4_t beyond = vsubq_s32(outside, vdupq_n_s32(m->free_overhang));
    const int32x4_t share = vminq_s32(vmaxq_s32(beyond, vdupq_n_s32(0)), ramp);
    const int32x4_t weighted = vmlaq_n_s32(vmulq_s32(inside, vsubq_s32(ramp, share)), share, m->outside_difference);
    return vshlq_s32(weighted, vdupq_n_s32(-m->ramp_log2));
}

// Up to four cells.
static inline int32x4_t match4(const vfx_bilateral_match *m, int y, int32x4_t x, int16x4x2_t v, int count)
{
    const int half = m->cell_log2 - 1, rest = 1024 - m->t;
    const int32x4_t centre = vshlq_s32(vaddq_s32(vaddq_s32(x, x), vdupq_n_s32(1)), vdupq_n_s32(half));
    const int32x4_t px = vshlq_n_s32(vsubq_s32(centre, vdupq_n_s32(4)), 5);
    const int32x4_t py = vdupq_n_s32(32 * (((2 * y + 1) << half) - 4));
    const blocks4 a = blocks_at(&m->a, vsubq_s32(px, part(v.val[0], m->t)), vsubq_s32(py, part(v.val[1], m->t)));
    const blocks4 b = blocks_at(&m->b, vaddq_s32(px, part(v.val[0], rest)), vaddq_s32(py, part(v.val[1], rest)));
    int32_t at_a[4], at_b[4], afx[4], afy[4], bfx[4], bfy[4];
    uint32_t sums[4] = {0};
    vst1q_s32(at_a, a.offset);
    vst1q_s32(at_b, b.offset);
    vst1q_s32(afx, a.fx);
    vst1q_s32(afy, a.fy);
    vst1q_s32(bfx, b.fx);
    vst1q_s32(bfy, b.fy);
    for (int i = 0; i < count; i++) {
        const uint8_t *p = (const uint8_t *)m->a.origin + at_a[i], *q = (const uint8_t *)m->b.origin + at_b[i];
        // Cells at rest are frequent.
        if ((afx[i] | afy[i] | bfx[i] | bfy[i]) == 0)
            sums[i] = 16 * vfx_sad_8x8_neon(p, m->a.stride, q, m->b.stride);
        else
            sums[i] = sad_subpixel(p, m->a.stride, q, m->b.stride, vfx_bilinear_weights_of(afx[i], afy[i]),
                                   vfx_bilinear_weights_of(bfx[i], bfy[i]));
    }
    return blended(m, vld1q_u32(sums), vmaxq_s32(a.outside, b.outside));
}

// Columns and vectors, which alternate.
static inline int32x4_t match_cells4(const vfx_bilateral_match *m, int y, const vfx_matched_cell *cells, int count)
{
    const int32x4x2_t words = vld2q_s32(&cells->x);
    const int16x8_t v = vreinterpretq_s16_s32(words.val[1]);
    const int16x4x2_t components = {{vget_low_s16(vuzp1q_s16(v, v)), vget_low_s16(vuzp2q_s16(v, v))}};
    return match4(m, y, words.val[0], components, count);
}

void vfx_bilateral_match_row_neon(const vfx_bilateral_match *m, int y, const vfx_matched_cell *cells, int count,
                                  int32_t *differences)
{
    int i = 0;
    for (; i + 4 <= count; i += 4) vst1q_s32(differences + i, match_cells4(m, y, cells + i, 4));
    if (i == count) return;
    const size_t left = (size_t)(count - i);
    vfx_matched_cell last[4] = {0};
    int32_t found[4];
    memcpy(last, cells + i, left * sizeof *cells);
    vst1q_s32(found, match_cells4(m, y, last, (int)left));
    memcpy(differences + i, found, left * sizeof *found);
}
#endif
