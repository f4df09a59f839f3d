#ifndef VFX_X86_H
#define VFX_X86_H
#include "../internal/versions.h"
#include "x86_versions.h"

// Declares every version that the lists of x86-64 name, with the type of its C version. Every file of a version includes
// this.
#define SSE41(slot) __typeof__(vfx_##slot##_c) vfx_##slot##_sse41;
#define AVX2(slot) __typeof__(vfx_##slot##_c) vfx_##slot##_avx2;
#define AUTO_AVX2(slot) __typeof__(vfx_##slot##_c) vfx_##slot##_auto_avx2;
#define AVX512(slot) __typeof__(vfx_##slot##_c) vfx_##slot##_avx512;
#define AUTO_AVX512(slot) __typeof__(vfx_##slot##_c) vfx_##slot##_auto_avx512;
#pragma GCC visibility push(hidden)
VFX_SSE41_VERSIONS(SSE41)
VFX_AVX2_VERSIONS(AVX2, AUTO_AVX2)
VFX_AVX512_VERSIONS(AVX512, AUTO_AVX512)
#pragma GCC visibility pop
#undef SSE41
#undef AVX2
#undef AUTO_AVX2
#undef AVX512
#undef AUTO_AVX512
#endif
