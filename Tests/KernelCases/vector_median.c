#include "case.h"

static void compare(kc_run *r)
{
    static const int spans[] = {2, 40, 1200, 32256}, agreements[] = {0, 24, 32766};
    static const int maximum_distances[] = {1, 256, 8191, 8192, 32767};
    for (const int *w = kc_widths; *w && *w <= 641; w++)
        for (int round = 0; round < 10; round++) {
            const int columns = *w, rows = kc_in(r, 1, 5), span = spans[kc_in(r, 0, 3)], outliers = kc_in(r, 0, 4);
            vfx_motion_vector *cells = kc_guarded(r, (size_t)(columns * rows) * sizeof *cells, kc_one_in(r, 2));
            const vfx_motion_vector common = kc_vector(r, span);
            // A few outliers of many cells, up to cells that are all different.
            for (int i = 0; i < columns * rows; i++)
                cells[i] = (outliers == 0 ? !kc_one_in(r, 16) : kc_in(r, 1, 4) > outliers)
                    ? common
                    : kc_vector(r, span);
            const int agreement = agreements[kc_in(r, 0, 2)], allies = kc_in(r, 0, 9);
            const vfx_vector_median field = {cells, columns, rows, agreement, allies,
                                             maximum_distances[kc_in(r, 0, 4)]};
            const int y = kc_in(r, 0, rows - 1);
            const kc_output out = kc_output_make(r, 4 * columns, 1, 4), changed = kc_output_make(r, 4 * columns, 1, 4);
            const int wanted = r->c->vector_median_row(&field, y, (vfx_motion_vector *)out.wanted,
                                                       (int32_t *)changed.wanted);
            const int got = r->tested->vector_median_row(&field, y, (vfx_motion_vector *)out.got,
                                                         (int32_t *)changed.got);
            kc_check_value(r, wanted, got, "changed of %d×%d cells, row %d", columns, rows, y);
            kc_check(r, &out, "%d×%d cells, row %d", columns, rows, y);
            kc_check(r, &changed, "changed of %d×%d cells, row %d", columns, rows, y);
            kc_release(r);
        }
}

static int work(kc_run *r, int calls)
{
    enum { COLUMNS = 240, ROWS = 5 };
    vfx_motion_vector *cells = kc_guarded(r, COLUMNS * ROWS * sizeof *cells, false);
    for (int i = 0; i < COLUMNS * ROWS; i++)
        cells[i] = (vfx_motion_vector){(int16_t)(300 + i % 7 + (i % 40 == 0 ? 200 : 0)), (int16_t)(i % 5 - 2)};
    const vfx_vector_median field = {cells, COLUMNS, ROWS, 24, 4, 256};
    const kc_output out = kc_output_make(r, 4 * COLUMNS, 1, 4), changed = kc_output_make(r, 4 * COLUMNS, 1, 4);
    while (calls-- > 0)
        r->tested->vector_median_row(&field, 2, (vfx_motion_vector *)out.got, (int32_t *)changed.got);
    return COLUMNS;
}

const kc_case kc_vector_median_cases[] = {{"vector_median_row", compare, work}, {0}};
