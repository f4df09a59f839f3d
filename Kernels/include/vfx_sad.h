#ifndef VFX_SAD_H
#define VFX_SAD_H
#include <stddef.h>
#include <stdint.h>

/// Returns the sum of absolute differences of two 8-bit blocks of the slot's size (4×4, 8×8, 16×16), at any alignment.
/// Reads only the two blocks, which may overlap.
typedef uint32_t vfx_sad_fn(const uint8_t *_Nonnull a, ptrdiff_t a_stride, const uint8_t *_Nonnull b, ptrdiff_t b_stride);

/// Compares one block with four candidates: sums[i] is the SAD, as by vfx_sad_fn, with the block at b + offsets[i].
/// Offsets are in samples, in any order, and may be equal; sample b itself is read only if a block contains it.
typedef void vfx_sad_x4_fn(const uint8_t *_Nonnull a, ptrdiff_t a_stride, const uint8_t *_Nonnull b, ptrdiff_t b_stride,
                           const ptrdiff_t offsets[_Nonnull 4], uint32_t sums[_Nonnull 4]);
#endif
