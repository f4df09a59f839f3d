#ifndef VFX_LUCAS_KANADE_H
#define VFX_LUCAS_KANADE_H
#include <stddef.h>
#include <stdint.h>

// The terms of a Gauss-Newton step that aligns an 8×8 patch with its counterpart in another frame (B. Lucas and T.
// Kanade, "An iterative image registration technique", 1981). The step solves tensor · v = −residual.
//
// Gradients are central differences, gx = right − left and gy = below − above, that is, twice the true slope. Sums are
// exact; they fit into 32 bits for any samples.

/// Structure tensor of a patch, with the sums that are needed to make it mean-normalised.
typedef struct vfx_lk_structure_tensor {
    int32_t xx, xy, yy; // sums of gx·gx, gx·gy, gy·gy
    int32_t x, y;       // sums of gx, gy
} vfx_lk_structure_tensor;
/// Computes the structure tensor of the patch whose first sample is `src`. One more sample is read on each side (the
/// four corners of these 10×10 samples may be read too).
typedef void vfx_lk_structure_tensor_fn(const uint8_t *_Nonnull src, ptrdiff_t stride,
                                        vfx_lk_structure_tensor *_Nonnull out);

/// Residual of a patch: sums of its difference e from the counterpart, in 1/16 grey level, and of e times the
/// gradients.
typedef struct vfx_lk_residual {
    int32_t dx, dy; // sums of e·gx, e·gy
    int32_t d;      // sum of e
    int32_t abs;    // sum of |e|
} vfx_lk_residual;
/// Computes the residual of an 8×8 patch, with
/// e = (((32−fx)(32−fy)·b00 + fx(32−fy)·b01 + (32−fx)fy·b10 + fx·fy·b11 + 32) >> 6) − 16·a: the counterpart is sampled
/// bilinearly at (fx, fy), in 1/32 sample, 0…31, and rounded to 1/16 grey level. gx and gy are the gradients of a.
///
/// `a` and `b` are the first samples. Reads 9×9 samples at b, even if the fractions are 0, and one sample on each side
/// of the patch at a (the four corners of these 10×10 samples may be read too).
typedef void vfx_lk_residual_fn(const uint8_t *_Nonnull a, ptrdiff_t a_stride, const uint8_t *_Nonnull b,
                                ptrdiff_t b_stride, int fx, int fy, vfx_lk_residual *_Nonnull out);
#endif
