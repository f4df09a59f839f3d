#include "case.h"

#define ROWS (const void *const *)
#define UNSIGNED (const uint16_t *const *)

/// A row of samples up to `maximum`, a third of them 0 or the maximum, next to an inaccessible page.
static void *samples(kc_run *r, int bytes, int count, int maximum)
{
    uint8_t *row = kc_guarded(r, (size_t)count * (size_t)bytes, kc_one_in(r, 2));
    for (int i = 0; i < count; i++) {
        const int any = kc_in(r, 0, maximum), extreme = kc_in(r, 0, 1) ? maximum : 0;
        const int value = kc_one_in(r, 3) ? extreme : any;
        if (bytes == 1)
            row[i] = (uint8_t)value;
        else
            ((uint16_t *)(void *)row)[i] = (uint16_t)value;
    }
    return row;
}

static int depth_of(kc_run *r, int bytes)
{
    static const int depths[] = {9, 10, 12, 14, 16};
    return bytes == 1 ? 8 : depths[kc_in(r, 0, 4)];
}

static int most(int depth) { return (1 << depth) - 1; }

/// The largest value of a prediction: 12 bits for 8.
static int most_predicted(int depth) { return depth == 8 ? 4080 : most(depth); }

// MARK: deinterlace_bob_row

static void compare_bob(kc_run *r, vfx_deinterlace_bob_row_fn *c, vfx_deinterlace_bob_row_fn *tested, int bytes)
{
    for (const int *w = kc_widths; *w; w++) {
        const int count = *w, maximum = most(depth_of(r, bytes));
        void *rows[4];
        for (int k = 0; k < 4; k++) rows[k] = samples(r, bytes, count, maximum);
        const kc_output out = kc_output_make(r, count * bytes, 1, bytes);
        c(out.wanted, rows[0], rows[1], rows[2], rows[3], count, maximum);
        tested(out.got, rows[0], rows[1], rows[2], rows[3], count, maximum);
        kc_check(r, &out, "%d samples up to %d", count, maximum);
        kc_release(r);
    }
}

static int work_bob(kc_run *r, vfx_deinterlace_bob_row_fn *tested, int bytes, int calls)
{
    void *rows[4];
    for (int k = 0; k < 4; k++) rows[k] = samples(r, bytes, 1920, bytes == 1 ? 255 : 1023);
    const kc_output out = kc_output_make(r, 1920 * bytes, 1, bytes);
    while (calls-- > 0) tested(out.got, rows[0], rows[1], rows[2], rows[3], 1920, bytes == 1 ? 255 : 1023);
    return 1920;
}

// MARK: deinterlace_input_row

static vfx_deinterlace_rows input_make(kc_run *r, int bytes, int count, int depth)
{
    vfx_deinterlace_rows rows;
    const int maximum = most(depth), predicted = most_predicted(depth);
    for (int k = 0; k < 2; k++) {
        rows.spatial[k] = samples(r, bytes, 2 * count, maximum);
        rows.known[k] = samples(r, bytes, 2 * count, maximum);
        for (int f = 0; f < 2; f++) rows.fields[k][f] = samples(r, bytes, 2 * count, maximum);
        for (int m = 0; m < 4; m++) rows.moved[k][m] = samples(r, 2, 2 * count, predicted);
        rows.vertical[k] = samples(r, 2, 2 * count, 65535);
    }
    return rows;
}

static void compare_input(kc_run *r, vfx_deinterlace_input_row_fn *c, vfx_deinterlace_input_row_fn *tested, int bytes)
{
    for (const int *w = kc_widths; *w && *w < 1000; w++) {
        const int count = *w, depth = depth_of(r, bytes);
        const vfx_deinterlace_rows rows = input_make(r, bytes, count, depth);
        const kc_output out = kc_output_make(r, 4 * count, VFX_DEINTERLACE_PAIRS, 4);
        int32_t *wanted[VFX_DEINTERLACE_PAIRS], *got[VFX_DEINTERLACE_PAIRS];
        for (int p = 0; p < VFX_DEINTERLACE_PAIRS; p++) {
            wanted[p] = (int32_t *)(out.wanted + p * out.pitch);
            got[p] = (int32_t *)(out.got + p * out.pitch);
        }
        c(wanted, &rows, count, depth);
        tested(got, &rows, count, depth);
        kc_check(r, &out, "%d positions of %d bits", count, depth);
        kc_release(r);
    }
}

static int work_input(kc_run *r, vfx_deinterlace_input_row_fn *tested, int bytes, int calls)
{
    const int depth = bytes == 1 ? 8 : 10;
    const vfx_deinterlace_rows rows = input_make(r, bytes, 960, depth);
    const kc_output out = kc_output_make(r, 4 * 960, VFX_DEINTERLACE_PAIRS, 4);
    int32_t *got[VFX_DEINTERLACE_PAIRS];
    for (int p = 0; p < VFX_DEINTERLACE_PAIRS; p++) got[p] = (int32_t *)(out.got + p * out.pitch);
    while (calls-- > 0) tested(got, &rows, 960, depth);
    return 960;
}

// MARK: deinterlace_largest_row

/// Rows of differences, most of them small.
static void differences_make(kc_run *r, const int32_t *rows[8], int count)
{
    for (int k = 0; k < 8; k++) {
        int16_t *row = kc_guarded(r, (size_t)count * 4, kc_one_in(r, 2));
        for (int i = 0; i < 2 * count; i++) row[i] = (int16_t)(kc_one_in(r, 50) ? kc_in(r, -16384, 16384) : kc_in(r, -9, 9));
        rows[k] = (const int32_t *)(const void *)row;
    }
}

static void compare_largest(kc_run *r)
{
    for (const int *w = kc_widths; *w; w++) {
        const int count = *w, step = kc_in(r, 1, 64), groups = (count + step - 1) / step, used = kc_in(r, 1, 8);
        const int32_t *rows[8];
        differences_make(r, rows, count);
        const kc_output out = kc_output_make(r, 2 * groups, 1, 2);
        r->c->deinterlace_largest_row((uint16_t *)(void *)out.wanted, rows, used, count, step);
        r->tested->deinterlace_largest_row((uint16_t *)(void *)out.got, rows, used, count, step);
        kc_check(r, &out, "%d rows of %d positions in groups of %d", used, count, step);
        kc_release(r);
    }
}

static int work_largest(kc_run *r, int calls)
{
    const int32_t *rows[8];
    differences_make(r, rows, 960);
    const kc_output out = kc_output_make(r, 2 * 18, 1, 2);
    while (calls-- > 0) r->tested->deinterlace_largest_row((uint16_t *)(void *)out.got, rows, 8, 960, 56);
    return 960;
}

// MARK: deinterlace_weights_row

static void scores_make(kc_run *r, void *scores[6], void *weights[6], const kc_output *out, bool got, int count)
{
    for (int k = 0; k < 6; k++) {
        if (!got) {
            int16_t *row = samples(r, 2, count, 65535);
            if (kc_one_in(r, 2))
                for (int i = 0; i < count; i++) row[i] = (int16_t)(row[i] / 16);
            scores[k] = row;
        }
        weights[k] = (got ? out->got : out->wanted) + k * out->pitch;
    }
}

static void compare_weights(kc_run *r)
{
    for (int repeat = 0; repeat < 3; repeat++)
        for (const int *w = kc_widths; *w; w++) {
            const int count = *w;
            void *scores[6], *weights[6];
            const kc_output out = kc_output_make(r, 2 * count, 6, 2);
            scores_make(r, scores, weights, &out, false, count);
            r->c->deinterlace_weights_row((uint16_t *const *)weights, (const int16_t *const *)scores, count);
            scores_make(r, scores, weights, &out, true, count);
            r->tested->deinterlace_weights_row((uint16_t *const *)weights, (const int16_t *const *)scores, count);
            kc_check(r, &out, "%d samples", count);
            kc_release(r);
        }
}

static int work_weights(kc_run *r, int calls)
{
    void *scores[6], *weights[6];
    const kc_output out = kc_output_make(r, 2 * 1920, 6, 2);
    scores_make(r, scores, weights, &out, false, 1920);
    while (calls-- > 0)
        r->tested->deinterlace_weights_row((uint16_t *const *)weights, (const int16_t *const *)scores, 1920);
    return 1920;
}

// MARK: deinterlace_merge_row

typedef struct merge_rows {
    void *spatial, *moved[4], *fields[2], *weights[6];
    int16_t *residual;
} merge_rows;

static merge_rows merge_make(kc_run *r, int bytes, int count, int depth)
{
    merge_rows rows;
    rows.spatial = samples(r, bytes, count, most(depth));
    for (int m = 0; m < 4; m++) rows.moved[m] = samples(r, 2, count, most_predicted(depth));
    for (int f = 0; f < 2; f++) rows.fields[f] = samples(r, bytes, count, most(depth));
    for (int k = 0; k < 6; k++) rows.weights[k] = kc_guarded(r, (size_t)count * 2, kc_one_in(r, 2));
    rows.residual = samples(r, 2, count, 65535);
    for (int i = 0; i < count; i++) {
        int left = 16384;
        for (int k = 5; k > 0; k--) {
            const int weight = kc_in(r, 0, left);
            ((uint16_t *)rows.weights[k])[i] = (uint16_t)weight;
            left -= weight;
        }
        ((uint16_t *)rows.weights[0])[i] = (uint16_t)left;
        if (!kc_one_in(r, 4)) rows.residual[i] = (int16_t)(rows.residual[i] / 64);
    }
    return rows;
}

static void compare_merge(kc_run *r, vfx_deinterlace_merge_row_fn *c, vfx_deinterlace_merge_row_fn *tested, int bytes)
{
    for (const int *w = kc_widths; *w; w++) {
        const int count = *w, depth = depth_of(r, bytes);
        const merge_rows m = merge_make(r, bytes, count, depth);
        const kc_output out = kc_output_make(r, count * bytes, 1, bytes);
        c(out.wanted, m.spatial, UNSIGNED m.moved, ROWS m.fields, UNSIGNED m.weights, m.residual, count, depth);
        tested(out.got, m.spatial, UNSIGNED m.moved, ROWS m.fields, UNSIGNED m.weights, m.residual, count, depth);
        kc_check(r, &out, "%d samples of %d bits", count, depth);
        kc_release(r);
    }
}

static int work_merge(kc_run *r, vfx_deinterlace_merge_row_fn *tested, int bytes, int calls)
{
    const int depth = bytes == 1 ? 8 : 10;
    const merge_rows m = merge_make(r, bytes, 1920, depth);
    const kc_output out = kc_output_make(r, 1920 * bytes, 1, bytes);
    while (calls-- > 0)
        tested(out.got, m.spatial, UNSIGNED m.moved, ROWS m.fields, UNSIGNED m.weights, m.residual, 1920, depth);
    return 1920;
}

// MARK: deinterlace_equal_row

static void compare_equal(kc_run *r, vfx_deinterlace_equal_row_fn *c, vfx_deinterlace_equal_row_fn *tested, int bytes)
{
    static const int limits[] = {0, 1, 2, 255, 512};
    for (const int *w = kc_widths; *w; w++) {
        const int count = *w, pairs = kc_in(r, 0, 6), limit = limits[kc_in(r, 0, bytes == 1 ? 3 : 4)];
        const int maximum = kc_one_in(r, 2) ? 3 : bytes == 1 ? 255 : 65535;
        void *a[6], *b[6];
        for (int k = 0; k < pairs; k++) {
            a[k] = samples(r, bytes, count, maximum);
            b[k] = samples(r, bytes, count, maximum);
        }
        const kc_output out = kc_output_make(r, count, 1, 1);
        c(out.wanted, ROWS a, ROWS b, pairs, count, limit);
        tested(out.got, ROWS a, ROWS b, pairs, count, limit);
        kc_check(r, &out, "%d samples of %d pairs, limit %d", count, pairs, limit);
        kc_release(r);
    }
}

static int work_equal(kc_run *r, vfx_deinterlace_equal_row_fn *tested, int bytes, int calls)
{
    void *a[6], *b[6];
    for (int k = 0; k < 6; k++) {
        a[k] = samples(r, bytes, 1920, 255);
        b[k] = samples(r, bytes, 1920, 255);
    }
    const kc_output out = kc_output_make(r, 1920, 1, 1);
    while (calls-- > 0) tested(out.got, ROWS a, ROWS b, 6, 1920, 2);
    return 1920;
}

// MARK: deinterlace_still_row

static void marks_make(kc_run *r, const uint8_t *marks[3], int count)
{
    for (int k = 0; k < 3; k++) {
        uint8_t *row = kc_guarded(r, (size_t)count + 4, kc_one_in(r, 2));
        for (int i = 0; i < count + 4; i++) row[i] = !kc_one_in(r, 20);
        marks[k] = row + 2;
    }
}

static void compare_still(kc_run *r)
{
    for (const int *w = kc_widths; *w; w++) {
        const int count = *w;
        const uint8_t *marks[3];
        marks_make(r, marks, count);
        uint8_t *scratch = kc_guarded(r, (size_t)count + 4, kc_one_in(r, 2));
        const kc_output out = kc_output_make(r, count, 1, 1);
        r->c->deinterlace_still_row(out.wanted, marks, scratch, count);
        r->tested->deinterlace_still_row(out.got, marks, scratch, count);
        kc_check(r, &out, "%d samples", count);
        kc_release(r);
    }
}

static int work_still(kc_run *r, int calls)
{
    const uint8_t *marks[3];
    marks_make(r, marks, 1920);
    uint8_t *scratch = kc_guarded(r, 1924, true);
    const kc_output out = kc_output_make(r, 1920, 1, 1);
    while (calls-- > 0) r->tested->deinterlace_still_row(out.got, marks, scratch, 1920);
    return 1920;
}

// MARK: deinterlace_weave_row

static const uint8_t *still_make(kc_run *r, int count)
{
    uint8_t *row = kc_guarded(r, (size_t)count, kc_one_in(r, 2));
    for (int i = 0; i < count; i++) row[i] = kc_one_in(r, 2);
    return row;
}

static void compare_weave(kc_run *r, vfx_deinterlace_weave_row_fn *c, vfx_deinterlace_weave_row_fn *tested, int bytes)
{
    for (const int *w = kc_widths; *w; w++) {
        const int count = *w;
        const uint8_t *still = still_make(r, count);
        const void *field = samples(r, bytes, count, bytes == 1 ? 255 : 65535);
        const kc_output out = kc_output_make(r, count * bytes, 1, bytes);
        c(out.wanted, field, still, count);
        tested(out.got, field, still, count);
        kc_check(r, &out, "%d samples", count);
        kc_release(r);
    }
}

static int work_weave(kc_run *r, vfx_deinterlace_weave_row_fn *tested, int bytes, int calls)
{
    const uint8_t *still = still_make(r, 1920);
    const void *field = samples(r, bytes, 1920, 255);
    const kc_output out = kc_output_make(r, 1920 * bytes, 1, bytes);
    while (calls-- > 0) tested(out.got, field, still, 1920);
    return 1920;
}

// MARK: deinterlace_flicker_row

static void compare_flicker(kc_run *r, vfx_deinterlace_flicker_row_fn *c, vfx_deinterlace_flicker_row_fn *tested,
                            int bytes)
{
    for (const int *w = kc_widths; *w; w++) {
        const int count = *w, maximum = bytes == 1 ? 255 : 65535, limit = kc_in(r, 0, 40) * (bytes == 1 ? 1 : 256);
        const int contrast = kc_in(r, 0, 40) * (bytes == 1 ? 1 : 256);
        void *rows[4];
        for (int k = 0; k < 4; k++) rows[k] = samples(r, bytes, count, maximum);
        const kc_output out = kc_output_make(r, count, 1, 1);
        c(out.wanted, rows[0], rows[1], rows[2], rows[3], count, limit, contrast);
        tested(out.got, rows[0], rows[1], rows[2], rows[3], count, limit, contrast);
        kc_check(r, &out, "%d samples, limit %d, contrast %d", count, limit, contrast);
        kc_release(r);
    }
}

static int work_flicker(kc_run *r, vfx_deinterlace_flicker_row_fn *tested, int bytes, int calls)
{
    void *rows[4];
    for (int k = 0; k < 4; k++) rows[k] = samples(r, bytes, 1920, 255);
    const kc_output out = kc_output_make(r, 1920, 1, 1);
    while (calls-- > 0) tested(out.got, rows[0], rows[1], rows[2], rows[3], 1920, 2, 16);
    return 1920;
}

// MARK: deinterlace_unweave_row

/// Rows of marks in runs, with eight zeros at both ends.
static void flicker_make(kc_run *r, const uint8_t *marks[5], int count)
{
    for (int k = 0; k < 5; k++) {
        uint8_t *row = kc_guarded(r, (size_t)count + 16, kc_one_in(r, 2));
        memset(row, 0, (size_t)count + 16);
        for (int i = 0, value = 0; i < count; i++) {
            if (kc_one_in(r, 25)) value = kc_in(r, 0, 3);
            row[i + 8] = (uint8_t)value;
        }
        marks[k] = row + 8;
    }
}

static void compare_unweave(kc_run *r, vfx_deinterlace_unweave_row_fn *c, vfx_deinterlace_unweave_row_fn *tested,
                            int bytes)
{
    for (const int *w = kc_widths; *w; w++) {
        const int count = *w;
        const uint8_t *marks[5];
        flicker_make(r, marks, count);
        const void *spatial = samples(r, bytes, count, bytes == 1 ? 255 : 65535);
        uint8_t *scratch = kc_guarded(r, 2 * ((size_t)count + 16), true);
        const kc_output out = kc_output_make(r, count * bytes, 1, bytes);
        c(out.wanted, spatial, marks, scratch, count);
        tested(out.got, spatial, marks, scratch, count);
        kc_check(r, &out, "%d samples", count);
        kc_release(r);
    }
}

static int work_unweave(kc_run *r, vfx_deinterlace_unweave_row_fn *tested, int bytes, int calls)
{
    const uint8_t *marks[5];
    flicker_make(r, marks, 1920);
    const void *spatial = samples(r, bytes, 1920, 255);
    uint8_t *scratch = kc_guarded(r, 2 * (1920 + 16), true);
    const kc_output out = kc_output_make(r, 1920 * bytes, 1, bytes);
    while (calls-- > 0) tested(out.got, spatial, marks, scratch, 1920);
    return 1920;
}

#define BOTH(name)                                                                                                       \
    static void compare_##name##_8(kc_run *r)                                                                            \
    {                                                                                                                    \
        compare_##name(r, r->c->deinterlace_##name##_row_8, r->tested->deinterlace_##name##_row_8, 1);                   \
    }                                                                                                                    \
    static void compare_##name##_16(kc_run *r)                                                                           \
    {                                                                                                                    \
        compare_##name(r, r->c->deinterlace_##name##_row_16, r->tested->deinterlace_##name##_row_16, 2);                 \
    }                                                                                                                    \
    static int work_##name##_8(kc_run *r, int calls)                                                                     \
    {                                                                                                                    \
        return work_##name(r, r->tested->deinterlace_##name##_row_8, 1, calls);                                          \
    }                                                                                                                    \
    static int work_##name##_16(kc_run *r, int calls)                                                                    \
    {                                                                                                                    \
        return work_##name(r, r->tested->deinterlace_##name##_row_16, 2, calls);                                         \
    }

BOTH(bob)
BOTH(input)
BOTH(merge)
BOTH(equal)
BOTH(weave)
BOTH(flicker)
BOTH(unweave)

const kc_case kc_deinterlace_cases[] = {
    {"deinterlace_bob_row_8", compare_bob_8, work_bob_8},
    {"deinterlace_bob_row_16", compare_bob_16, work_bob_16},
    {"deinterlace_input_row_8", compare_input_8, work_input_8},
    {"deinterlace_input_row_16", compare_input_16, work_input_16},
    {"deinterlace_largest_row", compare_largest, work_largest},
    {"deinterlace_weights_row", compare_weights, work_weights},
    {"deinterlace_merge_row_8", compare_merge_8, work_merge_8},
    {"deinterlace_merge_row_16", compare_merge_16, work_merge_16},
    {"deinterlace_equal_row_8", compare_equal_8, work_equal_8},
    {"deinterlace_equal_row_16", compare_equal_16, work_equal_16},
    {"deinterlace_still_row", compare_still, work_still},
    {"deinterlace_weave_row_8", compare_weave_8, work_weave_8},
    {"deinterlace_weave_row_16", compare_weave_16, work_weave_16},
    {"deinterlace_flicker_row_8", compare_flicker_8, work_flicker_8},
    {"deinterlace_flicker_row_16", compare_flicker_16, work_flicker_16},
    {"deinterlace_unweave_row_8", compare_unweave_8, work_unweave_8},
    {"deinterlace_unweave_row_16", compare_unweave_16, work_unweave_16},
    {0},
};
