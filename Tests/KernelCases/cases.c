#include "case.h"

extern const kc_case kc_bilateral_match_cases[], kc_blend_cases[], kc_block_search_cases[], kc_collaborative_cases[],
    kc_combing_cases[], kc_deinterlace_cases[], kc_detail_transfer_cases[], kc_displace_cases[], kc_downsample_cases[],
    kc_flow_cases[], kc_flow_median_cases[], kc_fusion_cases[], kc_motion_blur_cases[], kc_occlusion_fill_cases[],
    kc_reduce_depth_cases[], kc_resample_cases[], kc_sad_cases[], kc_satd_cases[], kc_splat_cases[],
    kc_subdivision_cases[], kc_superres_cases[], kc_upsample_cases[], kc_vector_median_cases[], kc_visibility_cases[],
    kc_warp_cases[];

// One list for each operation, which ends with an entry without a name.
static const kc_case *const lists[] = {
    kc_bilateral_match_cases,
    kc_blend_cases,
    kc_block_search_cases,
    kc_collaborative_cases,
    kc_combing_cases,
    kc_deinterlace_cases,
    kc_detail_transfer_cases,
    kc_displace_cases,
    kc_downsample_cases,
    kc_flow_cases,
    kc_flow_median_cases,
    kc_fusion_cases,
    kc_motion_blur_cases,
    kc_occlusion_fill_cases,
    kc_reduce_depth_cases,
    kc_resample_cases,
    kc_sad_cases,
    kc_satd_cases,
    kc_splat_cases,
    kc_subdivision_cases,
    kc_superres_cases,
    kc_upsample_cases,
    kc_vector_median_cases,
    kc_visibility_cases,
    kc_warp_cases,
};

static const kc_case *find(const char *slot)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const kc_case *c = lists[i]; c->slot; c++)
            if (strcmp(c->slot, slot) == 0) return c;
    return NULL;
}

int kernel_case_exists(const char *slot) { return find(slot) != NULL; }

const char *kernel_case_run(const char *slot, int level, uint64_t seed, uint64_t *digest)
{
    static _Thread_local char failure[sizeof((kc_run *)0)->failure];
    const vfx_kernel_table c = vfx_kernels_make(VFX_CPU_C), tested = vfx_kernels_make(level);
    kc_run run = {.c = &c, .tested = &tested, .state = seed, .digest = 0xcbf29ce484222325};
    const kc_case *own = find(slot);
    *digest = 0;
    if (!own) return "it has no case";
    if (tested.level != level) return "the processor does not support the level";
    own->compare(&run);
    kc_release(&run);
    *digest = run.digest;
    memcpy(failure, run.failure, sizeof failure);
    return *failure ? failure : NULL;
}

int kernel_case_work(const char *slot, int level, int calls)
{
    const vfx_kernel_table c = vfx_kernels_make(VFX_CPU_C), tested = vfx_kernels_make(level);
    kc_run run = {.c = &c, .tested = &tested, .state = 1};
    const kc_case *own = find(slot);
    if (!own || !own->work) return 0;
    const int units = own->work(&run, calls);
    kc_release(&run);
    return units;
}
