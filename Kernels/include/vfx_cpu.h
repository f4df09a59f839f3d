#ifndef VFX_CPU_H
#define VFX_CPU_H

/// Instruction sets in ascending order. A level implies all below it.
/// AVX512 stands for F, BW, VL and VNNI.
typedef enum vfx_cpu_level {
    VFX_CPU_C = 0,
    VFX_CPU_SSE41 = 1,
    VFX_CPU_AVX2 = 2,
    VFX_CPU_AVX512 = 3
} vfx_cpu_level;

/// Highest level that this processor runs.
vfx_cpu_level vfx_cpu_detect(void);
/// Level with the given name ("c", "sse41", "avx2", "avx512"); -1 for any other.
int vfx_cpu_parse(const char *_Nonnull name);
/// Name of a level.
const char *_Nonnull vfx_cpu_name(vfx_cpu_level level);
#endif
