#include "case.h"
// The bits of the inputs may not depend on the architecture.
#pragma STDC FP_CONTRACT OFF

enum { REACH = 5 }; // of the vectors, in samples

/// The layout of a row of blocks.
typedef struct layout { int frames, centre, width, step; } layout;

static const layout layouts[] = {
    {1, 0, 8, 4},  {2, 0, 23, 4}, {4, 3, 40, 3}, {5, 2, 33, 5},  {6, 2, 17, 4},
    {7, 3, 64, 4}, {7, 0, 30, 4}, {9, 4, 29, 4}, {17, 8, 20, 8}, {17, 16, 20, 8},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static int blocks_of(layout l) { return (l.width - 8 + l.step - 1) / l.step + 1; }

/// cos(π·k / n) from its series: the bits of libm depend on the system.
static double cosine(int k, int n)
{
    k %= 2 * n;
    const double x = 3.14159265358979323846 * (k > n ? 2 * n - k : k) / n;
    double term = 1, sum = 1;
    for (int i = 1; i < 40; i += 2) {
        term *= -x * x / (i * (i + 1));
        sum += term;
    }
    return sum;
}

static const float *cosines_make(kc_run *r, int frames)
{
    // The kernels do not need the basis functions to be orthonormal.
    float *m = kc_guarded(r, (size_t)(frames * frames) * 4, true);
    for (int a = 0; a < frames; a++)
        for (int t = 0; t < frames; t++) {
            const double scale = frames == 1 ? 1 : a == 0 ? 0.35 : 0.5;
            m[a * frames + t] = (float)(scale * cosine(a * (2 * t + 1), 2 * frames));
        }
    return m;
}

static const void *frame_make(kc_run *r, int bytes, layout l, kc_pattern pattern, unsigned maximum, int gap,
                              bool upward)
{
    const int columns = l.width + 2 * REACH, rows = 8 + 2 * REACH, pitch = columns + gap;
    const size_t count = (size_t)((rows - 1) * pitch + columns);
    uint8_t *first = kc_guarded(r, count * (size_t)bytes, kc_one_in(r, 2));
    const kc_plane plane = {
        first + ((upward ? rows - 1 - REACH : REACH) * pitch + REACH) * bytes, upward ? -pitch : pitch, bytes,
        -REACH, l.width + REACH, -REACH, 8 + REACH,
    };
    kc_fill(r, &plane, pattern, maximum);
    return plane.origin;
}

/// A group over random frames. A pilot has the layout of its frame.
static vfx_collaborative_group group_make(kc_run *r, int bytes, layout l, bool has_pilot, float sigma)
{
    const int blocks = blocks_of(l);
    const unsigned maximum = bytes == 1 ? 255 : kc_one_in(r, 2) ? 65535 : 1023;
    const kc_pattern pattern = kc_one_in(r, 3) ? kc_any_pattern(r) : KC_RANDOM;
    vfx_collaborative_frame *frames = kc_guarded(r, (size_t)l.frames * sizeof *frames, true);
    for (int t = 0; t < l.frames; t++) {
        const int gap = kc_in(r, 0, 9);
        const bool upward = kc_one_in(r, 3);
        int16_t *vectors = kc_guarded(r, (size_t)blocks * 4, true);
        for (int i = 0; i < 2 * blocks; i++) vectors[i] = (int16_t)kc_in(r, -REACH, REACH);
        const void *origin = frame_make(r, bytes, l, pattern, maximum, gap, upward);
        const void *pilot = has_pilot ? frame_make(r, bytes, l, pattern, maximum, gap, upward) : NULL;
        const ptrdiff_t pitch = l.width + 2 * REACH + gap;
        frames[t] = (vfx_collaborative_frame){origin, pilot, upward ? -pitch : pitch, vectors};
    }
    float *spectrum = kc_guarded(r, 64 * 4, true), *sigmas = kc_guarded(r, (size_t)blocks * 4, true);
    for (int i = 0; i < 64; i++) spectrum[i] = (float)(i * 29 % 64 + 1) * 0.05f;
    for (int i = 0; i < blocks; i++) sigmas[i] = sigma * (float)kc_in(r, 1, 4);
    return (vfx_collaborative_group){
        .frames = l.frames, .centre = l.centre, .blocks = blocks, .step = l.step, .width = l.width,
        .transform = cosines_make(r, l.frames), .spectrum = spectrum, .sigma = sigmas, .constant_scale = 0.4f,
        .threshold = 3.2f, .frame = frames,
    };
}

static const float *window_make(kc_run *r)
{
    float *window = kc_guarded(r, 64 * 4, true);
    for (int i = 0; i < 64; i++) window[i] = 0.1f + (float)(i * 37 % 64) * 0.015625f;
    return window;
}

/// The sums before the call: numerators in rows 0 to 7, denominators in rows 8 to 15.
static kc_output sums_make(kc_run *r, layout l)
{
    const kc_output out = kc_output_make(r, 4 * l.width, 16, 4);
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < l.width; x++) {
            const float value = y < 8 ? (float)(x - y) : 0.25f;
            memcpy(out.wanted + y * out.pitch + 4 * x, &value, 4);
            memcpy(out.got + y * out.pitch + 4 * x, &value, 4);
        }
    return out;
}

static void compare_shrink(kc_run *r, vfx_collaborative_shrink_row_fn *c, vfx_collaborative_shrink_row_fn *tested,
                           int bytes)
{
    static const float sigmas[] = {0, 3, 20, 10000};
    for (int i = 0; i < LAYOUTS; i++)
        for (int k = 0; k < 8; k++) {
            const layout l = layouts[i];
            const bool has_pilot = k & 1;
            const float sigma = sigmas[k / 2];
            vfx_collaborative_group group = group_make(r, bytes, l, has_pilot, sigma);
            const float *window = window_make(r);
            const kc_output out = sums_make(r, l);
            group.sum_stride = out.pitch / 4;
            c(&group, window, (float *)out.wanted, (float *)(out.wanted + 8 * out.pitch));
            tested(&group, window, (float *)out.got, (float *)(out.got + 8 * out.pitch));
            kc_check(r, &out, "%d frames, centre %d, width %d, sigma %g, pilot %d", l.frames, l.centre, l.width,
                     (double)sigma, has_pilot);
            kc_release(r);
        }
}

static const layout typical = {7, 3, 40, 4};

static int work_shrink(kc_run *r, vfx_collaborative_shrink_row_fn *tested, int bytes, int calls)
{
    vfx_collaborative_group group = group_make(r, bytes, typical, true, 3);
    const float *window = window_make(r);
    const kc_output out = sums_make(r, typical);
    group.sum_stride = out.pitch / 4;
    while (calls-- > 0) tested(&group, window, (float *)out.got, (float *)(out.got + 8 * out.pitch));
    return group.blocks;
}

static void compare_noise(kc_run *r, vfx_collaborative_noise_row_fn *c, vfx_collaborative_noise_row_fn *tested,
                          int bytes)
{
    for (int i = 0; i < LAYOUTS; i++)
        for (int k = 0; k < 3; k++) {
            const layout l = layouts[i];
            const vfx_collaborative_group group = group_make(r, bytes, l, false, 0);
            const kc_output out = kc_output_make(r, 4 * 64 * group.blocks, 2, 4);
            c(&group, (float *)out.wanted, (float *)(out.wanted + out.pitch));
            tested(&group, (float *)out.got, (float *)(out.got + out.pitch));
            kc_check(r, &out, "%d frames, width %d, step %d", l.frames, l.width, l.step);
            kc_release(r);
        }
}

static int work_noise(kc_run *r, vfx_collaborative_noise_row_fn *tested, int bytes, int calls)
{
    const vfx_collaborative_group group = group_make(r, bytes, typical, false, 0);
    const kc_output out = kc_output_make(r, 4 * 64 * group.blocks, 2, 4);
    while (calls-- > 0) tested(&group, (float *)out.got, (float *)(out.got + out.pitch));
    return group.blocks;
}

/// Sums whose quotients lie within, and on both sides of, the range of samples.
static void quotients_make(kc_run *r, float **num, float **den, int count, int maximum)
{
    *num = kc_guarded(r, (size_t)count * 4, kc_one_in(r, 2));
    *den = kc_guarded(r, (size_t)count * 4, kc_one_in(r, 2));
    for (int i = 0; i < count; i++) {
        (*den)[i] = (float)kc_in(r, 1, 100000) * 0.001f;
        (*num)[i] = (*den)[i] * (float)kc_in(r, -2000, 9 * maximum) * 0.125f;
    }
}

static void compare_aggregate(kc_run *r, vfx_collaborative_aggregate_row_fn *c,
                              vfx_collaborative_aggregate_row_fn *tested, int bytes)
{
    static const int maxima[] = {1023, 4095, 65535};
    for (const int *w = kc_widths; *w; w++) {
        const int maximum = bytes == 1 ? 255 : maxima[kc_in(r, 0, 2)];
        float *num, *den;
        quotients_make(r, &num, &den, *w, maximum);
        const kc_output out = kc_output_make(r, *w * bytes, 1, bytes);
        c(out.wanted, num, den, *w, maximum);
        tested(out.got, num, den, *w, maximum);
        kc_check(r, &out, "%d samples up to %d", *w, maximum);
        kc_release(r);
    }
}

static int work_aggregate(kc_run *r, vfx_collaborative_aggregate_row_fn *tested, int bytes, int calls)
{
    const int maximum = bytes == 1 ? 255 : 1023;
    float *num, *den;
    quotients_make(r, &num, &den, 1920, maximum);
    const kc_output out = kc_output_make(r, 1920 * bytes, 1, bytes);
    while (calls-- > 0) tested(out.got, num, den, 1920, maximum);
    return 1920;
}

#define KERNEL(slot, kind, bits)                                                              \
    static void compare_##slot##_##bits(kc_run *r)                                            \
    {                                                                                         \
        compare_##kind(r, r->c->collaborative_##slot##_row_##bits,                            \
                       r->tested->collaborative_##slot##_row_##bits, bits / 8);               \
    }                                                                                         \
    static int work_##slot##_##bits(kc_run *r, int calls)                                     \
    {                                                                                         \
        return work_##kind(r, r->tested->collaborative_##slot##_row_##bits, bits / 8, calls); \
    }
KERNEL(shrink, shrink, 8)
KERNEL(shrink, shrink, 16)
KERNEL(noise, noise, 8)
KERNEL(noise, noise, 16)
KERNEL(light, noise, 8)
KERNEL(light, noise, 16)
KERNEL(aggregate, aggregate, 8)
KERNEL(aggregate, aggregate, 16)

const kc_case kc_collaborative_cases[] = {
    {"collaborative_shrink_row_8", compare_shrink_8, work_shrink_8},
    {"collaborative_shrink_row_16", compare_shrink_16, work_shrink_16},
    {"collaborative_noise_row_8", compare_noise_8, work_noise_8},
    {"collaborative_noise_row_16", compare_noise_16, work_noise_16},
    {"collaborative_light_row_8", compare_light_8, work_light_8},
    {"collaborative_light_row_16", compare_light_16, work_light_16},
    {"collaborative_aggregate_row_8", compare_aggregate_8, work_aggregate_8},
    {"collaborative_aggregate_row_16", compare_aggregate_16, work_aggregate_16},
    {0},
};
