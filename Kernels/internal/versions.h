#ifndef VFX_VERSIONS_H
#define VFX_VERSIONS_H
#include "../include/vfx_kernel_table.h"

// Declares the plain C version of every kernel with its function type: a definition with another signature does not
// compile, and a missing one does not link.
#define VFX_DECLARE_C(slot, function) function vfx_##slot##_c;
#pragma GCC visibility push(hidden)
VFX_KERNELS(VFX_DECLARE_C)
#pragma GCC visibility pop
#undef VFX_DECLARE_C
#endif
