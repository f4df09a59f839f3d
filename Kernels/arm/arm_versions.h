#ifndef VFX_ARM_VERSIONS_H
#define VFX_ARM_VERSIONS_H
// The kernels that each level of 64-bit Arm replaces: vfx_SLOT_LEVEL in OPERATION_LEVEL.c, written by hand with
// intrinsics. A kernel that a level does not list uses the version of the level below.

#define VFX_NEON_VERSIONS(SIMD)        \
    SIMD(downsample)                   \
    SIMD(reduce_depth)                 \
    SIMD(sad_4x4)                      \
    SIMD(sad_8x8)                      \
    SIMD(sad_16x16)                    \
    SIMD(sad_8x8_x4)                   \
    SIMD(sad_16x16_x4)                 \
    SIMD(bilateral_match_row)          \
    SIMD(block_search_stripe)          \
    SIMD(satd_4x4)                     \
    SIMD(satd_8x8)                     \
    SIMD(flow_tiles_row)               \
    SIMD(flow_prepare_row)             \
    SIMD(flow_load_row)                \
    SIMD(flow_store_row)               \
    SIMD(flow_measure_row)             \
    SIMD(flow_consistency_row)         \
    SIMD(fill_find_row)                \
    SIMD(fill_smooth)                  \
    SIMD(splat_mean_row)               \
    SIMD(subdivide_row)                \
    SIMD(vector_median_row)            \
    SIMD(flow_median_row)              \
    SIMD(visibility_row)               \
    SIMD(upsample_row)                 \
    SIMD(upsample_edges_row)           \
    SIMD(displace_row)                 \
    SIMD(warp_row_8)                   \
    SIMD(warp_row_8_to_12)             \
    SIMD(warp_row_16)                  \
    SIMD(blend_row_8)                  \
    SIMD(blend_row_12_to_8)            \
    SIMD(blend_row_16)                 \
    SIMD(fusion_input_row)             \
    SIMD(fusion_weights_row)           \
    SIMD(fusion_halve_weights_row)     \
    SIMD(fusion_count_row)             \
    SIMD(motion_blur_block_8)          \
    SIMD(motion_blur_block_16)         \
    SIMD(resample_column_8)            \
    SIMD(resample_column_16)           \
    SIMD(resample_row_8)               \
    SIMD(resample_row_16)              \
    SIMD(detail_transfer_weight_row)   \
    SIMD(detail_transfer_spread_row)   \
    SIMD(detail_transfer_merge_row_8)  \
    SIMD(detail_transfer_merge_row_16) \
    SIMD(superres_features)            \
    SIMD(superres_output_8)            \
    SIMD(superres_output_16)           \
    SIMD(superres_input_transform)     \
    SIMD(superres_features_winograd)

// The NEON versions execute fewer instructions, but on many cores UDOT issues on every vector pipe and UADALP on half
// of them.
#define VFX_DOTPROD_VERSIONS(SIMD) \
    SIMD(sad_16x16)                \
    SIMD(sad_16x16_x4)

// Plain C, which the compiler vectorises for NEON: its code is within 15 % of the instruction count of intrinsics, or
// bound by division latency.
#define VFX_NEON_COMPILED(COMPILED)          \
    COMPILED(flow_average_row)               \
    COMPILED(flow_solve_row)                 \
    COMPILED(fusion_smooth_row)              \
    COMPILED(fusion_blend_row_12_to_8)       \
    COMPILED(fusion_blend_row_16)            \
    COMPILED(deinterlace_bob_row_8)          \
    COMPILED(deinterlace_bob_row_16)         \
    COMPILED(deinterlace_input_row_8)        \
    COMPILED(deinterlace_input_row_16)       \
    COMPILED(deinterlace_weights_row)        \
    COMPILED(deinterlace_largest_row)        \
    COMPILED(deinterlace_merge_row_8)        \
    COMPILED(deinterlace_merge_row_16)       \
    COMPILED(deinterlace_equal_row_8)        \
    COMPILED(deinterlace_equal_row_16)       \
    COMPILED(deinterlace_still_row)          \
    COMPILED(deinterlace_weave_row_8)        \
    COMPILED(deinterlace_weave_row_16)       \
    COMPILED(deinterlace_flicker_row_8)      \
    COMPILED(deinterlace_flicker_row_16)     \
    COMPILED(deinterlace_unweave_row_8)      \
    COMPILED(deinterlace_unweave_row_16)     \
    COMPILED(collaborative_shrink_row_8)     \
    COMPILED(collaborative_shrink_row_16)    \
    COMPILED(collaborative_noise_row_8)      \
    COMPILED(collaborative_noise_row_16)     \
    COMPILED(collaborative_light_row_8)      \
    COMPILED(collaborative_light_row_16)     \
    COMPILED(collaborative_aggregate_row_8)  \
    COMPILED(collaborative_aggregate_row_16) \
    COMPILED(combing_row_8)                  \
    COMPILED(combing_row_16)                 \
    COMPILED(detail_transfer_difference_row) \
    COMPILED(detail_transfer_extract_row_8)  \
    COMPILED(detail_transfer_extract_row_16) \
    COMPILED(superres_pairs_8)               \
    COMPILED(superres_pairs_16)

// Plain C on every architecture: each cell depends on the one before.
#define VFX_NEON_PLAIN(PLAIN) \
    PLAIN(fill_sweep)         \
    PLAIN(splat_owner_row)
#endif
