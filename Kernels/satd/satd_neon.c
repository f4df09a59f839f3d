#include "../arm/arm.h"
#if defined(__aarch64__)
#include "../arm/rows_neon.h"

static inline void butterfly(int16x8_t *p, int16x8_t *q)
{
    const int16x8_t sum = vaddq_s16(*p, *q), difference = vsubq_s16(*p, *q);
    *p = sum;
    *q = difference;
}

// One horizontal stage: sums and differences of neighbouring columns, which become one column. The order of the
// coefficients does not matter, since they are summed.
static inline void butterfly_columns(int16x8_t *p, int16x8_t *q)
{
    const int16x8_t even = vuzp1q_s16(*p, *q), odd = vuzp2q_s16(*p, *q);
    *p = vaddq_s16(even, odd);
    *q = vsubq_s16(even, odd);
}

// The last stage, between neighbouring columns. Its results are only summed, and |p + q| + |p − q| = 2·max(|p|, |q|):
// half of the sum remains.
static inline uint16x8_t last_butterfly(int16x8_t p, int16x8_t q)
{
    return vreinterpretq_u16_s16(vpmaxq_s16(vabsq_s16(p), vabsq_s16(q)));
}

uint32_t vfx_satd_8x8_neon(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    int16x8_t m[8];
    for (int i = 0; i < 8; i++) m[i] = vreinterpretq_s16_u16(vsubl_u8(vld1_u8(a + i * as), vld1_u8(b + i * bs)));
    for (int step = 1; step < 8; step *= 2)
        for (int i = 0; i < 8; i++)
            if (!(i & step)) butterfly(&m[i], &m[i + step]);
    for (int stage = 0; stage < 2; stage++)
        for (int i = 0; i < 8; i += 2) butterfly_columns(&m[i], &m[i + 1]);
    const uint16x8_t s0 = vaddq_u16(last_butterfly(m[0], m[1]), last_butterfly(m[2], m[3]));
    const uint16x8_t s1 = vaddq_u16(last_butterfly(m[4], m[5]), last_butterfly(m[6], m[7]));
    return (vaddlvq_u16(vaddq_u16(s0, s1)) + 1) >> 1;
}

// Differences of two rows.
static inline int16x8_t differences2(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    return vreinterpretq_s16_u16(vsubl_u8(vfx_rows2_of4(a, as), vfx_rows2_of4(b, bs)));
}

uint32_t vfx_satd_4x4_neon(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    int16x8_t p = differences2(a, as, b, bs), q = differences2(a + 2 * as, as, b + 2 * bs, bs);
    butterfly(&p, &q);
    // Rows 0 ± 2 against rows 1 ± 3.
    const int64x2_t sums = vreinterpretq_s64_s16(p), rest = vreinterpretq_s64_s16(q);
    p = vreinterpretq_s16_s64(vzip1q_s64(sums, rest));
    q = vreinterpretq_s16_s64(vzip2q_s64(sums, rest));
    butterfly(&p, &q);
    butterfly_columns(&p, &q);
    // The sum is even, so that half of it needs no rounding.
    return vaddvq_u16(last_butterfly(p, q));
}
#endif
