#include "../arm/arm.h"
#if defined(__aarch64__)
#include "../arm/vector_field_neon.h"
#include "splat_cells.h"

// The four cells of a vector are the lanes of a register: upper left and right, lower left and right.

// Whether all four cells are in the rows and columns.
static inline int is_inside(const vfx_splat *s, landing l)
{
    return (unsigned)l.x < (unsigned)(s->columns - 1) && l.y >= s->first_row && l.y + 1 < s->last_row;
}

// Products of 128 − f or f on each axis.
static inline uint32x4_t coverage_of(landing l)
{
    static const int16_t start_x[4] = {128, 0, 128, 0}, sign_x[4] = {-1, 1, -1, 1};
    static const int16_t start_y[4] = {128, 128, 0, 0}, sign_y[4] = {-1, -1, 1, 1};
    const int16x4_t x = vmla_n_s16(vld1_s16(start_x), vld1_s16(sign_x), (int16_t)l.fx);
    const int16x4_t y = vmla_n_s16(vld1_s16(start_y), vld1_s16(sign_y), (int16_t)l.fy);
    return vreinterpretq_u32_s32(vmull_s16(x, y));
}

static inline uint16x8_t load_cells(const void *upper, const void *lower)
{
    return vreinterpretq_u16_u8(vcombine_u8(vld1_u8(upper), vld1_u8(lower)));
}

// The weights of four cells: 0 for those without an owner or with one that is too far from `v`.
static inline int16x4_t weights_of(const vfx_splat *s, landing l, vfx_motion_vector v, int at, int divisor)
{
    const int16x8_t own = vreinterpretq_s16_u32(vdupq_n_u32((uint32_t)(uint16_t)v.y << 16 | (uint16_t)v.x));
    const int16x8_t owner = vreinterpretq_s16_u16(load_cells(s->owner + at, s->owner + at + s->columns));
    const uint32x4_t agrees = vcleq_u32(vfx_distance4(owner, own), vdupq_n_u32((uint32_t)s->agreement));
    const uint32x4_t rank = vreinterpretq_u32_u16(load_cells(s->rank + at, s->rank + at + s->columns));
    const uint32x4_t is_unowned = vceqq_u32(rank, vdupq_n_u32(UINT32_MAX));
    // Exact: a quotient that is not whole is further from a whole number than single precision rounds.
    const float32x4_t quotient = vdivq_f32(vcvtq_f32_u32(coverage_of(l)), vdupq_n_f32((float)divisor));
    const uint32x4_t weight = vcvtq_u32_f32(quotient);
    return vreinterpret_s16_u16(vmovn_u32(vandq_u32(weight, vbicq_u32(agrees, is_unowned))));
}

void vfx_splat_mean_row_neon(const vfx_splat *splat, int y)
{
    const vfx_splat copy = *splat, *s = &copy; // sums may not overlap this
    for (int x = 0, from = y * s->columns; x < s->columns; x++, from++) {
        const landing l = landing_of(s, s->vectors[from], x, y);
        const vfx_motion_vector v = arriving(s, s->vectors[from]);
        if (!is_inside(s, l)) {
            add_to_cells(s, l, v, divisor(s, from));
            continue;
        }
        const int at = l.y * s->columns + l.x;
        const int16x4_t weights = weights_of(s, l, v, at, divisor(s, from));
        const uint64_t bits = (uint64_t)(uint16_t)v.y << 32 | (uint32_t)(uint16_t)v.x << 16 | 1;
        const int16x4_t terms = vcreate_s16(bits); // 1, x, y, 0
        int32_t *upper = &s->sums[at].weight, *lower = &s->sums[at + s->columns].weight;
        vst1q_s32(upper, vmlal_lane_s16(vld1q_s32(upper), terms, weights, 0));
        vst1q_s32(upper + 4, vmlal_lane_s16(vld1q_s32(upper + 4), terms, weights, 1));
        vst1q_s32(lower, vmlal_lane_s16(vld1q_s32(lower), terms, weights, 2));
        vst1q_s32(lower + 4, vmlal_lane_s16(vld1q_s32(lower + 4), terms, weights, 3));
    }
}
#endif
