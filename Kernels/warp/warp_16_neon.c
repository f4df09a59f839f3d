#include "../arm/arm.h"
#if defined(__aarch64__)
#include "warp_neon.h"
#include <stdlib.h>

// Sums of products fit into 32 bits: the magnitudes of four taps add up to at most 84, and 84·84·65535 < 2^29.

enum { WINDOW = 16 }; // samples of two registers, from which one table lookup reads

static inline void store8(uint16_t *dst, int32x4_t low, int32x4_t high, int maximum)
{
    const uint16x8_t v = vqrshrun_high_n_s32(vqrshrun_n_s32(low, 12), high, 12);
    vst1q_u16(dst, vminq_u16(v, vdupq_n_u16((uint16_t)maximum)));
}

// Runs of equal vectors: source positions are contiguous, and all have the same fraction. They are filtered vertically
// first, so that neighbours share the sums.

static inline int32x4_t four_columns(uint16x4_t a, uint16x4_t b, uint16x4_t c, uint16x4_t d, uint16x4_t v)
{
    uint32x4_t sum = vmull_lane_u16(b, v, 1);
    sum = vmlal_lane_u16(sum, c, v, 2);
    sum = vmlsl_lane_u16(sum, a, v, 0);
    return vreinterpretq_s32_u32(vmlsl_lane_u16(sum, d, v, 3));
}

static inline int32x4_t columns_at(const uint16_t *p, ptrdiff_t stride, uint16x4_t v)
{
    return four_columns(vld1_u16(p), vld1_u16(p + stride), vld1_u16(p + 2 * stride), vld1_u16(p + 3 * stride), v);
}

static inline int32x4x2_t eight_columns(const uint16_t *p, ptrdiff_t stride, uint16x4_t v)
{
    const uint16x8_t a = vld1q_u16(p), b = vld1q_u16(p + stride);
    const uint16x8_t c = vld1q_u16(p + 2 * stride), d = vld1q_u16(p + 3 * stride);
    uint32x4_t high = vmull_high_lane_u16(b, v, 1);
    high = vmlal_high_lane_u16(high, c, v, 2);
    high = vmlsl_high_lane_u16(high, a, v, 0);
    high = vmlsl_high_lane_u16(high, d, v, 3);
    return (int32x4x2_t){{four_columns(vget_low_u16(a), vget_low_u16(b), vget_low_u16(c), vget_low_u16(d), v),
                          vreinterpretq_s32_u32(high)}};
}

// Four output samples from vertical sums: the last of these are `last`, the three before them end `before`.
static inline int32x4_t filter_columns(int32x4_t before, int32x4_t last, int32x4_t h)
{
    int32x4_t sum = vmulq_laneq_s32(vextq_s32(before, last, 1), h, 0);
    sum = vmlaq_laneq_s32(sum, vextq_s32(before, last, 2), h, 1);
    sum = vmlaq_laneq_s32(sum, vextq_s32(before, last, 3), h, 2);
    return vmlaq_laneq_s32(sum, last, h, 3);
}

// Output samples 0 … n − 1 of a run whose source positions are inside the plane, n ≥ 16.
static void warp_run(uint16_t *dst, const vfx_warp_source *src, int px, int py, int n, int maximum)
{
    const ptrdiff_t stride = src->stride;
    const uint16_t *p = (const uint16_t *)src->origin + (py >> 5) * stride + (px >> 5), *corner = p - 1 - stride;
    if (((px | py) & 31) == 0) {
        const uint16x8_t most = vdupq_n_u16((uint16_t)maximum);
        for (int i = 0; i < n; i += 16) {
            const int at = i < n - 16 ? i : n - 16;
            vst1q_u16(dst + at, vminq_u16(vld1q_u16(p + at), most));
            vst1q_u16(dst + at + 8, vminq_u16(vld1q_u16(p + at + 8), most));
        }
        return;
    }
    const int8_t *h_taps = vfx_cubic_taps[px & 31], *v_taps = vfx_cubic_taps[py & 31];
    const int32x4_t h = {h_taps[0], h_taps[1], h_taps[2], h_taps[3]};
    const uint16x4_t v = {(uint16_t)abs(v_taps[0]), (uint16_t)v_taps[1], (uint16_t)v_taps[2], (uint16_t)abs(v_taps[3])};
    for (int i = 0;;) {
        int32x4_t before = columns_at(corner + i, stride, v);
        before = vextq_s32(before, before, 3); // its last three lanes are columns 0, 1 and 2
        for (; i + 16 <= n; i += 16) {
            const int32x4x2_t a = eight_columns(corner + i + 3, stride, v);
            const int32x4x2_t b = eight_columns(corner + i + 11, stride, v);
            store8(dst + i, filter_columns(before, a.val[0], h), filter_columns(a.val[0], a.val[1], h), maximum);
            store8(dst + i + 8, filter_columns(a.val[1], b.val[0], h), filter_columns(b.val[0], b.val[1], h), maximum);
            before = b.val[1];
        }
        if (i >= n) return;
        i = n - 16;
    }
}

// Smooth motion: eight samples with vectors of their own, which read from a window. Loading a row at once and selecting
// samples from it is much cheaper than loading sample by sample.

typedef struct horizontal {
    uint8x16_t samples[4]; // which bytes of the window
    uint16x8_t taps[4]; // magnitudes
} horizontal;

static inline void add_row(int32x4_t sum[2], const uint16_t *p, const horizontal *h, int8x8_t vertical)
{
    const uint8x16x2_t row = {{vreinterpretq_u8_u16(vld1q_u16(p)), vreinterpretq_u8_u16(vld1q_u16(p + 8))}};
    const uint16x8_t a = vreinterpretq_u16_u8(vqtbl2q_u8(row, h->samples[0]));
    const uint16x8_t b = vreinterpretq_u16_u8(vqtbl2q_u8(row, h->samples[1]));
    const uint16x8_t c = vreinterpretq_u16_u8(vqtbl2q_u8(row, h->samples[2]));
    const uint16x8_t d = vreinterpretq_u16_u8(vqtbl2q_u8(row, h->samples[3]));
    uint32x4_t low = vmull_u16(vget_low_u16(b), vget_low_u16(h->taps[1])), high = vmull_high_u16(b, h->taps[1]);
    low = vmlal_u16(low, vget_low_u16(c), vget_low_u16(h->taps[2]));
    high = vmlal_high_u16(high, c, h->taps[2]);
    low = vmlsl_u16(low, vget_low_u16(a), vget_low_u16(h->taps[0]));
    high = vmlsl_high_u16(high, a, h->taps[0]);
    low = vmlsl_u16(low, vget_low_u16(d), vget_low_u16(h->taps[3]));
    high = vmlsl_high_u16(high, d, h->taps[3]);
    const int16x8_t v = vmovl_s8(vertical);
    sum[0] = vmlaq_s32(sum[0], vreinterpretq_s32_u32(low), vmovl_s16(vget_low_s16(v)));
    sum[1] = vmlaq_s32(sum[1], vreinterpretq_s32_u32(high), vmovl_high_s16(v));
}

// Samples i + 8·part … i + 8·part + 7 of a group that begins at i.
static inline __attribute__((always_inline)) void warp_window(uint16_t *dst, const warp_row *r, const group *g,
                                                              const window *w, uint8x16x4_t h, uint8x16x4_t v, int i,
                                                              int part, int maximum)
{
    const ptrdiff_t stride = r->stride;
    const uint16_t *p = (const uint16_t *)r->origin + w->row * stride + w->column;
    horizontal across;
    const int16x8_t first = vsubq_s16(g->column[part], vdupq_n_s16((int16_t)(w->column + 1 - r->x0 - i)));
    across.samples[0] = vreinterpretq_u8_s16(vmlaq_s16(vdupq_n_s16(0x0100), first, vdupq_n_s16(0x0202)));
    for (int k = 1; k < 4; k++) across.samples[k] = vaddq_u8(across.samples[0], vdupq_n_u8((uint8_t)(2 * k)));
    for (int k = 0; k < 4; k++) {
        const uint8x16_t taps = k == 0 || k == 3 ? magnitudes(h.val[k]) : h.val[k];
        across.taps[k] = part ? vmovl_high_u8(taps) : vmovl_u8(vget_low_u8(taps));
    }
    int32x4_t sum[2] = {vdupq_n_s32(0), vdupq_n_s32(0)};
    if (w->more_rows == 0) {
        for (int k = 0; k < 4; k++) {
            const int8x16_t taps = vreinterpretq_s8_u8(v.val[k]);
            add_row(sum, p + k * stride, &across, part ? vget_high_s8(taps) : vget_low_s8(taps));
        }
    } else {
        const int16x8_t below = vsubq_s16(g->row[part], vdupq_n_s16((int16_t)(w->row + 1 - r->y)));
        const uint8x16_t all = first_row_taps(lower_bytes(below, below));
        uint8x8_t taps = part ? vget_high_u8(all) : vget_low_u8(all);
        for (int k = 0; k < 4 + w->more_rows; k++, taps = vadd_u8(taps, vdup_n_u8(16)))
            add_row(sum, p + k * stride, &across, vreinterpret_s8_u8(vqtbl4_u8(v, taps)));
    }
    store8(dst, sum[0], sum[1], maximum);
}

// Returns whether the samples from i to i + 7 and from i + 8 to i + 15 read from a window each, and if so, warps them.
static inline __attribute__((always_inline)) int warp_two_windows(uint16_t *dst, const warp_row *r, int i, int maximum)
{
    const group g = group_at(r, i);
    window first, second;
    if (!find_window(r, i, g.column[0], g.column[0], g.row[0], g.row[0], WINDOW, &first)
        || !find_window(r, i, g.column[1], g.column[1], g.row[1], g.row[1], WINDOW, &second))
        return 0;
    const uint8x16x4_t h = taps_of(&r->taps, g.fx), v = taps_of(&r->taps, g.fy);
    warp_window(dst, r, &g, &first, h, v, i, 0, maximum);
    warp_window(dst + 8, r, &g, &second, h, v, i, 1, maximum);
    return 1;
}

// Warps groups of sixteen samples from i on, up to one that does not read from windows or may begin a run; returns how
// many samples these are. A function of its own, so that the tables stay in registers.
static __attribute__((noinline)) int warp_windows(uint16_t *dst, const warp_row *r, int i, int count, int maximum)
{
    const warp_row row = *r;
    int n = 0;
    do {
        if (!warp_two_windows(dst + n, &row, i + n, maximum)) return n;
        n += 16;
    } while (i + n + 16 <= count && !may_be_uniform(row.vx + i + n, row.vy + i + n));
    return n;
}

// All other motion: eight samples, one by one.

// Four products of the sample at `p`, the sum of which is the result. `v` are the magnitudes of the taps of two
// samples.
#define PRODUCTS(p, h, v, of)                                                                               \
    vmulq_s32(vreinterpretq_s32_u32(vmlsl_laneq_u16(                                                        \
                  vmlsl_laneq_u16(vmlal_laneq_u16(vmull_laneq_u16(vld1_u16((p) + stride), v, 4 * (of) + 1), \
                                                  vld1_u16((p) + 2 * stride), v, 4 * (of) + 2),             \
                                  vld1_u16(p), v, 4 * (of)),                                                \
                  vld1_u16((p) + 3 * stride), v, 4 * (of) + 3)),                                            \
              h)

// The results of four samples.
static inline int32x4_t four_samples(const uint16_t *corner, ptrdiff_t stride, const int32_t *offset, uint8x16_t h_taps,
                                     uint8x16_t v_taps)
{
    const int16x8_t h01 = vmovl_s8(vget_low_s8(vreinterpretq_s8_u8(h_taps)));
    const int16x8_t h23 = vmovl_high_s8(vreinterpretq_s8_u8(h_taps));
    const uint8x16_t v = magnitudes(v_taps);
    const uint16x8_t v01 = vmovl_u8(vget_low_u8(v)), v23 = vmovl_high_u8(v);
    const int32x4_t a = PRODUCTS(corner + offset[0], vmovl_s16(vget_low_s16(h01)), v01, 0);
    const int32x4_t b = PRODUCTS(corner + offset[1], vmovl_high_s16(h01), v01, 1);
    const int32x4_t c = PRODUCTS(corner + offset[2], vmovl_s16(vget_low_s16(h23)), v23, 0);
    const int32x4_t d = PRODUCTS(corner + offset[3], vmovl_high_s16(h23), v23, 1);
    return vpaddq_s32(vpaddq_s32(a, b), vpaddq_s32(c, d));
}

static inline void warp_eight(uint16_t *dst, const warp_row *r, int i, const int16_t *vx, const int16_t *vy,
                              int maximum)
{
    const ptrdiff_t stride = r->stride;
    const uint16_t *corner = (const uint16_t *)r->origin - 1 - stride;
    const plan plan = plan_of(r, i, vx, vy);
    const by_sample h = horizontal_taps(plan.taps), v = vertical_taps(plan.taps);
    store8(dst, four_samples(corner, stride, plan.offset, h.four[0], v.four[0]),
           four_samples(corner, stride, plan.offset + 4, h.four[1], v.four[1]), maximum);
}

void vfx_warp_row_16_neon(void *dst_, const vfx_warp_source *src, int x0, int y, int count, const int16_t *vx,
                          const int16_t *vy, int scale, int maximum)
{
    uint16_t *dst = dst_;
    const warp_row r = start_row(src, x0, y, vx, vy, scale, WINDOW);
    if (count < 8) {
        // Positions are clamped, so eight samples can always be read.
        int16_t x[8] = {0}, z[8] = {0};
        uint16_t samples[8];
        memcpy(x, vx, (size_t)count * sizeof *x);
        memcpy(z, vy, (size_t)count * sizeof *z);
        warp_eight(samples, &r, 0, x, z, maximum);
        memcpy(dst, samples, (size_t)count * sizeof *samples);
        return;
    }
    const int group = count < 16 ? 8 : 16;
    for (int i = 0;;) {
        int n = uniform_run(src, x0 + i, y, count - i, vx + i, vy + i, scale);
        if (n > 0) {
            warp_run(dst + i, src, position_of(x0 + i, vx[i], scale), position_of(y, vy[i], scale), n, maximum);
        } else {
            if (group == 16 && r.has_windows) n = warp_windows(dst + i, &r, i, count, maximum);
            if (n == 0)
                for (; n < group; n += 8) warp_eight(dst + i + n, &r, i + n, vx + i + n, vy + i + n, maximum);
        }
        i += n;
        if (i >= count) return;
        if (i > count - group) i = count - group;
    }
}
#endif
