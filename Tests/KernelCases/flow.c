#include "case.h"
#pragma STDC FP_CONTRACT OFF

// Ranges of the random state of a row.
enum { USUAL, STILL, ALONE, FAR_APART, ENORMOUS, TINY, STATES };

static float motion(kc_run *r, int state)
{
    switch (state) {
    case STILL: return 0;
    case FAR_APART: return kc_one_in(r, 2) ? -1008 : 1008;
    case ENORMOUS: {
        const float unit = kc_one_in(r, 2) ? -1e17f : 1e17f;
        return unit * (float)kc_in(r, 1, 1000);
    }
    case TINY: return (float)kc_in(r, -5000, 5000) * 0x1p-149f; // not normal
    default: return (float)kc_in(r, -2048, 2048) / 32;
    }
}

static float support(kc_run *r, int state, bool is_own)
{
    if (!is_own && (state == ALONE || kc_one_in(r, 4))) return 0;
    return state == TINY ? 1e-30f : 0.02f + (float)kc_in(r, 0, 1000) / 1000;
}

static float *floats(kc_run *r, int count) { return kc_guarded(r, (size_t)count * sizeof(float), kc_one_in(r, 2)); }
static float *motions(kc_run *r, int state, int count)
{
    float *all = floats(r, count);
    for (int i = 0; i < count; i++) all[i] = motion(r, state);
    return all;
}
static kc_output output(kc_run *r, int count) { return kc_output_make(r, 4 * count, 1, 4); }
static float *wanted(const kc_output *o) { return (float *)o->wanted; }
static float *got(const kc_output *o) { return (float *)o->got; }

static void compare_tiles(kc_run *r)
{
    for (const int *t = kc_widths; *t && *t <= 255; t++)
        for (int pattern = 0; pattern < KC_PATTERNS; pattern++) {
            const kc_plane source = kc_plane_make(r, 1, -1, 4 * *t + 1, -1, 5);
            kc_fill(r, &source, pattern, 255);
            const kc_output out = kc_output_make(r, 48 * *t * (int)sizeof(int16_t), 1, 2);
            r->c->flow_tiles_row(source.origin, source.stride, *t, (int16_t *)out.wanted);
            r->tested->flow_tiles_row(source.origin, source.stride, *t, (int16_t *)out.got);
            kc_check(r, &out, "%d tiles, pattern %d", *t, pattern);
            kc_release(r);
        }
}

static int work_tiles(kc_run *r, int calls)
{
    const kc_plane source = kc_plane_make(r, 1, -1, 4 * 241 + 1, -1, 5);
    kc_fill(r, &source, KC_RANDOM, 255);
    const kc_output out = kc_output_make(r, 48 * 241 * (int)sizeof(int16_t), 1, 2);
    while (calls-- > 0) r->tested->flow_tiles_row(source.origin, source.stride, 241, (int16_t *)out.got);
    return 241;
}

// Tiles of a row of cells, of a plane whose origin is the first sample of the first cell.
static const int16_t *tile_row(kc_run *r, const kc_plane *p, int y, int columns)
{
    int16_t *out = kc_guarded(r, 48 * (size_t)(columns + 1) * sizeof(int16_t), kc_one_in(r, 2));
    r->c->flow_tiles_row((const uint8_t *)p->origin + y * p->stride - 2, p->stride, columns + 1, out);
    return out;
}

static vfx_flow_tiles tiles_make(kc_run *r, int columns, kc_pattern pattern)
{
    // Patches extend two samples beyond a cell, slopes one more.
    const kc_plane plane = kc_plane_make(r, 1, -3, 4 * columns + 3, -3, 7);
    kc_fill(r, &plane, pattern, 255);
    const int16_t *upper = tile_row(r, &plane, -2, columns);
    return (vfx_flow_tiles){upper, tile_row(r, &plane, 2, columns)};
}

static void compare_prepare(kc_run *r)
{
    for (const int *w = kc_widths; *w && *w <= 255; w++)
        for (int pattern = 0; pattern < KC_PATTERNS; pattern++) {
            const vfx_flow_tiles tiles = tiles_make(r, *w, pattern);
            const kc_output equations = output(r, 5 * *w), brightness = output(r, *w), support = output(r, *w);
            r->c->flow_prepare_row(&tiles, *w, wanted(&equations), wanted(&brightness), wanted(&support));
            r->tested->flow_prepare_row(&tiles, *w, got(&equations), got(&brightness), got(&support));
            kc_check(r, &equations, "equations of %d cells, pattern %d", *w, pattern);
            kc_check(r, &brightness, "brightness of %d cells, pattern %d", *w, pattern);
            kc_check(r, &support, "support of %d cells, pattern %d", *w, pattern);
            kc_release(r);
        }
}

static int work_prepare(kc_run *r, int calls)
{
    const vfx_flow_tiles tiles = tiles_make(r, 240, KC_RANDOM);
    const kc_output equations = output(r, 5 * 240), brightness = output(r, 240), support = output(r, 240);
    while (calls-- > 0) r->tested->flow_prepare_row(&tiles, 240, got(&equations), got(&brightness), got(&support));
    return 240;
}

static void compare_load(kc_run *r)
{
    for (const int *w = kc_widths; *w; w++) {
        vfx_motion_vector *vectors = kc_guarded(r, (size_t)*w * sizeof *vectors, kc_one_in(r, 2));
        uint32_t *costs = kc_guarded(r, (size_t)*w * sizeof *costs, kc_one_in(r, 2));
        for (int x = 0; x < *w; x++) {
            vectors[x] = kc_vector(r, 32256);
            costs[x] = (uint32_t)kc_in(r, 0, 64 * 255 * 4);
        }
        const kc_output vx = output(r, *w), vy = output(r, *w), difference = output(r, *w);
        r->c->flow_load_row(vectors, costs, wanted(&vx), wanted(&vy), wanted(&difference), *w);
        r->tested->flow_load_row(vectors, costs, got(&vx), got(&vy), got(&difference), *w);
        kc_check(r, &vx, "x of %d cells", *w);
        kc_check(r, &vy, "y of %d cells", *w);
        kc_check(r, &difference, "differences of %d cells", *w);
        kc_release(r);
    }
}

static int work_load(kc_run *r, int calls)
{
    vfx_motion_vector *vectors = kc_guarded(r, 240 * sizeof *vectors, false);
    uint32_t *costs = kc_guarded(r, 240 * sizeof *costs, false);
    const kc_output vx = output(r, 240), vy = output(r, 240), difference = output(r, 240);
    while (calls-- > 0) r->tested->flow_load_row(vectors, costs, got(&vx), got(&vy), got(&difference), 240);
    return 240;
}

// Motion at vectors, between them, halfway between them, and beyond the limit.
static float stored_motion(kc_run *r)
{
    switch (kc_in(r, 0, 5)) {
    case 0: return motion(r, ENORMOUS);
    case 1: return motion(r, TINY);
    case 2: return (float)kc_in(r, -32300, 32300) / 32;
    case 3: return (float)kc_in(r, -5000, 5000) / 128 * 50;
    default: return (float)kc_in(r, -5000, 5000) / 128;
    }
}

static void compare_store(kc_run *r)
{
    for (const int *w = kc_widths; *w; w++)
        for (int round = 0; round < 4; round++) {
            float *vx = floats(r, *w), *vy = floats(r, *w), *difference = floats(r, *w);
            for (int x = 0; x < *w; x++) {
                vx[x] = stored_motion(r);
                vy[x] = stored_motion(r);
                difference[x] = kc_one_in(r, 4) ? (float)kc_in(r, 0, (1 << 24) - 1) : (float)kc_in(r, 0, 100000) / 777;
            }
            const kc_output vectors = output(r, *w), costs = output(r, *w);
            r->c->flow_store_row(vx, vy, difference, (vfx_motion_vector *)vectors.wanted, (uint32_t *)costs.wanted, *w);
            r->tested->flow_store_row(vx, vy, difference, (vfx_motion_vector *)vectors.got, (uint32_t *)costs.got, *w);
            kc_check(r, &vectors, "vectors of %d cells", *w);
            kc_check(r, &costs, "costs of %d cells", *w);
            kc_release(r);
        }
}

static int work_store(kc_run *r, int calls)
{
    float *vx = motions(r, USUAL, 240), *vy = motions(r, USUAL, 240), *difference = motions(r, STILL, 240);
    const kc_output vectors = output(r, 240), costs = output(r, 240);
    while (calls-- > 0)
        r->tested->flow_store_row(vx, vy, difference, (vfx_motion_vector *)vectors.got, (uint32_t *)costs.got, 240);
    return 240;
}

// The state of a row in arrays of which only this row and its neighbours are accessible.
static vfx_flow_row row_make(kc_run *r, int columns, int state)
{
    const int pitch = columns + 2 + (kc_one_in(r, 3) ? 0 : kc_in(r, 1, 9)), count = 2 * pitch + columns + 2;
    const ptrdiff_t stride = kc_one_in(r, 3) ? -pitch : pitch;
    float *planes[5];
    for (int i = 0; i < 5; i++) planes[i] = floats(r, count) + pitch + 1;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= columns; x++) {
            const ptrdiff_t at = y * stride + x;
            planes[0][at] = motion(r, state);
            planes[1][at] = motion(r, state);
            planes[2][at] = (float)kc_in(r, 0, 1020) / 4;
            planes[3][at] = support(r, state, y == 0 && x >= 0 && x < columns);
            planes[4][at] = kc_one_in(r, 3) ? 0 : (float)kc_in(r, 0, 20000) / 64;
        }
    return (vfx_flow_row){planes[0], planes[1], planes[2], planes[3], planes[4], stride};
}

static void compare_average(kc_run *r)
{
    for (const int *w = kc_widths; *w && *w <= 641; w++)
        for (int state = 0; state < STATES; state++) {
            const vfx_flow_row row = row_make(r, *w, state);
            const kc_output x = output(r, *w), y = output(r, *w);
            r->c->flow_average_row(&row, wanted(&x), wanted(&y), *w);
            r->tested->flow_average_row(&row, got(&x), got(&y), *w);
            kc_check(r, &x, "x of %d cells, state %d", *w, state);
            kc_check(r, &y, "y of %d cells, state %d", *w, state);
            kc_release(r);
        }
}

static int work_average(kc_run *r, int calls)
{
    const vfx_flow_row row = row_make(r, 240, USUAL);
    const kc_output x = output(r, 240), y = output(r, 240);
    while (calls-- > 0) r->tested->flow_average_row(&row, got(&x), got(&y), 240);
    return 240;
}

static void measure(kc_run *r, const vfx_flow_tiles *tiles, const vfx_warp_source *target, int y, int columns,
                    const float *vx, const float *vy)
{
    const kc_output residuals = output(r, 4 * columns), sampled = output(r, 3 * columns);
    r->c->flow_measure_row(tiles, target, y, columns, vx, vy, (vfx_flow_residual *)residuals.wanted, wanted(&sampled));
    r->tested->flow_measure_row(tiles, target, y, columns, vx, vy, (vfx_flow_residual *)residuals.got, got(&sampled));
    kc_check(r, &residuals, "residuals of %d cells, row %d", columns, y);
    kc_check(r, &sampled, "positions of %d cells, row %d", columns, y);
    kc_release(r);
}

static vfx_warp_source target_make(kc_run *r, int width, int height, int margin, kc_pattern pattern)
{
    // Sub-pixel sampling needs one sample more than the margin; rows are read in 16 samples.
    const int reach = margin + 1;
    const kc_plane plane = kc_plane_make(r, 1, -reach, width + margin + 8, -reach, height + reach);
    kc_fill(r, &plane, pattern, 255);
    return (vfx_warp_source){plane.origin, plane.stride, width, height, margin};
}

// Motion of any size, also far out of the target; then all 1024 fractions, so that all rounding is covered.
static void compare_measure(kc_run *r)
{
    static const float spans[] = {0, 0.7f, 3, 40, 1008, 1e6f, 3e38f};
    for (const int *w = kc_widths; *w && *w <= 129; w++)
        for (int round = 0; round < 4; round++) {
            // A cell that extends beyond the plane begins inside.
            const int width = 4 * *w - kc_in(r, 0, 3), height = kc_in(r, 1, 40), margins[] = {0, 1, 7, 38};
            const vfx_flow_tiles tiles = tiles_make(r, *w, kc_any_pattern(r));
            const int margin = margins[kc_in(r, 0, 3)];
            const vfx_warp_source target = target_make(r, width < 8 ? 8 : width, height < 8 ? 8 : height, margin,
                                                       kc_any_pattern(r));
            const float span = spans[kc_in(r, 0, 6)];
            float *vx = floats(r, *w), *vy = floats(r, *w);
            for (int x = 0; x < *w; x++) {
                vx[x] = span * ((float)kc_in(r, -1000, 1000) / 1000);
                vy[x] = span * ((float)kc_in(r, -1000, 1000) / 1000);
            }
            measure(r, &tiles, &target, kc_in(r, 0, (height - 1) / 4), *w, vx, vy);
        }
    for (int fy = 0; fy < 32; fy++)
        for (int round = 0; round < 2; round++) {
            const kc_pattern pattern = round ? KC_EXTREMES : KC_RANDOM;
            const vfx_flow_tiles tiles = tiles_make(r, 32, pattern);
            const vfx_warp_source target = target_make(r, 128, 32, 4, pattern);
            float vx[32], vy[32];
            for (int x = 0; x < 32; x++) {
                vx[x] = (float)x / 32;
                vy[x] = (float)fy / 32;
            }
            measure(r, &tiles, &target, fy % 8, 32, vx, vy);
        }
}

static int work_measure(kc_run *r, int calls)
{
    const vfx_flow_tiles tiles = tiles_make(r, 240, KC_RANDOM);
    const vfx_warp_source target = target_make(r, 960, 64, 8, KC_RANDOM);
    float *vx = motions(r, STILL, 240), *vy = motions(r, STILL, 240);
    for (int x = 0; x < 240; x++) vx[x] = (float)(x % 7) / 5, vy[x] = (float)(x % 5) / 3;
    const kc_output residuals = output(r, 4 * 240), sampled = output(r, 3 * 240);
    while (calls-- > 0)
        r->tested->flow_measure_row(&tiles, &target, 5, 240, vx, vy, (vfx_flow_residual *)residuals.got, got(&sampled));
    return 240;
}

// Random sums, up to those of 64 samples with the highest contrast.
static vfx_flow_residual residual(kc_run *r, int state)
{
    const int most = state == FAR_APART ? 64 * 4080 * 255 : state == STILL ? 0 : 400000;
    const int dx = kc_in(r, -most, most), dy = kc_in(r, -most, most);
    const int d = kc_in(r, -most / 255, most / 255), difference = kc_in(r, 0, most / 255);
    return (vfx_flow_residual){dx, dy, d, difference};
}

// The matrix xx, xy, yy and the sums of slopes.
static void equation(kc_run *r, int state, float cell[5])
{
    const float most = state == STILL ? 0 : 64 * 255 * 255 / 4.0f;
    cell[0] = cell[2] = most;
    cell[1] = kc_one_in(r, 2) ? most : -most;
    cell[3] = state == STILL ? 0 : 16320;
    cell[4] = -cell[3];
    if (state == STILL || state == FAR_APART) return;
    cell[0] = (float)kc_in(r, 0, 200000);
    cell[2] = (float)kc_in(r, 0, 200000);
    cell[1] = (float)kc_in(r, -100, 100) / 100 * __builtin_elementwise_sqrt(cell[0] * cell[2]);
    cell[3] = (float)kc_in(r, -16320, 16320);
    cell[4] = (float)kc_in(r, -16320, 16320);
}

typedef struct solve_input {
    vfx_flow_residual *residuals;
    float *sampled, *equations, *mean_x, *mean_y;
} solve_input;

static solve_input solve_input_make(kc_run *r, int columns, int state)
{
    solve_input in = {.residuals = kc_guarded(r, (size_t)columns * sizeof(vfx_flow_residual), true)};
    in.sampled = motions(r, state, 3 * columns);
    in.equations = floats(r, 5 * columns);
    in.mean_x = motions(r, state, columns);
    in.mean_y = motions(r, state, columns);
    for (int x = 0; x < columns; x++) {
        const float inside[] = {0, 0.25f, 1, (float)kc_in(r, 0, 64) / 64};
        in.sampled[2 * columns + x] = inside[kc_in(r, 0, 3)];
        in.residuals[x] = residual(r, state);
        float cell[5];
        equation(r, state, cell);
        for (int i = 0; i < 5; i++) in.equations[i * columns + x] = cell[i];
    }
    return in;
}

static void compare_solve(kc_run *r)
{
    for (const int *w = kc_widths; *w && *w <= 641; w++)
        for (int state = 0; state < STATES; state++) {
            const solve_input in = solve_input_make(r, *w, state);
            const float pulls[] = {100, 1, 1000}, pull = pulls[kc_in(r, 0, 2)];
            const kc_output vx = output(r, *w), vy = output(r, *w), difference = output(r, *w);
            r->c->flow_solve_row(in.residuals, in.sampled, in.equations, in.mean_x, in.mean_y, wanted(&vx), wanted(&vy),
                                 wanted(&difference), *w, pull);
            r->tested->flow_solve_row(in.residuals, in.sampled, in.equations, in.mean_x, in.mean_y, got(&vx), got(&vy),
                                      got(&difference), *w, pull);
            kc_check(r, &vx, "x of %d cells, state %d", *w, state);
            kc_check(r, &vy, "y of %d cells, state %d", *w, state);
            kc_check(r, &difference, "differences of %d cells, state %d", *w, state);
            kc_release(r);
        }
}

static int work_solve(kc_run *r, int calls)
{
    const solve_input in = solve_input_make(r, 240, USUAL);
    const kc_output vx = output(r, 240), vy = output(r, 240), difference = output(r, 240);
    while (calls-- > 0)
        r->tested->flow_solve_row(in.residuals, in.sampled, in.equations, in.mean_x, in.mean_y, got(&vx), got(&vy),
                                  got(&difference), 240, 100);
    return 240;
}

static vfx_motion_vector *vectors(kc_run *r, int count, int span)
{
    vfx_motion_vector *all = kc_guarded(r, (size_t)count * sizeof *all, kc_one_in(r, 2));
    for (int i = 0; i < count; i++) all[i] = kc_vector(r, span);
    return all;
}

// Vectors of all lengths, also far out of the field, and errors just below and at whole numbers.
static void compare_consistency(kc_run *r)
{
    static const int spans[] = {0, 60, 2000, 32256, 32767};
    for (const int *w = kc_widths; *w && *w <= 641; w++)
        for (int round = 0; round < 6; round++) {
            const int rows = kc_in(r, 1, 12), y = kc_in(r, 0, rows - 1);
            const vfx_motion_vector *row = vectors(r, *w, spans[kc_in(r, 0, 4)]);
            const vfx_motion_vector *back = vectors(r, *w * rows, spans[kc_in(r, 0, 4)]);
            const kc_output errors = kc_output_make(r, 2 * *w, 1, 2);
            r->c->flow_consistency_row(row, back, *w, rows, y, (uint16_t *)errors.wanted);
            r->tested->flow_consistency_row(row, back, *w, rows, y, (uint16_t *)errors.got);
            kc_check(r, &errors, "%d cells, row %d of %d", *w, y, rows);
            kc_release(r);
        }
    // Opposed vectors of a field that is the same everywhere, for every extreme and for the lengths of right triangles.
    static const int extremes[] = {-32768, -32767, -32256, -1, 0, 1, 3, 4, 20, 21, 29, 32256, 32767};
    enum { EXTREMES = sizeof extremes / sizeof *extremes, COLUMNS = EXTREMES * EXTREMES };
    for (int i = 0; i < COLUMNS; i++) {
        vfx_motion_vector row[COLUMNS], back[COLUMNS];
        for (int x = 0; x < COLUMNS; x++) {
            row[x] = (vfx_motion_vector){(int16_t)extremes[x % EXTREMES], (int16_t)extremes[x / EXTREMES]};
            back[x] = (vfx_motion_vector){(int16_t)extremes[i % EXTREMES], (int16_t)extremes[i / EXTREMES]};
        }
        const kc_output errors = kc_output_make(r, 2 * COLUMNS, 1, 2);
        r->c->flow_consistency_row(row, back, COLUMNS, 1, 0, (uint16_t *)errors.wanted);
        r->tested->flow_consistency_row(row, back, COLUMNS, 1, 0, (uint16_t *)errors.got);
        kc_check(r, &errors, "extreme %d", i);
        kc_release(r);
    }
}

static int work_consistency(kc_run *r, int calls)
{
    const vfx_motion_vector *row = vectors(r, 240, 300), *back = vectors(r, 240 * 12, 60);
    const kc_output errors = kc_output_make(r, 2 * 240, 1, 2);
    while (calls-- > 0) r->tested->flow_consistency_row(row, back, 240, 12, 6, (uint16_t *)errors.got);
    return 240;
}

const kc_case kc_flow_cases[] = {
    {"flow_tiles_row", compare_tiles, work_tiles},
    {"flow_prepare_row", compare_prepare, work_prepare},
    {"flow_load_row", compare_load, work_load},
    {"flow_store_row", compare_store, work_store},
    {"flow_average_row", compare_average, work_average},
    {"flow_measure_row", compare_measure, work_measure},
    {"flow_solve_row", compare_solve, work_solve},
    {"flow_consistency_row", compare_consistency, work_consistency},
    {0},
};
