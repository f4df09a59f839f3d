#include "../arm/arm.h"
#if defined(__aarch64__)
#pragma STDC FP_CONTRACT OFF
#include "../arm/bilinear_neon.h"
#include "../arm/vector_field_neon.h"
#include "flow_cells.h"

// 16 samples of an upper and a lower row in the order of four tiles.
static inline uint8x16x2_t tiles_of(uint8x16_t upper, uint8x16_t lower)
{
    const uint32x4_t u = vreinterpretq_u32_u8(upper), l = vreinterpretq_u32_u8(lower);
    return (uint8x16x2_t){{vreinterpretq_u8_u32(vzip1q_u32(u, l)), vreinterpretq_u8_u32(vzip2q_u32(u, l))}};
}

static inline void store_slopes(int16_t *out, uint8x16x2_t a, uint8x16x2_t b)
{
    for (int i = 0; i < 2; i++, out += 16) {
        const uint16x8_t first = vsubl_u8(vget_low_u8(a.val[i]), vget_low_u8(b.val[i]));
        vst1q_s16(out, vreinterpretq_s16_u16(first));
        vst1q_s16(out + 8, vreinterpretq_s16_u16(vsubl_high_u8(a.val[i], b.val[i])));
    }
}

// One half of four tiles: two rows of 16 samples.
static inline void four_tiles(const uint8_t *p, ptrdiff_t stride, int16_t *out, ptrdiff_t plane)
{
    const uint8_t *q = p + stride;
    const uint8x16_t upper = vld1q_u8(p), lower = vld1q_u8(q);
    store_slopes(out, tiles_of(vld1q_u8(p + 1), vld1q_u8(q + 1)), tiles_of(vld1q_u8(p - 1), vld1q_u8(q - 1)));
    store_slopes(out + plane, tiles_of(lower, vld1q_u8(q + stride)), tiles_of(vld1q_u8(p - stride), upper));
    const uint8x16x2_t samples = tiles_of(upper, lower);
    for (int i = 0; i < 2; i++) {
        int16_t *to = out + 2 * plane + 16 * i;
        vst1q_s16(to, vreinterpretq_s16_u16(vshll_n_u8(vget_low_u8(samples.val[i]), 4)));
        vst1q_s16(to + 8, vreinterpretq_s16_u16(vshll_high_n_u8(samples.val[i], 4)));
    }
}

void vfx_flow_tiles_row_neon(const uint8_t *src, ptrdiff_t stride, int tiles, int16_t *out)
{
    if (tiles < 4) {
        vfx_flow_tiles_row_c(src, stride, tiles, out);
        return;
    }
    const ptrdiff_t plane = 8 * tiles;
    for (int half = 0; half < 2; half++, src += 2 * stride, out += 3 * plane)
        for (int tile = 0; tile < tiles; tile += 4) {
            // The last four tiles may overlap those before.
            const int first = tile < tiles - 4 ? tile : tiles - 4;
            four_tiles(src + 4 * first, stride, out + 8 * first, plane);
        }
}

// Sums over the two tiles of a column, in lanes.
typedef struct column_sums {
    int32x4_t xx, xy, yy;
    int16x8_t x, y;
} column_sums;

static inline column_sums sums_of_column(const vfx_flow_tiles *tiles, ptrdiff_t plane, int x)
{
    const int16_t *halves[4] = {tiles->upper + 8 * x, tiles->upper + 3 * plane + 8 * x, tiles->lower + 8 * x,
                                tiles->lower + 3 * plane + 8 * x};
    column_sums s = {vdupq_n_s32(0), vdupq_n_s32(0), vdupq_n_s32(0), vdupq_n_s16(0), vdupq_n_s16(0)};
#pragma clang loop unroll(full)
    for (int i = 0; i < 4; i++) {
        const int16x8_t gx = vld1q_s16(halves[i]), gy = vld1q_s16(halves[i] + plane);
        s.xx = vmlal_high_s16(vmlal_s16(s.xx, vget_low_s16(gx), vget_low_s16(gx)), gx, gx);
        s.xy = vmlal_high_s16(vmlal_s16(s.xy, vget_low_s16(gx), vget_low_s16(gy)), gx, gy);
        s.yy = vmlal_high_s16(vmlal_s16(s.yy, vget_low_s16(gy), vget_low_s16(gy)), gy, gy);
        s.x = vaddq_s16(s.x, gx);
        s.y = vaddq_s16(s.y, gy);
    }
    return s;
}

static inline int32x4_t sum4_x4(int32x4_t a, int32x4_t b, int32x4_t c, int32x4_t d)
{
    return vpaddq_s32(vpaddq_s32(a, b), vpaddq_s32(c, d));
}

static inline int32x4_t sum8_x4(int16x8_t a, int16x8_t b, int16x8_t c, int16x8_t d)
{
    return vpaddlq_s16(vpaddq_s16(vpaddq_s16(a, b), vpaddq_s16(c, d)));
}

// The sums of four columns of tiles, in the order of equations.
typedef struct sums4 { int32x4_t of[5]; } sums4;

static inline sums4 sums_of_4(column_sums a, column_sums b, column_sums c, column_sums d)
{
    return (sums4){{sum4_x4(a.xx, b.xx, c.xx, d.xx), sum4_x4(a.xy, b.xy, c.xy, d.xy), sum4_x4(a.yy, b.yy, c.yy, d.yy),
                    sum8_x4(a.x, b.x, c.x, d.x), sum8_x4(a.y, b.y, c.y, d.y)}};
}

// Sums of the rows of a cell, of which the first and the sixth are of the samples at the inner corners of its tiles.
static inline int16x8_t corners(const int16_t *upper, const int16_t *lower)
{
    return vaddq_s16(vld1q_s16(upper), vld1q_s16(lower));
}

static inline int16x8_t zip_pairs(int16x8_t a, int16x8_t b)
{
    return vreinterpretq_s16_s32(vzip1q_s32(vreinterpretq_s32_s16(a), vreinterpretq_s32_s16(b)));
}

// The brightness of four cells.
static inline float32x4_t brightness4(const int16_t *upper, const int16_t *lower)
{
    const int16x8_t a = corners(upper, lower), b = corners(upper + 8, lower + 8);
    const int16x8_t c = corners(upper + 16, lower + 16), d = corners(upper + 24, lower + 24);
    // The first of each, then the second; the fifth of each, then the sixth.
    const int16x8_t first = zip_pairs(vzip1q_s16(a, b), vzip1q_s16(c, d));
    const int16x8_t fifth = zip_pairs(vzip2q_s16(a, b), vzip2q_s16(c, d));
    // Sums of four samples in 1/16.
    return vcvtq_n_f32_s32(vaddl_s16(vget_low_s16(first), vget_high_s16(fifth)), 6);
}

void vfx_flow_prepare_row_neon(const vfx_flow_tiles *tiles, int columns, float *equations, float *brightness,
                               float *support)
{
    if (columns < 4) {
        vfx_flow_prepare_row_c(tiles, columns, equations, brightness, support);
        return;
    }
    const ptrdiff_t plane = 8 * (columns + 1);
    // From the last sample of the first tile: in the lower row of the upper tiles, in the upper row of the lower tiles.
    const int16_t *upper = tiles->upper + 5 * plane + 7, *lower = tiles->lower + 2 * plane + 3;
    // A patch consists of two columns of tiles, so each column is summed once for both patches that contain it. The
    // last lane of `before` is the column of cell x.
    const column_sums first = sums_of_column(tiles, plane, 0);
    sums4 before = sums_of_4(first, first, first, first);
    for (int x = 0; x < columns; x += 4) {
        if (x + 4 > columns) {
            // The last four cells overlap those before.
            x = columns - 4;
            const column_sums own = sums_of_column(tiles, plane, x);
            before = sums_of_4(own, own, own, own);
        }
        const sums4 sums = sums_of_4(sums_of_column(tiles, plane, x + 1), sums_of_column(tiles, plane, x + 2),
                                     sums_of_column(tiles, plane, x + 3), sums_of_column(tiles, plane, x + 4));
        for (int i = 0; i < 5; i++) {
            const int32x4_t both = vaddq_s32(vextq_s32(before.of[i], sums.of[i], 3), sums.of[i]);
            vst1q_f32(equations + i * columns + x, vcvtq_f32_s32(both));
        }
        before = sums;
        vst1q_f32(brightness + x, brightness4(upper + 8 * x, lower + 8 * x));
    }
    vfx_flow_normalise(equations, support, columns);
}

// Eight cells. Components in the upper half of a lane are 65536 times as large; scaling by powers of two is part of the
// conversion.
static inline void load8(const vfx_motion_vector *restrict vectors, const uint32_t *restrict costs, float *restrict vx,
                         float *restrict vy, float *restrict difference)
{
    for (int i = 0; i < 8; i += 4) {
        const int32x4_t v = vreinterpretq_s32_s16(vld1q_s16(&vectors[i].x));
        vst1q_f32(vx + i, vcvtq_n_f32_s32(vshlq_n_s32(v, 16), 21));
        vst1q_f32(vy + i, vcvtq_n_f32_s32(vshrq_n_s32(v, 16), 5));
        vst1q_f32(difference + i, vcvtq_n_f32_s32(vreinterpretq_s32_u32(vld1q_u32(costs + i)), 6));
    }
}

void vfx_flow_load_row_neon(const vfx_motion_vector *restrict vectors, const uint32_t *restrict costs,
                            float *restrict vx, float *restrict vy, float *restrict difference, int columns)
{
    if (columns < 8) {
        vfx_flow_load_row_c(vectors, costs, vx, vy, difference, columns);
        return;
    }
    const int rest = (columns - 1) % 8 - 7; // the last eight may overlap those before
    for (int left = columns; left > 8; left -= 8, vectors += 8, costs += 8, vx += 8, vy += 8, difference += 8)
        load8(vectors, costs, vx, vy, difference);
    load8(vectors + rest, costs + rest, vx + rest, vy + rest, difference + rest);
}

// Eight values in 1/32, rounded as in C: half of the value's sign is added, which is not the same as the rounding
// conversion just below a half.
static inline int16x8_t fixed_point8(const float *p)
{
    const uint32x4_t sign = vdupq_n_u32(1u << 31);
    const float32x4_t half = vdupq_n_f32(0.5f);
    const float32x4_t a = vmulq_n_f32(vld1q_f32(p), 32), b = vmulq_n_f32(vld1q_f32(p + 4), 32);
    const int32x4_t low = vcvtq_s32_f32(vaddq_f32(a, vbslq_f32(sign, a, half)));
    const int32x4_t high = vcvtq_s32_f32(vaddq_f32(b, vbslq_f32(sign, b, half)));
    // Conversions saturate, so larger values reach the limit too.
    const int16x8_t v = vqmovn_high_s32(vqmovn_s32(low), high);
    return vmaxq_s16(vminq_s16(v, vdupq_n_s16(32256)), vdupq_n_s16(-32256));
}

static inline void store8(const float *restrict vx, const float *restrict vy, const float *restrict difference,
                          vfx_motion_vector *restrict vectors, uint32_t *restrict costs)
{
    const int16x8x2_t v = {{fixed_point8(vx), fixed_point8(vy)}};
    vst2q_s16(&vectors->x, v);
    for (int i = 0; i < 8; i += 4)
        vst1q_u32(costs + i, vreinterpretq_u32_s32(vcvtq_n_s32_f32(vld1q_f32(difference + i), 6)));
}

void vfx_flow_store_row_neon(const float *restrict vx, const float *restrict vy, const float *restrict difference,
                             vfx_motion_vector *restrict vectors, uint32_t *restrict costs, int columns)
{
    if (columns < 8) {
        vfx_flow_store_row_c(vx, vy, difference, vectors, costs, columns);
        return;
    }
    const int rest = (columns - 1) % 8 - 7; // the last eight may overlap those before
    for (int left = columns; left > 8; left -= 8, vx += 8, vy += 8, difference += 8, vectors += 8, costs += 8)
        store8(vx, vy, difference, vectors, costs);
    store8(vx + rest, vy + rest, difference + rest, vectors + rest, costs + rest);
}

typedef struct residual_sums {
    int32x4_t dx, dy;
    int16x8_t d, abs; // eight terms of at most 4080 in each lane
} residual_sums;

// Adds two rows of a tile, whose sums are at `tile`.
static inline void add_half_tile(residual_sums *s, int16x8_t samples, const int16_t *tile, ptrdiff_t plane)
{
    const int16x8_t gx = vld1q_s16(tile), gy = vld1q_s16(tile + plane), own = vld1q_s16(tile + 2 * plane);
    const int16x8_t e = vsubq_s16(samples, own);
    s->dx = vmlal_high_s16(vmlal_s16(s->dx, vget_low_s16(e), vget_low_s16(gx)), e, gx);
    s->dy = vmlal_high_s16(vmlal_s16(s->dy, vget_low_s16(e), vget_low_s16(gy)), e, gy);
    s->d = vaddq_s16(s->d, e);
    s->abs = vabaq_s16(s->abs, samples, own);
}

static inline int32x4_t residual(const int16_t *upper, const int16_t *lower, ptrdiff_t plane, vfx_flow_counterpart b,
                                 ptrdiff_t stride)
{
    const int16_t *halves[4] = {upper, upper + 3 * plane, lower, lower + 3 * plane};
    const vfx_bilinear_weights w = vfx_bilinear_weights_of(b.fx, b.fy);
    residual_sums s = {vdupq_n_s32(0), vdupq_n_s32(0), vdupq_n_s16(0), vdupq_n_s16(0)};
    // Hides where the pointer comes from: the compiler would compute each row's address by a multiplication.
    const uint8_t *p = b.first;
    __asm__("" : "+r"(p));
    int16x8_t above = vfx_bilinear_row(p, w);
#pragma clang loop unroll(full)
    for (int i = 0; i < 4; i++, p += 2 * stride) {
        const int16x8_t middle = vfx_bilinear_row(p + stride, w), below = vfx_bilinear_row(p + 2 * stride, w);
        const int64x2_t first = vreinterpretq_s64_s16(vfx_bilinear_rows(above, middle, w));
        const int64x2_t second = vreinterpretq_s64_s16(vfx_bilinear_rows(middle, below, w));
        add_half_tile(&s, vreinterpretq_s16_s64(vzip1q_s64(first, second)), halves[i], plane);
        add_half_tile(&s, vreinterpretq_s16_s64(vzip2q_s64(first, second)), halves[i] + 8, plane);
        above = below;
    }
    return sum4_x4(s.dx, s.dy, vpaddlq_s16(s.d), vpaddlq_s16(s.abs));
}

void vfx_flow_measure_row_neon(const vfx_flow_tiles *tiles, const vfx_warp_source *target, int y, int columns,
                               const float *vx, const float *vy, vfx_flow_residual *residuals, float *sampled)
{
    const ptrdiff_t plane = 8 * (columns + 1);
    vfx_flow_positions(target, y, columns, vx, vy, sampled);
    for (int x = 0; x < columns; x++) {
        const vfx_flow_counterpart b = vfx_flow_counterpart_of(target, x, y, sampled, columns);
        vst1q_s32(&residuals[x].dx, residual(tiles->upper + 8 * x, tiles->lower + 8 * x, plane, b, target->stride));
    }
}

// Squares of the lengths of four errors, limited to 32 bits; a component is limited to 65535.
static inline uint32x4_t squares4(int16x4x2_t v, const vfx_motion_vector *back, int columns, int rows, int x, int y)
{
    static const int32_t lanes[4] = {0, 128, 256, 384};
    const int32x4_t from_x = vaddq_s32(vdupq_n_s32(x * 128), vld1q_s32(lanes));
    const vfx_vectors4 there = vfx_sample_field4(back, columns, rows, vaddw_s16(from_x, v.val[0]),
                                                 vaddw_s16(vdupq_n_s32(y * 128), v.val[1]));
    const uint16x4_t ex = vqmovn_u32(vreinterpretq_u32_s32(vabsq_s32(vaddw_s16(there.x, v.val[0]))));
    const uint16x4_t ey = vqmovn_u32(vreinterpretq_u32_s32(vabsq_s32(vaddw_s16(there.y, v.val[1]))));
    return vqaddq_u32(vmull_u16(ex, ex), vmull_u16(ey, ey));
}

// Square roots in single precision, rounded down and limited to 65535. Rounding on the way may increase them to a whole
// number, but does not decrease one.
static inline uint32x4_t root4(uint32x4_t squares) { return vcvtq_u32_f32(vsqrtq_f32(vcvtq_f32_u32(squares))); }

static inline uint16x8_t errors8(const vfx_motion_vector *vectors, const vfx_motion_vector *back, int columns, int rows,
                                 int x, int y)
{
    const uint32x4_t low = squares4(vfx_load_vectors4(vectors), back, columns, rows, x, y);
    const uint32x4_t high = squares4(vfx_load_vectors4(vectors + 4), back, columns, rows, x + 4, y);
    const uint16x8_t root = vqmovn_high_u32(vqmovn_u32(root4(low)), root4(high));
    const uint32x4_t too_large = vcgtq_u32(vmull_u16(vget_low_u16(root), vget_low_u16(root)), low);
    const uint32x4_t too_large_high = vcgtq_u32(vmull_high_u16(root, root), high);
    return vaddq_u16(root, vuzp1q_u16(vreinterpretq_u16_u32(too_large), vreinterpretq_u16_u32(too_large_high)));
}

void vfx_flow_consistency_row_neon(const vfx_motion_vector *vectors, const vfx_motion_vector *back, int columns,
                                   int rows, int y, uint16_t *errors)
{
    if (columns < 8) {
        vfx_motion_vector padded[8] = {{0, 0}};
        uint16_t found[8];
        for (int x = 0; x < columns; x++) padded[x] = vectors[x];
        vst1q_u16(found, errors8(padded, back, columns, rows, 0, y));
        for (int x = 0; x < columns; x++) errors[x] = found[x];
        return;
    }
    for (int x = 0; x < columns; x += 8) {
        const int first = x < columns - 8 ? x : columns - 8;
        vst1q_u16(errors + first, errors8(vectors + first, back, columns, rows, first, y));
    }
}
#endif
