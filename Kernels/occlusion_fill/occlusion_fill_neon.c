#include "../arm/arm.h"
#if defined(__aarch64__)
#include "../arm/lanes_neon.h"
#include "../arm/vector_field_neon.h"
#include "occlusion_fill_smooth.h"

// Whether eight positions are from 0 to below a limit.
static inline uint16x8_t inside(int32x4_t first, int32x4_t second, int16x8_t moved, uint32x4_t limit)
{
    const uint32x4_t low = vreinterpretq_u32_s32(vaddw_s16(first, vget_low_s16(moved)));
    const uint32x4_t high = vreinterpretq_u32_s32(vaddw_high_s16(second, moved));
    return vuzp1q_u16(vreinterpretq_u16_u32(vcltq_u32(low, limit)), vreinterpretq_u16_u32(vcltq_u32(high, limit)));
}

int vfx_fill_find_row_neon(const vfx_motion_vector *vectors, const uint16_t *errors, int y, int columns, int limit_x,
                           int limit_y, int tolerance, vfx_fill_hole *holes, int32_t *distance)
{
    static const int32_t centres[8] = {64, 192, 320, 448, 576, 704, 832, 960};
    const int32x4_t centre_y = vdupq_n_s32(128 * y + 64);
    const uint32x4_t width = vdupq_n_u32((uint32_t)(limit_x > 0 ? limit_x : 0));
    const uint32x4_t height = vdupq_n_u32((uint32_t)(limit_y > 0 ? limit_y : 0));
    const uint16x8_t most = vdupq_n_u16((uint16_t)(tolerance < 0 ? 0 : tolerance < 65535 ? tolerance : 65535));
    const uint16x8_t possible = vdupq_n_u16(tolerance < 0 ? 0 : UINT16_MAX), zero = vdupq_n_u16(0);
    const uint16x8_t unreached = vdupq_n_u16(VFX_FILL_UNREACHED >> 16);
    int32x4_t first = vld1q_s32(centres), second = vld1q_s32(centres + 4);
    int count = 0, x = 0;
    for (; x + 8 <= columns; x += 8) {
        const int16x8x2_t v = vfx_load_vectors8(vectors + x);
        const uint16x8_t within = vandq_u16(inside(first, second, v.val[0], width),
                                            inside(centre_y, centre_y, v.val[1], height));
        const uint16x8_t kept = vandq_u16(within, vandq_u16(vcleq_u16(vld1q_u16(errors + x), most), possible));
        const uint16x8_t upper = vbicq_u16(unreached, kept);
        vst1q_s32(distance + x, vreinterpretq_s32_u16(vzip1q_u16(zero, upper)));
        vst1q_s32(distance + x + 4, vreinterpretq_s32_u16(vzip2q_u16(zero, upper)));
        uint64_t left = ~vfx_lane_mask8(kept) & 0x0101010101010101;
        for (; left; left &= left - 1) {
            const int column = x + (__builtin_ctzll(left) >> 3);
            holes[count++] = (vfx_fill_hole){y * columns + column, (y + 1) * (columns + 2) + column + 1};
        }
        first = vaddq_s32(first, vdupq_n_s32(1024));
        second = vaddq_s32(second, vdupq_n_s32(1024));
    }
    for (; x < columns; x++) {
        const int end_x = 128 * x + 64 + vectors[x].x, end_y = 128 * y + 64 + vectors[x].y;
        const int kept = end_x >= 0 && end_y >= 0 && end_x < limit_x && end_y < limit_y && errors[x] <= tolerance;
        distance[x] = kept ? 0 : VFX_FILL_UNREACHED;
        if (!kept) holes[count++] = (vfx_fill_hole){y * columns + x, (y + 1) * (columns + 2) + x + 1};
    }
    return count;
}

// Eight neighbours in two registers: of the row above, three, and the one before the hole; the one behind it and, of
// the row below, three. `above` and `middle` begin one cell before the hole, `below` two.
typedef struct around { int32x4_t first, second; } around;

// Four vectors or distances: vectors are aligned to 16 bits only.
static inline int32x4_t load4(const void *p) { return vreinterpretq_s32_s16(vld1q_s16(p)); }

static inline around around_hole(const void *above, const void *middle, const void *below)
{
    const int32x4_t row = load4(middle);
    return (around){vcopyq_laneq_s32(load4(above), 3, row, 0), vcopyq_laneq_s32(load4(below), 0, row, 2)};
}

static inline uint8x8_t bytes4(const uint8_t *p)
{
    uint32_t four;
    __builtin_memcpy(&four, p, sizeof four);
    return vreinterpret_u8_u32(vdup_n_u32(four));
}

// dividend / v, rounded down.
static inline uint16x8_t quotients(float32x4_t dividend, uint16x8_t v)
{
    const uint32x4_t low = vcvtq_u32_f32(vdivq_f32(dividend, vcvtq_f32_u32(vmovl_u16(vget_low_u16(v)))));
    const uint32x4_t high = vcvtq_u32_f32(vdivq_f32(dividend, vcvtq_f32_u32(vmovl_high_u16(v))));
    return vuzp1q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(high));
}

static inline int32x4_t products(int16x8_t a, int16x8_t b)
{
    return vmlal_high_s16(vmull_s16(vget_low_s16(a), vget_low_s16(b)), a, b);
}

// The mean of a hole that has eight neighbours within the field.
static inline vfx_motion_vector mean8(const vfx_fill_field *f, vfx_fill_hole hole, int half_brightness, int half_motion)
{
    const vfx_motion_vector *p = f->vectors + hole.at, own = *p;
    const uint8_t *b = f->brightness + hole.bordered;
    const int32_t *d = f->distance + hole.bordered;
    const ptrdiff_t row = f->columns, bordered = row + 2;
    const around v = around_hole(p - row - 1, p - 1, p + row - 2);
    const int16x8_t v0 = vreinterpretq_s16_s32(v.first), v1 = vreinterpretq_s16_s32(v.second);
    const int16x8_t x = vuzp1q_s16(v0, v1), y = vuzp2q_s16(v0, v1);

    const uint8x8_t middle = bytes4(b - 1);
    const uint32x2_t above = vreinterpret_u32_u8(vcopy_lane_u8(bytes4(b - bordered - 1), 3, middle, 0));
    const uint32x2_t below = vreinterpret_u32_u8(vcopy_lane_u8(bytes4(b + bordered - 2), 0, middle, 2));
    const uint8x8_t change = vabd_u8(vreinterpret_u8_u32(vzip1_u32(above, below)), vdup_lane_u8(middle, 1));
    const uint16x8_t like = quotients(vdupq_n_f32((float)(1024 * half_brightness)),
                                      vaddw_u8(vdupq_n_u16((uint16_t)half_brightness), change));

    const int16x8x2_t owns = {{vdupq_n_s16(own.x), vdupq_n_s16(own.y)}};
    const uint16x8_t apart = vfx_distance8((int16x8x2_t){{x, y}}, owns);
    const uint16x8_t limited = vminq_u16(apart, vdupq_n_u16(1023));
    const uint16x8_t agreement = quotients(vdupq_n_f32((float)(256 * half_motion)),
                                           vaddq_u16(limited, vdupq_n_u16((uint16_t)half_motion)));

    const around distance = around_hole(d - bordered - 1, d - 1, d + bordered - 2);
    // Distances are at most VFX_FILL_UNREACHED, and nothing below it has its upper half.
    const uint16x8_t reached = vmvnq_u16(vceqq_u16(
        vuzp2q_u16(vreinterpretq_u16_s32(distance.first), vreinterpretq_u16_s32(distance.second)),
        vdupq_n_u16(VFX_FILL_UNREACHED >> 16)));
    const uint16x4_t low = vshrn_n_u32(vmull_u16(vget_low_u16(like), vget_low_u16(agreement)), 8);
    const int16x8_t weight = vreinterpretq_s16_u16(
        vandq_u16(vshrn_high_n_u32(low, vmull_high_u16(like, agreement), 8), reached));
    const int32x4_t weights = vpaddlq_s16(weight), moved = vpaddq_s32(products(x, weight), products(y, weight));
    const int32x4_t sums = vpaddq_s32(moved, vpaddq_s32(weights, weights));
    const int total = 1024 + vgetq_lane_s32(sums, 2);
    return (vfx_motion_vector){(int16_t)((own.x * 1024 + vgetq_lane_s32(sums, 0)) / total),
                               (int16_t)((own.y * 1024 + vgetq_lane_s32(sums, 1)) / total)};
}

void vfx_fill_smooth_neon(const vfx_fill_field *f, const vfx_fill_hole *holes, int count, int half_brightness,
                          int half_motion, vfx_motion_vector *means)
{
    for (int i = 0; i < count; i++) {
        const vfx_fill_hole hole = holes[i];
        const int y = (hole.bordered - hole.at - f->columns - 3) / 2, x = hole.at - y * f->columns;
        const int has_all = x > 0 && y > 0 && x + 1 < f->columns && y + 1 < f->rows;
        means[i] = has_all ? mean8(f, hole, half_brightness, half_motion)
                           : vfx_fill_mean(f, hole, half_brightness, half_motion);
    }
}
#endif
