#include "../arm/arm.h"
#if defined(__aarch64__)
#include "../arm/lanes_neon.h"
#include "../arm/vector_field_neon.h"

// Four vectors, components side by side.
static inline int16x8_t load4(const vfx_motion_vector *p) { return vld1q_s16(&p->x); }

// Weighted sums of pairs of vectors.
typedef struct sums4 { int32x4_t low, high; } sums4;

// 9·own + 3·behind, the part that the two small cells of a cell have in common.
static inline sums4 common_part(int16x8_t own, int16x8_t behind)
{
    return (sums4){vmlal_n_s16(vmull_n_s16(vget_low_s16(own), 9), vget_low_s16(behind), 3),
                   vmlal_high_n_s16(vmull_high_n_s16(own, 9), behind, 3)};
}

// The small cells on one side of four cells.
static inline int32x4_t mean4(sums4 common, int16x8_t side, int16x8_t corner, int scale)
{
    const int32x4_t low = vaddw_s16(vmlal_n_s16(common.low, vget_low_s16(side), 3), vget_low_s16(corner));
    const int32x4_t high = vaddw_high_s16(vmlal_high_n_s16(common.high, side, 3), corner);
    // (sum·scale + 8) >> 4. Components above 32767 are limited further, so it does not matter that narrowing saturates.
    const int16x8_t mean = scale == 2 ? vqrshrn_high_n_s32(vqrshrn_n_s32(low, 3), high, 3)
                                      : vqrshrn_high_n_s32(vqrshrn_n_s32(low, 4), high, 4);
    return vreinterpretq_s32_s16(vmaxq_s16(vminq_s16(mean, vdupq_n_s16(32256)), vdupq_n_s16(-32256)));
}

// Eight small cells from six cells, which begin at the one left of the first. Returns bits 0, 8, 16, … of rough ones.
static inline uint64_t subdivide8(const vfx_motion_vector *near, const vfx_motion_vector *far, int scale,
                                  uint32x4_t smooth_distance, vfx_motion_vector *out)
{
    const int16x8_t left = load4(near), own = load4(near + 1), right = load4(near + 2);
    const int16x8_t behind_left = load4(far), behind = load4(far + 1), behind_right = load4(far + 2);
    const sums4 common = common_part(own, behind);
    const int32x4_t even = mean4(common, left, behind_left, scale), odd = mean4(common, right, behind_right, scale);
    vst1q_s16(&out->x, vreinterpretq_s16_s32(vzip1q_s32(even, odd)));
    vst1q_s16(&out[4].x, vreinterpretq_s16_s32(vzip2q_s32(even, odd)));
    const uint32x4_t across = vfx_distance4(own, behind);
    const uint32x4_t spread_even = vmaxq_u32(vmaxq_u32(vfx_distance4(own, left), across),
                                             vfx_distance4(own, behind_left));
    const uint32x4_t spread_odd = vmaxq_u32(vmaxq_u32(vfx_distance4(own, right), across),
                                            vfx_distance4(own, behind_right));
    const uint16x8_t rough = vtrn1q_u16(vreinterpretq_u16_u32(vcgtq_u32(spread_even, smooth_distance)),
                                        vreinterpretq_u16_u32(vcgtq_u32(spread_odd, smooth_distance)));
    return vfx_lane_bits8(rough);
}

// Compiled for each scale.
__attribute__((always_inline)) static inline int subdivide_row(const vfx_subdivision *f, int y, int count, int scale,
                                                               vfx_motion_vector *out, int32_t *differences,
                                                               int32_t *rough)
{
    const int columns = f->columns, beside = (y >> 1) + (y & 1 ? 1 : -1);
    const int next = beside < 0 ? 0 : beside < f->rows ? beside : f->rows - 1;
    const vfx_motion_vector *near = f->vectors + (intptr_t)(y >> 1) * columns;
    const vfx_motion_vector *far = f->vectors + (intptr_t)next * columns;
    const int32_t *known = f->differences + (intptr_t)(y >> 1) * columns;
    // distance·scale > smooth_distance, in whole numbers.
    const uint32x4_t smooth_distance = vdupq_n_u32((uint32_t)(f->smooth_distance / scale));
    int found = 0;
    for (int x = 0; x < count; x += 8) {
        const int cells = count - x < 8 ? count - x : 8, from = (x >> 1) - 1;
        const vfx_motion_vector *rows[2] = {near + from, far + from};
        vfx_motion_vector edges[2][6], result[8];
        if (from < 0 || from + 6 > columns) {
            for (int i = 0; i < 6; i++) {
                const int at = from + i < 0 ? 0 : from + i < columns ? from + i : columns - 1;
                edges[0][i] = near[at];
                edges[1][i] = far[at];
            }
            rows[0] = edges[0];
            rows[1] = edges[1];
        }
        uint64_t left = subdivide8(rows[0], rows[1], scale, smooth_distance, cells == 8 ? out + x : result);
        if (cells == 8) {
            const int32x4_t d = vld1q_s32(known + from + 1);
            vst1q_s32(differences + x, vzip1q_s32(d, d));
            vst1q_s32(differences + x + 4, vzip2q_s32(d, d));
        } else {
            left &= ((uint64_t)1 << 8 * cells) - 1;
            __builtin_memcpy(out + x, result, (size_t)cells * sizeof *result);
            for (int i = 0; i < cells; i++) differences[x + i] = known[(x + i) >> 1];
        }
        for (; left; left &= left - 1) rough[found++] = x + (__builtin_ctzll(left) >> 3);
    }
    return found;
}

int vfx_subdivide_row_neon(const vfx_subdivision *f, int y, int count, vfx_motion_vector *out, int32_t *differences,
                           int32_t *rough)
{
    return f->scale == 2 ? subdivide_row(f, y, count, 2, out, differences, rough)
                         : subdivide_row(f, y, count, 1, out, differences, rough);
}
#endif
