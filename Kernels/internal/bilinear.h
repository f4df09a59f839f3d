#ifndef VFX_BILINEAR_H
#define VFX_BILINEAR_H
#include <stddef.h>
#include <stdint.h>

// The bilinear sample at (fx, fy), in 1/32 sample, rounded to 1/16 grey level.
static inline int vfx_bilinear(const uint8_t *p, ptrdiff_t stride, int fx, int fy)
{
    return ((32 - fx) * (32 - fy) * p[0] + fx * (32 - fy) * p[1] + (32 - fx) * fy * p[stride] + fx * fy * p[stride + 1] + 32) >> 6;
}
#endif
