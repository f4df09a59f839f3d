#include "case.h"

enum { MARGIN = 6 };

// A plane of which exactly the samples are readable that blocks may touch.
static vfx_warp_source source_make(kc_run *r, int width, int height)
{
    const kc_plane plane = kc_plane_make(r, 1, -MARGIN, width + MARGIN + 1, -MARGIN, height + MARGIN + 1);
    kc_fill(r, &plane, kc_any_pattern(r), 255);
    return (vfx_warp_source){plane.origin, plane.stride, width, height, MARGIN};
}

// Cells at rest, and along vectors that stay inside, leave the planes, or lead far outside.
static const vfx_matched_cell *cells_make(kc_run *r, int columns, int span, int count)
{
    vfx_matched_cell *cells = kc_guarded(r, (size_t)count * sizeof *cells, true);
    for (int i = 0; i < count; i++) {
        const bool is_at_rest = kc_one_in(r, 4);
        const int x = kc_in(r, -span, span), y = kc_in(r, -span, span);
        cells[i].x = kc_in(r, 0, columns - 1);
        cells[i].v = (vfx_motion_vector){is_at_rest ? 0 : (int16_t)x, is_at_rest ? 0 : (int16_t)y};
    }
    return cells;
}

static void compare(kc_run *r)
{
    const int spans[] = {0, 40, 500, 32256};
    for (int round = 0; round < 500; round++) {
        const int width = kc_in(r, 8, 60), height = kc_in(r, 8, 60), cell_log2 = kc_in(r, 1, 4);
        const int phases[] = {0, 1024, kc_in(r, 1, 1023)};
        vfx_bilateral_match match = {.t = phases[kc_in(r, 0, 2)], .cell_log2 = cell_log2};
        match.a = source_make(r, width, height);
        match.b = source_make(r, width, height);
        match.outside_difference = kc_in(r, 0, 4080);
        match.free_overhang = kc_in(r, 0, 300);
        match.ramp_log2 = kc_in(r, 0, 15);
        const int count = kc_in(r, 1, 37), y = kc_in(r, 0, (height - 1) >> cell_log2), span = spans[kc_in(r, 0, 3)];
        const vfx_matched_cell *cells = cells_make(r, ((width - 1) >> cell_log2) + 1, span, count);
        const kc_output out = kc_output_make(r, count * (int)sizeof(int32_t), 1, sizeof(int32_t));
        r->c->bilateral_match_row(&match, y, cells, count, (int32_t *)out.wanted);
        r->tested->bilateral_match_row(&match, y, cells, count, (int32_t *)out.got);
        kc_check(r, &out, "%d cells, round %d", count, round);
        for (int i = 0; i < count; i++) {
            const int32_t difference = ((int32_t *)out.got)[i];
            kc_check_value(r, true, 0 <= difference && difference <= 4080, "range of cell %d, round %d", i, round);
        }
        kc_release(r);
    }
}

enum { WORK_CELLS = 240 };

static int work(kc_run *r, int calls)
{
    vfx_bilateral_match match = {
        .t = 512, .cell_log2 = 2, .outside_difference = 64, .free_overhang = 128, .ramp_log2 = 7,
    };
    match.a = source_make(r, 4 * WORK_CELLS, 64);
    match.b = source_make(r, 4 * WORK_CELLS, 64);
    vfx_matched_cell *cells = kc_guarded(r, WORK_CELLS * sizeof *cells, true);
    for (int i = 0; i < WORK_CELLS; i++)
        cells[i] = (vfx_matched_cell){i, {(int16_t)(90 + i % 7), (int16_t)(i % 9)}};
    const kc_output out = kc_output_make(r, WORK_CELLS * (int)sizeof(int32_t), 1, sizeof(int32_t));
    while (calls-- > 0) r->tested->bilateral_match_row(&match, 8, cells, WORK_CELLS, (int32_t *)out.got);
    return WORK_CELLS;
}

const kc_case kc_bilateral_match_cases[] = {{"bilateral_match_row", compare, work}, {0}};
