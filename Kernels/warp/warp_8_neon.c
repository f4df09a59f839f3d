#include "../arm/arm.h"
#if defined(__aarch64__)
#include "warp_neon.h"
#include <stdlib.h>

enum { WINDOW = 32 }; // bytes of two registers, from which one table lookup reads

// The output: 8-bit samples, or with `wide` 16-bit ones with four more bits.
static inline uint16x8_t rounded(int32x4_t low, int32x4_t high, int maximum, int wide)
{
    const uint16x8_t v = wide ? vqrshrun_high_n_s32(vqrshrun_n_s32(low, 8), high, 8)
                              : vqrshrun_high_n_s32(vqrshrun_n_s32(low, 12), high, 12);
    return vminq_u16(v, vdupq_n_u16((uint16_t)maximum));
}

static inline void store8(uint8_t *dst, const int32x4_t sum[2], int maximum, int wide)
{
    const uint16x8_t words = rounded(sum[0], sum[1], maximum, wide);
    if (wide) vst1q_u16((uint16_t *)dst, words);
    else vst1_u8(dst, vmovn_u16(words));
}

static inline void store16(uint8_t *dst, const int32x4_t sum[4], int maximum, int wide)
{
    const uint16x8_t low = rounded(sum[0], sum[1], maximum, wide), high = rounded(sum[2], sum[3], maximum, wide);
    if (wide) {
        vst1q_u16((uint16_t *)dst, low);
        vst1q_u16((uint16_t *)dst + 8, high);
    } else {
        vst1q_u8(dst, vuzp1q_u8(vreinterpretq_u8_u16(low), vreinterpretq_u8_u16(high)));
    }
}

static inline void copy16(uint8_t *dst, const uint8_t *p, int maximum, int wide)
{
    const uint8x16_t bytes = vld1q_u8(p);
    if (wide) {
        const uint16x8_t most = vdupq_n_u16((uint16_t)maximum);
        vst1q_u16((uint16_t *)dst, vminq_u16(vshll_n_u8(vget_low_u8(bytes), 4), most));
        vst1q_u16((uint16_t *)dst + 8, vminq_u16(vshll_high_n_u8(bytes, 4), most));
    } else {
        vst1q_u8(dst, vminq_u8(bytes, vdupq_n_u8((uint8_t)maximum)));
    }
}

// Runs of equal vectors: source positions are contiguous, and all have the same fraction. They are filtered vertically
// first, so that neighbours share the sums.

// Vertical sums of eight columns; their magnitude is at most 84·255, which fits into 16 bits.
static inline int16x8_t eight_columns(const uint8_t *p, ptrdiff_t stride, const uint8x8_t v[4])
{
    uint16x8_t sum = vmull_u8(vld1_u8(p + stride), v[1]);
    sum = vmlal_u8(sum, vld1_u8(p + 2 * stride), v[2]);
    sum = vmlsl_u8(sum, vld1_u8(p), v[0]);
    return vreinterpretq_s16_u16(vmlsl_u8(sum, vld1_u8(p + 3 * stride), v[3]));
}

static inline int16x8x2_t sixteen_columns(const uint8_t *p, ptrdiff_t stride, const uint8x8_t v[4])
{
    const uint8x16_t a = vld1q_u8(p), b = vld1q_u8(p + stride);
    const uint8x16_t c = vld1q_u8(p + 2 * stride), d = vld1q_u8(p + 3 * stride);
    uint16x8_t low = vmull_u8(vget_low_u8(b), v[1]), high = vmull_high_u8(b, vcombine_u8(v[1], v[1]));
    low = vmlal_u8(low, vget_low_u8(c), v[2]);
    high = vmlal_high_u8(high, c, vcombine_u8(v[2], v[2]));
    low = vmlsl_u8(low, vget_low_u8(a), v[0]);
    high = vmlsl_high_u8(high, a, vcombine_u8(v[0], v[0]));
    low = vmlsl_u8(low, vget_low_u8(d), v[3]);
    high = vmlsl_high_u8(high, d, vcombine_u8(v[3], v[3]));
    return (int16x8x2_t){{vreinterpretq_s16_u16(low), vreinterpretq_s16_u16(high)}};
}

// Eight output samples from vertical sums: the last of these are `last`, the three before them end `before`.
static inline void filter_columns(int32x4_t sum[2], int16x8_t before, int16x8_t last, int16x4_t h)
{
    const int16x8_t a = vextq_s16(before, last, 5), b = vextq_s16(before, last, 6), c = vextq_s16(before, last, 7);
    sum[0] = vmull_lane_s16(vget_low_s16(a), h, 0);
    sum[1] = vmull_high_lane_s16(a, h, 0);
    sum[0] = vmlal_lane_s16(sum[0], vget_low_s16(b), h, 1);
    sum[1] = vmlal_high_lane_s16(sum[1], b, h, 1);
    sum[0] = vmlal_lane_s16(sum[0], vget_low_s16(c), h, 2);
    sum[1] = vmlal_high_lane_s16(sum[1], c, h, 2);
    sum[0] = vmlal_lane_s16(sum[0], vget_low_s16(last), h, 3);
    sum[1] = vmlal_high_lane_s16(sum[1], last, h, 3);
}

// Output samples 0 … n − 1 of a run whose source positions are inside the plane, n ≥ 16.
static inline __attribute__((always_inline)) void warp_run(uint8_t *dst, const vfx_warp_source *src, int px, int py,
                                                           int n, int maximum, int wide)
{
    const ptrdiff_t stride = src->stride;
    const uint8_t *p = (const uint8_t *)src->origin + (py >> 5) * stride + (px >> 5), *corner = p - 1 - stride;
    if (((px | py) & 31) == 0) {
        for (int i = 0; i < n; i += 16) {
            const int at = i < n - 16 ? i : n - 16;
            copy16(dst + ((ptrdiff_t)at << wide), p + at, maximum, wide);
        }
        return;
    }
    uint8x8_t v[4];
    for (int k = 0; k < 4; k++) v[k] = vdup_n_u8((uint8_t)abs(vfx_cubic_taps[py & 31][k]));
    const int8_t *taps = vfx_cubic_taps[px & 31];
    const int16x4_t h = {taps[0], taps[1], taps[2], taps[3]};
    for (int i = 0;;) {
        int16x8_t before = eight_columns(corner + i, stride, v);
        before = vextq_s16(before, before, 3);
        for (; i + 16 <= n; i += 16) {
            const int16x8x2_t columns = sixteen_columns(corner + i + 3, stride, v);
            int32x4_t sum[4];
            filter_columns(sum, before, columns.val[0], h);
            filter_columns(sum + 2, columns.val[0], columns.val[1], h);
            store16(dst + ((ptrdiff_t)i << wide), sum, maximum, wide);
            before = columns.val[1];
        }
        if (i >= n) return;
        i = n - 16;
    }
}

// Smooth motion: sixteen samples with vectors of their own, which read from a window. Loading a row at once and
// selecting samples from it is much cheaper than loading sample by sample.

typedef struct horizontal {
    uint8x16_t samples[4], taps[4]; // which bytes of the window; magnitudes
} horizontal;

static inline void add_row(int32x4_t sum[4], const uint8_t *p, const horizontal *h, uint8x16_t vertical)
{
    const uint8x16x2_t row = {{vld1q_u8(p), vld1q_u8(p + 16)}};
    const uint8x16_t a = vqtbl2q_u8(row, h->samples[0]), b = vqtbl2q_u8(row, h->samples[1]);
    const uint8x16_t c = vqtbl2q_u8(row, h->samples[2]), d = vqtbl2q_u8(row, h->samples[3]);
    uint16x8_t low = vmull_u8(vget_low_u8(b), vget_low_u8(h->taps[1])), high = vmull_high_u8(b, h->taps[1]);
    low = vmlal_u8(low, vget_low_u8(c), vget_low_u8(h->taps[2]));
    high = vmlal_high_u8(high, c, h->taps[2]);
    low = vmlsl_u8(low, vget_low_u8(a), vget_low_u8(h->taps[0]));
    high = vmlsl_high_u8(high, a, h->taps[0]);
    low = vmlsl_u8(low, vget_low_u8(d), vget_low_u8(h->taps[3]));
    high = vmlsl_high_u8(high, d, h->taps[3]);
    const int16x8_t s0 = vreinterpretq_s16_u16(low), s1 = vreinterpretq_s16_u16(high);
    const int8x16_t v = vreinterpretq_s8_u8(vertical);
    const int16x8_t v0 = vmovl_s8(vget_low_s8(v)), v1 = vmovl_high_s8(v);
    sum[0] = vmlal_s16(sum[0], vget_low_s16(s0), vget_low_s16(v0));
    sum[1] = vmlal_high_s16(sum[1], s0, v0);
    sum[2] = vmlal_s16(sum[2], vget_low_s16(s1), vget_low_s16(v1));
    sum[3] = vmlal_high_s16(sum[3], s1, v1);
}

// Returns whether the sixteen samples from i on read from a window, and if so, warps them.
static inline __attribute__((always_inline)) int warp_window(uint8_t *dst, const warp_row *r, int i, int maximum,
                                                             int wide)
{
    const group g = group_at(r, i);
    window w;
    if (!find_window(r, i, vminq_s16(g.column[0], g.column[1]), vmaxq_s16(g.column[0], g.column[1]),
                     vminq_s16(g.row[0], g.row[1]), vmaxq_s16(g.row[0], g.row[1]), WINDOW, &w))
        return 0;
    const uint8x16x4_t h = taps_of(&r->taps, g.fx), v = taps_of(&r->taps, g.fy);
    const ptrdiff_t stride = r->stride;
    const uint8_t *p = (const uint8_t *)r->origin + w.row * stride + w.column;
    horizontal across;
    const uint8_t first = (uint8_t)(w.column + 1 - r->x0 - i);
    across.samples[0] = vsubq_u8(lower_bytes(g.column[0], g.column[1]), vdupq_n_u8(first));
    for (int k = 1; k < 4; k++) across.samples[k] = vaddq_u8(across.samples[0], vdupq_n_u8((uint8_t)k));
    across.taps[0] = magnitudes(h.val[0]);
    across.taps[1] = h.val[1];
    across.taps[2] = h.val[2];
    across.taps[3] = magnitudes(h.val[3]);
    int32x4_t sum[4] = {vdupq_n_s32(0), vdupq_n_s32(0), vdupq_n_s32(0), vdupq_n_s32(0)};
    if (w.more_rows == 0) {
        for (int k = 0; k < 4; k++) add_row(sum, p + k * stride, &across, v.val[k]);
    } else {
        uint8x16_t taps = first_row_taps(vsubq_u8(lower_bytes(g.row[0], g.row[1]),
                                                  vdupq_n_u8((uint8_t)(w.row + 1 - r->y))));
        for (int k = 0; k < 4 + w.more_rows; k++, p += stride, taps = vaddq_u8(taps, vdupq_n_u8(16)))
            add_row(sum, p, &across, vqtbl4q_u8(v, taps));
    }
    store16(dst, sum, maximum, wide);
    return 1;
}

// Warps groups of sixteen samples from i on, up to one that does not read from a window or may begin a run; returns how
// many samples these are. A function of its own, so that the tables stay in registers.
#define WINDOWS(name, wide)                                                                                     \
    static __attribute__((noinline)) int name(uint8_t *dst, const warp_row *r, int i, int count, int maximum)   \
    {                                                                                                           \
        const warp_row row = *r;                                                                                \
        int n = 0;                                                                                              \
        do {                                                                                                    \
            if (!warp_window(dst + ((ptrdiff_t)n << (wide)), &row, i + n, maximum, wide)) return n;             \
            n += 16;                                                                                            \
        } while (i + n + 16 <= count && !may_be_uniform(row.vx + i + n, row.vy + i + n));                       \
        return n;                                                                                               \
    }

WINDOWS(warp_windows_8, 0)
WINDOWS(warp_windows_12, 1)

// All other motion: eight samples, one by one.

// Loads the 4×4 samples at position i into lane i % 4 of four rows.
#define LOAD(rows, i)                                                             \
    do {                                                                          \
        const uint8_t *p = corner + plan.offset[i];                               \
        for (int k = 0; k < 4; k++, p += stride) {                                \
            uint32_t four;                                                        \
            memcpy(&four, p, 4);                                                  \
            (rows)[k] = vsetq_lane_u32(four, (rows)[k], (i) % 4);                 \
        }                                                                         \
    } while (0)

// Sums of the products of samples minus 128, four for each position; the taps add up to 64.
static inline int16x8_t row_sums(uint32x4_t first, uint32x4_t last, const by_sample *taps)
{
    const uint8x16_t half = vdupq_n_u8(128);
    const int8x16_t a = vreinterpretq_s8_u8(veorq_u8(vreinterpretq_u8_u32(first), half));
    const int8x16_t b = vreinterpretq_s8_u8(veorq_u8(vreinterpretq_u8_u32(last), half));
    const int8x16_t t = vreinterpretq_s8_u8(taps->four[0]), u = vreinterpretq_s8_u8(taps->four[1]);
    const int16x8_t a2 = vpaddq_s16(vmull_s8(vget_low_s8(a), vget_low_s8(t)), vmull_high_s8(a, t));
    const int16x8_t b2 = vpaddq_s16(vmull_s8(vget_low_s8(b), vget_low_s8(u)), vmull_high_s8(b, u));
    return vpaddq_s16(a2, b2);
}

static inline void warp_eight(uint8_t *dst, const warp_row *r, int i, const int16_t *vx, const int16_t *vy, int maximum,
                              int wide)
{
    const ptrdiff_t stride = r->stride;
    const uint8_t *corner = (const uint8_t *)r->origin - 1 - stride;
    const plan plan = plan_of(r, i, vx, vy);
    uint32x4_t first[4], last[4];
    for (int k = 0; k < 4; k++) first[k] = last[k] = vdupq_n_u32(0);
    LOAD(first, 0);
    LOAD(first, 1);
    LOAD(first, 2);
    LOAD(first, 3);
    LOAD(last, 4);
    LOAD(last, 5);
    LOAD(last, 6);
    LOAD(last, 7);
    const by_sample h = horizontal_taps(plan.taps);
    int32x4_t sum[2] = {vdupq_n_s32(128 * 64 * 64), vdupq_n_s32(128 * 64 * 64)};
    for (int k = 0; k < 4; k++) {
        const int16x8_t s = row_sums(first[k], last[k], &h);
        const int16x8_t v = vmovl_high_s8(vreinterpretq_s8_u8(plan.taps.val[k]));
        sum[0] = vmlal_s16(sum[0], vget_low_s16(s), vget_low_s16(v));
        sum[1] = vmlal_high_s16(sum[1], s, v);
    }
    store8(dst, sum, maximum, wide);
}

static inline __attribute__((always_inline)) void warp(uint8_t *dst, const vfx_warp_source *src, int x0, int y,
                                                       int count, const int16_t *vx, const int16_t *vy, int scale,
                                                       int maximum, int wide)
{
    const warp_row r = start_row(src, x0, y, vx, vy, scale, WINDOW);
    if (count < 8) {
        // Positions are clamped, so eight samples can always be read.
        int16_t x[8] = {0}, z[8] = {0};
        uint16_t samples[8];
        memcpy(x, vx, (size_t)count * sizeof *x);
        memcpy(z, vy, (size_t)count * sizeof *z);
        warp_eight((uint8_t *)samples, &r, 0, x, z, maximum, wide);
        memcpy(dst, samples, (size_t)count << wide);
        return;
    }
    const int group = count < 16 ? 8 : 16;
    for (int i = 0;;) {
        uint8_t *to = dst + ((ptrdiff_t)i << wide);
        int n = uniform_run(src, x0 + i, y, count - i, vx + i, vy + i, scale);
        if (n > 0) {
            warp_run(to, src, position_of(x0 + i, vx[i], scale), position_of(y, vy[i], scale), n, maximum, wide);
        } else {
            if (group == 16 && r.has_windows) n = (wide ? warp_windows_12 : warp_windows_8)(to, &r, i, count, maximum);
            if (n == 0)
                for (; n < group; n += 8)
                    warp_eight(to + ((ptrdiff_t)n << wide), &r, i + n, vx + i + n, vy + i + n, maximum, wide);
        }
        i += n;
        if (i >= count) return;
        if (i > count - group) i = count - group;
    }
}

void vfx_warp_row_8_neon(void *dst, const vfx_warp_source *src, int x0, int y, int count, const int16_t *vx,
                         const int16_t *vy, int scale, int maximum)
{
    warp(dst, src, x0, y, count, vx, vy, scale, maximum, 0);
}

void vfx_warp_row_8_to_12_neon(void *dst, const vfx_warp_source *src, int x0, int y, int count, const int16_t *vx,
                               const int16_t *vy, int scale, int maximum)
{
    warp(dst, src, x0, y, count, vx, vy, scale, maximum, 1);
}
#endif
