#include "../internal/levels.h"

#define SAMPLE uint8_t
#define NAME(x) x##_8_c
#include "collaborative_tmpl.h"
#undef SAMPLE
#undef NAME
#define SAMPLE uint16_t
#define NAME(x) x##_16_c
#include "collaborative_tmpl.h"

void vfx_collaborative_init_c(vfx_kernel_table *t)
{
    t->collaborative_shrink_row_8 = collaborative_shrink_row_8_c;
    t->collaborative_shrink_row_16 = collaborative_shrink_row_16_c;
    t->collaborative_noise_row_8 = collaborative_noise_row_8_c;
    t->collaborative_noise_row_16 = collaborative_noise_row_16_c;
    t->collaborative_aggregate_row_8 = collaborative_aggregate_row_8_c;
    t->collaborative_aggregate_row_16 = collaborative_aggregate_row_16_c;
}
