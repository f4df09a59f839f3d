#ifndef VFX_UPSAMPLE_SINGLE_H
#define VFX_UPSAMPLE_SINGLE_H
#include <stdint.h>

// Cells one sample wide: each sample is the value of its cell, scaled by 2^−shift as for wider cells.
static inline void upsample_single(int16_t *dst, int count, const int16_t *cells, int columns, int shift)
{
    const int round = shift > 0 ? 1 << (shift - 1) : 0;
    for (int x = 0; x < count; x++) {
        const int c = cells[x < columns ? x : columns - 1];
        dst[x] = (int16_t)((c + round) >> shift);
    }
}
#endif
