#include "../internal/levels.h"

#define PIXEL uint8_t
#define NAME(x) x##_8_c
#include "gather_tmpl.h"
#undef PIXEL
#undef NAME

#define PIXEL uint16_t
#define NAME(x) x##_16_c
#include "gather_tmpl.h"

void vfx_gather_init_c(vfx_kernel_table *t)
{
    t->gather_block_8 = gather_block_8_c;
    t->gather_block_16 = gather_block_16_c;
}
