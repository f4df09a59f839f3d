#ifndef VFX_KERNEL_LIST_H
#define VFX_KERNEL_LIST_H

// The only list of kernels: K(slot, function type). The members of the table, the declarations of the plain C versions,
// and the names in tests and benchmarks are generated from it. It knows no processor: each architecture lists its own
// versions (x86/x86_versions.h, arm/arm_versions.h). Kernels/README.md explains how to add a kernel.
#define VFX_KERNELS(K)                                                       \
    K(downsample, vfx_downsample_fn)                                         \
    K(reduce_depth, vfx_reduce_depth_fn)                                     \
    K(sad_4x4, vfx_sad_fn)                                                   \
    K(sad_8x8, vfx_sad_fn)                                                   \
    K(sad_16x16, vfx_sad_fn)                                                 \
    K(sad_8x8_x4, vfx_sad_x4_fn)                                             \
    K(sad_16x16_x4, vfx_sad_x4_fn)                                           \
    K(bilateral_match_row, vfx_bilateral_match_row_fn)                       \
    K(block_search_stripe, vfx_block_search_stripe_fn)                       \
    K(satd_4x4, vfx_satd_fn)                                                 \
    K(satd_8x8, vfx_satd_fn)                                                 \
    K(flow_tiles_row, vfx_flow_tiles_row_fn)                                 \
    K(flow_prepare_row, vfx_flow_prepare_row_fn)                             \
    K(flow_load_row, vfx_flow_load_row_fn)                                   \
    K(flow_store_row, vfx_flow_store_row_fn)                                 \
    K(flow_average_row, vfx_flow_average_row_fn)                             \
    K(flow_measure_row, vfx_flow_measure_row_fn)                             \
    K(flow_solve_row, vfx_flow_solve_row_fn)                                 \
    K(flow_consistency_row, vfx_flow_consistency_row_fn)                     \
    K(fill_find_row, vfx_fill_find_row_fn)                                   \
    K(fill_sweep, vfx_fill_sweep_fn)                                         \
    K(fill_smooth, vfx_fill_smooth_fn)                                       \
    K(splat_owner_row, vfx_splat_owner_row_fn)                               \
    K(splat_mean_row, vfx_splat_mean_row_fn)                                 \
    K(subdivide_row, vfx_subdivide_row_fn)                                   \
    K(vector_median_row, vfx_vector_median_row_fn)                           \
    K(flow_median_row, vfx_flow_median_row_fn)                               \
    K(visibility_row, vfx_visibility_row_fn)                                 \
    K(upsample_row, vfx_upsample_row_fn)                                     \
    K(upsample_edges_row, vfx_upsample_edges_row_fn)                         \
    K(displace_row, vfx_displace_row_fn)                                     \
    K(warp_row_8, vfx_warp_row_fn)                                           \
    K(warp_row_8_to_12, vfx_warp_row_fn)                                     \
    K(warp_row_16, vfx_warp_row_fn)                                          \
    K(blend_row_8, vfx_blend_row_fn)                                         \
    K(blend_row_12_to_8, vfx_blend_row_fn)                                   \
    K(blend_row_16, vfx_blend_row_fn)                                        \
    K(fusion_input_row, vfx_fusion_input_row_fn)                             \
    K(fusion_weights_row, vfx_fusion_weights_row_fn)                         \
    K(fusion_halve_weights_row, vfx_fusion_halve_weights_row_fn)             \
    K(fusion_blend_row_12_to_8, vfx_fusion_blend_row_fn)                     \
    K(fusion_blend_row_16, vfx_fusion_blend_row_fn)                          \
    K(fusion_count_row, vfx_fusion_count_row_fn)                             \
    K(motion_blur_block_8, vfx_motion_blur_block_fn)                         \
    K(motion_blur_block_16, vfx_motion_blur_block_fn)                        \
    K(collaborative_shrink_row_8, vfx_collaborative_shrink_row_fn)           \
    K(collaborative_shrink_row_16, vfx_collaborative_shrink_row_fn)          \
    K(collaborative_noise_row_8, vfx_collaborative_noise_row_fn)             \
    K(collaborative_noise_row_16, vfx_collaborative_noise_row_fn)            \
    K(collaborative_light_row_8, vfx_collaborative_light_row_fn)             \
    K(collaborative_light_row_16, vfx_collaborative_light_row_fn)            \
    K(collaborative_aggregate_row_8, vfx_collaborative_aggregate_row_fn)     \
    K(collaborative_aggregate_row_16, vfx_collaborative_aggregate_row_fn)    \
    K(resample_column_8, vfx_resample_column_fn)                             \
    K(resample_column_16, vfx_resample_column_fn)                            \
    K(resample_row_8, vfx_resample_row_fn)                                   \
    K(resample_row_16, vfx_resample_row_fn)                                  \
    K(detail_transfer_weight_row, vfx_detail_transfer_weight_row_fn)         \
    K(detail_transfer_difference_row, vfx_detail_transfer_difference_row_fn) \
    K(detail_transfer_spread_row, vfx_detail_transfer_spread_row_fn)         \
    K(detail_transfer_extract_row_8, vfx_detail_transfer_extract_row_fn)     \
    K(detail_transfer_extract_row_16, vfx_detail_transfer_extract_row_fn)    \
    K(detail_transfer_merge_row_8, vfx_detail_transfer_merge_row_fn)         \
    K(detail_transfer_merge_row_16, vfx_detail_transfer_merge_row_fn)        \
    K(superres_features, vfx_superres_features_fn)                           \
    K(superres_output_8, vfx_superres_output_fn)                             \
    K(superres_output_16, vfx_superres_output_fn)                            \
    K(superres_input_transform, vfx_superres_input_transform_fn)             \
    K(superres_features_winograd, vfx_superres_features_winograd_fn)         \
    K(superres_pairs_8, vfx_superres_pairs_fn)                               \
    K(superres_pairs_16, vfx_superres_pairs_fn)
#endif
