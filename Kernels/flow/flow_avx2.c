#include "../internal/levels.h"
#if defined(__x86_64__)

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define NAME(x) x##_avx2
#include "flow_tmpl.h"

void vfx_flow_init_avx2(vfx_kernel_table *t)
{
    t->flow_average_row = flow_average_row_avx2;
    t->flow_solve_row = flow_solve_row_avx2;
    t->flow_measure_row = flow_measure_row_avx2;
}
#pragma clang attribute pop
#endif
