#include "case.h"

// Small numbers, any numbers, or those where sums, products and rounding are at their limits.
static int16_t *numbers_make(kc_run *r, int count)
{
    static const int16_t limits[] = {-32768, -32767, -16385, -16384, -1, 0, 1, 16384, 16385, 32766, 32767};
    int16_t *v = kc_guarded(r, (size_t)count * sizeof *v, kc_one_in(r, 2));
    const int kind = kc_in(r, 0, 2);
    for (int i = 0; i < count; i++)
        v[i] = kind == 0   ? (int16_t)kc_in(r, -400, 400)
               : kind == 1 ? (int16_t)kc_in(r, -32768, 32767)
                           : limits[kc_in(r, 0, (int)(sizeof limits / sizeof *limits) - 1)];
    return v;
}

static void compare(kc_run *r)
{
    static const int scales[] = {16384, -16384, 16383, -16383, 8192, -8192, 1, -1, 0};
    enum { SCALES = sizeof scales / sizeof *scales };
    for (const int *n = kc_widths; *n; n++)
        for (int round = 0; round < SCALES + 6; round++) {
            const int count = *n, scale = round < SCALES ? scales[round] : kc_in(r, -16384, 16384);
            const int16_t *v = numbers_make(r, count), *offset = numbers_make(r, count);
            const kc_output out = kc_output_make(r, 2 * count, 1, 2);
            r->c->displace_row((int16_t *)out.wanted, v, offset, count, scale);
            r->tested->displace_row((int16_t *)out.got, v, offset, count, scale);
            kc_check(r, &out, "%d samples, scale %d", count, scale);
            kc_release(r);
        }
}

static int work(kc_run *r, int calls)
{
    enum { COUNT = 1920 };
    const int16_t *v = numbers_make(r, COUNT), *offset = numbers_make(r, COUNT);
    const kc_output out = kc_output_make(r, 2 * COUNT, 1, 2);
    while (calls-- > 0) r->tested->displace_row((int16_t *)out.got, v, offset, COUNT, 6554);
    return COUNT;
}

const kc_case kc_displace_cases[] = {{"displace_row", compare, work}, {0}};
