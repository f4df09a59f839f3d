#include "../internal/levels.h"

#define LEVEL(x) x##_c
#include "detail_transfer_tmpl.h"

void vfx_detail_transfer_init_c(vfx_kernel_table *t) { detail_transfer_init_c(t); }
