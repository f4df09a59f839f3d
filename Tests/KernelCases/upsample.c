#include "case.h"

static int16_t *cells_make(kc_run *r, int columns, bool extreme)
{
    int16_t *cells = kc_guarded(r, (size_t)columns * sizeof *cells, true);
    for (int c = 0; c < columns; c++)
        cells[c] = (int16_t)(!extreme ? kc_in(r, -32768, 32767) : kc_one_in(r, 2) ? -32768 : 32767);
    return cells;
}

static void row(kc_run *r)
{
    for (int side_log2 = 0; side_log2 <= 6; side_log2++)
        for (const int *n = kc_widths; *n; n++)
            for (int trial = 0; trial < 3; trial++) {
                // As many cells as the row needs, fewer, and more.
                const int count = *n, needed = (count >> side_log2) + kc_in(r, -2, 3);
                const int columns = needed < 1 ? 1 : needed;
                const bool extreme = kc_one_in(r, 2);
                const int16_t *a = cells_make(r, columns, extreme), *b = a;
                if (!kc_one_in(r, 5)) b = cells_make(r, columns, extreme);
                int16_t *scratch = kc_guarded(r, (size_t)columns * sizeof *scratch, true);
                const int weights[] = {0, 256, kc_in(r, 0, 256)}, weight = weights[kc_in(r, 0, 2)];
                const int shift = kc_in(r, -side_log2, 4);
                const kc_output out = kc_output_make(r, count * 2, 1, 2);
                r->c->upsample_row((int16_t *)out.wanted, count, a, b, weight, columns, side_log2, shift, scratch);
                r->tested->upsample_row((int16_t *)out.got, count, a, b, weight, columns, side_log2, shift, scratch);
                kc_check(r, &out, "%d samples, %d cells of %d, weight %d, shift %d", count, columns, 1 << side_log2,
                         weight, shift);
                kc_release(r);
            }
}

static uint8_t *edges_make(kc_run *r, int columns, int one_in)
{
    uint8_t *edges = kc_guarded(r, (size_t)columns + 1, true);
    for (int c = 0; c <= columns; c++) edges[c] = (uint8_t)(kc_one_in(r, one_in) ? kc_in(r, 1, 255) : 0);
    return edges;
}

static void edges_row(kc_run *r)
{
    static const int columns_of[] = {1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 70};
    for (int side_log2 = 1; side_log2 <= 6; side_log2++)
        for (size_t n = 0; n < sizeof columns_of / sizeof *columns_of; n++)
            for (int trial = 0; trial < 8; trial++) {
                const int columns = columns_of[n], whole = columns << side_log2;
                const int counts[] = {1, whole / 2 + 1, whole, whole + 3}, count = counts[kc_in(r, 0, 3)];
                const int16_t *cells_x = cells_make(r, columns, false), *cells_y = cells_make(r, columns, false);
                const uint8_t *edges = edges_make(r, columns, trial == 0 ? 1 : trial < 3 ? 40 : 6);
                const int shift_x = kc_in(r, -6, 4), shift_y = kc_in(r, -6, 4);
                const kc_output x = kc_output_make(r, count * 2, 1, 2), y = kc_output_make(r, count * 2, 1, 2);
                r->c->upsample_edges_row((int16_t *)x.wanted, (int16_t *)y.wanted, count, cells_x, cells_y, edges,
                                         columns, side_log2, shift_x, shift_y);
                r->tested->upsample_edges_row((int16_t *)x.got, (int16_t *)y.got, count, cells_x, cells_y, edges,
                                              columns, side_log2, shift_x, shift_y);
                kc_check(r, &x, "x of %d samples, %d cells of %d, shift %d", count, columns, 1 << side_log2, shift_x);
                kc_check(r, &y, "y of %d samples, %d cells of %d, shift %d", count, columns, 1 << side_log2, shift_y);
                kc_release(r);
            }
}

enum { WORK = 1920, WORK_CELLS = WORK / 8 };

static int work_row(kc_run *r, int calls)
{
    const int16_t *a = cells_make(r, WORK_CELLS, false), *b = cells_make(r, WORK_CELLS, false);
    int16_t *scratch = kc_guarded(r, WORK_CELLS * sizeof *scratch, true);
    const kc_output out = kc_output_make(r, WORK * 2, 1, 2);
    while (calls-- > 0) r->tested->upsample_row((int16_t *)out.got, WORK, a, b, 77, WORK_CELLS, 3, 0, scratch);
    return WORK;
}

static int work_edges_row(kc_run *r, int calls)
{
    const int16_t *x = cells_make(r, WORK_CELLS, false), *y = cells_make(r, WORK_CELLS, false);
    const uint8_t *edges = edges_make(r, WORK_CELLS, 10);
    const kc_output out_x = kc_output_make(r, WORK * 2, 1, 2), out_y = kc_output_make(r, WORK * 2, 1, 2);
    while (calls-- > 0)
        r->tested->upsample_edges_row((int16_t *)out_x.got, (int16_t *)out_y.got, WORK, x, y, edges, WORK_CELLS, 3, -1,
                                      -1);
    return WORK;
}

const kc_case kc_upsample_cases[] = {
    {"upsample_row", row, work_row},
    {"upsample_edges_row", edges_row, work_edges_row},
    {0},
};
