#ifndef VFX_LEVELS_H
#define VFX_LEVELS_H
#include "vfx_kernels.h"

// Each operation's files fill their own slots; a level overwrites what the one below put there.
void vfx_downsample_init_c(vfx_kernel_table *t);
void vfx_reduce_depth_init_c(vfx_kernel_table *t);
void vfx_sad_init_c(vfx_kernel_table *t);
void vfx_satd_init_c(vfx_kernel_table *t);
void vfx_gradient_init_c(vfx_kernel_table *t);
void vfx_patch_init_c(vfx_kernel_table *t);
void vfx_flow_init_c(vfx_kernel_table *t);
void vfx_upsample_init_c(vfx_kernel_table *t);
void vfx_warp_init_c(vfx_kernel_table *t);
void vfx_blend_init_c(vfx_kernel_table *t);
void vfx_collaborative_init_c(vfx_kernel_table *t);
void vfx_gather_init_c(vfx_kernel_table *t);
void vfx_resample_init_c(vfx_kernel_table *t);
void vfx_detail_transfer_init_c(vfx_kernel_table *t);
void vfx_superres_init_c(vfx_kernel_table *t);

#if defined(__x86_64__)
void vfx_downsample_init_sse41(vfx_kernel_table *t);
void vfx_reduce_depth_init_sse41(vfx_kernel_table *t);
void vfx_sad_init_sse41(vfx_kernel_table *t);
void vfx_satd_init_sse41(vfx_kernel_table *t);
void vfx_gradient_init_sse41(vfx_kernel_table *t);
void vfx_patch_init_sse41(vfx_kernel_table *t);
void vfx_blend_init_sse41(vfx_kernel_table *t);
void vfx_superres_init_sse41(vfx_kernel_table *t);

void vfx_downsample_init_avx2(vfx_kernel_table *t);
void vfx_reduce_depth_init_avx2(vfx_kernel_table *t);
void vfx_sad_init_avx2(vfx_kernel_table *t);
void vfx_satd_init_avx2(vfx_kernel_table *t);
void vfx_gradient_init_avx2(vfx_kernel_table *t);
void vfx_patch_init_avx2(vfx_kernel_table *t);
void vfx_flow_init_avx2(vfx_kernel_table *t);
void vfx_upsample_init_avx2(vfx_kernel_table *t);
void vfx_warp_8_init_avx2(vfx_kernel_table *t);
void vfx_warp_16_init_avx2(vfx_kernel_table *t);
void vfx_blend_init_avx2(vfx_kernel_table *t);
void vfx_collaborative_init_avx2(vfx_kernel_table *t);
void vfx_gather_init_avx2(vfx_kernel_table *t);
void vfx_resample_init_avx2(vfx_kernel_table *t);
void vfx_detail_transfer_init_avx2(vfx_kernel_table *t);
void vfx_superres_init_avx2(vfx_kernel_table *t);

void vfx_superres_init_avx512(vfx_kernel_table *t);
#endif
#endif
