#include "../arm/arm.h"
#include <string.h>
#if defined(__aarch64__)
#include "../arm/lanes_neon.h"
#include "../arm/vector_field_neon.h"
#include "flow_median_cells.h"

static inline int16x8x2_t vectors_at(const rows5 *g, int place)
{
    return vfx_load_vectors8(g->vectors[place / SIDE] + place % SIDE);
}

static inline uint8x8_t bytes_at(const uint8_t *const rows[SIDE], int place)
{
    return vld1_u8(rows[place / SIDE] + place % SIDE);
}

// Columns as they are in memory, four in a register. The least or greatest values of five columns each, of four columns
// from the first one and of four from the fifth.
static inline int16x8_t least_of(int16x8_t left, int16x8_t right)
{
    const int16x8_t second = vextq_s16(left, right, 2), third = vextq_s16(left, right, 4);
    const int16x8_t fourth = vextq_s16(left, right, 6);
    return vminq_s16(vminq_s16(vminq_s16(left, right), third), vminq_s16(second, fourth));
}

static inline int16x8_t most_of(int16x8_t left, int16x8_t right)
{
    const int16x8_t second = vextq_s16(left, right, 2), third = vextq_s16(left, right, 4);
    const int16x8_t fourth = vextq_s16(left, right, 6);
    return vmaxq_s16(vmaxq_s16(vmaxq_s16(left, right), third), vmaxq_s16(second, fourth));
}

// Which cells may not be smooth. The distance is at most that of the farthest values of both components, which are
// found with fewer instructions than distances.
static inline uint16x8_t possibly_rough(const vfx_flow_median *f, const rows5 *g)
{
    int16x8_t least[3], most[3];
    for (int k = 0; k < 3; k++) least[k] = most[k] = vld1q_s16(&g->vectors[0][4 * k].x);
#pragma clang loop unroll(full)
    for (int r = 1; r < SIDE; r++)
        for (int k = 0; k < 3; k++) {
            const int16x8_t v = vld1q_s16(&g->vectors[r][4 * k].x);
            least[k] = vminq_s16(least[k], v);
            most[k] = vmaxq_s16(most[k], v);
        }
    uint16x8_t apart[2];
    for (int k = 0; k < 2; k++) {
        const int16x8_t own = vld1q_s16(&g->vectors[SIDE / 2][4 * k + 2].x);
        const int16x8_t below = vqsubq_s16(own, least_of(least[k], least[k + 1]));
        apart[k] = vreinterpretq_u16_s16(vmaxq_s16(below, vqsubq_s16(most_of(most[k], most[k + 1]), own)));
    }
    return vcgtq_u16(vpaddq_u16(apart[0], apart[1]), vdupq_n_u16((uint16_t)f->smooth_distance));
}

static inline uint16x8_t rough_cells(const vfx_flow_median *f, const rows5 *g)
{
    const int16x8x2_t own = vectors_at(g, NEIGHBOURHOOD / 2);
    uint16x8_t farthest = vdupq_n_u16(0);
#pragma clang loop unroll(full)
    for (int i = 0; i < NEIGHBOURHOOD; i++) farthest = vmaxq_u16(farthest, vfx_distance8(vectors_at(g, i), own));
    return vcgtq_u16(farthest, vdupq_n_u16((uint16_t)f->smooth_distance));
}

// The weights by brightness of eight cells at each place, from a table of 256 in sixteen registers.
static inline void similarities(uint8_t similar[8 * (NEIGHBOURHOOD + 1)], const vfx_flow_median *f, const rows5 *g)
{
    const uint8x8_t own = bytes_at(g->brightness, NEIGHBOURHOOD / 2);
#pragma clang loop unroll(full)
    for (int i = 0; i < NEIGHBOURHOOD; i++) vst1_u8(similar + 8 * i, vabd_u8(bytes_at(g->brightness, i), own));
    vst1_u8(similar + 8 * NEIGHBOURHOOD, vdup_n_u8(0));
    uint8x16x4_t table[4];
    for (int k = 0; k < 4; k++) table[k] = vld1q_u8_x4(f->brightness_weight + 64 * k);
#pragma clang loop unroll(disable)
    for (int i = 0; i < 8 * (NEIGHBOURHOOD + 1); i += 16) {
        const uint8x16_t apart = vld1q_u8(similar + i);
        uint8x16_t weights = vqtbl4q_u8(table[0], apart);
        weights = vqtbx4q_u8(weights, table[1], vsubq_u8(apart, vdupq_n_u8(64)));
        weights = vqtbx4q_u8(weights, table[2], vsubq_u8(apart, vdupq_n_u8(128)));
        weights = vqtbx4q_u8(weights, table[3], vsubq_u8(apart, vdupq_n_u8(192)));
        vst1q_u8(similar + i, weights);
    }
}

#define KEYS int32x4_t
#define LEAST(a, b) vminq_s32(a, b)
#define MOST(a, b) vmaxq_s32(a, b)
#include "flow_median_sort_tmpl.h"

// The medians, in the upper halves, of keys: values in the upper halves, and weights, which fit into 16 bits, in the
// lower ones. The order of equal values does not matter. `half` is half the sum of the weights, rounded up.
static int32x4_t medians(int32x4_t keys[NEIGHBOURHOOD], uint32x4_t half)
{
    sort(keys);
    int32x4_t median = keys[0];
    uint32x4_t sum = vdupq_n_u32(0);
#pragma clang loop unroll(full)
    for (int i = 1; i < NEIGHBOURHOOD; i++) {
        sum = vaddq_u32(sum, vandq_u32(vreinterpretq_u32_s32(keys[i - 1]), vdupq_n_u32(0xffff)));
        median = vbslq_s32(vcgtq_u32(half, sum), keys[i], median);
    }
    return median;
}

// Eight cells. Halves of a group without a rough cell are not filtered.
static void filter(const vfx_flow_median *f, const rows5 *g, vfx_motion_vector *out)
{
    const int16x8x2_t own = vectors_at(g, NEIGHBOURHOOD / 2);
    const uint16x8_t rough = rough_cells(f, g);
    const uint64_t which = vfx_lane_mask8(rough);
    vst2q_s16(&out->x, own);
    if (which == 0) return;
    uint8_t similar[8 * (NEIGHBOURHOOD + 1)];
    similarities(similar, f, g);
    int32x4_t across[2][NEIGHBOURHOOD], down[2][NEIGHBOURHOOD];
    uint32x4_t low = vdupq_n_u32(1), high = low;
#pragma clang loop unroll(full)
    for (int i = 0; i < NEIGHBOURHOOD; i++) {
        const uint8x8_t trust = bytes_at(g->trust, i);
        const uint16x8_t product = vmull_u8(trust, vld1_u8(similar + 8 * i));
        const uint32x4_t product_low = vmull_n_u16(vget_low_u16(product), f->place_weight[i]);
        const uint32x4_t product_high = vmull_high_n_u16(product, f->place_weight[i]);
        // Cells without trust are outside and have no weight.
        const uint16x8_t weight = vaddw_u8(vshrn_high_n_u32(vshrn_n_u32(product_low, 8), product_high, 8),
                                           vmin_u8(trust, vdup_n_u8(1)));
        const int16x8_t w = vreinterpretq_s16_u16(weight);
        const int16x8x2_t v = vectors_at(g, i);
        low = vaddw_u16(low, vget_low_u16(weight));
        high = vaddw_high_u16(high, weight);
        across[0][i] = vreinterpretq_s32_s16(vzip1q_s16(w, v.val[0]));
        across[1][i] = vreinterpretq_s32_s16(vzip2q_s16(w, v.val[0]));
        down[0][i] = vreinterpretq_s32_s16(vzip1q_s16(w, v.val[1]));
        down[1][i] = vreinterpretq_s32_s16(vzip2q_s16(w, v.val[1]));
    }
    for (int k = 0; k < 2; k++) {
        if ((uint32_t)(which >> 32 * k) == 0) continue;
        const uint32x4_t half = vshrq_n_u32(k ? high : low, 1);
        const uint16x4_t mask = k ? vget_high_u16(rough) : vget_low_u16(rough);
        int16x4x2_t v = vfx_load_vectors4(out + 4 * k);
        v.val[0] = vbsl_s16(mask, vshrn_n_s32(medians(across[k], half), 16), v.val[0]);
        v.val[1] = vbsl_s16(mask, vshrn_n_s32(medians(down[k], half), 16), v.val[1]);
        vst2_s16(&out[4 * k].x, v);
    }
}

void vfx_flow_median_row_neon(const vfx_flow_median *f, int y, vfx_motion_vector *dst)
{
    const rows5 rows = rows_around(f, y);
    for (int x = 0; x < f->columns;) {
        // Most groups are smooth. The last group is no inner one.
        for (; is_inner(f, x); x += GROUP) {
            const rows5 g = inner_rows(&rows, x);
            if (vfx_lane_mask8(possibly_rough(f, &g)) != 0) break;
            vst1q_s16(&dst[x].x, vld1q_s16(&g.vectors[SIDE / 2][2].x));
            vst1q_s16(&dst[x + 4].x, vld1q_s16(&g.vectors[SIDE / 2][6].x));
        }
        const int left = f->columns - x, cells = left < GROUP ? left : GROUP;
        copied_rows copies;
        const rows5 g = is_inner(f, x) ? inner_rows(&rows, x) : edge_rows(f, &rows, x, &copies);
        const uint64_t rough = vfx_lane_mask8(possibly_rough(f, &g));
        const int smooth = rough ? __builtin_ctzll(rough) / 8 : GROUP;
        vfx_motion_vector result[GROUP];
        // A group whose first cell is rough contains more of a row of rough cells.
        if (smooth == 0) filter(f, &g, result);
        else memcpy(result, g.vectors[SIDE / 2] + 2, sizeof result);
        memcpy(dst + x, result, (size_t)cells * sizeof *result);
        x += smooth == 0 || smooth > cells ? cells : smooth;
    }
}
#endif
