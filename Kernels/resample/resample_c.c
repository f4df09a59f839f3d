#include "../internal/levels.h"

#define PIXEL uint8_t
#define NAME(x) x##_8_c
#include "resample_tmpl.h"
#undef PIXEL
#undef NAME

#define PIXEL uint16_t
#define NAME(x) x##_16_c
#include "resample_tmpl.h"

void vfx_resample_init_c(vfx_kernel_table *t)
{
    t->resample_column_8 = resample_column_8_c;
    t->resample_column_16 = resample_column_16_c;
    t->resample_row_8 = resample_row_8_c;
    t->resample_row_16 = resample_row_16_c;
}
