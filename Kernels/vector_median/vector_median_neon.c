#include "../arm/arm.h"
#if defined(__aarch64__)
#include "../arm/lanes_neon.h"
#include "../arm/vector_field_neon.h"
#include "vector_median_rows.h"

// Largest limit of a distance at which the sum of eight fits into 16 bits; and the most cells of eight that are
// filtered one by one, since one takes about a fifth of the instructions for eight.
enum { MAXIMUM_DISTANCE = 65535 / 8, MOST_SINGLE = 4 };

static inline uint16x8_t distances(const vfx_vector_median *f, int16x8x2_t a, int16x8x2_t b)
{
    return vminq_u16(vfx_distance8(a, b), vdupq_n_u16((uint16_t)f->maximum_distance));
}

static inline int16x8x2_t select_vectors(uint16x8_t mask, int16x8x2_t a, int16x8x2_t b)
{
    return (int16x8x2_t){{vbslq_s16(mask, a.val[0], b.val[0]), vbslq_s16(mask, a.val[1], b.val[1])}};
}

// The vectors with the least sums of distances of eight neighbourhoods.
static int16x8x2_t medians(const vfx_vector_median *f, const int16x8x2_t v[9])
{
    uint16x8_t totals[9];
    for (int i = 0; i < 9; i++) totals[i] = vdupq_n_u16(0);
#pragma clang loop unroll(full)
    for (int i = 0; i < 8; i++)
#pragma clang loop unroll(full)
        for (int j = i + 1; j < 9; j++) {
            const uint16x8_t d = distances(f, v[i], v[j]);
            totals[i] = vaddq_u16(totals[i], d);
            totals[j] = vaddq_u16(totals[j], d);
        }
    int16x8x2_t best = v[0];
    uint16x8_t least = totals[0];
    for (int i = 1; i < 9; i++) {
        best = select_vectors(vcgtq_u16(least, totals[i]), v[i], best);
        least = vminq_u16(least, totals[i]);
    }
    return best;
}

// The same of one neighbourhood; the rows begin one cell before the cell, and four cells of each are readable. Lanes
// are the first eight candidates.
static vfx_motion_vector median(const vfx_vector_median *f, rows3 rows)
{
    const int32x4_t above = vreinterpretq_s32_s16(vld1q_s16(&rows.row[0]->x));
    const int32x4_t middle = vreinterpretq_s32_s16(vld1q_s16(&rows.row[1]->x));
    const int32x4_t below = vreinterpretq_s32_s16(vld1q_s16(&rows.row[2]->x));
    const int16x8_t first = vreinterpretq_s16_s32(vcopyq_laneq_s32(above, 3, middle, 0));
    const int32x4_t beside = vextq_s32(middle, middle, 1);
    const int16x8_t second = vreinterpretq_s16_s32(vcombine_s32(vget_low_s32(beside), vget_low_s32(below)));
    const int16x8x2_t v = {{vuzp1q_s16(first, second), vuzp2q_s16(first, second)}};
    const int16x8x2_t ninth = {{vdupq_n_s16(rows.row[2][2].x), vdupq_n_s16(rows.row[2][2].y)}};
    const uint16x8_t to_ninth = distances(f, v, ninth);
    uint16x8_t totals = to_ninth;
#define CANDIDATE(i) (int16x8x2_t){{vdupq_laneq_s16(v.val[0], i), vdupq_laneq_s16(v.val[1], i)}}
#define ADD_DISTANCES(i) totals = vaddq_u16(totals, distances(f, v, CANDIDATE(i)))
    ADD_DISTANCES(0);
    ADD_DISTANCES(1);
    ADD_DISTANCES(2);
    ADD_DISTANCES(3);
    ADD_DISTANCES(4);
    ADD_DISTANCES(5);
    ADD_DISTANCES(6);
    ADD_DISTANCES(7);
#undef ADD_DISTANCES
#undef CANDIDATE
    const uint16_t least = vminvq_u16(totals);
    if (vaddvq_u16(to_ninth) < least) return rows.row[2][2];
    const int best = __builtin_ctzll(vfx_lane_mask8(vceqq_u16(totals, vdupq_n_u16(least)))) >> 3;
    return rows.row[best / 3][best % 3];
}

// Eight cells; the rows begin one cell before the first, and eleven cells of each are readable. Returns bits 0, 8,
// 16, … of the cells whose vector changes.
static inline uint64_t filter8(const vfx_vector_median *f, rows3 rows, vfx_motion_vector *out)
{
    int16x8x2_t v[9];
    for (int i = 0; i < 9; i++) v[i] = vfx_load_vectors8(rows.row[i / 3] + i % 3);
    const uint16x8_t agreement = vdupq_n_u16((uint16_t)f->agreement);
    uint16x8_t allies = vdupq_n_u16(1);
    for (int i = 0; i < 9; i++)
        if (i != 4) allies = vsubq_u16(allies, vcleq_u16(vfx_distance8(v[i], v[4]), agreement));
    const uint16x8_t few = vreinterpretq_u16_s16(
        vcleq_s16(vreinterpretq_s16_u16(allies), vdupq_n_s16((int16_t)f->few_allies)));
    uint64_t left = vfx_lane_bits8(few), changed = 0;
    if (__builtin_popcountll(left) > MOST_SINGLE) {
        const int16x8x2_t filtered = select_vectors(few, medians(f, v), v[4]);
        vst2q_s16(&out->x, filtered);
        const uint16x8_t same_x = vceqq_s16(filtered.val[0], v[4].val[0]);
        return vfx_lane_bits8(vmvnq_u16(vandq_u16(same_x, vceqq_s16(filtered.val[1], v[4].val[1]))));
    }
    vst1q_s16(&out->x, vld1q_s16(&rows.row[1][1].x));
    vst1q_s16(&out[4].x, vld1q_s16(&rows.row[1][5].x));
    for (; left; left &= left - 1) {
        const int i = __builtin_ctzll(left) >> 3;
        const vfx_motion_vector own = out[i];
        out[i] = median(f, (rows3){{rows.row[0] + i, rows.row[1] + i, rows.row[2] + i}});
        if (out[i].x != own.x || out[i].y != own.y) changed |= left & -left;
    }
    return changed;
}

int vfx_vector_median_row_neon(const vfx_vector_median *f, int y, vfx_motion_vector *out, int32_t *changed)
{
    if (f->maximum_distance > MAXIMUM_DISTANCE) return vfx_vector_median_row_c(f, y, out, changed);
    const rows3 rows = rows_around(f, y);
    int count = 0;
    for (int x = 0; x < f->columns; x += 8) {
        const int cells = f->columns - x < 8 ? f->columns - x : 8;
        vfx_motion_vector edge[3][11], result[8];
        rows3 around = {{rows.row[0] + x - 1, rows.row[1] + x - 1, rows.row[2] + x - 1}};
        if (x == 0 || x + 10 > f->columns)
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 11; j++) edge[i][j] = rows.row[i][column_of(f, x + j - 1)];
                around.row[i] = edge[i];
            }
        uint64_t left = filter8(f, around, cells < 8 ? result : out + x);
        if (cells < 8) {
            __builtin_memcpy(out + x, result, (size_t)cells * sizeof *result);
            left &= ((uint64_t)1 << 8 * cells) - 1;
        }
        for (; left; left &= left - 1) changed[count++] = x + (__builtin_ctzll(left) >> 3);
    }
    return count;
}
#endif
