#include "case.h"
// The bits of the inputs may not depend on the architecture.
#pragma STDC FP_CONTRACT OFF

/// Random values between two inaccessible pages.
static void *values_make(kc_run *r, int count, int bytes, unsigned maximum)
{
    const kc_plane row = {kc_guarded(r, (size_t)(count * bytes), kc_one_in(r, 2)), 0, bytes, 0, count, 0, 1};
    kc_fill(r, &row, kc_one_in(r, 2) ? KC_RANDOM : kc_any_pattern(r), maximum);
    return row.origin;
}

/// The indices of the source samples of a row, which ascend slowly.
static const int32_t *map_make(kc_run *r, int count, int sources)
{
    int32_t *map = kc_guarded(r, (size_t)count * 4, true);
    for (int i = 0; i < count; i++) map[i] = (int32_t)((int64_t)(2 * i + 1) * sources / (2 * count));
    return map;
}

static void compare_weights(kc_run *r)
{
    for (int repeat = 0; repeat < 3; repeat++)
        for (const int *w = kc_widths; *w && *w < 1000; w++) {
            const int width = *w;
            const kc_plane error = kc_plane_make(r, 1, -1, width + 1, -1, 2);
            const kc_plane luma = kc_plane_make(r, 1, -2, width + 2, -2, 3);
            const unsigned error_most = kc_one_in(r, 2) ? 255 : 9, luma_most = kc_one_in(r, 3) ? 9 : 255;
            kc_fill(r, &error, kc_any_pattern(r), error_most);
            kc_fill(r, &luma, kc_any_pattern(r), luma_most);
            const float most = (float)kc_in(r, 0, 255), scale = (float)kc_in(r, 1, 80) * 0.1f;
            const vfx_detail_transfer_trust trust = {most, scale};
            int32_t *scratch = kc_guarded(r, (size_t)(3 * (width + 4)) * 4, true);
            const kc_output out = kc_output_make(r, width, 1, 1);
            r->c->detail_transfer_weight_row(out.wanted, error.origin, error.stride, luma.origin, luma.stride, width,
                                             &trust, scratch);
            r->tested->detail_transfer_weight_row(out.got, error.origin, error.stride, luma.origin, luma.stride, width,
                                                  &trust, scratch);
            kc_check(r, &out, "%d samples, most %g, scale %g", width, (double)most, (double)scale);
            kc_release(r);
        }
}

static int work_weights(kc_run *r, int calls)
{
    const kc_plane error = kc_plane_make(r, 1, -1, 961, -1, 2), luma = kc_plane_make(r, 1, -2, 962, -2, 3);
    kc_fill(r, &error, KC_RANDOM, 9);
    kc_fill(r, &luma, KC_RANDOM, 255);
    const vfx_detail_transfer_trust trust = {205, 4};
    int32_t *scratch = kc_guarded(r, 3 * 964 * 4, true);
    const kc_output out = kc_output_make(r, 960, 1, 1);
    while (calls-- > 0)
        r->tested->detail_transfer_weight_row(out.got, error.origin, error.stride, luma.origin, luma.stride, 960,
                                              &trust, scratch);
    return 960;
}

static void compare_differences(kc_run *r)
{
    for (const int *w = kc_widths; *w; w++)
        for (int target = 0; target < 3; target++) {
            const int count = *w;
            const uint8_t *a = values_make(r, count, 1, 255), *b = values_make(r, count, 1, 255);
            const kc_output out = kc_output_make(r, count, 1, 1);
            const uint8_t *row = target == 1 ? a : b;
            if (target > 0) {
                memcpy(out.wanted, row, (size_t)count);
                memcpy(out.got, row, (size_t)count);
            }
            const uint8_t *from_a = target == 1 ? out.wanted : a, *from_b = target == 2 ? out.wanted : b;
            r->c->detail_transfer_difference_row(out.wanted, from_a, from_b, count);
            from_a = target == 1 ? out.got : a;
            from_b = target == 2 ? out.got : b;
            r->tested->detail_transfer_difference_row(out.got, from_a, from_b, count);
            kc_check(r, &out, "%d samples, target %d", count, target);
            kc_release(r);
        }
}

static int work_differences(kc_run *r, int calls)
{
    const uint8_t *a = values_make(r, 1920, 1, 255), *b = values_make(r, 1920, 1, 255);
    const kc_output out = kc_output_make(r, 1920, 1, 1);
    while (calls-- > 0) r->tested->detail_transfer_difference_row(out.got, a, b, 1920);
    return 1920;
}

static void compare_spread(kc_run *r)
{
    for (const int *w = kc_widths; *w && *w < 1000; w++)
        for (int mode = 0; mode < 3; mode++) {
            // Without a map, of an even and an odd number of samples; then with one.
            const int width = *w, count = mode < 2 ? 2 * width - mode : width + kc_in(r, 0, width);
            const int32_t *map = mode < 2 ? NULL : map_make(r, count, width);
            const int16_t *source = values_make(r, width, 2, 65535);
            const int scale = kc_one_in(r, 4) ? 65535 : kc_in(r, 0, 65535);
            const kc_output out = kc_output_make(r, 2 * (mode < 2 ? 2 * width : count), 1, 2);
            r->c->detail_transfer_spread_row((int16_t *)out.wanted, source, map, count, scale);
            r->tested->detail_transfer_spread_row((int16_t *)out.got, source, map, count, scale);
            if (mode == 1) memcpy(out.got + 2 * count, out.wanted + 2 * count, 2);
            kc_check(r, &out, "%d to %d vectors, mode %d, scale %d", width, count, mode, scale);
            kc_release(r);
        }
}

static int work_spread(kc_run *r, int calls)
{
    const int16_t *source = values_make(r, 960, 2, 65535);
    const kc_output out = kc_output_make(r, 2 * 1920, 1, 2);
    while (calls-- > 0) r->tested->detail_transfer_spread_row((int16_t *)out.got, source, NULL, 1920, 32768);
    return 1920;
}

static void compare_extract(kc_run *r, vfx_detail_transfer_extract_row_fn *c,
                            vfx_detail_transfer_extract_row_fn *tested, int bytes)
{
    for (const int *w = kc_widths; *w && *w < 1000; w++)
        for (int mapped = 0; mapped < 2; mapped++) {
            const int width = *w, count = mapped ? width + kc_in(r, 0, width) : 2 * width;
            const unsigned maximum = bytes == 1 ? 255 : kc_one_in(r, 2) ? 65535 : 1023;
            const int32_t *map = mapped ? map_make(r, count, width) : NULL;
            const void *moved = values_make(r, count, bytes, maximum), *here = values_make(r, count, bytes, maximum);
            const uint8_t *weight = values_make(r, width, 1, 255);
            const kc_output detail = kc_output_make(r, 4 * count, 1, 4), sums = kc_output_make(r, 4 * width, 1, 4);
            for (int i = 0; i < width; i++)
                ((int32_t *)sums.wanted)[i] = ((int32_t *)sums.got)[i] = kc_in(r, -10000000, 10000000);
            c((int32_t *)detail.wanted, (int32_t *)sums.wanted, moved, here, weight, map, count);
            tested((int32_t *)detail.got, (int32_t *)sums.got, moved, here, weight, map, count);
            kc_check(r, &detail, "detail of %d to %d samples up to %u, map %d", width, count, maximum, mapped);
            kc_check(r, &sums, "sums of %d to %d samples up to %u, map %d", width, count, maximum, mapped);
            kc_release(r);
        }
}

static int work_extract(kc_run *r, vfx_detail_transfer_extract_row_fn *tested, int bytes, int calls)
{
    const unsigned maximum = bytes == 1 ? 255 : 1023;
    const void *moved = values_make(r, 1920, bytes, maximum), *here = values_make(r, 1920, bytes, maximum);
    const uint8_t *weight = values_make(r, 960, 1, 255);
    const kc_output detail = kc_output_make(r, 4 * 1920, 1, 4), sums = kc_output_make(r, 4 * 960, 1, 4);
    memset(sums.got, 0, 4 * 960);
    while (calls-- > 0) tested((int32_t *)detail.got, (int32_t *)sums.got, moved, here, weight, NULL, 1920);
    return 1920;
}

static int32_t *details_make(kc_run *r, int count, int maximum)
{
    int32_t *row = kc_guarded(r, (size_t)count * 4, kc_one_in(r, 2));
    const int most = 255 * maximum;
    for (int i = 0; i < count; i++)
        row[i] = kc_one_in(r, 5) ? (kc_one_in(r, 2) ? most : -most) : kc_in(r, -most, most);
    return row;
}

static void compare_merge(kc_run *r, vfx_detail_transfer_merge_row_fn *c, vfx_detail_transfer_merge_row_fn *tested,
                          int bytes)
{
    for (const int *w = kc_widths; *w && *w < 1000; w++)
        for (int placed = 0; placed < 2; placed++) {
            const int width = *w, count = placed ? width + kc_in(r, 0, width) : 2 * width;
            const int maximum = bytes == 1 ? 255 : kc_one_in(r, 2) ? 65535 : 1023;
            const void *here = values_make(r, count, bytes, (unsigned)maximum);
            const int32_t *detail = details_make(r, count, maximum), *mean = details_make(r, width + 2, maximum) + 1;
            vfx_detail_transfer_place *places = kc_guarded(r, (size_t)count * sizeof *places, true);
            for (int i = 0; i < count; i++)
                places[i] = (vfx_detail_transfer_place){i * width / count, kc_one_in(r, 4) ? 63 : kc_in(r, 0, 63)};
            const kc_output out = kc_output_make(r, count * bytes, 1, bytes);
            c(out.wanted, here, detail, mean, placed ? places : NULL, count, maximum);
            tested(out.got, here, detail, mean, placed ? places : NULL, count, maximum);
            kc_check(r, &out, "%d to %d samples up to %d, places %d", width, count, maximum, placed);
            kc_release(r);
        }
}

static int work_merge(kc_run *r, vfx_detail_transfer_merge_row_fn *tested, int bytes, int calls)
{
    const int maximum = bytes == 1 ? 255 : 1023;
    const void *here = values_make(r, 1920, bytes, (unsigned)maximum);
    const int32_t *detail = details_make(r, 1920, maximum), *mean = details_make(r, 962, maximum) + 1;
    const kc_output out = kc_output_make(r, 1920 * bytes, 1, bytes);
    while (calls-- > 0) tested(out.got, here, detail, mean, NULL, 1920, maximum);
    return 1920;
}

#define KERNEL(slot, bits)                                                                      \
    static void compare_##slot##_##bits(kc_run *r)                                              \
    {                                                                                           \
        compare_##slot(r, r->c->detail_transfer_##slot##_row_##bits,                            \
                       r->tested->detail_transfer_##slot##_row_##bits, bits / 8);               \
    }                                                                                           \
    static int work_##slot##_##bits(kc_run *r, int calls)                                       \
    {                                                                                           \
        return work_##slot(r, r->tested->detail_transfer_##slot##_row_##bits, bits / 8, calls); \
    }
KERNEL(extract, 8)
KERNEL(extract, 16)
KERNEL(merge, 8)
KERNEL(merge, 16)

const kc_case kc_detail_transfer_cases[] = {
    {"detail_transfer_weight_row", compare_weights, work_weights},
    {"detail_transfer_difference_row", compare_differences, work_differences},
    {"detail_transfer_spread_row", compare_spread, work_spread},
    {"detail_transfer_extract_row_8", compare_extract_8, work_extract_8},
    {"detail_transfer_extract_row_16", compare_extract_16, work_extract_16},
    {"detail_transfer_merge_row_8", compare_merge_8, work_merge_8},
    {"detail_transfer_merge_row_16", compare_merge_16, work_merge_16},
    {0},
};
