#include "../internal/levels.h"

#define PIXEL uint8_t
#define SUM int32_t
#define NAME(x) x##_8_c
#include "warp_tmpl.h"
#undef PIXEL
#undef SUM
#undef NAME

#define PIXEL uint16_t
#define SUM int64_t
#define NAME(x) x##_16_c
#include "warp_tmpl.h"

void vfx_warp_init_c(vfx_kernel_table *t)
{
    t->warp_row_8 = warp_row_8_c;
    t->warp_row_16 = warp_row_16_c;
}
