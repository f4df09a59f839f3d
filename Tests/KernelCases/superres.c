#include "case.h"

/// A layer of random weights whose sums cannot overflow.
static vfx_superres_layer *layer_make(kc_run *r, int sources, int outputs, int shift, bool has_activation)
{
    const int most = 60000 / (2 * sources) < 32767 ? 60000 / (2 * sources) : 32767, weights = 2 * sources * outputs;
    int16_t *weight = kc_guarded(r, (size_t)weights * 2, true);
    for (int i = 0; i < weights; i++) weight[i] = (int16_t)(kc_one_in(r, 9) ? most : kc_in(r, -most, most));
    int32_t *bias = kc_guarded(r, (size_t)outputs * 4, true);
    int16_t *slopes = kc_guarded(r, (size_t)outputs * 2, true);
    for (int o = 0; o < outputs; o++) {
        bias[o] = kc_in(r, -100000, 100000);
        slopes[o] = (int16_t)(kc_one_in(r, 9) ? -32767 : kc_in(r, -32767, 32767));
    }
    vfx_superres_layer *layer = kc_guarded(r, sizeof *layer, true);
    *layer = (vfx_superres_layer){weight, bias, has_activation ? slopes : NULL, sources, outputs, shift};
    return layer;
}

static int whole_steps(int count) { return (count + VFX_SUPERRES_STEP - 1) / VFX_SUPERRES_STEP * VFX_SUPERRES_STEP; }

static uint32_t any_pair(kc_run *r)
{
    static const uint32_t extremes[] = {0x7fff7fff, 0x80008000, 0x80007fff, 0};
    const uint32_t pair = (uint32_t)kc_next(r);
    return kc_one_in(r, 4) ? extremes[kc_in(r, 0, 3)] : pair;
}

/// Rows of pairs that are readable in whole steps, the last up to the end of the memory.
static const int32_t *const *rows_make(kc_run *r, int rows, int count)
{
    const size_t pitch = (size_t)whole_steps(count);
    int32_t *pairs = kc_guarded(r, (size_t)rows * pitch * 4, true);
    for (size_t i = 0; i < (size_t)rows * pitch; i++) pairs[i] = (int32_t)any_pair(r);
    const int32_t **list = kc_guarded(r, (size_t)rows * sizeof *list, true);
    for (int row = 0; row < rows; row++) list[row] = pairs + (size_t)row * pitch;
    return list;
}

/// Rows that a version may write in whole steps, of which `count` pairs are compared.
static kc_output features_make(kc_run *r, int rows, int count)
{
    return kc_output_make(r, 4 * whole_steps(count), rows, 4);
}

static int32_t *const *targets(kc_run *r, const kc_output *out, uint8_t *first, int from, int rows)
{
    int32_t **list = kc_guarded(r, (size_t)rows * sizeof *list, true);
    for (int row = 0; row < rows; row++) list[row] = (int32_t *)(first + (from + row) * out->pitch);
    return list;
}

static void forget_beyond(const kc_output *out, int rows, int count)
{
    const size_t bytes = (size_t)(whole_steps(count) - count) * 4;
    for (int row = 0; row < rows; row++) {
        memset(out->wanted + row * out->pitch + 4 * count, 0, bytes);
        memset(out->got + row * out->pitch + 4 * count, 0, bytes);
    }
}

/// Whether all features are within −2^14…2^14 − 1.
static int fit(const kc_output *out, int from, int rows, int count)
{
    for (int row = from; row < from + rows; row++)
        for (int i = 0; i < 2 * count; i++) {
            const int f = ((int16_t *)(out->wanted + row * out->pitch))[i];
            if (f < -16384 || f > 16383) return 0;
        }
    return 1;
}

static void compare_features(kc_run *r)
{
    for (const int *w = kc_widths; *w && *w < 1000; w++) {
        const int count = *w, outputs = 4 * kc_in(r, 1, 8), sources = kc_in(r, 1, 150);
        // Half of the layers produce only features that fit the input transform.
        const int shift = kc_one_in(r, 2) ? kc_in(r, 4, 16) : kc_in(r, 17, 28);
        const vfx_superres_layer *layer = layer_make(r, sources, outputs, shift, true);
        const int32_t *const *src = rows_make(r, sources, count);
        const kc_output out = features_make(r, outputs / 2, count);
        const int fits = r->c->superres_features(targets(r, &out, out.wanted, 0, outputs / 2), src, layer, count);
        const int got = r->tested->superres_features(targets(r, &out, out.got, 0, outputs / 2), src, layer, count);
        forget_beyond(&out, outputs / 2, count);
        kc_check_value(r, fit(&out, 0, outputs / 2, count), got, "%d places fit", count);
        kc_check_value(r, fits, got, "%d places fit", count);
        kc_check(r, &out, "%d places, %d outputs of %d sources, shift %d", count, outputs, sources, shift);
        kc_release(r);
    }
}

static int work_features(kc_run *r, int calls)
{
    const vfx_superres_layer *layer = layer_make(r, 72, 16, 14, true);
    const int32_t *const *src = rows_make(r, 72, 64);
    const kc_output out = features_make(r, 8, 64);
    int32_t *const *dst = targets(r, &out, out.got, 0, 8);
    while (calls-- > 0) r->tested->superres_features(dst, src, layer, 64);
    return 64;
}

static vfx_superres_winograd_layer winograd_make(kc_run *r, int sources, int outputs, int shift)
{
    // The sums of the two middle parts are halved, so half of their weights count.
    const vfx_superres_layer *layer = layer_make(r, 4 * sources, outputs, shift, true);
    return (vfx_superres_winograd_layer){layer->weights, layer, sources};
}

static void compare_winograd(kc_run *r)
{
    for (const int *w = kc_widths; *w && *w < 1000; w++) {
        const int count = *w, outputs = 4 * kc_in(r, 1, 4), sources = kc_in(r, 1, 30), shift = kc_in(r, 4, 22);
        const vfx_superres_winograd_layer winograd = winograd_make(r, sources, outputs, shift);
        const int32_t *const *src = rows_make(r, 4 * sources, count);
        const kc_output out = features_make(r, outputs, count);
        const int pairs = outputs / 2;
        const int fits = r->c->superres_features_winograd(targets(r, &out, out.wanted, 0, pairs),
                                                          targets(r, &out, out.wanted, pairs, pairs), src, &winograd,
                                                          count);
        const int got = r->tested->superres_features_winograd(targets(r, &out, out.got, 0, pairs),
                                                              targets(r, &out, out.got, pairs, pairs), src, &winograd,
                                                              count);
        forget_beyond(&out, outputs, count);
        const int really = fit(&out, 0, pairs, count) | fit(&out, pairs, pairs, count) << 1;
        kc_check_value(r, really, got, "%d places fit", count);
        kc_check_value(r, fits, got, "%d places fit", count);
        kc_check(r, &out, "%d places, %d outputs of %d sources, shift %d", count, outputs, sources, shift);
        kc_release(r);
    }
}

static int work_winograd(kc_run *r, int calls)
{
    const vfx_superres_winograd_layer winograd = winograd_make(r, 24, 16, 14);
    const int32_t *const *src = rows_make(r, 96, 64);
    const kc_output out = features_make(r, 16, 64);
    int32_t *const *upper = targets(r, &out, out.got, 0, 8), *const *lower = targets(r, &out, out.got, 8, 8);
    while (calls-- > 0) r->tested->superres_features_winograd(upper, lower, src, &winograd, 64);
    return 2 * 64;
}

/// Four rows of features, each of `pairs` rows of pairs, that fit the transform.
static void four_rows_make(kc_run *r, const int32_t *four[4], int pairs, int pitch, int count)
{
    const int size = (pairs - 1) * pitch + whole_steps(count);
    for (int k = 0; k < 4; k++) {
        int16_t *values = kc_guarded(r, (size_t)size * 4, true);
        for (int i = 0; i < 2 * size; i++)
            values[i] = (int16_t)(kc_one_in(r, 4) ? (kc_one_in(r, 2) ? 16383 : -16384) : kc_in(r, -16384, 16383));
        four[k] = (const int32_t *)values;
    }
}

static void compare_transform(kc_run *r)
{
    for (const int *w = kc_widths; *w && *w < 1000; w++) {
        const int count = *w, pairs = kc_in(r, 1, 8), pitch = whole_steps(count) + kc_in(r, 0, 5);
        const int32_t *four[4];
        four_rows_make(r, four, pairs, pitch, count);
        const kc_output out = features_make(r, 4 * pairs, count);
        r->c->superres_input_transform((int32_t *)out.wanted, out.pitch / 4, four, pitch, pairs, count);
        r->tested->superres_input_transform((int32_t *)out.got, out.pitch / 4, four, pitch, pairs, count);
        forget_beyond(&out, 4 * pairs, count);
        kc_check(r, &out, "%d places of %d pairs", count, pairs);
        kc_release(r);
    }
}

static int work_transform(kc_run *r, int calls)
{
    const int32_t *four[4];
    four_rows_make(r, four, 8, 256, 256);
    const kc_output out = features_make(r, 32, 256);
    while (calls-- > 0)
        r->tested->superres_input_transform((int32_t *)out.got, out.pitch / 4, four, 256, 8, 256);
    return 8 * 256;
}

static void compare_output(kc_run *r, vfx_superres_output_fn *c, vfx_superres_output_fn *tested, int bytes)
{
    for (const int *w = kc_widths; *w && *w < 1000; w++) {
        const int count = *w, depth = bytes == 1 ? 8 : kc_in(r, 9, 16), sources = kc_in(r, 1, 200);
        const vfx_superres_layer *layer = layer_make(r, sources, 4, kc_in(r, 8, 12), false);
        const int32_t *const *src = rows_make(r, sources, count);
        const kc_output out = kc_output_make(r, 2 * count * bytes, 2, bytes);
        c(out.wanted, out.wanted + out.pitch, src, layer, count, depth);
        tested(out.got, out.got + out.pitch, src, layer, count, depth);
        kc_check(r, &out, "%d places of %d bits from %d sources", count, depth, sources);
        kc_release(r);
    }
}

static int work_output(kc_run *r, vfx_superres_output_fn *tested, int bytes, int calls)
{
    const vfx_superres_layer *layer = layer_make(r, 87, 4, 12, false);
    const int32_t *const *src = rows_make(r, 87, 64);
    const kc_output out = kc_output_make(r, 2 * 64 * bytes, 2, bytes);
    while (calls-- > 0) tested(out.got, out.got + out.pitch, src, layer, 64, bytes == 1 ? 8 : 10);
    return 64;
}

static void compare_pairs(kc_run *r, vfx_superres_pairs_fn *c, vfx_superres_pairs_fn *tested, int bytes)
{
    for (const int *w = kc_widths; *w; w++) {
        const int width = *w, depth = bytes == 1 ? 8 : kc_in(r, 9, 16);
        const int firsts[] = {-7, -1, 0, width - 1, width + 2, kc_in(r, -width, width)};
        for (int i = 0; i < 6; i++) {
            const int first = firsts[i], count = kc_in(r, 1, width + 9);
            const kc_plane row = kc_plane_make(r, bytes, 0, width, 0, 1);
            kc_fill(r, &row, kc_any_pattern(r), (1u << depth) - 1);
            const kc_output out = kc_output_make(r, 4 * count, 1, 4);
            c((int32_t *)out.wanted, row.origin, width, first, count, depth);
            tested((int32_t *)out.got, row.origin, width, first, count, depth);
            kc_check(r, &out, "%d pairs from %d of %d samples of %d bits", count, first, width, depth);
            kc_release(r);
        }
    }
}

static int work_pairs(kc_run *r, vfx_superres_pairs_fn *tested, int bytes, int calls)
{
    const kc_plane row = kc_plane_make(r, bytes, 0, 1920, 0, 1);
    kc_fill(r, &row, KC_RANDOM, bytes == 1 ? 255 : 1023);
    const kc_output out = kc_output_make(r, 4 * 1924, 1, 4);
    while (calls-- > 0) tested((int32_t *)out.got, row.origin, 1920, -2, 1924, bytes == 1 ? 8 : 10);
    return 1924;
}

#define DEPTH(bits)                                                                                                  \
    static void compare_output_##bits(kc_run *r)                                                                     \
    {                                                                                                                \
        compare_output(r, r->c->superres_output_##bits, r->tested->superres_output_##bits, bits / 8);                \
    }                                                                                                                \
    static int work_output_##bits(kc_run *r, int calls)                                                              \
    {                                                                                                                \
        return work_output(r, r->tested->superres_output_##bits, bits / 8, calls);                                   \
    }                                                                                                                \
    static void compare_pairs_##bits(kc_run *r)                                                                      \
    {                                                                                                                \
        compare_pairs(r, r->c->superres_pairs_##bits, r->tested->superres_pairs_##bits, bits / 8);                   \
    }                                                                                                                \
    static int work_pairs_##bits(kc_run *r, int calls)                                                               \
    {                                                                                                                \
        return work_pairs(r, r->tested->superres_pairs_##bits, bits / 8, calls);                                     \
    }
DEPTH(8)
DEPTH(16)

const kc_case kc_superres_cases[] = {
    {"superres_features", compare_features, work_features},
    {"superres_output_8", compare_output_8, work_output_8},
    {"superres_output_16", compare_output_16, work_output_16},
    {"superres_input_transform", compare_transform, work_transform},
    {"superres_features_winograd", compare_winograd, work_winograd},
    {"superres_pairs_8", compare_pairs_8, work_pairs_8},
    {"superres_pairs_16", compare_pairs_16, work_pairs_16},
    {0},
};
