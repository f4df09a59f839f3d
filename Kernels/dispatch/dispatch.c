#include "../internal/versions.h"
#include <string.h>

static const char *const names[] = {"c", "sse41", "avx2", "avx512"};

vfx_cpu_level vfx_cpu_detect(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) {
        if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
            && __builtin_cpu_supports("avx512vnni"))
            return VFX_CPU_AVX512;
        return VFX_CPU_AVX2;
    }
    if (__builtin_cpu_supports("sse4.1")) return VFX_CPU_SSE41;
#endif
    return VFX_CPU_C;
}

int vfx_cpu_parse(const char *name)
{
    for (int i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0) return i;
    return -1;
}

const char *vfx_cpu_name(vfx_cpu_level level) { return names[level]; }

#define FILL_NONE(slot, isa)
#define FILL_SIMD(slot, isa) t->slot = vfx_##slot##_##isa;
#define FILL_AUTO(slot, isa) t->slot = vfx_##slot##_auto_##isa;
#define FILL_C(slot, function, on_sse41, on_avx2, on_avx512) t->slot = vfx_##slot##_c;
#define FILL_SSE41(slot, function, on_sse41, on_avx2, on_avx512) FILL_##on_sse41(slot, sse41)
#define FILL_AVX2(slot, function, on_sse41, on_avx2, on_avx512) FILL_##on_avx2(slot, avx2)
#define FILL_AVX512(slot, function, on_sse41, on_avx2, on_avx512) FILL_##on_avx512(slot, avx512)

vfx_kernel_table vfx_kernels_make(vfx_cpu_level level)
{
    vfx_kernel_table table;
    vfx_kernel_table *t = &table;
    vfx_cpu_level most = vfx_cpu_detect();
    t->level = level < most ? level : most;
    VFX_KERNELS(FILL_C)
#if defined(__x86_64__)
    if (t->level >= VFX_CPU_SSE41) { VFX_KERNELS(FILL_SSE41) }
    if (t->level >= VFX_CPU_AVX2) { VFX_KERNELS(FILL_AVX2) }
    if (t->level >= VFX_CPU_AVX512) { VFX_KERNELS(FILL_AVX512) }
#endif
    return table;
}

#define SLOT(slot, function, on_sse41, on_avx2, on_avx512) \
    {#slot, offsetof(vfx_kernel_table, slot), VFX_KERNEL_##on_sse41, VFX_KERNEL_##on_avx2, VFX_KERNEL_##on_avx512},

const vfx_kernel_slot *vfx_kernel_slots(int *count)
{
    static const vfx_kernel_slot slots[] = {VFX_KERNELS(SLOT)};
    *count = (int)(sizeof slots / sizeof *slots);
    return slots;
}
