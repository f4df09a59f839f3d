#ifndef VFX_CPU_H
#define VFX_CPU_H

/// Instruction sets in ascending order. Each level includes all below it. AVX512 means F, BW, VL and VNNI.
typedef enum vfx_cpu_level {
    VFX_CPU_C = 0,
    VFX_CPU_SSE41 = 1,
    VFX_CPU_AVX2 = 2,
    VFX_CPU_AVX512 = 3
} vfx_cpu_level;

/// Returns the highest level that this processor supports.
vfx_cpu_level vfx_cpu_detect(void);
/// Returns the level with the given name ("c", "sse41", "avx2", "avx512"); -1 for any other name.
int vfx_cpu_parse(const char *_Nonnull name);
/// Returns the name of a level, as vfx_cpu_parse() accepts it.
const char *_Nonnull vfx_cpu_name(vfx_cpu_level level);
#endif
