// Code shared by the 8-bit and 16-bit NEON versions.
#include "../arm/arm.h"
#include <arm_neon.h>
#include <string.h>

// Of the four taps, the outer ones are never positive and the inner ones never negative. Samples are unsigned, so they
// are multiplied by the magnitudes, and the outer products are subtracted.

/// vfx_cubic_taps by tap: tap k of all 32 fractions.
typedef struct tap_tables {
    uint8x16x2_t tap[4];
} tap_tables;

static inline tap_tables tap_tables_of_taps(void)
{
    const int8x16x4_t low = vld4q_s8(vfx_cubic_taps[0]), high = vld4q_s8(vfx_cubic_taps[16]);
    tap_tables t;
    for (int k = 0; k < 4; k++)
        t.tap[k] = (uint8x16x2_t){{vreinterpretq_u8_s8(low.val[k]), vreinterpretq_u8_s8(high.val[k])}};
    return t;
}

/// The four taps of 16 fractions, one register for each tap.
static inline uint8x16x4_t taps_of(const tap_tables *t, uint8x16_t fractions)
{
    return (uint8x16x4_t){{vqtbl2q_u8(t->tap[0], fractions), vqtbl2q_u8(t->tap[1], fractions),
                           vqtbl2q_u8(t->tap[2], fractions), vqtbl2q_u8(t->tap[3], fractions)}};
}

static inline uint8x16_t magnitudes(uint8x16_t taps)
{
    return vreinterpretq_u8_s8(vabsq_s8(vreinterpretq_s8_u8(taps)));
}

static inline int position_of(int at, int v, int scale) { return at * 32 + ((v * scale + 8192) >> 14); }

static inline int may_be_uniform(const int16_t *vx, const int16_t *vy) { return vx[0] == vx[15] && vy[0] == vy[15]; }

/// Returns the length of the run of samples, starting with the first, that have the same vector and source positions
/// inside the plane and its margin; 0 if the run is shorter than 16.
static inline int uniform_run(const vfx_warp_source *src, int x, int y, int count, const int16_t *vx, const int16_t *vy,
                              int scale)
{
    if (count < 16 || !may_be_uniform(vx, vy)) return 0;
    const int near = -src->margin * 32, px = position_of(x, *vx, scale), py = position_of(y, *vy, scale);
    if (px < near || py < near || py > (src->height - 1 + src->margin) * 32) return 0;
    const int room = (((src->width - 1 + src->margin) * 32 - px) >> 5) + 1, most = count < room ? count : room;
    const int16x8_t same_x = vdupq_n_s16(*vx), same_y = vdupq_n_s16(*vy);
    int n = 0;
    for (; n + 16 <= most; n += 16) {
        const int16x8_t a = veorq_s16(vld1q_s16(vx + n), same_x), b = veorq_s16(vld1q_s16(vx + n + 8), same_x);
        const int16x8_t c = veorq_s16(vld1q_s16(vy + n), same_y), d = veorq_s16(vld1q_s16(vy + n + 8), same_y);
        const int16x8_t differs = vorrq_s16(vorrq_s16(a, b), vorrq_s16(c, d));
        if (vmaxvq_u32(vreinterpretq_u32_s16(differs)) != 0) break;
    }
    if (n == 0) return 0;
    while (n < most && vx[n] == *vx && vy[n] == *vy) n++;
    return n;
}

typedef struct warp_row {
    const void *origin;
    ptrdiff_t stride;
    int near, right, bottom; // limits of positions, in 1/32 sample
    int x0, y;
    const int16_t *vx, *vy;
    int scale;
    tap_tables taps;
    // For groups of samples that read from a few rows and a window of columns, which is possible if `has_windows`:
    // whole source positions from (first, first) to (last_x, last_y) are not clamped, also with a fraction.
    int has_windows, first, last_x, last_y;
    int last_window; // the rightmost column where a window may begin
    // Twice the scale, for the doubling multiplication. Twice 16384 does not fit into 16 bits: for that scale, this is
    // 0, and unscaled vectors are added, multiplied by `is_unscaled`, which is 1 (0 for other scales).
    int16x8_t twice_scale, is_unscaled;
} warp_row;

enum { MOST_APART = 4 }; // whole rows between the positions of a group

static inline warp_row start_row(const vfx_warp_source *src, int x0, int y, const int16_t *vx, const int16_t *vy,
                                 int scale, int window)
{
    warp_row r = {.origin = src->origin, .stride = src->stride, .x0 = x0, .y = y, .vx = vx, .vy = vy, .scale = scale};
    r.taps = tap_tables_of_taps();
    r.near = -src->margin * 32;
    r.right = (src->width - 1 + src->margin) * 32;
    r.bottom = (src->height - 1 + src->margin) * 32;
    r.first = -src->margin;
    r.last_x = src->width + src->margin - 2;
    r.last_y = src->height + src->margin - 2;
    r.last_window = src->width + src->margin + 2 - window;
    // The product of −16384 and −32768, doubled twice, would saturate.
    r.has_windows = scale > -16384 && scale <= 16384 && r.last_window >= r.first - 1;
    r.twice_scale = vdupq_n_s16((int16_t)(scale == 16384 ? 0 : 2 * scale));
    r.is_unscaled = vdupq_n_s16(scale == 16384);
    return r;
}

/// Source positions of sixteen samples, relative to that of the first one without motion.
typedef struct group {
    int16x8_t column[2], row[2]; // whole positions
    uint8x16_t fx, fy; // fractions
} group;

static inline int16x8_t scaled(const warp_row *r, const int16_t *v)
{
    const int16x8_t all = vld1q_s16(v);
    return vmlaq_s16(vqrdmulhq_s16(all, r->twice_scale), all, r->is_unscaled);
}

/// The lower bytes of sixteen numbers.
static inline uint8x16_t lower_bytes(int16x8_t a, int16x8_t b)
{
    return vuzp1q_u8(vreinterpretq_u8_s16(a), vreinterpretq_u8_s16(b));
}

static inline group group_at(const warp_row *r, int i)
{
    static const int16_t lane[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const int16x8_t x0 = scaled(r, r->vx + i), x1 = scaled(r, r->vx + i + 8);
    const int16x8_t y0 = scaled(r, r->vy + i), y1 = scaled(r, r->vy + i + 8);
    const uint8x16_t fraction = vdupq_n_u8(31);
    group g;
    g.column[0] = vsraq_n_s16(vld1q_s16(lane), x0, 5);
    g.column[1] = vsraq_n_s16(vld1q_s16(lane + 8), x1, 5);
    g.row[0] = vshrq_n_s16(y0, 5);
    g.row[1] = vshrq_n_s16(y1, 5);
    g.fx = vandq_u8(lower_bytes(x0, x1), fraction);
    g.fy = vandq_u8(lower_bytes(y0, y1), fraction);
    return g;
}

/// Where a group reads: `column` and `row` of its first sample in the plane, and how many more rows than four.
typedef struct window {
    int column, row, more_rows;
} window;

/// Returns whether samples whose whole positions are between the given ones, relative to sample i, read from a window
/// `columns` wide, and none of them is clamped.
static inline int find_window(const warp_row *r, int i, int16x8_t column_low, int16x8_t column_high, int16x8_t row_low,
                              int16x8_t row_high, int columns, window *w)
{
    const int x = r->x0 + i, x_low = x + vminvq_s16(column_low), x_high = x + vmaxvq_s16(column_high);
    const int y_low = r->y + vminvq_s16(row_low), y_high = r->y + vmaxvq_s16(row_high);
    w->column = x_low - 1 < r->last_window ? x_low - 1 : r->last_window;
    w->row = y_low - 1;
    w->more_rows = y_high - y_low;
    // One of these is negative if the positions are outside or too far apart.
    return ((x_low - r->first) | (r->last_x - x_high) | (y_low - r->first) | (r->last_y - y_high)
            | (MOST_APART - w->more_rows) | (w->column + columns - 3 - x_high))
           >= 0;
}

/// For the rows of a window, indices of the vertical taps among those of taps_of(): tap 0 in the row where a sample
/// begins, and so on. Indices outside, which give 0, belong to the rows above and below.
static inline uint8x16_t first_row_taps(uint8x16_t rows_below)
{
    static const uint8_t lane[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return vsubq_u8(vld1q_u8(lane), vshlq_n_u8(rows_below, 4));
}

/// Eight samples with positions of their own: offsets of the first of 4×4 samples from sample (−1, −1), and the taps of
/// both directions, horizontal ones in the lower halves.
typedef struct plan {
    int32_t offset[8];
    uint8x16x4_t taps;
} plan;

static inline int32x4_t positions(int32x4_t from, const int16x4_t v, int scale, int low, int high)
{
    const int32x4_t p = vaddq_s32(from, vrshrq_n_s32(vmulq_n_s32(vmovl_s16(v), scale), 14));
    return vminq_s32(vmaxq_s32(p, vdupq_n_s32(low)), vdupq_n_s32(high));
}

static inline plan plan_of(const warp_row *r, int i, const int16_t *vx_, const int16_t *vy_)
{
    static const int32_t step[] = {0, 32, 64, 96};
    const int16x8_t vx = vld1q_s16(vx_), vy = vld1q_s16(vy_);
    const int32x4_t from_x = vaddq_s32(vld1q_s32(step), vdupq_n_s32((r->x0 + i) * 32)), from_y = vdupq_n_s32(r->y * 32);
    const int32x4_t x0 = positions(from_x, vget_low_s16(vx), r->scale, r->near, r->right);
    const int32x4_t x1 = positions(vaddq_s32(from_x, vdupq_n_s32(128)), vget_high_s16(vx), r->scale, r->near, r->right);
    const int32x4_t y0 = positions(from_y, vget_low_s16(vy), r->scale, r->near, r->bottom);
    const int32x4_t y1 = positions(from_y, vget_high_s16(vy), r->scale, r->near, r->bottom);
    plan p;
    const int32x4_t stride = vdupq_n_s32((int)r->stride);
    vst1q_s32(p.offset, vmlaq_s32(vshrq_n_s32(x0, 5), vshrq_n_s32(y0, 5), stride));
    vst1q_s32(p.offset + 4, vmlaq_s32(vshrq_n_s32(x1, 5), vshrq_n_s32(y1, 5), stride));
    const int16x8_t x = vuzp1q_s16(vreinterpretq_s16_s32(x0), vreinterpretq_s16_s32(x1));
    const int16x8_t y = vuzp1q_s16(vreinterpretq_s16_s32(y0), vreinterpretq_s16_s32(y1));
    p.taps = taps_of(&r->taps, vandq_u8(lower_bytes(x, y), vdupq_n_u8(31)));
    return p;
}

/// The four taps of each of eight samples, side by side.
typedef struct by_sample {
    uint8x16_t four[2];
} by_sample;

static inline by_sample horizontal_taps(uint8x16x4_t t)
{
    const uint16x8_t outer = vreinterpretq_u16_u8(vzip1q_u8(t.val[0], t.val[1]));
    const uint16x8_t inner = vreinterpretq_u16_u8(vzip1q_u8(t.val[2], t.val[3]));
    return (by_sample){{vreinterpretq_u8_u16(vzip1q_u16(outer, inner)),
                        vreinterpretq_u8_u16(vzip2q_u16(outer, inner))}};
}

static inline by_sample vertical_taps(uint8x16x4_t t)
{
    const uint16x8_t outer = vreinterpretq_u16_u8(vzip2q_u8(t.val[0], t.val[1]));
    const uint16x8_t inner = vreinterpretq_u16_u8(vzip2q_u8(t.val[2], t.val[3]));
    return (by_sample){{vreinterpretq_u8_u16(vzip1q_u16(outer, inner)),
                        vreinterpretq_u8_u16(vzip2q_u16(outer, inner))}};
}
