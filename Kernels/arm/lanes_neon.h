#ifndef VFX_LANES_NEON_H
#define VFX_LANES_NEON_H
#include <arm_neon.h>
#include <stdint.h>

/// A byte for each of the eight lanes of a mask.
static inline uint64_t vfx_lane_mask8(uint16x8_t mask)
{
    return vget_lane_u64(vreinterpret_u64_u8(vmovn_u16(mask)), 0);
}

/// Bits 0, 8, 16, … for the lanes of a mask: one for each, so that a loop can clear them one by one.
static inline uint64_t vfx_lane_bits8(uint16x8_t mask) { return vfx_lane_mask8(mask) & 0x0101010101010101; }
#endif
