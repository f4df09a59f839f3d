#include "case.h"

// Rows as kernels take them: C does not add the second const by itself.
#define ROWS (const void *const *)
#define SIGNED (const int16_t *const *)
#define UNSIGNED (const uint16_t *const *)

#define PREDICTIONS VFX_FUSION_PREDICTIONS

/// Rows of values from `low` to `high`, each of which ends at an inaccessible page or begins after one.
static void rows_make(kc_run *r, void *rows[PREDICTIONS], int count, int low, int high)
{
    for (int k = 0; k < PREDICTIONS; k++) {
        int16_t *row = kc_guarded(r, (size_t)count * 2, kc_one_in(r, 2));
        const int most = kc_one_in(r, 3) ? 0 : 3;
        for (int i = 0; i < count; i++) {
            const int value = kc_in(r, low, high), extreme = kc_in(r, 0, 1) ? low : high;
            row[i] = (int16_t)(kc_in(r, 0, most) == 0 ? extreme : value);
        }
        rows[k] = row;
    }
}

static void compare_input(kc_run *r)
{
    static const int depths[] = {9, 10, 12, 14, 15, 16};
    for (int d = 0; d < 6; d++)
        for (const int *w = kc_widths; *w && *w < 1000; w++) {
            const int count = *w, depth = depths[d];
            void *upper[PREDICTIONS], *lower[PREDICTIONS], *cell[PREDICTIONS], *distance[PREDICTIONS];
            rows_make(r, upper, 2 * count, 0, (1 << depth) - 1);
            rows_make(r, lower, 2 * count, 0, (1 << depth) - 1);
            rows_make(r, cell, count, 0, 255);
            rows_make(r, distance, count, 0, 255);
            const vfx_fusion_cells cells = {
                {cell[0], cell[1]}, {cell[2], cell[3]}, distance[0], kc_in(r, 0, 1024)};
            const kc_output out = kc_output_make(r, 4 * count, VFX_FUSION_PAIRS, 4);
            int32_t *wanted[VFX_FUSION_PAIRS], *got[VFX_FUSION_PAIRS];
            for (int p = 0; p < VFX_FUSION_PAIRS; p++) {
                wanted[p] = (int32_t *)(out.wanted + p * out.pitch);
                got[p] = (int32_t *)(out.got + p * out.pitch);
            }
            r->c->fusion_input_row(wanted, ROWS upper, ROWS lower, &cells, count, depth);
            r->tested->fusion_input_row(got, ROWS upper, ROWS lower, &cells, count, depth);
            kc_check(r, &out, "%d positions of %d bits, phase %d", count, depth, cells.phase);
            kc_release(r);
        }
}

static int work_input(kc_run *r, int calls)
{
    void *upper[PREDICTIONS], *lower[PREDICTIONS], *cell[PREDICTIONS], *distance[PREDICTIONS];
    rows_make(r, upper, 1920, 0, 1023);
    rows_make(r, lower, 1920, 0, 1023);
    rows_make(r, cell, 960, 0, 255);
    rows_make(r, distance, 960, 0, 255);
    const vfx_fusion_cells cells = {{cell[0], cell[1]}, {cell[2], cell[3]}, distance[0], 400};
    const kc_output out = kc_output_make(r, 4 * 960, VFX_FUSION_PAIRS, 4);
    int32_t *got[VFX_FUSION_PAIRS];
    for (int p = 0; p < VFX_FUSION_PAIRS; p++) got[p] = (int32_t *)(out.got + p * out.pitch);
    while (calls-- > 0)
        r->tested->fusion_input_row(got, ROWS upper, ROWS lower, &cells, 960, 10);
    return 960;
}

static void compare_smooth(kc_run *r)
{
    for (int radius = 2; radius <= 4; radius += 2)
        for (const int *w = kc_widths; *w; w++) {
            const int count = *w, most = kc_one_in(r, 2) ? 65535 : 4080;
            void *rows[PREDICTIONS];
            rows_make(r, rows, count + 2 * radius, 0, most);
            const uint16_t *read[9];
            for (int y = 0; y <= 2 * radius; y++) read[y] = rows[kc_in(r, 0, PREDICTIONS - 1)];
            const kc_output out = kc_output_make(r, 2 * count, 1, 2);
            r->c->fusion_smooth_row((uint16_t *)out.wanted, read, count, radius);
            r->tested->fusion_smooth_row((uint16_t *)out.got, read, count, radius);
            kc_check(r, &out, "%d samples, radius %d", count, radius);
            kc_release(r);
        }
}

static int work_smooth(kc_run *r, int calls)
{
    void *rows[PREDICTIONS];
    rows_make(r, rows, 1920 + 8, 0, 4080);
    const uint16_t *read[9];
    for (int y = 0; y < 9; y++) read[y] = rows[y % PREDICTIONS];
    const kc_output out = kc_output_make(r, 2 * 1920, 1, 2);
    while (calls-- > 0) r->tested->fusion_smooth_row((uint16_t *)out.got, read, 1920, 4);
    return 1920;
}

static void targets(uint16_t *rows[PREDICTIONS], const kc_output *out, uint8_t *first)
{
    for (int k = 0; k < PREDICTIONS; k++) rows[k] = (uint16_t *)(first + k * out->pitch);
}

static void compare_weights(kc_run *r)
{
    for (int repeat = 0; repeat < 3; repeat++)
        for (const int *w = kc_widths; *w; w++) {
            const int count = *w, most = repeat == 0 ? 32767 : repeat == 1 ? 17000 : 3000;
            const int phase = kc_one_in(r, 6) ? 0 : kc_one_in(r, 5) ? 1024 : kc_in(r, 1, 1023);
            void *scores[PREDICTIONS], *share[PREDICTIONS];
            rows_make(r, scores, count, -most - (most == 32767), most);
            rows_make(r, share, count, 0, 256);
            const kc_output out = kc_output_make(r, 2 * count, PREDICTIONS, 2);
            uint16_t *wanted[PREDICTIONS], *got[PREDICTIONS];
            targets(wanted, &out, out.wanted);
            targets(got, &out, out.got);
            r->c->fusion_weights_row(wanted, SIGNED scores, SIGNED share, phase, count);
            r->tested->fusion_weights_row(got, SIGNED scores, SIGNED share, phase, count);
            kc_check(r, &out, "%d samples, phase %d", count, phase);
            kc_release(r);
        }
}

static int work_weights(kc_run *r, int calls)
{
    void *scores[PREDICTIONS], *share[PREDICTIONS];
    rows_make(r, scores, 1920, -3000, 3000);
    rows_make(r, share, 1920, 0, 256);
    const kc_output out = kc_output_make(r, 2 * 1920, PREDICTIONS, 2);
    uint16_t *got[PREDICTIONS];
    targets(got, &out, out.got);
    while (calls-- > 0)
        r->tested->fusion_weights_row(got, SIGNED scores, SIGNED share, 400, 1920);
    return 1920;
}

/// Weights that add up to 16384, in any order.
static void splits_make(kc_run *r, void *rows[PREDICTIONS], int count)
{
    rows_make(r, rows, count, 0, 0);
    for (int i = 0; i < count; i++) {
        const int turn = kc_in(r, 0, PREDICTIONS - 1);
        int rest = 16384;
        for (int k = 0; k < PREDICTIONS; k++) {
            const int all = k == PREDICTIONS - 1 || kc_one_in(r, 6), part = all ? rest : kc_in(r, 0, rest);
            ((uint16_t *)rows[(k + turn) % PREDICTIONS])[i] = (uint16_t)part;
            rest -= part;
        }
    }
}

static void compare_halves(kc_run *r)
{
    for (const int *w = kc_widths; *w; w++) {
        const int count = *w;
        void *upper[PREDICTIONS], *lower[PREDICTIONS];
        splits_make(r, upper, 2 * count);
        splits_make(r, lower, 2 * count);
        const kc_output out = kc_output_make(r, 2 * count, PREDICTIONS, 2);
        uint16_t *wanted[PREDICTIONS], *got[PREDICTIONS];
        targets(wanted, &out, out.wanted);
        targets(got, &out, out.got);
        r->c->fusion_halve_weights_row(wanted, UNSIGNED upper, UNSIGNED lower, count);
        r->tested->fusion_halve_weights_row(got, UNSIGNED upper, UNSIGNED lower, count);
        kc_check(r, &out, "%d samples", count);
        kc_release(r);
    }
}

static int work_halves(kc_run *r, int calls)
{
    void *upper[PREDICTIONS], *lower[PREDICTIONS];
    splits_make(r, upper, 1920);
    splits_make(r, lower, 1920);
    const kc_output out = kc_output_make(r, 2 * 960, PREDICTIONS, 2);
    uint16_t *got[PREDICTIONS];
    targets(got, &out, out.got);
    while (calls-- > 0)
        r->tested->fusion_halve_weights_row(got, UNSIGNED upper, UNSIGNED lower, 960);
    return 960;
}

/// Predictions up to `maximum`, a multiple of what is 1 in the result.
static void compare_blend(kc_run *r, vfx_fusion_blend_row_fn *c, vfx_fusion_blend_row_fn *tested, int bytes,
                          int maximum)
{
    for (int repeat = 0; repeat < 3; repeat++)
        for (const int *w = kc_widths; *w; w++) {
            const int count = *w;
            void *rows[PREDICTIONS], *weights[PREDICTIONS];
            rows_make(r, rows, count, 0, maximum);
            splits_make(r, weights, count);
            const kc_output out = kc_output_make(r, count * bytes, 1, bytes);
            c(out.wanted, ROWS rows, UNSIGNED weights, count);
            tested(out.got, ROWS rows, UNSIGNED weights, count);
            kc_check(r, &out, "%d samples", count);
            kc_release(r);
        }
}

static int work_blend(kc_run *r, vfx_fusion_blend_row_fn *tested, int bytes, int maximum, int calls)
{
    void *rows[PREDICTIONS], *weights[PREDICTIONS];
    rows_make(r, rows, 1920, 0, maximum);
    splits_make(r, weights, 1920);
    const kc_output out = kc_output_make(r, 1920 * bytes, 1, bytes);
    while (calls-- > 0) tested(out.got, ROWS rows, UNSIGNED weights, 1920);
    return 1920;
}

static void compare_blend_12_to_8(kc_run *r)
{
    compare_blend(r, r->c->fusion_blend_row_12_to_8, r->tested->fusion_blend_row_12_to_8, 1, 4080);
}

static int work_blend_12_to_8(kc_run *r, int calls)
{
    return work_blend(r, r->tested->fusion_blend_row_12_to_8, 1, 4080, calls);
}

static void compare_blend_16(kc_run *r)
{
    compare_blend(r, r->c->fusion_blend_row_16, r->tested->fusion_blend_row_16, 2, 65535);
}

static int work_blend_16(kc_run *r, int calls)
{
    return work_blend(r, r->tested->fusion_blend_row_16, 2, 1023, calls);
}

static void compare_count(kc_run *r)
{
    static const int steps[] = {1, 2, 7, 8, 31, 32, 33, 50, 64, 255};
    static const int limits[] = {0, 1, 100, 30000, 65534, 65535};
    for (const int *w = kc_widths; *w; w++)
        for (int i = 0; i < 3; i++) {
            const int count = *w, step = steps[kc_in(r, 0, 9)], limit = limits[kc_in(r, 0, 5)];
            void *rows[PREDICTIONS];
            rows_make(r, rows, count, 0, kc_one_in(r, 2) ? 65535 : 200);
            const kc_output out = kc_output_make(r, (count + step - 1) / step, 1, 1);
            r->c->fusion_count_row(out.wanted, rows[0], rows[1], count, step, limit);
            r->tested->fusion_count_row(out.got, rows[0], rows[1], count, step, limit);
            kc_check(r, &out, "%d samples in groups of %d, limit %d", count, step, limit);
            kc_release(r);
        }
}

static int work_count(kc_run *r, int calls)
{
    void *rows[PREDICTIONS];
    rows_make(r, rows, 1920, 0, 1023);
    const kc_output out = kc_output_make(r, 1920 / 32, 1, 1);
    while (calls-- > 0) r->tested->fusion_count_row(out.got, rows[0], rows[1], 1920, 32, 40);
    return 1920;
}

const kc_case kc_fusion_cases[] = {
    {"fusion_input_row", compare_input, work_input},
    {"fusion_smooth_row", compare_smooth, work_smooth},
    {"fusion_weights_row", compare_weights, work_weights},
    {"fusion_halve_weights_row", compare_halves, work_halves},
    {"fusion_blend_row_12_to_8", compare_blend_12_to_8, work_blend_12_to_8},
    {"fusion_blend_row_16", compare_blend_16, work_blend_16},
    {"fusion_count_row", compare_count, work_count},
    {0},
};
