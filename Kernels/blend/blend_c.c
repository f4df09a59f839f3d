#include "../internal/levels.h"

#define PIXEL uint8_t
#define NAME(x) x##_8_c
#include "blend_tmpl.h"
#undef PIXEL
#undef NAME

#define PIXEL uint16_t
#define NAME(x) x##_16_c
#include "blend_tmpl.h"

void vfx_blend_init_c(vfx_kernel_table *t)
{
    t->blend_row_8 = blend_row_8_c;
    t->blend_row_16 = blend_row_16_c;
}
