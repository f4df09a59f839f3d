#include "../internal/levels.h"
#if defined(__x86_64__)

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define SAMPLE uint8_t
#define NAME(x) x##_8_avx2
#include "collaborative_tmpl.h"
#undef SAMPLE
#undef NAME
#define SAMPLE uint16_t
#define NAME(x) x##_16_avx2
#include "collaborative_tmpl.h"

void vfx_collaborative_init_avx2(vfx_kernel_table *t)
{
    t->collaborative_shrink_row_8 = collaborative_shrink_row_8_avx2;
    t->collaborative_shrink_row_16 = collaborative_shrink_row_16_avx2;
    t->collaborative_noise_row_8 = collaborative_noise_row_8_avx2;
    t->collaborative_noise_row_16 = collaborative_noise_row_16_avx2;
    t->collaborative_aggregate_row_8 = collaborative_aggregate_row_8_avx2;
    t->collaborative_aggregate_row_16 = collaborative_aggregate_row_16_avx2;
}
#pragma clang attribute pop
#endif
