#ifndef VFX_VECTOR_FIELD_NEON_H
#define VFX_VECTOR_FIELD_NEON_H
#include "../internal/vector_field.h"
#include <arm_neon.h>

// Vectors in registers. vld2 loads them with components apart: val[0] is x and val[1] is y.

/// The components of four vectors in 32 bits.
typedef struct vfx_vectors4 { int32x4_t x, y; } vfx_vectors4;

static inline int16x4x2_t vfx_load_vectors4(const vfx_motion_vector *p) { return vld2_s16(&p->x); }
static inline int16x8x2_t vfx_load_vectors8(const vfx_motion_vector *p) { return vld2q_s16(&p->x); }

static inline vfx_vectors4 vfx_widen_vectors4(int16x4x2_t v)
{
    return (vfx_vectors4){vmovl_s16(v.val[0]), vmovl_s16(v.val[1])};
}

// Distances of four pairs of vectors whose components are side by side. The absolute difference of two int16 values
// fits in a uint16.
static inline uint32x4_t vfx_distance4(int16x8_t a, int16x8_t b)
{
    return vpaddlq_u16(vreinterpretq_u16_s16(vabdq_s16(a, b)));
}

// Distances of eight pairs of vectors. The sum saturates at 65535.
static inline uint16x8_t vfx_distance8(int16x8x2_t a, int16x8x2_t b)
{
    return vqaddq_u16(vreinterpretq_u16_s16(vabdq_s16(a.val[0], b.val[0])),
                      vreinterpretq_u16_s16(vabdq_s16(a.val[1], b.val[1])));
}

// The pairs of vectors left and right of positions 0 and 1, and of positions 2 and 3, interpolated in the row. Pairs of
// weights are 128 − f and f.
static inline vfx_vectors4 vfx_interpolate_in_row4(int16x8_t pairs01, int16x8_t pairs23, int16x8_t weights)
{
    const int16x8_t x = vuzp1q_s16(pairs01, pairs23), y = vuzp2q_s16(pairs01, pairs23);
    return (vfx_vectors4){
        vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(weights)), vmull_high_s16(x, weights)),
        vpaddq_s32(vmull_s16(vget_low_s16(y), vget_low_s16(weights)), vmull_high_s16(y, weights)),
    };
}

static inline int32x4_t vfx_interpolate_in_column4(int32x4_t above, int32x4_t below, int32x4_t f)
{
    return vrshrq_n_s32(vmlaq_s32(vmulq_s32(above, vsubq_s32(vdupq_n_s32(128), f)), below, f), 14);
}

// Two vectors side by side, `offset` bytes from the start of a field.
static inline int16x4_t vfx_load_pair(const vfx_motion_vector *field, uint32_t offset)
{
    return vld1_s16((const int16_t *)(const void *)((const char *)field + offset));
}

// vfx_sample_field of a single column, which has no pairs to load.
static __attribute__((noinline, unused)) vfx_vectors4 vfx_sample_column4(const vfx_motion_vector *field, int rows,
                                                                         int32x4_t y)
{
    int32_t at[4], vx[4], vy[4];
    vst1q_s32(at, y);
    for (int i = 0; i < 4; i++) {
        const vfx_wide_vector v = vfx_sample_field(field, 1, rows, 0, at[i]);
        vx[i] = v.x;
        vy[i] = v.y;
    }
    return (vfx_vectors4){vld1q_s32(vx), vld1q_s32(vy)};
}

// vfx_sample_field at four positions. In a loop, the caller should exclude fields of a single column before.
static inline __attribute__((always_inline)) vfx_vectors4
vfx_sample_field4(const vfx_motion_vector *field, int columns, int rows, int32x4_t x, int32x4_t y)
{
    if (columns < 2) return vfx_sample_column4(field, rows, y);
    const int32x4_t zero = vdupq_n_s32(0);
    const int32x4_t px = vminq_s32(vmaxq_s32(x, zero), vdupq_n_s32((columns - 1) * 128));
    const int32x4_t py = vminq_s32(vmaxq_s32(y, zero), vdupq_n_s32((rows - 1) * 128));
    // At the last column and row, fractions are 128 rather than 0 of the next, which does not exist.
    const int32x4_t left = vminq_s32(vshrq_n_s32(px, 7), vdupq_n_s32(columns - 2));
    const int32x4_t above = vminq_s32(vshrq_n_s32(py, 7), vdupq_n_s32(rows > 1 ? rows - 2 : 0));
    const int32x4_t fx = vmlsq_s32(px, left, vdupq_n_s32(128)), fy = vmlsq_s32(py, above, vdupq_n_s32(128));
    // Unsigned byte offsets fold into the addressing mode of the loads.
    const uint32x4_t at = vreinterpretq_u32_s32(vshlq_n_s32(vmlaq_s32(left, above, vdupq_n_s32(columns)), 2));
    const vfx_motion_vector *next = field + (rows > 1 ? columns : 0);
    const uint32_t at0 = vgetq_lane_u32(at, 0), at1 = vgetq_lane_u32(at, 1);
    const uint32_t at2 = vgetq_lane_u32(at, 2), at3 = vgetq_lane_u32(at, 3);
    const int16x8_t top01 = vcombine_s16(vfx_load_pair(field, at0), vfx_load_pair(field, at1));
    const int16x8_t top23 = vcombine_s16(vfx_load_pair(field, at2), vfx_load_pair(field, at3));
    const int16x8_t bottom01 = vcombine_s16(vfx_load_pair(next, at0), vfx_load_pair(next, at1));
    const int16x8_t bottom23 = vcombine_s16(vfx_load_pair(next, at2), vfx_load_pair(next, at3));
    const int32x4_t rest = vsubq_s32(vdupq_n_s32(128), fx);
    const int16x8_t weights = vtrn1q_s16(vreinterpretq_s16_s32(rest), vreinterpretq_s16_s32(fx));
    const vfx_vectors4 top = vfx_interpolate_in_row4(top01, top23, weights);
    const vfx_vectors4 bottom = vfx_interpolate_in_row4(bottom01, bottom23, weights);
    return (vfx_vectors4){vfx_interpolate_in_column4(top.x, bottom.x, fy),
                          vfx_interpolate_in_column4(top.y, bottom.y, fy)};
}
#endif
