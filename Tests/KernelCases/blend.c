#include "case.h"

typedef struct blend {
    vfx_blend_row_fn *c, *tested;
    int source_bytes, bytes;
    unsigned maximum; // of the sources
    bool may_be_in_place;
} blend;

static uint16_t *weights_make(kc_run *r, int count)
{
    uint16_t *w = kc_guarded(r, (size_t)count * sizeof *w, true);
    for (int i = 0; i < count; i++) w[i] = (uint16_t)(kc_one_in(r, 4) ? 256 : kc_in(r, 0, 256));
    return w;
}

static void compare(kc_run *r, const blend *k)
{
    for (const int *n = kc_widths; *n; n++)
        for (int pattern = 0; pattern < KC_PATTERNS; pattern++) {
            const int count = *n;
            const kc_plane a = kc_plane_make(r, k->source_bytes, 0, count, 0, 1);
            const kc_plane b = kc_plane_make(r, k->source_bytes, 0, count, 0, 1);
            kc_fill(r, &a, pattern, k->maximum);
            kc_fill(r, &b, kc_any_pattern(r), k->maximum);
            const uint16_t *w = weights_make(r, count);
            const kc_output out = kc_output_make(r, count * k->bytes, 1, k->bytes);
            k->c(out.wanted, a.origin, b.origin, w, count);
            k->tested(out.got, a.origin, b.origin, w, count);
            kc_check(r, &out, "%d samples, pattern %d up to %u", count, pattern, k->maximum);
            if (k->may_be_in_place && kc_one_in(r, 3)) {
                const bool first = kc_one_in(r, 2);
                memcpy(out.got, first ? a.origin : b.origin, (size_t)(count * k->bytes));
                k->tested(out.got, first ? out.got : a.origin, first ? b.origin : out.got, w, count);
                kc_check(r, &out, "%d samples in place of the %s, pattern %d", count, first ? "first" : "second",
                         pattern);
            }
            kc_release(r);
        }
}

static void blend_8(kc_run *r)
{
    compare(r, &(blend){r->c->blend_row_8, r->tested->blend_row_8, 1, 1, 255, true});
}

static void blend_12_to_8(kc_run *r)
{
    compare(r, &(blend){r->c->blend_row_12_to_8, r->tested->blend_row_12_to_8, 2, 1, 4080, false});
}

static void blend_16(kc_run *r)
{
    compare(r, &(blend){r->c->blend_row_16, r->tested->blend_row_16, 2, 2, 1023, true});
    compare(r, &(blend){r->c->blend_row_16, r->tested->blend_row_16, 2, 2, 65535, true});
}

static int work(kc_run *r, vfx_blend_row_fn *tested, int bytes, unsigned maximum, int calls)
{
    enum { COUNT = 1920 };
    const kc_plane a = kc_plane_make(r, bytes, 0, COUNT, 0, 1), b = kc_plane_make(r, bytes, 0, COUNT, 0, 1);
    kc_fill(r, &a, KC_RANDOM, maximum);
    kc_fill(r, &b, KC_RANDOM, maximum);
    const uint16_t *w = weights_make(r, COUNT);
    const kc_output out = kc_output_make(r, COUNT * bytes, 1, bytes);
    while (calls-- > 0) tested(out.got, a.origin, b.origin, w, COUNT);
    return COUNT;
}

static int work_8(kc_run *r, int calls) { return work(r, r->tested->blend_row_8, 1, 255, calls); }
static int work_12_to_8(kc_run *r, int calls) { return work(r, r->tested->blend_row_12_to_8, 2, 4080, calls); }
static int work_16(kc_run *r, int calls) { return work(r, r->tested->blend_row_16, 2, 1023, calls); }

const kc_case kc_blend_cases[] = {
    {"blend_row_8", blend_8, work_8},
    {"blend_row_12_to_8", blend_12_to_8, work_12_to_8},
    {"blend_row_16", blend_16, work_16},
    {0},
};
