#include "case.h"

/// Kinds of vector rows.
typedef enum field {
    ANYWHERE, STILL, PAN, WHOLE_POSITIONS, JITTER, SMOOTH, ROUGH, RUNS, OUTWARD, EDGE, FARTHEST, FIELDS
} field;

static int16_t vector(kc_run *r, field field, int base, int margin, int i)
{
    switch (field) {
    case ANYWHERE: return (int16_t)kc_in(r, -32768, 32767);
    case STILL: return 0;
    case PAN: return (int16_t)base;
    case WHOLE_POSITIONS: return (int16_t)(base & ~31);
    case JITTER: return (int16_t)(base + kc_in(r, 0, 2));
    // Neighbours differ by up to a few samples, in both directions.
    case SMOOTH: return (int16_t)(base + i % 64 * (base % 5) + kc_in(r, 0, base & 63));
    case ROUGH: return (int16_t)(base + kc_in(r, 0, 600));
    case RUNS: return (int16_t)(i % 53 < 41 ? base : kc_in(r, -400, 400));
    case OUTWARD: {
        const int v = base + i * (base & 1 ? -37 : 37);
        return (int16_t)(v < -32768 ? -32768 : v > 32767 ? 32767 : v);
    }
    // From samples at the edge of the plane to the end of the margin.
    case EDGE: return (int16_t)(base < 0 ? kc_in(r, 0, 63) - 32 * margin : 32 * (margin - 1) - kc_in(r, 0, 63));
    default: return -32768;
    }
}

static int16_t *vectors_make(kc_run *r, field field, int margin, int count)
{
    int16_t *v = kc_guarded(r, (size_t)count * sizeof *v, true);
    const int base = kc_in(r, -900, 900);
    for (int i = 0; i < count; i++) v[i] = vector(r, field, base, margin, i);
    return v;
}

typedef struct warp {
    vfx_warp_row_fn *c, *tested;
    int source_bytes, bytes;
    unsigned source_maximum;
    int maximum; // of the result
} warp;

static void compare_row(kc_run *r, const warp *k, int count, field across, field down, int scale)
{
    const int width = across == EDGE ? count : kc_in(r, 1, count + 20);
    const int height = kc_in(r, 1, kc_one_in(r, 2) && count < 130 ? 50 : 9);
    const int margin = kc_in(r, 0, 24), reach = margin + 1;
    const kc_plane plane = kc_plane_make(r, k->source_bytes, -reach, width + reach + 1, -reach, height + reach + 1);
    kc_fill(r, &plane, kc_any_pattern(r), k->source_maximum);
    const vfx_warp_source source = {plane.origin, plane.stride, width, height, margin};
    const int16_t *vx = vectors_make(r, across, margin, count), *vy = vectors_make(r, down, margin, count);
    const int x0 = across == EDGE || kc_one_in(r, 2) ? 0 : kc_in(r, 0, width - 1);
    const int y = down == EDGE ? (kc_one_in(r, 2) ? 0 : height - 1) : kc_in(r, 0, height - 1);
    const kc_output out = kc_output_make(r, count * k->bytes, 1, k->bytes);
    k->c(out.wanted, &source, x0, y, count, vx, vy, scale, k->maximum);
    k->tested(out.got, &source, x0, y, count, vx, vy, scale, k->maximum);
    kc_check(r, &out, "%d samples from %dx%d and a margin of %d, vectors of kinds %d and %d, scale %d, up to %d", count,
             width, height, margin, across, down, scale, k->maximum);
    kc_release(r);
}

static void compare_any_row(kc_run *r, const warp *k, int count)
{
    static const int scales[] = {16384, -16384, 16383, 8192, 0, 1, 5461, -10923, 16384, 32768};
    const field across = (field)kc_in(r, 0, FIELDS - 1);
    const field down = kc_one_in(r, 2) ? across : (field)kc_in(r, 0, FIELDS - 1);
    compare_row(r, k, count, across, down, scales[kc_in(r, 0, (int)(sizeof scales / sizeof *scales) - 1)]);
}

static void compare(kc_run *r, const warp *k)
{
    for (const int *n = kc_widths; *n; n++)
        for (int i = 0; i < 8; i++) compare_any_row(r, k, *n);
    for (int i = 0; i < 150; i++) compare_any_row(r, k, kc_in(r, 8, 300));
    for (int i = 0; i < 60; i++) compare_row(r, k, kc_in(r, 16, 100), EDGE, EDGE, 16384);
    for (int i = 0; i < 60; i++) compare_row(r, k, kc_in(r, 16, 100), ROUGH, i & 1 ? JITTER : SMOOTH, 16384);
    for (int i = 0; i < 60; i++) compare_row(r, k, kc_in(r, 16, 100), SMOOTH, i & 1 ? JITTER : SMOOTH, 16384);
    for (int i = 0; i < 12; i++) compare_row(r, k, 1300, FARTHEST, EDGE, i & 1 ? 16384 : -16384);
}

static void row_8(kc_run *r)
{
    compare(r, &(warp){r->c->warp_row_8, r->tested->warp_row_8, 1, 1, 255, 255});
    compare(r, &(warp){r->c->warp_row_8, r->tested->warp_row_8, 1, 1, 255, 100});
}

static void row_8_to_12(kc_run *r)
{
    compare(r, &(warp){r->c->warp_row_8_to_12, r->tested->warp_row_8_to_12, 1, 2, 255, 4080});
    compare(r, &(warp){r->c->warp_row_8_to_12, r->tested->warp_row_8_to_12, 1, 2, 255, 1600});
}

static void row_16(kc_run *r)
{
    compare(r, &(warp){r->c->warp_row_16, r->tested->warp_row_16, 2, 2, 1023, 1023});
    compare(r, &(warp){r->c->warp_row_16, r->tested->warp_row_16, 2, 2, 65535, 65535});
    compare(r, &(warp){r->c->warp_row_16, r->tested->warp_row_16, 2, 2, 65535, 4095});
}

// Smooth motion, with vectors that change every few samples.
static int work(kc_run *r, vfx_warp_row_fn *tested, int source_bytes, int bytes, int maximum, int calls)
{
    enum { WIDTH = 1920, HEIGHT = 8, MARGIN = 16 };
    const kc_plane plane = kc_plane_make(r, source_bytes, -MARGIN - 1, WIDTH + MARGIN + 2, -MARGIN - 1,
                                         HEIGHT + MARGIN + 2);
    kc_fill(r, &plane, KC_RANDOM, source_bytes == 1 ? 255 : (unsigned)maximum);
    const vfx_warp_source source = {plane.origin, plane.stride, WIDTH, HEIGHT, MARGIN};
    int16_t vx[WIDTH], vy[WIDTH];
    for (int i = 0; i < WIDTH; i++) {
        vx[i] = (int16_t)(90 + i / 3 % 40);
        vy[i] = (int16_t)(30 + i / 5 % 31);
    }
    const kc_output out = kc_output_make(r, WIDTH * bytes, 1, bytes);
    while (calls-- > 0) tested(out.got, &source, 0, 4, WIDTH, vx, vy, 16384, maximum);
    return WIDTH;
}

static int work_8(kc_run *r, int calls) { return work(r, r->tested->warp_row_8, 1, 1, 255, calls); }
static int work_8_to_12(kc_run *r, int calls) { return work(r, r->tested->warp_row_8_to_12, 1, 2, 4080, calls); }
static int work_16(kc_run *r, int calls) { return work(r, r->tested->warp_row_16, 2, 2, 1023, calls); }

const kc_case kc_warp_cases[] = {
    {"warp_row_8", row_8, work_8},
    {"warp_row_8_to_12", row_8_to_12, work_8_to_12},
    {"warp_row_16", row_16, work_16},
    {0},
};
