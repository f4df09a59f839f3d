#ifndef VFX_CPU_H
#define VFX_CPU_H

// Levels of instruction sets, by number: 0 is plain C, and each level includes all below it. Which levels there are
// depends on the architecture that the library is built for: on x86-64 "c", "sse41", "avx2" and "avx512" (F, BW, VL and
// VNNI), on 64-bit Arm "c", "neon" and "dotprod", on all others "c" alone.

/// The level of plain C.
#define VFX_CPU_C 0

/// Returns the number of levels of this architecture, plain C included.
int vfx_cpu_level_count(void);
/// Returns the highest level that this processor supports.
int vfx_cpu_detect(void);
/// Returns the level with the given name; -1 if this architecture has none of that name.
int vfx_cpu_parse(const char *_Nonnull name);
/// Returns the name of a level, as vfx_cpu_parse() accepts it.
/// - Parameter level: 0 to vfx_cpu_level_count() − 1.
const char *_Nonnull vfx_cpu_name(int level);
#endif
