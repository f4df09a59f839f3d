#include "case.h"

static void compare(kc_run *r)
{
    static const int spans[] = {2, 40, 1200, 32256}, distances[] = {0, 32, 32766};
    for (const int *w = kc_widths; *w; w++)
        for (int round = 0; round < 8; round++) {
            const int count = *w, columns = (count + 1) / 2 + kc_in(r, 0, 6), rows = kc_in(r, 1, 4);
            const int span = spans[kc_in(r, 0, 3)], edges = kc_in(r, 0, 4);
            vfx_motion_vector *vectors = kc_guarded(r, (size_t)(columns * rows) * sizeof *vectors, kc_one_in(r, 2));
            int32_t *known = kc_guarded(r, (size_t)(columns * rows) * sizeof *known, kc_one_in(r, 2));
            vfx_motion_vector v = {0, 0};
            for (int i = 0; i < columns * rows; i++) {
                if (edges == 4)
                    v.x = kc_one_in(r, 2) ? 32256 : -32256, v.y = kc_one_in(r, 2) ? 32256 : -32256;
                else if (kc_in(r, 0, 3) < edges)
                    v = kc_vector(r, span);
                vectors[i] = v;
                known[i] = kc_in(r, 0, 4080);
            }
            const int scale = kc_in(r, 1, 2), distance = distances[kc_in(r, 0, 2)];
            const vfx_subdivision field = {vectors, known, columns, rows, scale, distance};
            const int y = kc_in(r, 0, 2 * rows - 1);
            const kc_output out = kc_output_make(r, count * (int)sizeof v, 1, 4);
            const kc_output differences = kc_output_make(r, 4 * count, 1, 4);
            const kc_output rough = kc_output_make(r, 4 * count, 1, 4);
            const int wanted = r->c->subdivide_row(&field, y, count, (vfx_motion_vector *)out.wanted,
                                                   (int32_t *)differences.wanted, (int32_t *)rough.wanted);
            const int got = r->tested->subdivide_row(&field, y, count, (vfx_motion_vector *)out.got,
                                                     (int32_t *)differences.got, (int32_t *)rough.got);
            kc_check_value(r, wanted, got, "rough of %d cells, row %d of %d×%d", count, y, columns, rows);
            kc_check(r, &out, "vectors of %d cells, row %d of %d×%d", count, y, columns, rows);
            kc_check(r, &differences, "differences of %d cells, row %d of %d×%d", count, y, columns, rows);
            kc_check(r, &rough, "rough of %d cells, row %d of %d×%d", count, y, columns, rows);
            kc_release(r);
        }
}

static int work(kc_run *r, int calls)
{
    enum { COLUMNS = 120, ROWS = 8, COUNT = 2 * COLUMNS };
    vfx_motion_vector *vectors = kc_guarded(r, COLUMNS * ROWS * sizeof *vectors, false);
    int32_t *known = kc_guarded(r, COLUMNS * ROWS * sizeof *known, false);
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        vectors[i] = (vfx_motion_vector){(int16_t)(300 + i % 7 + (i % 40 == 0 ? 200 : 0)), (int16_t)(i % 5 - 2)};
        known[i] = i % 200;
    }
    const vfx_subdivision field = {vectors, known, COLUMNS, ROWS, 2, 32};
    const kc_output out = kc_output_make(r, 4 * COUNT, 1, 4), differences = kc_output_make(r, 4 * COUNT, 1, 4);
    const kc_output rough = kc_output_make(r, 4 * COUNT, 1, 4);
    while (calls-- > 0)
        r->tested->subdivide_row(&field, 7, COUNT, (vfx_motion_vector *)out.got, (int32_t *)differences.got,
                                 (int32_t *)rough.got);
    return COUNT;
}

const kc_case kc_subdivision_cases[] = {{"subdivide_row", compare, work}, {0}};
