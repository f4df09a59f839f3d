#include "../arm/arm.h"
#if defined(__aarch64__)
#include "../arm/rows_neon.h"

uint32_t vfx_sad_4x4_neon(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    return vaddlvq_u8(vabdq_u8(vfx_rows4_of4(a, as), vfx_rows4_of4(b, bs)));
}

uint32_t vfx_sad_8x8_neon(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    // Two sums, since each accumulation waits for the one before.
    uint16x8_t even = vabdl_u8(vld1_u8(a), vld1_u8(b)), odd = vabdl_u8(vld1_u8(a + as), vld1_u8(b + bs));
    for (int y = 2; y < 8; y += 2) {
        a += 2 * as;
        b += 2 * bs;
        even = vabal_u8(even, vld1_u8(a), vld1_u8(b));
        odd = vabal_u8(odd, vld1_u8(a + as), vld1_u8(b + bs));
    }
    return vaddlvq_u16(vaddq_u16(even, odd));
}

void vfx_sad_8x8_x4_neon(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, const ptrdiff_t offsets[4],
                         uint32_t sums[4])
{
    uint16x8_t s[4];
    for (int i = 0; i < 4; i++) s[i] = vabdl_u8(vld1_u8(a), vld1_u8(b + offsets[i]));
    for (int y = 1; y < 8; y++) {
        const uint8x8_t row = vld1_u8(a += as);
        b += bs;
        for (int i = 0; i < 4; i++) s[i] = vabal_u8(s[i], row, vld1_u8(b + offsets[i]));
    }
    vst1q_u32(sums, vfx_sum8_x4(s[0], s[1], s[2], s[3]));
}

// On many cores only half of the vector pipes accumulate. UABD and UADALP are as many instructions as UABAL and UABAL2,
// but only one of them accumulates.
static inline uint16x8_t add_row16(uint16x8_t sum, uint8x16_t a, const uint8_t *b)
{
    return vpadalq_u8(sum, vabdq_u8(a, vld1q_u8(b)));
}

uint32_t vfx_sad_16x16_neon(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    uint16x8_t even = vpaddlq_u8(vabdq_u8(vld1q_u8(a), vld1q_u8(b)));
    uint16x8_t odd = vpaddlq_u8(vabdq_u8(vld1q_u8(a + as), vld1q_u8(b + bs)));
    for (int y = 2; y < 16; y += 2) {
        a += 2 * as;
        b += 2 * bs;
        even = add_row16(even, vld1q_u8(a), b);
        odd = add_row16(odd, vld1q_u8(a + as), b + bs);
    }
    return vaddlvq_u16(vaddq_u16(even, odd));
}

void vfx_sad_16x16_x4_neon(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, const ptrdiff_t offsets[4],
                           uint32_t sums[4])
{
    uint16x8_t s[4];
    for (int i = 0; i < 4; i++) s[i] = vpaddlq_u8(vabdq_u8(vld1q_u8(a), vld1q_u8(b + offsets[i])));
    for (int y = 1; y < 16; y++) {
        const uint8x16_t row = vld1q_u8(a += as);
        b += bs;
        for (int i = 0; i < 4; i++) s[i] = add_row16(s[i], row, b + offsets[i]);
    }
    vst1q_u32(sums, vfx_sum8_x4(s[0], s[1], s[2], s[3]));
}
#endif
