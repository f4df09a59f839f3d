#ifndef VFX_ROWS_NEON_H
#define VFX_ROWS_NEON_H
#include <arm_neon.h>
#include <stddef.h>
#include <string.h>

static inline uint32_t vfx_row4(const uint8_t *p)
{
    uint32_t row;
    memcpy(&row, p, 4);
    return row;
}

/// Two rows at p, four samples each.
static inline uint8x8_t vfx_rows2_of4(const uint8_t *p, ptrdiff_t stride)
{
    return vreinterpret_u8_u32(vset_lane_u32(vfx_row4(p + stride), vdup_n_u32(vfx_row4(p)), 1));
}

/// Four rows at p, four samples each.
static inline uint8x16_t vfx_rows4_of4(const uint8_t *p, ptrdiff_t stride)
{
    // The pointer increments fold into the loads.
    uint32x4_t rows = vdupq_n_u32(vfx_row4(p));
    rows = vsetq_lane_u32(vfx_row4(p += stride), rows, 1);
    rows = vsetq_lane_u32(vfx_row4(p += stride), rows, 2);
    rows = vsetq_lane_u32(vfx_row4(p += stride), rows, 3);
    return vreinterpretq_u8_u32(rows);
}

/// Horizontal sums of four vectors; each total is below 2^16.
static inline uint32x4_t vfx_sum8_x4(uint16x8_t a, uint16x8_t b, uint16x8_t c, uint16x8_t d)
{
    return vpaddlq_u16(vpaddq_u16(vpaddq_u16(a, b), vpaddq_u16(c, d)));
}
#endif
