#include "case.h"

static void compare(kc_run *r)
{
    for (const int *w = kc_widths; *w; w++)
        for (int pattern = 0; pattern < KC_PATTERNS; pattern++) {
            const int width = *w, height = kc_in(r, 1, 7);
            const kc_plane source = kc_plane_make(r, 1, 0, 2 * width, 0, 2 * height);
            kc_fill(r, &source, pattern, 255);
            const kc_output out = kc_output_make(r, width, height, 1);
            r->c->downsample(out.wanted, out.pitch, source.origin, source.stride, width, height);
            r->tested->downsample(out.got, out.pitch, source.origin, source.stride, width, height);
            kc_check(r, &out, "%dx%d, pattern %d", width, height, pattern);
            kc_release(r);
        }
}

static int work(kc_run *r, int calls)
{
    const kc_plane source = kc_plane_make(r, 1, 0, 1920, 0, 2);
    kc_fill(r, &source, KC_RANDOM, 255);
    const kc_output out = kc_output_make(r, 960, 1, 1);
    while (calls-- > 0) r->tested->downsample(out.got, out.pitch, source.origin, source.stride, 960, 1);
    return 960;
}

const kc_case kc_downsample_cases[] = {{"downsample", compare, work}, {0}};
