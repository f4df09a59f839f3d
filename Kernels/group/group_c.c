#include "../internal/levels.h"

#define SAMPLE uint8_t
#define NAME(x) x##_8_c
#include "group_tmpl.h"
#undef SAMPLE
#undef NAME
#define SAMPLE uint16_t
#define NAME(x) x##_16_c
#include "group_tmpl.h"

void vfx_group_init_c(vfx_kernel_table *t)
{
    t->group_shrink_row_8 = group_shrink_row_8_c;
    t->group_shrink_row_16 = group_shrink_row_16_c;
    t->group_noise_row_8 = group_noise_row_8_c;
    t->group_noise_row_16 = group_noise_row_16_c;
    t->group_finish_row_8 = group_finish_row_8_c;
    t->group_finish_row_16 = group_finish_row_16_c;
}
