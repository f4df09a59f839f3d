#ifndef VFX_POWER_H
#define VFX_POWER_H
#include <stdint.h>
#include <string.h>
// Single precision without contraction, so that every level and architecture produces the same bits.
#pragma STDC FP_CONTRACT OFF

// 2^(d / 1024) for −16384 ≤ d ≤ 0: a cubic polynomial for the fraction, within 0.02 %, and the whole part as exponent.
static inline float vfx_power(int d)
{
    const int whole = d >> 10;
    const float f = (float)(d & 1023) * (1.0f / 1024);
    const float m = 1.0f + f * (0.6951786f + f * (0.2276357f + f * 0.0771857f));
    uint32_t bits;
    memcpy(&bits, &m, 4);
    bits += (uint32_t)whole << 23;
    float result;
    memcpy(&result, &bits, 4);
    return result;
}
#endif
