#include "case.h"

/// Two frames, of which the rows above the first and below the last are readable.
static kc_plane plane_make(kc_run *r, int bytes, int blocks, int rows, unsigned maximum)
{
    const kc_plane plane = kc_plane_make(r, bytes, 0, 16 * blocks, -2, rows + 3);
    kc_fill(r, &plane, kc_one_in(r, 2) ? KC_RANDOM : kc_any_pattern(r), maximum);
    return plane;
}

static void compare_bytes(kc_run *r, int bytes, vfx_combing_row_fn *c, vfx_combing_row_fn *tested)
{
    const unsigned maximum = bytes == 1 ? 255 : kc_one_in(r, 2) ? 1023 : 65535;
    for (int blocks = 1; blocks <= 9; blocks++)
        for (int rows = 1; rows <= 16; rows++) {
            const kc_plane current = plane_make(r, bytes, blocks, rows, maximum);
            const kc_plane previous = plane_make(r, bytes, blocks, rows, maximum);
            const int is_bottom = kc_in(r, 0, 1), threshold = kc_in(r, 0, kc_one_in(r, 4) ? (int)(maximum / 2) : 8);
            const kc_output out = kc_output_make(r, blocks * (int)sizeof(vfx_combing), 1, 4);
            c((vfx_combing *)out.wanted, current.origin, current.stride, previous.origin, previous.stride, blocks, rows,
              is_bottom, threshold);
            tested((vfx_combing *)out.got, current.origin, current.stride, previous.origin, previous.stride, blocks,
                   rows, is_bottom, threshold);
            kc_check(r, &out, "%d blocks of %d rows, bottom %d, threshold %d", blocks, rows, is_bottom, threshold);
            kc_release(r);
        }
}

static void compare_8(kc_run *r) { compare_bytes(r, 1, r->c->combing_row_8, r->tested->combing_row_8); }
static void compare_16(kc_run *r) { compare_bytes(r, 2, r->c->combing_row_16, r->tested->combing_row_16); }

static int work(kc_run *r, int bytes, vfx_combing_row_fn *tested, int calls)
{
    const unsigned maximum = bytes == 1 ? 255 : 1023;
    const kc_plane current = kc_plane_make(r, bytes, 0, 1920, -2, 19);
    const kc_plane previous = kc_plane_make(r, bytes, 0, 1920, -2, 19);
    kc_fill(r, &current, KC_RANDOM, maximum);
    kc_fill(r, &previous, KC_RANDOM, maximum);
    const kc_output out = kc_output_make(r, 120 * (int)sizeof(vfx_combing), 1, 4);
    while (calls-- > 0)
        tested((vfx_combing *)out.got, current.origin, current.stride, previous.origin, previous.stride, 120, 16, 0, 2);
    return 1920 * 16;
}

static int work_8(kc_run *r, int calls) { return work(r, 1, r->tested->combing_row_8, calls); }
static int work_16(kc_run *r, int calls) { return work(r, 2, r->tested->combing_row_16, calls); }

const kc_case kc_combing_cases[] = {
    {"combing_row_8", compare_8, work_8},
    {"combing_row_16", compare_16, work_16},
    {0},
};
