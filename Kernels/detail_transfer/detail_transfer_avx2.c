#include "../internal/levels.h"
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define LEVEL(x) x##_avx2
#include "detail_transfer_tmpl.h"

void vfx_detail_transfer_init_avx2(vfx_kernel_table *t) { detail_transfer_init_avx2(t); }
#pragma clang attribute pop
#endif
