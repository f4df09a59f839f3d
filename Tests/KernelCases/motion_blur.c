#include "case.h"

static const int heights[] = {1, 2, 3, 4, 5, 8, 11, 16};

/// Taps whose weights add up to 16384, some of them negative; they begin in the first 8 rows and 16 columns. In one
/// case of three, the magnitudes add up to 24000, the most that is allowed, or little less.
static vfx_motion_blur_tap *taps_make(kc_run *r, int count, ptrdiff_t stride)
{
    vfx_motion_blur_tap *taps = kc_guarded(r, (size_t)count * sizeof *taps, true);
    const bool wild = kc_one_in(r, 3);
    int sum = 0;
    for (int i = 0; i < count; i++) {
        const int32_t steps[] = {0, 1, (int32_t)stride};
        vfx_motion_blur_tap *t = taps + i;
        t->source = kc_in(r, 0, 2);
        t->offset = kc_in(r, 0, 7) * (int32_t)stride;
        t->offset += kc_in(r, 0, 15);
        t->step = steps[kc_in(r, 0, 2)];
        t->weight = (int16_t)((wild ? 20192 : kc_in(r, -1200, 9000)) / count);
        t->weight_next = (int16_t)((wild ? -3808 : kc_in(r, -1200, 9000)) / count);
        sum += t->weight + t->weight_next;
    }
    taps[0].weight += (int16_t)(16384 - sum);
    return taps;
}

static void compare(kc_run *r, vfx_motion_blur_block_fn *c, vfx_motion_blur_block_fn *tested, int bytes,
                    unsigned maximum)
{
    for (int width = 1; width <= 8; width++)
        for (size_t h = 0; h < sizeof heights / sizeof *heights; h++) {
            // The last sample that a block may read is the last of the memory.
            const int height = heights[h], rows = height + 8, pitch = 24 + kc_in(r, 0, 9);
            const size_t count = (size_t)((rows - 1) * pitch + 24);
            const void *sources[3];
            for (int i = 0; i < 3; i++) {
                void *memory = kc_guarded(r, count * (size_t)bytes, true);
                kc_fill(r, &(kc_plane){memory, pitch, bytes, 0, 24, 0, rows}, kc_any_pattern(r), maximum);
                sources[i] = memory;
            }
            const int tap_count = kc_in(r, 1, 30);
            const vfx_motion_blur_tap *taps = taps_make(r, tap_count, pitch);
            const kc_output out = kc_output_make(r, width * bytes, height, bytes);
            const int limit = kc_one_in(r, 4) ? (int)maximum / 3 : (int)maximum;
            c(out.wanted, out.pitch / bytes, width, height, sources, pitch, taps, tap_count, limit);
            tested(out.got, out.pitch / bytes, width, height, sources, pitch, taps, tap_count, limit);
            kc_check(r, &out, "%dx%d, %d taps, up to %d", width, height, tap_count, limit);
            kc_release(r);
        }
}

static void block_8(kc_run *r)
{
    for (int i = 0; i < 3; i++) compare(r, r->c->motion_blur_block_8, r->tested->motion_blur_block_8, 1, 255);
}

static void block_16(kc_run *r)
{
    static const unsigned maxima[] = {1023, 4095, 65535};
    for (int i = 0; i < 3; i++)
        compare(r, r->c->motion_blur_block_16, r->tested->motion_blur_block_16, 2, maxima[i]);
}

static int work(kc_run *r, vfx_motion_blur_block_fn *tested, int bytes, unsigned maximum, int calls)
{
    enum { TAPS = 9, PITCH = 400, ROWS = 16 };
    void *memory = kc_guarded(r, (size_t)(PITCH * ROWS * bytes), true);
    kc_fill(r, &(kc_plane){memory, PITCH, bytes, 0, PITCH, 0, ROWS}, KC_RANDOM, maximum);
    const void *const sources[] = {memory, memory, memory};
    vfx_motion_blur_tap taps[TAPS];
    for (int i = 0; i < TAPS; i++)
        taps[i] = (vfx_motion_blur_tap){
            .source = i % 3, .offset = 37 * i + i % 4 * PITCH, .step = 1,
            .weight = i == TAPS - 1 ? 16384 - 8 * 1820 - 9 * 100 : 1820, .weight_next = 100};
    const kc_output out = kc_output_make(r, 8 * bytes, 8, bytes);
    while (calls-- > 0) tested(out.got, out.pitch / bytes, 8, 8, sources, PITCH, taps, TAPS, (int)maximum);
    return 1;
}

static int work_8(kc_run *r, int calls) { return work(r, r->tested->motion_blur_block_8, 1, 255, calls); }
static int work_16(kc_run *r, int calls) { return work(r, r->tested->motion_blur_block_16, 2, 1023, calls); }

const kc_case kc_motion_blur_cases[] = {
    {"motion_blur_block_8", block_8, work_8},
    {"motion_blur_block_16", block_16, work_16},
    {0},
};
