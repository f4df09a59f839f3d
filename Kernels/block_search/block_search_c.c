#include "../internal/versions.h"
#include <stdlib.h>

// A displacement in whole samples.
typedef struct place { int x, y; } place;

// The search for one block after another.
typedef struct block {
    const vfx_block_search *s;
    const uint8_t *source, *target; // first sample of the block, and the same position in the target
    place low, high;                // the allowed displacements
    vfx_motion_vector prediction;
    place best;
    int cost; // of the best place
    uint32_t difference;
} block;

static int smaller(int a, int b) { return a < b ? a : b; }
static int larger(int a, int b) { return a > b ? a : b; }
static int limited(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

static void begin(block *b, int x, int y)
{
    const vfx_block_search *s = b->s;
    const int left = 4 * x - 2, top = 4 * y - 2, most = s->displacement_limit;
    b->source = s->source + top * s->source_stride + left;
    b->target = s->target + top * s->target_stride + left;
    b->low = (place){larger(-s->reach - left, -most), larger(-s->reach - top, -most)};
    b->high = (place){smaller(s->width + s->reach - 8 - left, most), smaller(s->height + s->reach - 8 - top, most)};
    b->cost = INT32_MAX;
}

static place allowed(const block *b, int x, int y)
{
    return (place){limited(x, b->low.x, b->high.x), limited(y, b->low.y, b->high.y)};
}

// Compares up to four places.
static void compare(block *b, const place *places, int count)
{
    const vfx_block_search *s = b->s;
    ptrdiff_t offsets[4];
    uint32_t sums[4];
    for (int i = 0; i < 4; i++) {
        const place p = places[i < count ? i : 0];
        offsets[i] = p.y * s->target_stride + p.x;
    }
    s->sad_8x8_x4(b->source, s->source_stride, b->target, s->target_stride, offsets, sums);
    for (int i = 0; i < count; i++) {
        const int deviation = (abs(places[i].x * 32 - b->prediction.x) + abs(places[i].y * 32 - b->prediction.y)) >> 5;
        const int cost = (int)sums[i] + s->smoothness * smaller(deviation, s->deviation_limit);
        if (cost < b->cost) {
            b->cost = cost;
            b->best = places[i];
            b->difference = sums[i];
        }
    }
}

static void compare_vectors(block *b, const vfx_motion_vector *vectors, int count)
{
    for (int i = 0; i < count; i += 4) {
        place places[4];
        const int n = smaller(count - i, 4);
        for (int k = 0; k < n; k++) places[k] = allowed(b, (vectors[i + k].x + 16) >> 5, (vectors[i + k].y + 16) >> 5);
        compare(b, places, n);
    }
}

static void descend(block *b, int steps)
{
    for (int i = 0; i < steps; i++) {
        const place from = b->best;
        const place around[4] = {allowed(b, from.x - 1, from.y), allowed(b, from.x + 1, from.y),
                                 allowed(b, from.x, from.y - 1), allowed(b, from.x, from.y + 1)};
        compare(b, around, 4);
        if (b->best.x == from.x && b->best.y == from.y) return;
    }
}

// Tries every `step`th position in a square around the best one, as far as it is allowed.
static void search_window(block *b, int radius, int step)
{
    const place from = b->best;
    place places[4];
    int count = 0;
    for (int y = from.y - radius; y <= from.y + radius; y += step)
        for (int x = from.x - radius; x <= from.x + radius; x += step) {
            if (x < b->low.x || x > b->high.x || y < b->low.y || y > b->high.y) continue;
            places[count++] = (place){x, y};
            if (count < 4) continue;
            compare(b, places, 4);
            count = 0;
        }
    if (count) compare(b, places, count);
}

static void store(const block *b, ptrdiff_t at)
{
    b->s->vectors[at] = (vfx_motion_vector){(int16_t)(b->best.x * 32), (int16_t)(b->best.y * 32)};
    b->s->costs[at] = b->difference;
}

static vfx_motion_vector doubled(vfx_motion_vector v, int sign)
{
    return (vfx_motion_vector){(int16_t)limited(2 * sign * v.x, -32256, 32256),
                               (int16_t)limited(2 * sign * v.y, -32256, 32256)};
}

static int add_coarse(const vfx_block_search *s, int x, int y, vfx_motion_vector *candidates)
{
    const int right = s->coarse_columns - 1, bottom = s->coarse_rows - 1;
    const int cx = smaller(x >> 1, right), cy = smaller(y >> 1, bottom);
    const int nx = limited(cx + (x & 1 ? 1 : -1), 0, right), ny = limited(cy + (y & 1 ? 1 : -1), 0, bottom);
    const ptrdiff_t row = (ptrdiff_t)cy * s->coarse_columns;
    const vfx_motion_vector v = s->coarse[row + cx];
    candidates[0] = doubled(v, 1);
    candidates[1] = doubled(s->coarse[row + nx], 1);
    candidates[2] = doubled(s->coarse[(ptrdiff_t)ny * s->coarse_columns + cx], 1);
    if (!s->opposite) return 3;
    // A coarse cell is 128 units of 1/32 sample wide.
    const int ox = limited(cx + ((v.x + 64) >> 7), 0, right), oy = limited(cy + ((v.y + 64) >> 7), 0, bottom);
    candidates[3] = doubled(s->opposite[(ptrdiff_t)oy * s->coarse_columns + ox], -1);
    return 4;
}

static int16_t median(int a, int b, int c)
{
    return (int16_t)larger(smaller(a, b), smaller(larger(a, b), c));
}

// The vectors beside the cell, behind it and at its corner, in the direction of `step`. Sets the prediction.
static int neighbours(block *b, ptrdiff_t at, int step, int has_side, int has_behind, int has_corner,
                      vfx_motion_vector out[3])
{
    const vfx_motion_vector *v = b->s->vectors + at, *row = v + step * (ptrdiff_t)b->s->columns;
    const vfx_motion_vector none = {0, 0};
    out[0] = has_side ? v[step] : has_behind ? row[0] : none;
    out[1] = has_behind ? row[0] : out[0];
    out[2] = has_behind && has_corner ? row[-step] : out[1];
    if (has_side && has_behind)
        b->prediction = (vfx_motion_vector){median(out[0].x, out[1].x, out[2].x), median(out[0].y, out[1].y, out[2].y)};
    else if (has_side || has_behind)
        b->prediction = out[0];
    return has_side || has_behind ? 3 : 0;
}

static void forwards(block *b, int x, int y, int has_behind)
{
    const vfx_block_search *s = b->s;
    const ptrdiff_t at = (ptrdiff_t)y * s->columns + x;
    vfx_motion_vector candidates[9];
    int count = s->coarse ? add_coarse(s, x, y, candidates) : 0;
    b->prediction = count ? candidates[0] : (vfx_motion_vector){0, 0};
    candidates[count++] = (vfx_motion_vector){0, 0};
    if (s->previous) candidates[count++] = s->previous[at];
    count += neighbours(b, at, -1, x > 0, has_behind, x + 1 < s->columns, candidates + count);
    begin(b, x, y);
    compare_vectors(b, candidates, count);
    if (s->exhaustive_radius > 0) {
        search_window(b, s->exhaustive_radius, 1);
    } else if (b->difference > s->descent_threshold) {
        descend(b, s->descent_steps);
        if (b->difference > s->retry_threshold) {
            search_window(b, s->retry_radius, s->retry_step);
            descend(b, s->retry_descent_steps);
        }
    }
    store(b, at);
}

static int equal(vfx_motion_vector a, vfx_motion_vector b) { return a.x == b.x && a.y == b.y; }

static void backwards(block *b, int x, int y, int has_behind)
{
    const vfx_block_search *s = b->s;
    const ptrdiff_t at = (ptrdiff_t)y * s->columns + x;
    vfx_motion_vector candidates[4] = {s->vectors[at]};
    const int count = neighbours(b, at, 1, x + 1 < s->columns, has_behind, x > 0, candidates + 1);
    if (equal(candidates[0], candidates[1]) && equal(candidates[0], candidates[2]) && equal(candidates[0], candidates[3]))
        return;
    begin(b, x, y);
    compare_vectors(b, candidates, 1 + count);
    if (b->difference > s->descent_threshold) descend(b, s->backward_descent_steps);
    store(b, at);
}

void vfx_block_search_stripe_c(const vfx_block_search *s, int first_row, int last_row)
{
    block b = {.s = s};
    for (int y = first_row; y < last_row; y++)
        for (int x = 0; x < s->columns; x++) forwards(&b, x, y, y > first_row);
    for (int y = last_row - 1; y >= first_row; y--)
        for (int x = s->columns - 1; x >= 0; x--) backwards(&b, x, y, y + 1 < last_row);
}
