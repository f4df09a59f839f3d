#include "case.h"

enum { LONGEST = 700 }; // longer rows add nothing

/// Writes weights that add up to 16384, of which the first `used` of `taps`, 2 or more, are not 0. In one case of four,
/// their magnitudes add up to 40000, the most that is allowed.
static void weights_fill(kc_run *r, int16_t *weights, int used, int taps)
{
    const bool wild = kc_one_in(r, 4);
    const int even = (used + 1) / 2, odd = used / 2;
    int sum = 0;
    for (int k = 0; k < taps; k++) {
        const int v = k >= used ? 0 : !wild ? kc_in(r, -1500, 6000) * 4 / used : k & 1 ? -11808 / odd : 28192 / even;
        weights[k] = (int16_t)v;
        sum += v;
    }
    if (wild) {
        weights[0] += 28192 % even;
        weights[1] -= 11808 % odd;
    } else {
        weights[used - 1] = (int16_t)(weights[used - 1] + 16384 - sum);
    }
}

static void compare_columns(kc_run *r, vfx_resample_column_fn *c, vfx_resample_column_fn *tested, int bytes, int bits)
{
    static const int tap_counts[] = {2, 4, 6, 12, 16};
    for (const int *n = kc_widths; *n && *n < LONGEST; n++) {
        const int count = *n, taps = tap_counts[kc_in(r, 0, 4)];
        const void *rows[16];
        int16_t *weights = kc_guarded(r, (size_t)taps * sizeof *weights, true);
        for (int k = 0; k < taps; k++) {
            const kc_plane row = kc_plane_make(r, bytes, 0, count, 0, 1);
            kc_fill(r, &row, kc_any_pattern(r), (1u << bits) - 1);
            rows[k] = k > 0 && kc_one_in(r, 6) ? rows[k - 1] : row.origin; // rows beyond an edge are repeated
        }
        weights_fill(r, weights, taps, taps);
        const kc_output out = kc_output_make(r, count * 2, 1, 2);
        c((int16_t *)out.wanted, rows, weights, taps, count, bits);
        tested((int16_t *)out.got, rows, weights, taps, count, bits);
        kc_check(r, &out, "%d samples of %d bits, %d taps", count, bits, taps);
        kc_release(r);
    }
}

static void column_8(kc_run *r)
{
    for (int i = 0; i < 4; i++) compare_columns(r, r->c->resample_column_8, r->tested->resample_column_8, 1, 8);
}

static void column_16(kc_run *r)
{
    for (int bits = 9; bits <= 16; bits++)
        compare_columns(r, r->c->resample_column_16, r->tested->resample_column_16, 2, bits);
}

static void compare_rows(kc_run *r, vfx_resample_row_fn *c, vfx_resample_row_fn *tested, int bytes, int bits)
{
    for (const int *n = kc_widths; *n && *n < LONGEST; n++) {
        const int count = *n, padded = (count + 7) / 8 * 8, taps = 8 * kc_in(r, 1, 3), length = count + taps;
        // Negative lobes of the vertical filter exceed the range by up to a third.
        const int half = bits <= 14 ? 8192 : 1 << (bits - 1), most = half + half / 3;
        const bool extreme = kc_one_in(r, 3);
        int16_t *source = kc_guarded(r, (size_t)length * sizeof *source, true);
        for (int i = 0; i < length; i++) {
            const int v = extreme ? (kc_one_in(r, 2) ? -most : most) : kc_in(r, -most, most);
            source[i] = (int16_t)(v < -32768 ? -32768 : v > 32767 ? 32767 : v);
        }
        int32_t *starts = kc_guarded(r, (size_t)padded * sizeof *starts, true);
        int16_t *weights = kc_guarded(r, (size_t)(padded * taps) * sizeof *weights, true);
        for (int x = 0; x < padded; x++) {
            const int start = kc_in(r, 0, length - taps);
            starts[x] = start < x ? start : x;
            weights_fill(r, weights + x * taps, kc_one_in(r, 2) ? taps : kc_in(r, 2, taps), taps);
        }
        const kc_output out = kc_output_make(r, count * bytes, 1, bytes);
        c(out.wanted, source, starts, weights, taps, count, bits);
        tested(out.got, source, starts, weights, taps, count, bits);
        kc_check(r, &out, "%d samples of %d bits, %d taps", count, bits, taps);
        kc_release(r);
    }
}

static void row_8(kc_run *r)
{
    for (int i = 0; i < 3; i++) compare_rows(r, r->c->resample_row_8, r->tested->resample_row_8, 1, 8);
}

static void row_16(kc_run *r)
{
    for (int bits = 9; bits <= 16; bits++) compare_rows(r, r->c->resample_row_16, r->tested->resample_row_16, 2, bits);
}

enum { WORK = 1920 };

static int work_column(kc_run *r, vfx_resample_column_fn *tested, int bytes, int bits, int calls)
{
    enum { TAPS = 6 };
    const void *rows[TAPS];
    int16_t weights[TAPS];
    weights_fill(r, weights, TAPS, TAPS);
    for (int k = 0; k < TAPS; k++) {
        const kc_plane row = kc_plane_make(r, bytes, 0, WORK, 0, 1);
        kc_fill(r, &row, KC_RANDOM, (1u << bits) - 1);
        rows[k] = row.origin;
    }
    const kc_output out = kc_output_make(r, WORK * 2, 1, 2);
    while (calls-- > 0) tested((int16_t *)out.got, rows, weights, TAPS, WORK, bits);
    return WORK;
}

static int work_row(kc_run *r, vfx_resample_row_fn *tested, int bytes, int bits, int calls)
{
    enum { TAPS = 8 };
    int16_t *source = kc_guarded(r, (WORK + TAPS) * sizeof *source, true);
    int32_t *starts = kc_guarded(r, WORK * sizeof *starts, true);
    int16_t *weights = kc_guarded(r, WORK * TAPS * sizeof *weights, true);
    for (int x = 0; x < WORK + TAPS; x++) source[x] = (int16_t)kc_in(r, -8192, 8191);
    for (int x = 0; x < WORK; x++) {
        starts[x] = x;
        weights_fill(r, weights + x * TAPS, TAPS, TAPS);
    }
    const kc_output out = kc_output_make(r, WORK * bytes, 1, bytes);
    while (calls-- > 0) tested(out.got, source, starts, weights, TAPS, WORK, bits);
    return WORK;
}

static int work_column_8(kc_run *r, int calls) { return work_column(r, r->tested->resample_column_8, 1, 8, calls); }
static int work_column_16(kc_run *r, int calls) { return work_column(r, r->tested->resample_column_16, 2, 10, calls); }
static int work_row_8(kc_run *r, int calls) { return work_row(r, r->tested->resample_row_8, 1, 8, calls); }
static int work_row_16(kc_run *r, int calls) { return work_row(r, r->tested->resample_row_16, 2, 10, calls); }

const kc_case kc_resample_cases[] = {
    {"resample_column_8", column_8, work_column_8},
    {"resample_column_16", column_16, work_column_16},
    {"resample_row_8", row_8, work_row_8},
    {"resample_row_16", row_16, work_row_16},
    {0},
};
