#include "../internal/levels.h"

#define LEVEL(x) x##_c
#include "transfer_tmpl.h"

void vfx_transfer_init_c(vfx_kernel_table *t) { transfer_init_c(t); }
