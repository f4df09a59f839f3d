#ifndef VFX_BILINEAR_NEON_H
#define VFX_BILINEAR_NEON_H
#include <arm_neon.h>
#include <stdint.h>

/// The weights of a bilinear sample at a position in 1/32 sample.
typedef struct vfx_bilinear_weights {
    uint8x8_t left, right;
    int16_t below; // times 1024
} vfx_bilinear_weights;

static inline vfx_bilinear_weights vfx_bilinear_weights_of(int fx, int fy)
{
    return (vfx_bilinear_weights){vdup_n_u8((uint8_t)(32 - fx)), vdup_n_u8((uint8_t)fx), (int16_t)(fy << 10)};
}

// One row, horizontally interpolated, with 5 more bits.
static inline int16x8_t vfx_bilinear_row(const uint8_t *p, vfx_bilinear_weights w)
{
    return vreinterpretq_s16_u16(vmlal_u8(vmull_u8(vld1_u8(p), w.left), vld1_u8(p + 1), w.right));
}

// Bilinear samples in 1/16 grey level between two rows from vfx_bilinear_row. With d the difference of the rows, these
// are (32·row + d·fy + 32) >> 6 = (row + ⌊d·fy / 32⌋ + 1) >> 1: the quotient is the upper half of the doubled product
// with 1024·fy.
static inline int16x8_t vfx_bilinear_rows(int16x8_t row, int16x8_t next, vfx_bilinear_weights w)
{
    return vrhaddq_s16(row, vqdmulhq_n_s16(vsubq_s16(next, row), w.below));
}
#endif
