#include "x86.h"
#if defined(__x86_64__)
#include "../internal/architecture.h"

#define SSE41(slot) VFX_VERSION(slot, vfx_##slot##_sse41)
#define AVX2(slot) VFX_VERSION(slot, vfx_##slot##_avx2)
#define AUTO_AVX2(slot) VFX_VERSION(slot, vfx_##slot##_auto_avx2)
#define AVX512(slot) VFX_VERSION(slot, vfx_##slot##_avx512)
#define AUTO_AVX512(slot) VFX_VERSION(slot, vfx_##slot##_auto_avx512)

static const vfx_version sse41[] = {VFX_SSE41_VERSIONS(SSE41)};
static const vfx_version avx2[] = {VFX_AVX2_VERSIONS(AVX2, AUTO_AVX2)};
static const vfx_version avx512[] = {VFX_AVX512_VERSIONS(AVX512, AUTO_AVX512)};

static int has_sse41(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("sse4.1");
}

static int has_avx2(void) { return __builtin_cpu_supports("avx2"); }

static int has_avx512(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512vnni");
}

static const vfx_level levels[] = {
    VFX_LEVEL("sse41", has_sse41, sse41),
    VFX_LEVEL("avx2", has_avx2, avx2),
    VFX_LEVEL("avx512", has_avx512, avx512),
};

const vfx_architecture vfx_this_architecture = {levels, sizeof levels / sizeof *levels};
#endif
