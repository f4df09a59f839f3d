#include "case.h"

static void compare(kc_run *r)
{
    for (int shift = 0; shift <= 8; shift++)
        for (const int *w = kc_widths; *w; w++)
            for (int pattern = 0; pattern < KC_PATTERNS; pattern++) {
                const unsigned maxima[] = {65535, 255u << shift, 1023};
                const unsigned maximum = maxima[kc_in(r, 0, 2)];
                const kc_plane source = kc_plane_make(r, 2, 0, *w, 0, 1);
                kc_fill(r, &source, pattern, maximum);
                const kc_output out = kc_output_make(r, *w, 1, 1);
                r->c->reduce_depth(out.wanted, source.origin, *w, shift);
                r->tested->reduce_depth(out.got, source.origin, *w, shift);
                kc_check(r, &out, "%d samples, pattern %d up to %u, shift %d", *w, pattern, maximum, shift);
                kc_release(r);
            }
}

static int work(kc_run *r, int calls)
{
    const kc_plane source = kc_plane_make(r, 2, 0, 1920, 0, 1);
    kc_fill(r, &source, KC_RANDOM, 1023);
    const kc_output out = kc_output_make(r, 1920, 1, 1);
    while (calls-- > 0) r->tested->reduce_depth(out.got, source.origin, 1920, 2);
    return 1920;
}

const kc_case kc_reduce_depth_cases[] = {{"reduce_depth", compare, work}, {0}};
