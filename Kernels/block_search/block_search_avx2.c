#include "../x86/x86.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "../x86/rows_avx2.h"

// Vectors and displacements are pairs of 16-bit numbers in 32-bit lanes; those of one cell are in the same register. Sums
// of 8×8 differences and costs fit into 16 bits.

// The search of a stripe: what is the same for all blocks.
typedef struct stripe {
    const vfx_block_search *s;
    __m128i strides; // 1 and the stride of the target, for the offset of a displacement
    __m128i smoothness, deviation_limit;
    __m128i low, high; // the allowed displacements of a block at (0, 0), without the limit of displacement
    __m128i most;      // the limit of displacement
} stripe;

// One block.
typedef struct block {
    const uint8_t *source, *target;
    __m256i rows0, rows1; // of the source
    __m128i low, high;    // the allowed displacements, in every lane
    __m128i prediction;   // in every lane
} block;

// The best position of a block so far.
typedef struct best {
    __m128i place; // in every lane
    uint32_t cost, difference;
} best;

static inline __m128i pair(int x, int y) { return _mm_set1_epi32((int)((uint32_t)y << 16 | (uint16_t)x)); }

static inline stripe stripe_of(const vfx_block_search *s)
{
    return (stripe){s, pair(1, (int)s->target_stride), _mm_set1_epi32(s->smoothness), _mm_set1_epi32(s->deviation_limit),
                    pair(-s->reach, -s->reach), pair(s->width + s->reach - 8, s->height + s->reach - 8),
                    pair(s->displacement_limit, s->displacement_limit)};
}

static inline block block_at(const stripe *t, int x, int y, __m128i prediction)
{
    const vfx_block_search *s = t->s;
    const int left = 4 * x - 2, top = 4 * y - 2;
    const __m128i place = pair(left, top);
    block b;
    b.source = s->source + top * s->source_stride + left;
    b.target = s->target + top * s->target_stride + left;
    b.rows0 = vfx_rows4(b.source, s->source_stride);
    b.rows1 = vfx_rows4(b.source + 4 * s->source_stride, s->source_stride);
    b.low = _mm_max_epi16(_mm_sub_epi16(t->low, place), _mm_sub_epi16(_mm_setzero_si128(), t->most));
    b.high = _mm_min_epi16(_mm_sub_epi16(t->high, place), t->most);
    b.prediction = prediction;
    return b;
}

static inline __m128i allowed(const block *b, __m128i places)
{
    return _mm_min_epi16(_mm_max_epi16(places, b->low), b->high);
}

// SAD of the block at `p`, spread over the low halves of the 64-bit lanes.
static inline __m256i difference(const block *b, const uint8_t *p, ptrdiff_t stride)
{
    return _mm256_add_epi32(_mm256_sad_epu8(b->rows0, vfx_rows4(p, stride)),
                            _mm256_sad_epu8(b->rows1, vfx_rows4(p + 4 * stride, stride)));
}

// SADs at four places.
static inline __m128i differences(const stripe *t, const block *b, __m128i places)
{
    const __m128i offsets = _mm_madd_epi16(places, t->strides);
    const ptrdiff_t stride = t->s->target_stride;
    const int64_t low = _mm_cvtsi128_si64(offsets), high = _mm_extract_epi64(offsets, 1);
    const __m256i d0 = difference(b, b->target + (int32_t)low, stride);
    const __m256i d1 = difference(b, b->target + (low >> 32), stride);
    const __m256i d2 = difference(b, b->target + (int32_t)high, stride);
    const __m256i d3 = difference(b, b->target + (high >> 32), stride);
    const __m256i d01 = _mm256_or_si256(d0, _mm256_slli_epi64(d1, 32)), d23 = _mm256_or_si256(d2, _mm256_slli_epi64(d3, 32));
    const __m256i sum = _mm256_add_epi32(_mm256_unpacklo_epi64(d01, d23), _mm256_unpackhi_epi64(d01, d23));
    return _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
}

// Costs of four places with the given SADs. Saturation makes distances wrong only far above the limit of deviation.
static inline __m128i costs(const stripe *t, const block *b, __m128i places, __m128i sads)
{
    __m128i d = _mm_subs_epi16(_mm_slli_epi16(places, 5), b->prediction);
    d = _mm_max_epi16(d, _mm_subs_epi16(_mm_setzero_si128(), d));
    const __m128i deviation = _mm_min_epi32(_mm_srli_epi32(_mm_madd_epi16(d, _mm_set1_epi16(1)), 5), t->deviation_limit);
    return _mm_add_epi32(sads, _mm_madd_epi16(deviation, t->smoothness));
}

// Takes the first of the cheapest of four places if it is cheaper than the best one.
static inline best better_of4(const stripe *t, const block *b, best best, __m128i places)
{
    const __m128i sads = differences(t, b, places), all = costs(t, b, places, sads);
    const __m128i first = _mm_minpos_epu16(_mm_packus_epi32(all, _mm_set1_epi32(0xffff)));
    const uint32_t found = (uint32_t)_mm_cvtsi128_si32(first), cost = found & 0xffff;
    if (cost >= best.cost) return best;
    const __m128 index = _mm_castsi128_ps(_mm_shuffle_epi32(_mm_srli_epi32(first, 16), 0));
    best.cost = cost;
    best.difference = (uint32_t)_mm_cvtsi128_si32(
        _mm_castps_si128(_mm_permutevar_ps(_mm_castsi128_ps(sads), _mm_castps_si128(index))));
    best.place = _mm_castps_si128(_mm_permutevar_ps(_mm_castsi128_ps(places), _mm_castps_si128(index)));
    return best;
}

static best descend(const stripe *t, const block *b, best best, int steps)
{
    const __m128i around = _mm_setr_epi16(-1, 0, 1, 0, 0, -1, 0, 1);
    for (int i = 0; i < steps; i++) {
        const uint32_t cost = best.cost;
        best = better_of4(t, b, best, allowed(b, _mm_add_epi16(best.place, around)));
        if (best.cost == cost) break;
    }
    return best;
}

// SADs of the blocks that begin at p, p + 1 … p + 7. Reads 16 samples of each row; `source` has two rows per register.
static inline __m128i differences8(const __m256i source[4], const uint8_t *p, ptrdiff_t stride)
{
    __m256i sum = _mm256_setzero_si256();
    for (int i = 0; i < 4; i++, p += 2 * stride) {
        const __m256i rows = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)p)),
                                                     _mm_loadu_si128((const __m128i *)(p + stride)), 1);
        sum = _mm256_add_epi16(sum, _mm256_add_epi16(_mm256_mpsadbw_epu8(rows, source[i], 0),
                                                     _mm256_mpsadbw_epu8(rows, source[i], 0x2d)));
    }
    return _mm_add_epi16(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
}

static best search_window(const stripe *t, const block *b, best best, int radius, int step)
{
    const vfx_block_search *s = t->s;
    const __m128i lanes = _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7), zero = _mm_setzero_si128();
    // Lanes between the steps never win.
    const __m128i between = _mm_cmpgt_epi16(_mm_and_si128(lanes, _mm_set1_epi16((short)(step - 1))), zero);
    const __m128i smoothness = _mm_set1_epi16((short)s->smoothness), limit = _mm_set1_epi16((short)s->deviation_limit);
    const int place = _mm_cvtsi128_si32(best.place), low = _mm_cvtsi128_si32(b->low), high = _mm_cvtsi128_si32(b->high);
    const int predicted = _mm_cvtsi128_si32(b->prediction);
    const int from_x = (int16_t)place, from_y = place >> 16;
    int first = from_x - radius;
    while (first < (int16_t)low) first += step;
    const int last = from_x + radius < (int16_t)high ? from_x + radius : (int16_t)high;
    __m256i source[4];
    for (int i = 0; i < 4; i++) {
        const uint8_t *p = b->source + 2 * i * s->source_stride;
        source[i] = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadl_epi64((const __m128i *)p)),
                                            _mm_loadl_epi64((const __m128i *)(p + s->source_stride)), 1);
    }
    for (int y = from_y - radius; y <= from_y + radius; y += step) {
        if (y < low >> 16 || y > high >> 16) continue;
        const int dy = y * 32 - (predicted >> 16);
        // Limited so that the sum with the other axis saturates where it must.
        const __m128i down = _mm_set1_epi16((short)((dy < 0 ? -dy : dy) > 32767 ? 32767 : dy < 0 ? -dy : dy));
        for (int x = first; x <= last; x += 8) {
            const __m128i sads = differences8(source, b->target + y * s->target_stride + x, s->target_stride);
            const __m128i places = _mm_add_epi16(_mm_set1_epi16((short)x), lanes);
            __m128i d = _mm_subs_epi16(_mm_slli_epi16(places, 5), _mm_set1_epi16((short)predicted));
            d = _mm_add_epi16(_mm_max_epi16(d, _mm_subs_epi16(zero, d)), down);
            d = _mm_min_epu16(_mm_srli_epi16(d, 5), limit);
            __m128i all = _mm_add_epi16(sads, _mm_mullo_epi16(d, smoothness));
            all = _mm_or_si128(all, _mm_or_si128(between, _mm_cmpgt_epi16(places, _mm_set1_epi16((short)last))));
            const uint32_t found = (uint32_t)_mm_cvtsi128_si32(_mm_minpos_epu16(all));
            if ((found & 0xffff) >= best.cost) continue;
            uint16_t values[8];
            _mm_storeu_si128((__m128i *)values, sads);
            const int lane = (int)(found >> 16);
            best.cost = found & 0xffff;
            best.difference = values[lane];
            best.place = pair(x + lane, y);
        }
    }
    return best;
}

// The bytes of an entry are the positions of the set bits of `m`, lowest first, then zeros.
#define POSITION(m, i) ((uint64_t)((m) >> (i) & 1) * (i) << 8 * __builtin_popcount((m) & ((1 << (i)) - 1)))
#define POSITIONS(m)                                                                                                    \
    POSITION(m, 1) | POSITION(m, 2) | POSITION(m, 3) | POSITION(m, 4) | POSITION(m, 5) | POSITION(m, 6) | POSITION(m, 7)
#define POSITIONS4(m) POSITIONS(m), POSITIONS((m) + 1), POSITIONS((m) + 2), POSITIONS((m) + 3)
#define POSITIONS16(m) POSITIONS4(m), POSITIONS4((m) + 4), POSITIONS4((m) + 8), POSITIONS4((m) + 12)
#define POSITIONS64(m) POSITIONS16(m), POSITIONS16((m) + 16), POSITIONS16((m) + 32), POSITIONS16((m) + 48)
static const uint64_t positions[256] = {POSITIONS64(0), POSITIONS64(64), POSITIONS64(128), POSITIONS64(192)};

// A bit for each lane that differs from all lanes below it.
static inline uint32_t distinct(__m256i v)
{
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i same = _mm256_setzero_si256();
#pragma clang loop unroll(full)
    for (int k = 1; k < 8; k++) {
        const __m256i from = _mm256_sub_epi32(lanes, _mm256_set1_epi32(k));
        // Lanes without a lane k below them have a negative number there.
        const __m256i equal = _mm256_cmpeq_epi32(v, _mm256_permutevar8x32_epi32(v, from));
        same = _mm256_or_si256(same, _mm256_andnot_si256(from, equal));
    }
    // The sign bit is set in `equal` and clear in `from` where a lane equals a lower one.
    return ~(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(same)) & 0xff;
}

// A place, which is in every lane, and its cost.
static inline best only(const stripe *t, const block *b, __m128i place)
{
    const int offset = _mm_cvtsi128_si32(_mm_madd_epi16(place, t->strides));
    const __m256i d = difference(b, b->target + offset, t->s->target_stride);
    const __m128i half = _mm_add_epi32(_mm256_castsi256_si128(d), _mm256_extracti128_si256(d, 1));
    const __m128i sad = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    return (best){place, (uint32_t)_mm_cvtsi128_si32(costs(t, b, place, sad)), (uint32_t)_mm_cvtsi128_si32(sad)};
}

// The first of the cheapest of eight places, most of which are often the same.
static inline best best_of8(const stripe *t, const block *b, __m256i places)
{
    const __m256i same = _mm256_cmpeq_epi32(places, _mm256_broadcastd_epi32(_mm256_castsi256_si128(places)));
    if (_mm256_movemask_epi8(same) == -1) return only(t, b, _mm256_castsi256_si128(places));
    const uint32_t kept = distinct(places);
    const __m256i order = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(positions + kept)));
    const __m256i all = _mm256_permutevar8x32_epi32(places, order);
    const __m128i low = _mm256_castsi256_si128(all), high = _mm256_extracti128_si256(all, 1);
    const __m128i sads = differences(t, b, low);
    const __m128i cost = costs(t, b, low, sads);
    __m128i sads_high = _mm_setzero_si128(), cost_high = _mm_set1_epi32(0xffff);
    if (_mm_popcnt_u32(kept) > 4) {
        sads_high = differences(t, b, high);
        cost_high = costs(t, b, high, sads_high);
    }
    const __m128i first = _mm_minpos_epu16(_mm_packus_epi32(cost, cost_high));
    const __m256i index = _mm256_broadcastd_epi32(_mm_srli_epi32(first, 16));
    const __m256i sad = _mm256_permutevar8x32_epi32(_mm256_set_m128i(sads_high, sads), index);
    return (best){_mm256_castsi256_si128(_mm256_permutevar8x32_epi32(all, index)),
                  (uint32_t)_mm_cvtsi128_si32(first) & 0xffff, (uint32_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(sad))};
}

static inline __m128i rounded(__m128i v) { return _mm_srai_epi16(_mm_add_epi16(v, _mm_set1_epi16(16)), 5); }

static inline __m128i vector(const vfx_motion_vector *v) { return _mm_loadu_si32(v); }

static inline void store(const vfx_block_search *s, ptrdiff_t at, best best)
{
    _mm_storeu_si32(s->vectors + at, _mm_slli_epi16(best.place, 5));
    s->costs[at] = best.difference;
}

static inline int limited(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

// The coarse candidates of two cells side by side: they differ in the neighbour in the row, which is not set.
static inline __m128i shared_coarse(const vfx_block_search *s, int cx, int y)
{
    const int right = s->coarse_columns - 1, bottom = s->coarse_rows - 1, cy = y >> 1 < bottom ? y >> 1 : bottom;
    const int ny = limited(cy + (y & 1 ? 1 : -1), 0, bottom);
    const vfx_motion_vector *row = s->coarse + (ptrdiff_t)cy * s->coarse_columns;
    const __m128i own = vector(row + cx);
    __m128i opposite = own;
    if (s->opposite) {
        const int ox = limited(cx + ((row[cx].x + 64) >> 7), 0, right);
        const int oy = limited(cy + ((row[cx].y + 64) >> 7), 0, bottom);
        opposite = _mm_sub_epi16(_mm_setzero_si128(), vector(s->opposite + (ptrdiff_t)oy * s->coarse_columns + ox));
    }
    const __m128i below = vector(s->coarse + (ptrdiff_t)ny * s->coarse_columns + cx);
    return _mm_unpacklo_epi64(_mm_unpacklo_epi32(own, own), _mm_unpacklo_epi32(below, opposite));
}

// Adds the neighbour in the row; doubled.
static inline __m128i coarse_candidates(const vfx_block_search *s, __m128i shared, int cx, int x, int y)
{
    const int right = s->coarse_columns - 1, bottom = s->coarse_rows - 1, cy = y >> 1 < bottom ? y >> 1 : bottom;
    const int nx = limited(cx + (x & 1 ? 1 : -1), 0, right);
    const __m128i side = vector(s->coarse + (ptrdiff_t)cy * s->coarse_columns + nx);
    const __m128i v = _mm_blend_epi32(shared, _mm_shuffle_epi32(side, 0), 2);
    const __m128i most = _mm_set1_epi16(32256), least = _mm_set1_epi16(-32256);
    return _mm_min_epi16(_mm_max_epi16(_mm_adds_epi16(v, v), least), most);
}

// The vectors beside the cell, behind it and at its corner.
typedef struct neighbours { __m128i side, behind, corner; } neighbours;

static inline neighbours neighbours_of(const vfx_block_search *s, ptrdiff_t at, int step, int has_side, int has_behind,
                                       int has_corner)
{
    const vfx_motion_vector *v = s->vectors + at, *row = v + step * (ptrdiff_t)s->columns;
    neighbours n;
    n.side = has_side ? vector(v + step) : has_behind ? vector(row) : _mm_setzero_si128();
    n.behind = has_behind ? vector(row) : n.side;
    n.corner = has_behind && has_corner ? vector(row - step) : n.behind;
    return n;
}

static inline __m128i prediction_from(neighbours n, int has_side, int has_behind)
{
    const __m128i median = _mm_max_epi16(_mm_min_epi16(n.side, n.behind),
                                         _mm_min_epi16(_mm_max_epi16(n.side, n.behind), n.corner));
    return _mm_shuffle_epi32(has_side && has_behind ? median : n.side, 0);
}

static inline __m128i forwards(const stripe *t, __m128i coarse, int x, int y, int has_behind)
{
    const vfx_block_search *s = t->s;
    const ptrdiff_t at = (ptrdiff_t)y * s->columns + x;
    const __m128i zero = _mm_setzero_si128();
    const neighbours n = neighbours_of(s, at, -1, x > 0, has_behind, x + 1 < s->columns);
    const __m128i prediction = x > 0 || has_behind ? prediction_from(n, x > 0, has_behind) : _mm_shuffle_epi32(coarse, 0);
    const block b = block_at(t, x, y, prediction);
    // Without neighbours, their lanes repeat zero motion.
    const __m128i others = s->previous
        ? _mm_unpacklo_epi64(_mm_unpacklo_epi32(zero, vector(s->previous + at)), _mm_unpacklo_epi32(n.side, n.behind))
        : _mm_unpacklo_epi64(_mm_unpacklo_epi32(zero, n.side), _mm_unpacklo_epi32(n.behind, n.corner));
    best best = best_of8(t, &b, _mm256_set_m128i(allowed(&b, rounded(others)), allowed(&b, rounded(coarse))));
    // The ninth candidate.
    if (s->previous) best = better_of4(t, &b, best, _mm_shuffle_epi32(allowed(&b, rounded(n.corner)), 0));
    if (s->exhaustive_radius > 0) {
        best = search_window(t, &b, best, s->exhaustive_radius, 1);
    } else if (best.difference > s->descent_threshold) {
        best = descend(t, &b, best, s->descent_steps);
        if (best.difference > s->retry_threshold) {
            best = search_window(t, &b, best, s->retry_radius, s->retry_step);
            best = descend(t, &b, best, s->retry_descent_steps);
        }
    }
    store(s, at, best);
    return prediction;
}

static inline __m128i forwards_row(const stripe *t, int y, int has_behind)
{
    const vfx_block_search *s = t->s;
    __m128i shared = _mm_setzero_si128(), prediction = shared;
    for (int x = 0; x < s->columns; x++) {
        const int cx = x >> 1 < s->coarse_columns ? x >> 1 : s->coarse_columns - 1;
        __m128i coarse = shared;
        if (s->coarse) {
            if (!(x & 1)) shared = shared_coarse(s, cx, y);
            coarse = coarse_candidates(s, shared, cx, x, y);
        }
        prediction = forwards(t, coarse, x, y, has_behind);
    }
    return prediction;
}

static inline void backwards(const stripe *t, int x, int y, int has_behind, __m128i last_prediction)
{
    const vfx_block_search *s = t->s;
    const ptrdiff_t at = (ptrdiff_t)y * s->columns + x;
    const int has_side = x + 1 < s->columns;
    const neighbours n = neighbours_of(s, at, 1, has_side, has_behind, x > 0);
    const __m128i own = vector(s->vectors + at);
    __m128i candidates = _mm_unpacklo_epi64(_mm_unpacklo_epi32(own, n.side), _mm_unpacklo_epi32(n.behind, n.corner));
    if (_mm_movemask_epi8(_mm_cmpeq_epi32(candidates, _mm_shuffle_epi32(own, 0))) == 0xffff) return;
    const int has_any = has_side || has_behind;
    if (!has_any) candidates = _mm_shuffle_epi32(own, 0);
    const block b = block_at(t, x, y, has_any ? prediction_from(n, has_side, has_behind) : last_prediction);
    // The SAD of the cell's own vector is known.
    const __m128i places = allowed(&b, rounded(candidates)), own_place = _mm_shuffle_epi32(places, 0);
    const __m128i own_sad = _mm_cvtsi32_si128((int)s->costs[at]);
    best best = {own_place, (uint32_t)_mm_cvtsi128_si32(costs(t, &b, own_place, own_sad)), s->costs[at]};
    best = better_of4(t, &b, best, places);
    if (best.difference > s->descent_threshold) best = descend(t, &b, best, s->backward_descent_steps);
    store(s, at, best);
}

void vfx_block_search_stripe_avx2(const vfx_block_search *s, int first_row, int last_row)
{
    const stripe t = stripe_of(s);
    __m128i prediction = _mm_setzero_si128();
    for (int y = first_row; y < last_row; y++)
        prediction = forwards_row(&t, y, y > first_row);
    for (int y = last_row - 1; y >= first_row; y--)
        for (int x = s->columns - 1; x >= 0; x--) backwards(&t, x, y, y + 1 < last_row, prediction);
}
#pragma clang attribute pop
#endif
