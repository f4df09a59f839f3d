#ifndef VFX_SATD_H
#define VFX_SATD_H
#include <stddef.h>
#include <stdint.h>

/// Returns the sum of absolute transformed differences of two 8-bit blocks of the slot's size: the absolute
/// coefficients of the two-dimensional Hadamard transform of a − b, summed and normalised as in video encoders, (sum +
/// 1) >> 1 for 4×4 and (sum + 2) >> 2 for 8×8. Any alignment. Reads only the two blocks, which may overlap.
typedef uint32_t vfx_satd_fn(const uint8_t *_Nonnull a, ptrdiff_t a_stride, const uint8_t *_Nonnull b, ptrdiff_t b_stride);
#endif
