#include "../arm/arm.h"
#if defined(__aarch64__)
#include "../arm/lanes_neon.h"
#include "../arm/rows_neon.h"
#include "../arm/vector_field_neon.h"
#include <stdlib.h>

// Vectors and displacements are pairs of 16-bit numbers: four in a register, one in a 32-bit word. Sums of 8×8
// differences and costs fit into 16 bits.

typedef int32_t packed_vector;

// One block.
typedef struct block {
    const vfx_block_search *s;
    const uint8_t *source, *target;
    uint8x8_t rows[8];    // of the source
    int16x8_t low, high;  // the allowed displacements, repeated
    int16x8_t prediction; // repeated
} block;

// The best position of a block so far.
typedef struct candidate {
    packed_vector place;
    uint32_t cost, difference;
} candidate;

static inline int16x8_t dup(packed_vector v) { return vreinterpretq_s16_s32(vdupq_n_s32(v)); }

static inline packed_vector lane0(int16x8_t v) { return vgetq_lane_s32(vreinterpretq_s32_s16(v), 0); }

static inline int16x8_t four(packed_vector a, packed_vector b, packed_vector c, packed_vector d)
{
    int32x4_t v = vdupq_n_s32(a);
    v = vsetq_lane_s32(b, v, 1);
    v = vsetq_lane_s32(c, v, 2);
    v = vsetq_lane_s32(d, v, 3);
    return vreinterpretq_s16_s32(v);
}

static inline packed_vector pair(int x, int y) { return (packed_vector)((uint32_t)y << 16 | (uint16_t)x); }
static inline int x_of(packed_vector v) { return (int16_t)v; }
static inline int y_of(packed_vector v) { return v >> 16; }

static inline block block_at(const vfx_block_search *s, int x, int y, int16x8_t prediction)
{
    const int left = 4 * x - 2, top = 4 * y - 2;
    const int16x8_t place = dup(pair(left, top)), most = vdupq_n_s16((int16_t)s->displacement_limit);
    block b = {.s = s, .prediction = prediction};
    b.source = s->source + top * s->source_stride + left;
    b.target = s->target + top * s->target_stride + left;
    for (int i = 0; i < 8; i++) b.rows[i] = vld1_u8(b.source + i * s->source_stride);
    b.low = vmaxq_s16(vsubq_s16(vdupq_n_s16((int16_t)-s->reach), place), vnegq_s16(most));
    b.high = vminq_s16(vsubq_s16(dup(pair(s->width + s->reach - 8, s->height + s->reach - 8)), place), most);
    return b;
}

static inline int16x8_t allowed(const block *b, int16x8_t places)
{
    return vminq_s16(vmaxq_s16(places, b->low), b->high);
}

// Differences from the block at `p`, to be summed. Offsets of up to three rows stay in registers for all blocks.
static inline uint16x8_t differences(const block *b, const uint8_t *p, ptrdiff_t stride)
{
    const uint8_t *q = p + 4 * stride;
    uint16x8_t sum = vabdl_u8(b->rows[0], vld1_u8(p));
    sum = vabal_u8(sum, b->rows[1], vld1_u8(p + stride));
    sum = vabal_u8(sum, b->rows[2], vld1_u8(p + 2 * stride));
    sum = vabal_u8(sum, b->rows[3], vld1_u8(p + 3 * stride));
    sum = vabal_u8(sum, b->rows[4], vld1_u8(q));
    sum = vabal_u8(sum, b->rows[5], vld1_u8(q + stride));
    sum = vabal_u8(sum, b->rows[6], vld1_u8(q + 2 * stride));
    return vabal_u8(sum, b->rows[7], vld1_u8(q + 3 * stride));
}

static inline uint16x8_t differences_at(const block *b, packed_vector place)
{
    const ptrdiff_t stride = b->s->target_stride;
    return differences(b, b->target + y_of(place) * stride + x_of(place), stride);
}

// What the deviation of four places costs.
static inline uint32x4_t penalties(const block *b, int16x8_t places)
{
    const uint32x4_t apart = vfx_distance4(vshlq_n_s16(places, 5), b->prediction);
    const uint32x4_t deviation = vminq_u32(vshrq_n_u32(apart, 5), vdupq_n_u32((uint32_t)b->s->deviation_limit));
    return vmulq_n_u32(deviation, (uint32_t)b->s->smoothness);
}

// Of the places whose byte of `left` is set, takes the first of the cheapest if it is cheaper than the best one.
// Candidates are often the same; each place is compared once.
static inline candidate better_of8(const block *b, candidate best, int16x8_t low, int16x8_t high, uint64_t left)
{
    packed_vector places[8];
    uint32_t penalty[8];
    vst1q_s32(places, vreinterpretq_s32_s16(low));
    vst1q_s32(places + 4, vreinterpretq_s32_s16(high));
    vst1q_u32(penalty, penalties(b, low));
    vst1q_u32(penalty + 4, penalties(b, high));
    while (left) {
        const int i = __builtin_ctzll(left) >> 3;
        const packed_vector place = places[i];
        const int32x4_t own = vdupq_n_s32(place);
        const uint32x4_t same_low = vceqq_s32(vreinterpretq_s32_s16(low), own);
        const uint32x4_t same_high = vceqq_s32(vreinterpretq_s32_s16(high), own);
        left &= ~vfx_lane_mask8(vuzp1q_u16(vreinterpretq_u16_u32(same_low), vreinterpretq_u16_u32(same_high)));
        const uint32_t sad = vaddlvq_u16(differences_at(b, place));
        const uint32_t cost = sad + penalty[i];
        if (cost < best.cost) best = (candidate){place, cost, sad};
    }
    return best;
}

// Steps to the left, right, top and bottom: those that do not lead back after one of them, and all.
typedef struct steps {
    int16_t places[8];
    uint8_t directions[4];
} steps;

static const steps steps_after[5] = {
    {{-1, 0, 0, -1, 0, 1, 0, 1}, {0, 2, 3, 3}},  {{1, 0, 0, -1, 0, 1, 0, 1}, {1, 2, 3, 3}},
    {{-1, 0, 1, 0, 0, -1, 0, -1}, {0, 1, 2, 2}}, {{-1, 0, 1, 0, 0, 1, 0, 1}, {0, 1, 3, 3}},
    {{-1, 0, 1, 0, 0, -1, 0, 1}, {0, 1, 2, 3}},
};

static candidate descend(const block *b, candidate best, int count)
{
    const uint32x4_t lanes = {0, 1, 2, 3};
    const steps *next = steps_after + 4;
    for (int i = 0; i < count; i++) {
        const int16x8_t places = allowed(b, vaddq_s16(dup(best.place), vld1q_s16(next->places)));
        packed_vector place[4];
        uint16x8_t sums[4];
        uint32_t sad[4];
        vst1q_s32(place, vreinterpretq_s32_s16(places));
        for (int k = 0; k < 3; k++) sums[k] = differences_at(b, place[k]);
        // The position before was worse. Without it, the fourth place is the third again.
        sums[3] = i ? sums[2] : differences_at(b, place[3]);
        const uint32x4_t sads = vfx_sum8_x4(sums[0], sums[1], sums[2], sums[3]);
        // Of equal costs, the one in the lowest lane is the least.
        const uint32_t least = vminvq_u32(vsliq_n_u32(lanes, vaddq_u32(sads, penalties(b, places)), 2));
        if (least >> 2 >= best.cost) break;
        const uint32_t lane = least & 3;
        vst1q_u32(sad, sads);
        best = (candidate){place[lane], least >> 2, sad[lane]};
        next = steps_after + next->directions[lane];
    }
    return best;
}

// Differences from the block at `p`, to be summed, in the lower half, and from the one 8 samples further right in the
// upper half. Reads 16 samples of each row, which `rows` has twice in each register.
static inline uint16x8_t differences_of_pair(const uint8x16_t rows[8], const uint8_t *p, ptrdiff_t stride)
{
    const uint8_t *q = p + 4 * stride;
    uint16x8_t sum = vpaddlq_u8(vabdq_u8(rows[0], vld1q_u8(p)));
    sum = vpadalq_u8(sum, vabdq_u8(rows[1], vld1q_u8(p + stride)));
    sum = vpadalq_u8(sum, vabdq_u8(rows[2], vld1q_u8(p + 2 * stride)));
    sum = vpadalq_u8(sum, vabdq_u8(rows[3], vld1q_u8(p + 3 * stride)));
    sum = vpadalq_u8(sum, vabdq_u8(rows[4], vld1q_u8(q)));
    sum = vpadalq_u8(sum, vabdq_u8(rows[5], vld1q_u8(q + stride)));
    sum = vpadalq_u8(sum, vabdq_u8(rows[6], vld1q_u8(q + 2 * stride)));
    return vpadalq_u8(sum, vabdq_u8(rows[7], vld1q_u8(q + 3 * stride)));
}

// A row of the window: what its positions cost.
typedef struct window_row {
    const block *b;
    int y, last; // the last allowed column
    int step;
    uint16_t down; // the deviation of the row
} window_row;

// Takes the first of the cheapest of eight positions, `spacing` apart from `x`, if it is cheaper than the best one.
static inline candidate better_in_row8(const window_row *w, candidate best, int x, int spacing, uint16x8_t sads)
{
    const vfx_block_search *s = w->b->s;
    const int16x8_t lanes = {0, 1, 2, 3, 4, 5, 6, 7}, offsets = vmulq_n_s16(lanes, (int16_t)spacing);
    const int16x8_t places = vaddq_s16(offsets, vdupq_n_s16((int16_t)x));
    const int16x8_t predicted = vdupq_laneq_s16(w->b->prediction, 0);
    // Saturated sums are still above the limit of deviation.
    const uint16x8_t across = vreinterpretq_u16_s16(vabdq_s16(vshlq_n_s16(places, 5), predicted));
    const uint16x8_t deviation = vminq_u16(vshrq_n_u16(vqaddq_u16(across, vdupq_n_u16(w->down)), 5),
                                           vdupq_n_u16((uint16_t)s->deviation_limit));
    // Positions between the steps and beyond the last one never win.
    const uint16x8_t beyond = vcgtq_s16(places, vdupq_n_s16((int16_t)w->last));
    const uint16x8_t between = vtstq_s16(offsets, vdupq_n_s16((int16_t)(w->step - 1)));
    const uint16x8_t costs = vorrq_u16(vmlaq_n_u16(sads, deviation, (uint16_t)s->smoothness),
                                       vorrq_u16(beyond, between));
    const uint32_t least = vminvq_u16(costs);
    if (least >= best.cost) return best;
    const int lane = __builtin_ctzll(vfx_lane_mask8(vceqq_u16(costs, vdupq_n_u16((uint16_t)least)))) >> 3;
    uint16_t sad[8];
    vst1q_u16(sad, sads);
    return (candidate){pair(x + lane * spacing, w->y), least, sad[lane]};
}

static candidate search_window(const block *b, candidate best, int radius, int step)
{
    const vfx_block_search *s = b->s;
    const ptrdiff_t stride = s->target_stride;
    const packed_vector low = lane0(b->low), high = lane0(b->high);
    const int from_x = x_of(best.place), from_y = y_of(best.place), predicted_y = vgetq_lane_s16(b->prediction, 1);
    int first = from_x - radius;
    while (first < x_of(low)) first += step;
    const int last = from_x + radius < x_of(high) ? from_x + radius : x_of(high);
    const int spacing = step == 1 ? 1 : 2;
    uint8x16_t rows[8];
    for (int i = 0; i < 8; i++) rows[i] = vcombine_u8(b->rows[i], b->rows[i]);
    for (int y = from_y - radius; y <= from_y + radius; y += step) {
        if (y < y_of(low) || y > y_of(high)) continue;
        const int dy = abs(y * 32 - predicted_y);
        const window_row w = {b, y, last, step, (uint16_t)(dy < 65535 ? dy : 65535)};
        const uint8_t *row = b->target + y * stride;
        for (int x = first; x <= last; x += 16) {
            uint16x8_t pairs[2] = {vdupq_n_u16(0), vdupq_n_u16(0)};
            for (int half = 0; half < 2 / spacing; half++) {
                uint16x8_t sums[4];
                for (int i = 0; i < 4; i++) {
                    // Beyond the last position, nothing may be read; its cost is not used there.
                    const int at = x + (4 * half + i) * spacing;
                    sums[i] = differences_of_pair(rows, row + (at < last ? at : last), stride);
                }
                pairs[half] = vpaddq_u16(vpaddq_u16(sums[0], sums[1]), vpaddq_u16(sums[2], sums[3]));
            }
            const uint16x8_t left = vuzp1q_u16(pairs[0], pairs[1]), right = vuzp2q_u16(pairs[0], pairs[1]);
            if (spacing == 1) {
                best = better_in_row8(&w, best, x, 1, left);
                best = better_in_row8(&w, best, x + 8, 1, right);
            } else {
                best = better_in_row8(&w, best, x, 2, vcombine_u16(vget_low_u16(left), vget_low_u16(right)));
            }
        }
    }
    return best;
}

static inline int16x8_t rounded(int16x8_t v) { return vrshrq_n_s16(v, 5); }

static inline packed_vector vector(const vfx_motion_vector *v)
{
    packed_vector packed;
    memcpy(&packed, v, sizeof packed);
    return packed;
}

static inline void store(const vfx_block_search *s, ptrdiff_t at, candidate best)
{
    s->vectors[at] = (vfx_motion_vector){(int16_t)(x_of(best.place) * 32), (int16_t)(y_of(best.place) * 32)};
    s->costs[at] = best.difference;
}

static inline int limited(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

// The coarse candidates, doubled.
static inline int16x8_t coarse_candidates(const vfx_block_search *s, int x, int y)
{
    const int right = s->coarse_columns - 1, bottom = s->coarse_rows - 1;
    const int cx = x >> 1 < right ? x >> 1 : right, cy = y >> 1 < bottom ? y >> 1 : bottom;
    const int nx = limited(cx + (x & 1 ? 1 : -1), 0, right), ny = limited(cy + (y & 1 ? 1 : -1), 0, bottom);
    const vfx_motion_vector *row = s->coarse + (ptrdiff_t)cy * s->coarse_columns;
    const packed_vector own = vector(row + cx);
    packed_vector opposite = own;
    if (s->opposite) {
        const int ox = limited(cx + ((x_of(own) + 64) >> 7), 0, right);
        const int oy = limited(cy + ((y_of(own) + 64) >> 7), 0, bottom);
        const packed_vector there = vector(s->opposite + (ptrdiff_t)oy * s->coarse_columns + ox);
        opposite = pair(-x_of(there), -y_of(there));
    }
    const packed_vector behind = vector(s->coarse + (ptrdiff_t)ny * s->coarse_columns + cx);
    const int16x8_t v = four(own, vector(row + nx), behind, opposite);
    return vminq_s16(vmaxq_s16(vqaddq_s16(v, v), vdupq_n_s16(-32256)), vdupq_n_s16(32256));
}

// The vectors beside the cell, behind it and at its corner.
typedef struct neighbours { packed_vector side, behind, corner; } neighbours;

static inline neighbours neighbours_of(const vfx_block_search *s, ptrdiff_t at, int step, int has_side, int has_behind,
                                       int has_corner)
{
    const vfx_motion_vector *v = s->vectors + at, *row = v + step * (ptrdiff_t)s->columns;
    neighbours n;
    n.side = has_side ? vector(v + step) : has_behind ? vector(row) : 0;
    n.behind = has_behind ? vector(row) : n.side;
    n.corner = has_behind && has_corner ? vector(row - step) : n.behind;
    return n;
}

static inline int16x8_t prediction_from(neighbours n, int has_side, int has_behind)
{
    const int16x8_t side = dup(n.side), behind = dup(n.behind), corner = dup(n.corner);
    if (!has_side || !has_behind) return side;
    return vmaxq_s16(vminq_s16(side, behind), vminq_s16(vmaxq_s16(side, behind), corner));
}

static inline int16x8_t forwards(const vfx_block_search *s, int x, int y, int has_behind)
{
    const ptrdiff_t at = (ptrdiff_t)y * s->columns + x;
    const int16x8_t coarse = s->coarse ? coarse_candidates(s, x, y) : vdupq_n_s16(0);
    const neighbours n = neighbours_of(s, at, -1, x > 0, has_behind, x + 1 < s->columns);
    const int16x8_t prediction = x > 0 || has_behind
        ? prediction_from(n, x > 0, has_behind)
        : dup(lane0(coarse));
    const block b = block_at(s, x, y, prediction);
    // Without neighbours, their lanes repeat zero motion.
    const int16x8_t others = s->previous ? four(0, vector(s->previous + at), n.side, n.behind)
                                         : four(0, n.side, n.behind, n.corner);
    const candidate none = {0, UINT32_MAX, 0};
    candidate best = better_of8(&b, none, allowed(&b, rounded(coarse)), allowed(&b, rounded(others)), UINT64_MAX);
    // The ninth candidate.
    if (s->previous) {
        const int16x8_t corner = allowed(&b, rounded(dup(n.corner)));
        if (lane0(corner) != best.place) best = better_of8(&b, best, corner, corner, 0xff);
    }
    if (s->exhaustive_radius > 0) {
        best = search_window(&b, best, s->exhaustive_radius, 1);
    } else if (best.difference > s->descent_threshold) {
        best = descend(&b, best, s->descent_steps);
        if (best.difference > s->retry_threshold) {
            best = search_window(&b, best, s->retry_radius, s->retry_step);
            best = descend(&b, best, s->retry_descent_steps);
        }
    }
    store(s, at, best);
    return prediction;
}

static inline void backwards(const vfx_block_search *s, int x, int y, int has_behind, int16x8_t last_prediction)
{
    const ptrdiff_t at = (ptrdiff_t)y * s->columns + x;
    const int has_side = x + 1 < s->columns, has_any = has_side || has_behind;
    const neighbours n = neighbours_of(s, at, 1, has_side, has_behind, x > 0);
    const packed_vector own = vector(s->vectors + at);
    if (n.side == own && n.behind == own && n.corner == own) return;
    const int16x8_t candidates = has_any ? four(own, n.side, n.behind, n.corner) : dup(own);
    const block b = block_at(s, x, y, has_any ? prediction_from(n, has_side, has_behind) : last_prediction);
    const int16x8_t places = allowed(&b, rounded(candidates));
    // The SAD of the cell's own vector is known.
    const int32x4_t words = vreinterpretq_s32_s16(places);
    const uint16x4_t others = vmovn_u32(vmvnq_u32(vceqq_s32(words, vdupq_laneq_s32(words, 0))));
    candidate best = {vgetq_lane_s32(words, 0), s->costs[at] + vgetq_lane_u32(penalties(&b, places), 0), s->costs[at]};
    best = better_of8(&b, best, places, places, vfx_lane_mask8(vcombine_u16(others, vdup_n_u16(0))));
    if (best.difference > s->descent_threshold) best = descend(&b, best, s->backward_descent_steps);
    store(s, at, best);
}

void vfx_block_search_stripe_neon(const vfx_block_search *s, int first_row, int last_row)
{
    int16x8_t prediction = vdupq_n_s16(0);
    for (int y = first_row; y < last_row; y++)
        for (int x = 0; x < s->columns; x++) prediction = forwards(s, x, y, y > first_row);
    for (int y = last_row - 1; y >= first_row; y--)
        for (int x = s->columns - 1; x >= 0; x--) backwards(s, x, y, y + 1 < last_row, prediction);
}
#endif
