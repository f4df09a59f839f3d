#ifndef VFX_ARM_H
#define VFX_ARM_H
#include "../internal/versions.h"
#include "arm_versions.h"

// Declares every version that the lists of 64-bit Arm name, with the type of its C version. Every file of a version
// includes this.
#define NEON(slot) __typeof__(vfx_##slot##_c) vfx_##slot##_neon;
#define DOTPROD(slot) __typeof__(vfx_##slot##_c) vfx_##slot##_dotprod;
#pragma GCC visibility push(hidden)
VFX_NEON_VERSIONS(NEON)
VFX_DOTPROD_VERSIONS(DOTPROD)
#pragma GCC visibility pop
#undef NEON
#undef DOTPROD
#endif
