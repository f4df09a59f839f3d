#include "../arm/arm.h"
#if defined(__aarch64__)
#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)
#include "../arm/rows_neon.h"

// The dot product of differences and ones: all vector units compute it, but only half of them accumulate pairs. Rows of
// eight samples would have to be joined first.
static inline uint32x4_t add_row16(uint32x4_t sum, uint8x16_t a, const uint8_t *b)
{
    return vdotq_u32(sum, vabdq_u8(a, vld1q_u8(b)), vdupq_n_u8(1));
}

uint32_t vfx_sad_16x16_dotprod(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    uint32x4_t even = vdupq_n_u32(0), odd = even;
    for (int y = 0; y < 16; y += 2, a += 2 * as, b += 2 * bs) {
        even = add_row16(even, vld1q_u8(a), b);
        odd = add_row16(odd, vld1q_u8(a + as), b + bs);
    }
    return vaddvq_u32(vaddq_u32(even, odd));
}

void vfx_sad_16x16_x4_dotprod(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs,
                              const ptrdiff_t offsets[4], uint32_t sums[4])
{
    uint32x4_t s[4] = {vdupq_n_u32(0), vdupq_n_u32(0), vdupq_n_u32(0), vdupq_n_u32(0)};
    for (int y = 0; y < 16; y++, a += as, b += bs) {
        const uint8x16_t row = vld1q_u8(a);
        for (int i = 0; i < 4; i++) s[i] = add_row16(s[i], row, b + offsets[i]);
    }
    vst1q_u32(sums, vpaddq_u32(vpaddq_u32(s[0], s[1]), vpaddq_u32(s[2], s[3])));
}
#pragma clang attribute pop
#endif
