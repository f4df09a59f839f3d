#include "case.h"

// The sums of two blocks.
static void compare_pairs(kc_run *r, int size, vfx_sad_fn *c, vfx_sad_fn *tested)
{
    for (int p = 0; p < KC_PATTERNS; p++)
        for (int q = 0; q < KC_PATTERNS; q++)
            for (int layout = 0; layout < 4; layout++) {
                const kc_plane a = kc_plane_make(r, 1, 0, size, 0, size), b = kc_plane_make(r, 1, 0, size, 0, size);
                kc_fill(r, &a, p, 255);
                kc_fill(r, &b, q, 255);
                kc_check_value(r, c(a.origin, a.stride, b.origin, b.stride),
                               tested(a.origin, a.stride, b.origin, b.stride), "patterns %d and %d", p, q);
                kc_release(r);
            }
}

// The sums of one block with four others, of which one is the first of the plane.
static void compare_candidates(kc_run *r, int size, vfx_sad_x4_fn *c, vfx_sad_x4_fn *tested)
{
    for (int p = 0; p < KC_PATTERNS; p++)
        for (int q = 0; q < KC_PATTERNS; q++)
            for (int layout = 0; layout < 4; layout++) {
                const kc_plane a = kc_plane_make(r, 1, 0, size, 0, size);
                const kc_plane b = kc_plane_make(r, 1, -5, size + 7, -4, size + 6);
                kc_fill(r, &a, p, 255);
                kc_fill(r, &b, q, 255);
                ptrdiff_t offsets[4];
                for (int i = 0; i < 4; i++) {
                    const int x = kc_in(r, -5, 7), y = kc_in(r, -4, 6);
                    offsets[i] = y * b.stride + x;
                }
                offsets[kc_in(r, 0, 3)] = -4 * b.stride - 5;
                const kc_output out = kc_output_make(r, 4 * sizeof(uint32_t), 1, sizeof(uint32_t));
                c(a.origin, a.stride, b.origin, b.stride, offsets, (uint32_t *)out.wanted);
                tested(a.origin, a.stride, b.origin, b.stride, offsets, (uint32_t *)out.got);
                kc_check(r, &out, "patterns %d and %d", p, q);
                kc_release(r);
            }
}

enum { BLOCKS = 64, WORK_SIDE = 100 };

typedef struct work_planes { kc_plane a, b; } work_planes;

static work_planes work_planes_make(kc_run *r)
{
    work_planes planes;
    planes.a = kc_plane_make(r, 1, 0, WORK_SIDE, 0, WORK_SIDE);
    planes.b = kc_plane_make(r, 1, 0, WORK_SIDE, 0, WORK_SIDE);
    kc_fill(r, &planes.a, KC_RANDOM, 255);
    kc_fill(r, &planes.b, KC_RANDOM, 255);
    return planes;
}

static int work_pairs(kc_run *r, vfx_sad_fn *tested, int calls)
{
    const work_planes w = work_planes_make(r);
    while (calls-- > 0)
        for (int i = 0; i < BLOCKS; i++)
            tested((uint8_t *)w.a.origin + i, w.a.stride, (uint8_t *)w.b.origin + i, w.b.stride);
    return BLOCKS;
}

static int work_candidates(kc_run *r, vfx_sad_x4_fn *tested, int calls)
{
    const work_planes w = work_planes_make(r);
    const ptrdiff_t offsets[4] = {0, 1, w.b.stride, w.b.stride + 1};
    uint32_t sums[4];
    while (calls-- > 0)
        for (int i = 0; i < BLOCKS; i++)
            tested((uint8_t *)w.a.origin + i, w.a.stride, (uint8_t *)w.b.origin + i, w.b.stride, offsets, sums);
    return BLOCKS;
}

#define CASE(slot, size, kind)                                                                          \
    static void compare_##slot(kc_run *r) { compare_##kind(r, size, r->c->slot, r->tested->slot); }     \
    static int work_##slot(kc_run *r, int calls) { return work_##kind(r, r->tested->slot, calls); }
CASE(sad_4x4, 4, pairs)
CASE(sad_8x8, 8, pairs)
CASE(sad_16x16, 16, pairs)
CASE(sad_8x8_x4, 8, candidates)
CASE(sad_16x16_x4, 16, candidates)
CASE(satd_4x4, 4, pairs)
CASE(satd_8x8, 8, pairs)

#define ENTRY(slot) {#slot, compare_##slot, work_##slot}
const kc_case kc_sad_cases[] = {
    ENTRY(sad_4x4), ENTRY(sad_8x8), ENTRY(sad_16x16), ENTRY(sad_8x8_x4), ENTRY(sad_16x16_x4), {0},
};
const kc_case kc_satd_cases[] = {ENTRY(satd_4x4), ENTRY(satd_8x8), {0}};
