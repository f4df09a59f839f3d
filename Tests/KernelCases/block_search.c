#include "case.h"

enum { REACH = 38 };

// The planes and predictors of a search.
typedef struct search {
    vfx_block_search s;
    int rows;
} search;

// Many vectors are the same, as in real fields.
static const vfx_motion_vector *vectors_make(kc_run *r, int span, int count)
{
    vfx_motion_vector *v = kc_guarded(r, (size_t)count * sizeof *v, true);
    vfx_motion_vector common;
    common.x = (int16_t)kc_in(r, -span, span);
    common.y = (int16_t)kc_in(r, -span, span);
    for (int i = 0; i < count; i++) {
        v[i] = common;
        if (!kc_one_in(r, 3)) continue;
        v[i].x = (int16_t)kc_in(r, -span, span);
        v[i].y = (int16_t)kc_in(r, -span, span);
    }
    return v;
}

static search search_make(kc_run *r, int width, int height)
{
    const int columns = (width + 3) / 4, rows = (height + 3) / 4, coarse_count = (columns + 1) / 2 * ((rows + 1) / 2);
    // Blocks extend two samples beyond the cells.
    const kc_plane source = kc_plane_make(r, 1, -2, 4 * columns + 2, -2, 4 * rows + 2);
    const kc_plane target = kc_plane_make(r, 1, -REACH, width + REACH + 8, -REACH, height + REACH);
    const kc_pattern pattern = kc_any_pattern(r), other = kc_any_pattern(r);
    kc_fill(r, &source, pattern, 255);
    kc_fill(r, &target, kc_one_in(r, 2) ? pattern : other, 255);
    const int spans[] = {20, 300, 2000, 32256}, span = spans[kc_in(r, 0, 3)];
    const int radii[] = {0, 0, 3, 8}, smoothness[] = {0, 8, 16, 2500}, retry_steps[] = {1, 2, 4, 8};
    const uint32_t thresholds[][2] = {{0, 0}, {96, 512}, {96, 16320}, {16320, 16320}};
    const uint32_t *threshold = thresholds[kc_in(r, 0, 3)];
    search search = {.rows = rows, .s = {
        .source = source.origin, .target = target.origin, .source_stride = source.stride,
        .target_stride = target.stride, .width = width, .height = height, .columns = columns,
        .sad_8x8_x4 = r->c->sad_8x8_x4, .reach = REACH,
        .displacement_limit = 1000, .deviation_limit = 16, .descent_threshold = threshold[0],
        .retry_threshold = threshold[1], .descent_steps = 6, .retry_radius = 6, .retry_descent_steps = 4,
        .backward_descent_steps = 2,
    }};
    search.s.smoothness = smoothness[kc_in(r, 0, 3)];
    search.s.exhaustive_radius = radii[kc_in(r, 0, 3)];
    search.s.retry_step = retry_steps[kc_in(r, 0, 3)];
    if (!kc_one_in(r, 4)) {
        search.s.coarse = vectors_make(r, span, coarse_count);
        search.s.coarse_columns = (columns + 1) / 2;
        search.s.coarse_rows = (rows + 1) / 2;
        if (!kc_one_in(r, 4)) search.s.opposite = vectors_make(r, span, coarse_count);
    }
    if (kc_one_in(r, 2)) search.s.previous = vectors_make(r, span, columns * rows);
    return search;
}

// Searches all rows in stripes.
static void run(const search *own, vfx_block_search_stripe_fn *kernel, int stripe_rows, uint8_t *vectors,
                uint8_t *costs)
{
    vfx_block_search s = own->s;
    s.vectors = (vfx_motion_vector *)vectors;
    s.costs = (uint32_t *)costs;
    for (int first = 0; first < own->rows; first += stripe_rows)
        kernel(&s, first, first + stripe_rows < own->rows ? first + stripe_rows : own->rows);
}

static void compare(kc_run *r)
{
    for (int round = 0; round < 60; round++) {
        const int width = kc_in(r, 16, 100), height = kc_in(r, 16, 70), stripe_rows = kc_in(r, 1, 8);
        const search search = search_make(r, width, height);
        const int cells = search.s.columns * search.rows;
        const kc_output vectors = kc_output_make(r, cells * (int)sizeof(vfx_motion_vector), 1, sizeof(int32_t));
        const kc_output costs = kc_output_make(r, cells * (int)sizeof(uint32_t), 1, sizeof(uint32_t));
        run(&search, r->c->block_search_stripe, stripe_rows, vectors.wanted, costs.wanted);
        run(&search, r->tested->block_search_stripe, stripe_rows, vectors.got, costs.got);
        kc_check(r, &vectors, "vectors of %dx%d samples, round %d", width, height, round);
        kc_check(r, &costs, "costs of %dx%d samples, round %d", width, height, round);
        kc_release(r);
    }
}

enum { WORK_COLUMNS = 60, WORK_ROWS = 8 };

// Smooth texture with some noise.
static void draw(kc_run *r, const kc_plane *plane, int shift)
{
    for (int y = plane->y0; y < plane->y1; y++)
        for (int x = plane->x0; x < plane->x1; x++) {
            const int u = x + shift + 100, v = y + 100;
            const int value = 64 + (u * u / 37 + v * v / 23) % 128 + kc_in(r, 0, 7);
            ((uint8_t *)plane->origin)[y * plane->stride + x] = (uint8_t)value;
        }
}

// A stripe of a noisy pan that the coarse level has predicted.
static int work(kc_run *r, int calls)
{
    const int width = 4 * WORK_COLUMNS, height = 4 * WORK_ROWS, cells = WORK_COLUMNS * WORK_ROWS;
    const kc_plane source = kc_plane_make(r, 1, -2, width + 2, -2, height + 2);
    const kc_plane target = kc_plane_make(r, 1, -REACH, width + REACH + 8, -REACH, height + REACH);
    draw(r, &source, 0);
    draw(r, &target, 3);
    vfx_motion_vector *coarse = kc_guarded(r, (size_t)cells / 4 * sizeof *coarse, true);
    for (int i = 0; i < cells / 4; i++) coarse[i] = (vfx_motion_vector){(int16_t)(-48 + i % 7), (int16_t)(i % 5)};
    const vfx_block_search search = {
        .source = source.origin, .target = target.origin, .source_stride = source.stride,
        .target_stride = target.stride, .width = width, .height = height, .columns = WORK_COLUMNS,
        .coarse = coarse, .opposite = coarse,
        .coarse_columns = WORK_COLUMNS / 2, .coarse_rows = WORK_ROWS / 2, .sad_8x8_x4 = r->tested->sad_8x8_x4,
        .reach = REACH, .displacement_limit = 1000, .smoothness = 8, .deviation_limit = 16, .descent_threshold = 96,
        .retry_threshold = 512, .descent_steps = 6, .retry_radius = 6, .retry_step = 2, .retry_descent_steps = 4,
        .backward_descent_steps = 2,
        .vectors = kc_guarded(r, (size_t)cells * sizeof(vfx_motion_vector), true),
        .costs = kc_guarded(r, (size_t)cells * sizeof(uint32_t), true),
    };
    while (calls-- > 0) r->tested->block_search_stripe(&search, 0, WORK_ROWS);
    return cells;
}

const kc_case kc_block_search_cases[] = {{"block_search_stripe", compare, work}, {0}};
