#ifndef VFX_VERSIONS_H
#define VFX_VERSIONS_H
#include "../include/vfx_kernel_table.h"

// Declares every version that the list names, with its function type: a definition with another signature does not
// compile, and a missing one does not link.
#define VFX_DECLARE_NONE(slot, function, isa)
#define VFX_DECLARE_SIMD(slot, function, isa) function vfx_##slot##_##isa;
#define VFX_DECLARE_AUTO(slot, function, isa) function vfx_##slot##_auto_##isa;
#define VFX_DECLARE(slot, function, on_sse41, on_avx2, on_avx512) \
    function vfx_##slot##_c;                                      \
    VFX_DECLARE_##on_sse41(slot, function, sse41)                 \
    VFX_DECLARE_##on_avx2(slot, function, avx2)                   \
    VFX_DECLARE_##on_avx512(slot, function, avx512)

#pragma GCC visibility push(hidden)
VFX_KERNELS(VFX_DECLARE)
#pragma GCC visibility pop
#endif
