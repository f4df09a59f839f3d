#include "../arm/arm.h"
#if defined(__aarch64__)
#include <arm_neon.h>

// The rounding multiplication takes twice the scale. Twice 2^14 does not fit into 16 bits, and twice −2^14 times −32768
// saturates, but the shares of these two scales are v and −v: saturating addition and subtraction are exact, although
// −v may need 17 bits.
typedef enum share { SCALED, WHOLE, NEGATED } share;

static inline __attribute__((always_inline)) int16x8_t displaced(const int16_t *v_, const int16_t *offset_,
                                                                 int16x8_t twice, share share)
{
    const int16x8_t v = vld1q_s16(v_), offset = vld1q_s16(offset_);
    if (share == SCALED) return vqaddq_s16(offset, vqrdmulhq_s16(v, twice));
    return share == WHOLE ? vqaddq_s16(offset, v) : vqsubq_s16(offset, v);
}

static inline __attribute__((always_inline)) void displace(int16_t *dst, const int16_t *v, const int16_t *offset,
                                                           int count, int scale, share share)
{
    const int16x8_t twice = vdupq_n_s16((int16_t)(share == SCALED ? 2 * scale : 0));
    for (int i = 0;;) {
        vst1q_s16(dst + i, displaced(v + i, offset + i, twice, share));
        vst1q_s16(dst + i + 8, displaced(v + i + 8, offset + i + 8, twice, share));
        i += 16;
        if (i >= count) return;
        if (i > count - 16) i = count - 16;
    }
}

void vfx_displace_row_neon(int16_t *dst, const int16_t *v, const int16_t *offset, int count, int scale)
{
    if (count < 16) vfx_displace_row_c(dst, v, offset, count, scale);
    else if (scale == 16384) displace(dst, v, offset, count, scale, WHOLE);
    else if (scale == -16384) displace(dst, v, offset, count, scale, NEGATED);
    else displace(dst, v, offset, count, scale, SCALED);
}
#endif
