#include "../internal/levels.h"
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

static void init_c(vfx_kernel_table *t)
{
    vfx_downsample_init_c(t);
    vfx_reduce_depth_init_c(t);
    vfx_sad_init_c(t);
    vfx_satd_init_c(t);
    vfx_gradient_init_c(t);
    vfx_patch_init_c(t);
    vfx_flow_init_c(t);
    vfx_upsample_init_c(t);
    vfx_warp_init_c(t);
    vfx_blend_init_c(t);
    vfx_collaborative_init_c(t);
    vfx_gather_init_c(t);
    vfx_resample_init_c(t);
    vfx_detail_transfer_init_c(t);
    vfx_superres_init_c(t);
}

#if defined(__x86_64__)
static void init_sse41(vfx_kernel_table *t)
{
    vfx_downsample_init_sse41(t);
    vfx_reduce_depth_init_sse41(t);
    vfx_sad_init_sse41(t);
    vfx_satd_init_sse41(t);
    vfx_gradient_init_sse41(t);
    vfx_patch_init_sse41(t);
    vfx_blend_init_sse41(t);
    vfx_superres_init_sse41(t);
}

static void init_avx2(vfx_kernel_table *t)
{
    vfx_downsample_init_avx2(t);
    vfx_reduce_depth_init_avx2(t);
    vfx_sad_init_avx2(t);
    vfx_satd_init_avx2(t);
    vfx_gradient_init_avx2(t);
    vfx_patch_init_avx2(t);
    vfx_flow_init_avx2(t);
    vfx_upsample_init_avx2(t);
    vfx_warp_8_init_avx2(t);
    vfx_warp_16_init_avx2(t);
    vfx_blend_init_avx2(t);
    vfx_collaborative_init_avx2(t);
    vfx_gather_init_avx2(t);
    vfx_resample_init_avx2(t);
    vfx_detail_transfer_init_avx2(t);
    vfx_superres_init_avx2(t);
}
#endif

vfx_kernel_table vfx_kernels_make(vfx_cpu_level level)
{
    vfx_kernel_table table;
    vfx_kernel_table *t = &table;
    vfx_cpu_level most = vfx_cpu_detect();
    t->level = level < most ? level : most;
    init_c(t);
#if defined(__x86_64__)
    if (t->level >= VFX_CPU_SSE41) init_sse41(t);
    if (t->level >= VFX_CPU_AVX2) init_avx2(t);
    if (t->level >= VFX_CPU_AVX512) vfx_superres_init_avx512(t);
#endif
    return table;
}
