#ifndef VFX_LUCAS_KANADE_H
#define VFX_LUCAS_KANADE_H
#include <stddef.h>
#include <stdint.h>

// What a Gauss-Newton step needs to align an 8×8 patch with its counterpart (B. Lucas and T. Kanade, "An iterative image
// registration technique", 1981). The step solves tensor · v = −residual.
//
// Gradients are central differences, gx = right − left and gy = below − above: twice the true slope. Sums are exact; they
// fit 32 bits for any samples.

/// Structure tensor of a patch, with the sums that make it mean-normalised.
typedef struct vfx_lk_structure_tensor {
    int32_t xx, xy, yy; // sums of gx·gx, gx·gy, gy·gy
    int32_t x, y;       // sums of gx, gy
} vfx_lk_structure_tensor;
/// `src` is the patch's first sample; one more sample on each side is read (the four corners of the 10×10 may be).
typedef void vfx_lk_structure_tensor_fn(const uint8_t *_Nonnull src, ptrdiff_t stride,
                                        vfx_lk_structure_tensor *_Nonnull out);

/// Residual of a patch: its difference e to the counterpart, and that projected on the gradients, in 1/16 grey level.
typedef struct vfx_lk_residual {
    int32_t dx, dy; // sums of e·gx, e·gy
    int32_t d;      // sum of e
    int32_t abs;    // sum of |e|
} vfx_lk_residual;
/// e = (((32−fx)(32−fy)·b00 + fx(32−fy)·b01 + (32−fx)fy·b10 + fx·fy·b11 + 32) >> 6) − 16·a over 8×8 samples: the
/// counterpart is sampled bilinearly, at (fx, fy) in 1/32 sample, 0…31, and rounded to 1/16. gx and gy are those of a.
///
/// `a` and `b` are the first samples. Reads 9×9 samples at b, with fractions of 0 as well, and one sample on each side of
/// the patch at a (the four corners of the 10×10 may be read).
typedef void vfx_lk_residual_fn(const uint8_t *_Nonnull a, ptrdiff_t a_stride, const uint8_t *_Nonnull b,
                                ptrdiff_t b_stride, int fx, int fy, vfx_lk_residual *_Nonnull out);
#endif
