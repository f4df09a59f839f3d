#ifndef VFX_X86_VERSIONS_H
#define VFX_X86_VERSIONS_H
// The kernels that each level of x86-64 replaces. A version is
//     SIMD  written by hand with intrinsics: vfx_SLOT_LEVEL in OPERATION_LEVEL.c
//     AUTO  the C version recompiled for the instruction set: vfx_SLOT_auto_LEVEL in OPERATION_auto_LEVEL.c
// A kernel that a level does not list uses the version of the level below. Three have only a C version: superres_pairs,
// which takes 1 % of the network's time, and fill_sweep and splat_owner_row, where each cell waits for what the one before
// has written. satd_4x4 ends at SSE4.1, since it cannot fill wider registers.

#define VFX_SSE41_VERSIONS(SIMD)   \
    SIMD(downsample)               \
    SIMD(reduce_depth)             \
    SIMD(sad_4x4)                  \
    SIMD(sad_8x8)                  \
    SIMD(sad_16x16)                \
    SIMD(sad_8x8_x4)               \
    SIMD(sad_16x16_x4)             \
    SIMD(bilateral_match_row)      \
    SIMD(satd_4x4)                 \
    SIMD(satd_8x8)                 \
    SIMD(flow_prepare_row)         \
    SIMD(flow_measure_row)         \
    SIMD(blend_row_8)              \
    SIMD(blend_row_12_to_8)        \
    SIMD(blend_row_16)             \
    SIMD(superres_features)        \
    SIMD(superres_output_8)        \
    SIMD(superres_output_16)       \
    SIMD(superres_input_transform) \
    SIMD(superres_features_winograd)

#define VFX_AVX2_VERSIONS(SIMD, AUTO)    \
    SIMD(downsample)                     \
    SIMD(reduce_depth)                   \
    SIMD(sad_4x4)                        \
    SIMD(sad_8x8)                        \
    SIMD(sad_16x16)                      \
    SIMD(sad_8x8_x4)                     \
    SIMD(sad_16x16_x4)                   \
    SIMD(bilateral_match_row)            \
    SIMD(block_search_stripe)            \
    SIMD(satd_8x8)                       \
    SIMD(flow_tiles_row)                 \
    SIMD(flow_prepare_row)               \
    AUTO(flow_load_row)                  \
    AUTO(flow_store_row)                 \
    AUTO(flow_average_row)               \
    SIMD(flow_measure_row)               \
    AUTO(flow_solve_row)                 \
    SIMD(flow_consistency_row)           \
    SIMD(fill_find_row)                  \
    SIMD(fill_smooth)                    \
    SIMD(splat_mean_row)                 \
    SIMD(subdivide_row)                  \
    SIMD(vector_median_row)              \
    SIMD(flow_median_row)                \
    SIMD(visibility_row)                 \
    SIMD(upsample_row)                   \
    SIMD(upsample_edges_row)             \
    SIMD(displace_row)                   \
    SIMD(warp_row_8)                     \
    SIMD(warp_row_8_to_12)               \
    SIMD(warp_row_16)                    \
    SIMD(blend_row_8)                    \
    SIMD(blend_row_12_to_8)              \
    SIMD(blend_row_16)                   \
    AUTO(fusion_input_row)               \
    AUTO(fusion_smooth_row)              \
    AUTO(fusion_weights_row)             \
    AUTO(fusion_halve_weights_row)       \
    AUTO(fusion_blend_row_12_to_8)       \
    AUTO(fusion_blend_row_16)            \
    AUTO(fusion_count_row)               \
    AUTO(deinterlace_bob_row_8)          \
    AUTO(deinterlace_bob_row_16)         \
    AUTO(deinterlace_input_row_8)        \
    AUTO(deinterlace_input_row_16)       \
    AUTO(deinterlace_weights_row)        \
    AUTO(deinterlace_largest_row)        \
    AUTO(deinterlace_merge_row_8)        \
    AUTO(deinterlace_merge_row_16)       \
    AUTO(deinterlace_equal_row_8)        \
    AUTO(deinterlace_equal_row_16)       \
    AUTO(deinterlace_still_row)          \
    AUTO(deinterlace_weave_row_8)        \
    AUTO(deinterlace_weave_row_16)       \
    AUTO(deinterlace_flicker_row_8)      \
    AUTO(deinterlace_flicker_row_16)     \
    AUTO(deinterlace_unweave_row_8)      \
    AUTO(deinterlace_unweave_row_16)     \
    SIMD(motion_blur_block_8)            \
    SIMD(motion_blur_block_16)           \
    AUTO(collaborative_shrink_row_8)     \
    AUTO(collaborative_shrink_row_16)    \
    AUTO(collaborative_noise_row_8)      \
    AUTO(collaborative_noise_row_16)     \
    AUTO(collaborative_light_row_8)      \
    AUTO(collaborative_light_row_16)     \
    AUTO(collaborative_aggregate_row_8)  \
    AUTO(collaborative_aggregate_row_16) \
    AUTO(combing_row_8)                  \
    AUTO(combing_row_16)                 \
    SIMD(resample_column_8)              \
    SIMD(resample_column_16)             \
    SIMD(resample_row_8)                 \
    SIMD(resample_row_16)                \
    AUTO(detail_transfer_weight_row)     \
    AUTO(detail_transfer_difference_row) \
    AUTO(detail_transfer_spread_row)     \
    AUTO(detail_transfer_extract_row_8)  \
    AUTO(detail_transfer_extract_row_16) \
    AUTO(detail_transfer_merge_row_8)    \
    AUTO(detail_transfer_merge_row_16)   \
    SIMD(superres_features)              \
    SIMD(superres_output_8)              \
    SIMD(superres_output_16)             \
    SIMD(superres_input_transform)       \
    SIMD(superres_features_winograd)

#define VFX_AVX512_VERSIONS(SIMD, AUTO)  \
    AUTO(collaborative_shrink_row_8)     \
    AUTO(collaborative_shrink_row_16)    \
    AUTO(collaborative_noise_row_8)      \
    AUTO(collaborative_noise_row_16)     \
    AUTO(collaborative_light_row_8)      \
    AUTO(collaborative_light_row_16)     \
    AUTO(collaborative_aggregate_row_8)  \
    AUTO(collaborative_aggregate_row_16) \
    SIMD(superres_features)              \
    SIMD(superres_output_8)              \
    SIMD(superres_output_16)             \
    SIMD(superres_input_transform)       \
    SIMD(superres_features_winograd)
#endif
