#ifndef VFX_KERNEL_LIST_H
#define VFX_KERNEL_LIST_H

// The only list of kernels. The members of the table, the declarations of all versions, the code that fills the table,
// and the names in tests and benchmarks are generated from it. Kernels/README.md explains how to add a kernel.
//
// K(slot, function type, version for SSE4.1, for AVX2, for AVX-512). Every slot has a C version, vfx_SLOT_c. A version is
//     SIMD  written by hand with intrinsics: vfx_SLOT_ISA in OPERATION_ISA.c
//     AUTO  the C version recompiled for the instruction set: vfx_SLOT_auto_ISA in OPERATION_auto_ISA.c
//     NONE  missing: the level uses the version of the level below it
// Three have only a C version: superres_pairs, which takes 1 % of the network's time, and fill_sweep and splat_owner_row,
// where each cell waits for what the one before has written. satd_4x4 ends at SSE4.1, since it cannot
// fill wider registers.
#define VFX_KERNELS(K)                                                                                                      \
    K(downsample, vfx_downsample_fn, SIMD, SIMD, NONE)                                                                      \
    K(reduce_depth, vfx_reduce_depth_fn, SIMD, SIMD, NONE)                                                                  \
    K(sad_4x4, vfx_sad_fn, SIMD, SIMD, NONE)                                                                                \
    K(sad_8x8, vfx_sad_fn, SIMD, SIMD, NONE)                                                                                \
    K(sad_16x16, vfx_sad_fn, SIMD, SIMD, NONE)                                                                              \
    K(sad_8x8_x4, vfx_sad_x4_fn, SIMD, SIMD, NONE)                                                                          \
    K(sad_16x16_x4, vfx_sad_x4_fn, SIMD, SIMD, NONE)                                                                        \
    K(bilateral_match_row, vfx_bilateral_match_row_fn, SIMD, SIMD, NONE)                                                    \
    K(block_search_stripe, vfx_block_search_stripe_fn, NONE, SIMD, NONE)                                                    \
    K(satd_4x4, vfx_satd_fn, SIMD, NONE, NONE)                                                                              \
    K(satd_8x8, vfx_satd_fn, SIMD, SIMD, NONE)                                                                              \
    K(flow_tiles_row, vfx_flow_tiles_row_fn, NONE, SIMD, NONE)                                                              \
    K(flow_prepare_row, vfx_flow_prepare_row_fn, SIMD, SIMD, NONE)                                                          \
    K(flow_load_row, vfx_flow_load_row_fn, NONE, AUTO, NONE)                                                                \
    K(flow_store_row, vfx_flow_store_row_fn, NONE, AUTO, NONE)                                                              \
    K(flow_average_row, vfx_flow_average_row_fn, NONE, AUTO, NONE)                                                          \
    K(flow_measure_row, vfx_flow_measure_row_fn, SIMD, SIMD, NONE)                                                          \
    K(flow_solve_row, vfx_flow_solve_row_fn, NONE, AUTO, NONE)                                                              \
    K(flow_consistency_row, vfx_flow_consistency_row_fn, NONE, SIMD, NONE)                                                  \
    K(fill_find_row, vfx_fill_find_row_fn, NONE, SIMD, NONE)                                                                \
    K(fill_sweep, vfx_fill_sweep_fn, NONE, NONE, NONE)                                                                      \
    K(fill_smooth, vfx_fill_smooth_fn, NONE, SIMD, NONE)                                                                    \
    K(splat_owner_row, vfx_splat_owner_row_fn, NONE, NONE, NONE)                                                            \
    K(splat_mean_row, vfx_splat_mean_row_fn, NONE, SIMD, NONE)                                                              \
    K(subdivide_row, vfx_subdivide_row_fn, NONE, SIMD, NONE)                                                                \
    K(vector_median_row, vfx_vector_median_row_fn, NONE, SIMD, NONE)                                                        \
    K(visibility_row, vfx_visibility_row_fn, NONE, SIMD, NONE)                                                              \
    K(upsample_row, vfx_upsample_row_fn, NONE, SIMD, NONE)                                                                  \
    K(upsample_edges_row, vfx_upsample_edges_row_fn, NONE, SIMD, NONE)                                                      \
    K(warp_row_8, vfx_warp_row_fn, NONE, SIMD, NONE)                                                                        \
    K(warp_row_8_to_12, vfx_warp_row_fn, NONE, SIMD, NONE)                                                                  \
    K(warp_row_16, vfx_warp_row_fn, NONE, SIMD, NONE)                                                                       \
    K(blend_row_8, vfx_blend_row_fn, SIMD, SIMD, NONE)                                                                      \
    K(blend_row_12_to_8, vfx_blend_row_fn, SIMD, SIMD, NONE)                                                                \
    K(blend_row_16, vfx_blend_row_fn, SIMD, SIMD, NONE)                                                                     \
    K(fusion_input_row, vfx_fusion_input_row_fn, NONE, AUTO, NONE)                                                          \
    K(fusion_weights_row, vfx_fusion_weights_row_fn, NONE, AUTO, NONE)                                                      \
    K(fusion_halve_weights_row, vfx_fusion_halve_weights_row_fn, NONE, AUTO, NONE)                                          \
    K(fusion_blend_row_12_to_8, vfx_fusion_blend_row_fn, NONE, AUTO, NONE)                                                  \
    K(fusion_blend_row_16, vfx_fusion_blend_row_fn, NONE, AUTO, NONE)                                                       \
    K(fusion_count_row, vfx_fusion_count_row_fn, NONE, AUTO, NONE)                                                          \
    K(motion_blur_block_8, vfx_motion_blur_block_fn, NONE, SIMD, NONE)                                                      \
    K(motion_blur_block_16, vfx_motion_blur_block_fn, NONE, SIMD, NONE)                                                     \
    K(collaborative_shrink_row_8, vfx_collaborative_shrink_row_fn, NONE, AUTO, AUTO)                                        \
    K(collaborative_shrink_row_16, vfx_collaborative_shrink_row_fn, NONE, AUTO, AUTO)                                       \
    K(collaborative_noise_row_8, vfx_collaborative_noise_row_fn, NONE, AUTO, AUTO)                                          \
    K(collaborative_noise_row_16, vfx_collaborative_noise_row_fn, NONE, AUTO, AUTO)                                         \
    K(collaborative_light_row_8, vfx_collaborative_light_row_fn, NONE, AUTO, AUTO)                                          \
    K(collaborative_light_row_16, vfx_collaborative_light_row_fn, NONE, AUTO, AUTO)                                         \
    K(collaborative_aggregate_row_8, vfx_collaborative_aggregate_row_fn, NONE, AUTO, AUTO)                                  \
    K(collaborative_aggregate_row_16, vfx_collaborative_aggregate_row_fn, NONE, AUTO, AUTO)                                 \
    K(resample_column_8, vfx_resample_column_fn, NONE, SIMD, NONE)                                                          \
    K(resample_column_16, vfx_resample_column_fn, NONE, SIMD, NONE)                                                         \
    K(resample_row_8, vfx_resample_row_fn, NONE, SIMD, NONE)                                                                \
    K(resample_row_16, vfx_resample_row_fn, NONE, SIMD, NONE)                                                               \
    K(detail_transfer_weight_row, vfx_detail_transfer_weight_row_fn, NONE, AUTO, NONE)                                      \
    K(detail_transfer_difference_row, vfx_detail_transfer_difference_row_fn, NONE, AUTO, NONE)                              \
    K(detail_transfer_spread_row, vfx_detail_transfer_spread_row_fn, NONE, AUTO, NONE)                                      \
    K(detail_transfer_extract_row_8, vfx_detail_transfer_extract_row_fn, NONE, AUTO, NONE)                                  \
    K(detail_transfer_extract_row_16, vfx_detail_transfer_extract_row_fn, NONE, AUTO, NONE)                                 \
    K(detail_transfer_merge_row_8, vfx_detail_transfer_merge_row_fn, NONE, AUTO, NONE)                                      \
    K(detail_transfer_merge_row_16, vfx_detail_transfer_merge_row_fn, NONE, AUTO, NONE)                                     \
    K(superres_features, vfx_superres_features_fn, SIMD, SIMD, SIMD)                                                        \
    K(superres_output_8, vfx_superres_output_fn, SIMD, SIMD, SIMD)                                                          \
    K(superres_output_16, vfx_superres_output_fn, SIMD, SIMD, SIMD)                                                         \
    K(superres_input_transform, vfx_superres_input_transform_fn, SIMD, SIMD, SIMD)                                          \
    K(superres_features_winograd, vfx_superres_features_winograd_fn, SIMD, SIMD, SIMD)                                      \
    K(superres_pairs_8, vfx_superres_pairs_fn, NONE, NONE, NONE)                                                            \
    K(superres_pairs_16, vfx_superres_pairs_fn, NONE, NONE, NONE)
#endif
