#ifndef VFX_KERNELS_H
#define VFX_KERNELS_H
#include <stddef.h>
#include <stdint.h>
#include "vfx_superres.h"

/// Instruction sets in ascending order. A level implies all below it.
/// AVX512 stands for F, BW, VL and VNNI.
typedef enum vfx_cpu_level {
    VFX_CPU_C = 0,
    VFX_CPU_SSE41 = 1,
    VFX_CPU_AVX2 = 2,
    VFX_CPU_AVX512 = 3
} vfx_cpu_level;

/// Highest level that this processor runs.
vfx_cpu_level vfx_cpu_detect(void);
/// Level with the given name ("c", "sse41", "avx2", "avx512"); -1 for any other.
int vfx_cpu_parse(const char *_Nonnull name);
/// Name of a level.
const char *_Nonnull vfx_cpu_name(vfx_cpu_level level);

// All strides are in samples of the plane they belong to, and may be negative. Vectors are in 1/32 pixel (Q5).

/// 2×2 averages, (a + b + c + d + 2) >> 2. Reads 2·width × 2·height samples.
typedef void vfx_downsample_fn(uint8_t *_Nonnull dst, ptrdiff_t dst_stride, const uint8_t *_Nonnull src,
                               ptrdiff_t src_stride, int width, int height);

/// 16-bit samples to 8 bits: min(255, (v + half) >> shift), half = shift ? 1 << (shift - 1) : 0. 0 ≤ shift ≤ 8.
typedef void vfx_reduce_depth_fn(uint8_t *_Nonnull dst, const uint16_t *_Nonnull src, int width, int shift);

/// Sum of absolute differences of two blocks.
typedef uint32_t vfx_sad_fn(const uint8_t *_Nonnull a, ptrdiff_t a_stride, const uint8_t *_Nonnull b, ptrdiff_t b_stride);

/// Four candidates against one block: sums[i] for the block at b + offsets[i].
typedef void vfx_sad_x4_fn(const uint8_t *_Nonnull a, ptrdiff_t a_stride, const uint8_t *_Nonnull b, ptrdiff_t b_stride,
                           const ptrdiff_t offsets[_Nonnull 4], uint32_t sums[_Nonnull 4]);

/// Sums over an 8×8 patch that a Gauss-Newton step needs; gradients are central differences, d/dx = (right − left),
/// twice the true slope, so the patch needs one readable sample around it.
typedef struct vfx_gradient_sums {
    int32_t xx, xy, yy; // sums of gx·gx, gx·gy, gy·gy
    int32_t x, y;       // sums of gx, gy
} vfx_gradient_sums;
typedef void vfx_gradient_fn(const uint8_t *_Nonnull src, ptrdiff_t stride, vfx_gradient_sums *_Nonnull out);

/// Difference of a patch and its counterpart sampled bilinearly.
typedef struct vfx_patch_sums {
    int32_t dx, dy; // sums of e·gx, e·gy
    int32_t d;      // sum of e
    int32_t abs;    // sum of |e|
} vfx_patch_sums;
/// e = ((32−fx)(32−fy)·b00 + fx(32−fy)·b01 + (32−fx)fy·b10 + fx·fy·b11 + 32 >> 6) − 16·a over 8×8 samples, that is 16
/// times the difference; 0 ≤ fx, fy < 32; gx, gy as for vfx_gradient_fn on a. Reads 9×9 samples at b, 10×10 at a − 1.
typedef void vfx_patch_fn(const uint8_t *_Nonnull a, ptrdiff_t a_stride, const uint8_t *_Nonnull b, ptrdiff_t b_stride,
                          int fx, int fy, vfx_patch_sums *_Nonnull out);

/// Sum of |p − q| over 8×8 samples, in 1/16: both sides sampled bilinearly as in vfx_patch_fn (each rounded to 1/16).
/// fractions = {afx, afy, bfx, bfy}. Reads 9×9 samples on both sides.
typedef uint32_t vfx_sad_subpixel_fn(const uint8_t *_Nonnull a, ptrdiff_t a_stride, const uint8_t *_Nonnull b,
                                     ptrdiff_t b_stride, const int fractions[_Nonnull 4]);

/// Cubic resampling of one row along a vector per pixel.
///
/// Pixel i of the row at (x0 + i, y) is read at that place plus (vx[i], vy[i])·scale/2^14, rounded to 1/32 pixel
/// ((v·scale + 2^13) >> 14) and clamped to x in [−margin, width−1+margin], y in [−margin, height−1+margin] (whole
/// pixels; the fraction is dropped where it clamps). `src` points at sample (0, 0) of a plane that can be read
/// margin + 2 samples beyond each edge and spans less than 2^31 samples. 4×4 taps of vfx_cubic_taps; 8-bit: columns first to (sum + 0) of 16 bits, then
/// rows, (sum + 2048) >> 12, clamped to 0…255.
typedef struct vfx_warp_source {
    const void *_Nonnull origin;
    ptrdiff_t stride;
    int width, height, margin;
} vfx_warp_source;
typedef void vfx_warp_row_fn(void *_Nonnull dst, const vfx_warp_source *_Nonnull src, int x0, int y, int count,
                             const int16_t *_Nonnull vx, const int16_t *_Nonnull vy, int scale, int maximum);

/// dst[i] = (a[i]·(256 − w[i]) + b[i]·w[i] + 128) >> 8, 0 ≤ w ≤ 256.
typedef void vfx_blend_row_fn(void *_Nonnull dst, const void *_Nonnull a, const void *_Nonnull b, const uint16_t *_Nonnull w,
                              int count);

/// One term of a weighted sum of moved blocks: weight·p[i] + weight_next·p[i + step], p = sources[source] + offset.
typedef struct vfx_gather_tap {
    int32_t source, offset, step;
    int16_t weight, weight_next;
} vfx_gather_tap;
/// dst = (sum of all taps + 8192) >> 14, clamped to 0…maximum, for a block of width × height samples, 1 ≤ width ≤ 8.
///
/// All weights of all taps add to 16384; their magnitudes to at most 24000. Rows of all sources are `stride` samples
/// apart; eight samples of each row are read, whatever the width. offset and step are in samples.
typedef void vfx_gather_block_fn(void *_Nonnull dst, ptrdiff_t dst_stride, int width, int height,
                                 const void *_Nonnull const sources[_Nonnull 3], ptrdiff_t stride,
                                 const vfx_gather_tap *_Nonnull taps, int count, int maximum);

/// Upsampling of a field of cells: one row of a plane from two rows of cells, linear between cell centres.
///
/// Cells are 2^side_log2 samples wide (0 ≤ side_log2 ≤ 6); beyond the first and last centre the value is constant.
/// Between two rows, r = (a·(256 − weight_b) + b·weight_b + 128) >> 8, 0 ≤ weight_b ≤ 256; between two centres k samples
/// apart of N = 2^side_log2, (r0·(2N − 2k − 1) + r1·(2k + 1)) divided by 2N·2^shift, rounded to nearest (halves up) and
/// saturated to 16 bits; −side_log2 ≤ shift ≤ 4.
/// Cells one sample wide are not interpolated along the row.
/// `scratch` holds `columns` values.
typedef void vfx_upsample_row_fn(int16_t *_Nonnull dst, int count, const int16_t *_Nonnull a, const int16_t *_Nonnull b,
                               int weight_b, int columns, int side_log2, int shift, int16_t *_Nonnull scratch);

/// State of one row of cells during sub-pixel refinement; one cell beyond either end and one row above and below can be
/// read. Rows are `stride` values apart.
typedef struct vfx_flow_row {
    const float *_Nonnull vx, *_Nonnull vy; // motion, samples
    const float *_Nonnull brightness;       // mean of the cell, grey levels
    const float *_Nonnull support;          // weight as a neighbour, 0 outside the picture
    const float *_Nonnull difference;       // mean absolute difference of the match, grey levels
    ptrdiff_t stride;
} vfx_flow_row;
/// Mean motion of each cell and its eight neighbours, weighted by support and by likeness of brightness, motion and
/// match. IEEE single precision, no contraction: the same bits on every level.
typedef void vfx_flow_average_row_fn(const vfx_flow_row *_Nonnull row, float *_Nonnull mean_x, float *_Nonnull mean_y, int columns);

/// Mean-normalised normal matrix of an 8×8 patch and the sums of its doubled slopes.
typedef struct vfx_flow_equation { float xx, xy, yy, x, y; } vfx_flow_equation;
/// Equations, mean brightness and support (0.02…1.02, by the smaller eigenvalue) of a row of 4×4 cells whose first cell
/// begins at `src`; patches reach 2 samples beyond the cell, gradients one more.
typedef void vfx_flow_prepare_row_fn(const uint8_t *_Nonnull src, ptrdiff_t stride, int columns, vfx_gradient_fn *_Nonnull gradient,
                                     vfx_flow_equation *_Nonnull equations, float *_Nonnull brightness, float *_Nonnull support);

/// What a patch measures at a motion: the sums of vfx_patch_sums, the motion as sampled, and the share of the patch that
/// lies inside the target (falling to 0 when 4 samples are outside).
typedef struct vfx_flow_patch { float dx, dy, d, abs, at_x, at_y, inside; } vfx_flow_patch;
/// Measures the patches of row `y` of cells, `src` as for vfx_flow_prepare_row_fn; `target->margin` is how far blocks may
/// lie outside, one sample more must be readable.
typedef void vfx_flow_measure_row_fn(const uint8_t *_Nonnull src, ptrdiff_t src_stride, const vfx_warp_source *_Nonnull target, int y,
                                     int columns, const float *_Nonnull vx, const float *_Nonnull vy, vfx_patch_fn *_Nonnull patch,
                                     vfx_flow_patch *_Nonnull out);
/// One Gauss-Newton step per cell with a pull towards the mean, at most one sample each way.
typedef void vfx_flow_solve_row_fn(const vfx_flow_patch *_Nonnull patches, const vfx_flow_equation *_Nonnull equations,
                                   const float *_Nonnull mean_x, const float *_Nonnull mean_y, float *_Nonnull vx, float *_Nonnull vy,
                                   float *_Nonnull difference, int columns, float pull);

/// Most frames of a group. Collaborative filtering: blocks that show the same thing form a group, whose three-dimensional
/// spectrum is shrunk (BM3D, Dabov et al. 2007; V-BM4D, Maggioni et al. 2012).
#define VFX_COLLABORATIVE_MAX_FRAMES 17
/// One frame of a group along a row of blocks.
typedef struct vfx_collaborative_frame {
    const void *_Nonnull origin;     // sample (0, y) of the frame, y the row of the blocks
    const void *_Nullable pilot;     // the same place of the basic estimate; nil in all frames or in none
    ptrdiff_t stride;
    const int16_t *_Nonnull vectors; // x and y of each block, whole samples; the frame is readable there
} vfx_collaborative_frame;
/// The groups of a row of 8×8 blocks, `step` samples apart (the last one ends with the row): each block with those that show
/// the same thing in other frames.
typedef struct vfx_collaborative_group {
    int frames, centre;              // 1…VFX_COLLABORATIVE_MAX_FRAMES; the one that is wanted
    int blocks, step, width;         // width: samples of the row, 8 or more
    const float *_Nonnull transform; // DCT-II of the frames, frames × frames, one basis function per row
    const float *_Nonnull sigma;     // standard deviation of the noise for each block, code values
    float threshold;                 // without a pilot: coefficients below threshold·sigma are dropped
    ptrdiff_t sum_stride;
    const vfx_collaborative_frame *_Nonnull frame;
} vfx_collaborative_group;
/// Adds the filtered blocks of the wanted frame, weighted by `window` (8×8) and by how little of the spectrum was needed,
/// to `num`, and the weights to `den`; both begin at the row's first sample. Spectra are three-dimensional DCTs; without a
/// pilot by hard thresholding, with one by Wiener's rule. When the wanted frame is the middle one,
/// functions of time that vanish there are left out. IEEE single precision, no contraction:
/// the same bits on every level.
typedef void vfx_collaborative_shrink_row_fn(const vfx_collaborative_group *_Nonnull group, const float *_Nonnull window, float *_Nonnull num,
                                     float *_Nonnull den);
/// For each block of the first of two frames: mean square of its high frequencies, half of that of the difference to the
/// second frame, and its mean.
typedef void vfx_collaborative_noise_row_fn(const vfx_collaborative_group *_Nonnull group, float *_Nonnull spatial, float *_Nonnull temporal,
                                    float *_Nonnull mean);
/// Aggregation: dst[x] = num[x] / den[x], rounded and limited to 0…maximum; den > 0.
typedef void vfx_collaborative_aggregate_row_fn(void *_Nonnull dst, const float *_Nonnull num, const float *_Nonnull den, int count, int maximum);

/// First half of resampling a plane: one row out of `taps` rows, an even number of them.
///
/// dst[x] = (Σ weights[k]·u_k[x] + 8192) >> 14, saturated to 16 bits, where u = (sample << up) − 2^(bits + up − 1) and
/// up = max(0, 14 − bits): half the range less, so that it is signed. The weights add to 16384, their magnitudes to at
/// most 40000. 8 ≤ bits ≤ 16; rows of one byte per sample have 8.
typedef void vfx_resample_column_fn(int16_t *_Nonnull dst, const void *_Nonnull const *_Nonnull rows,
                                    const int16_t *_Nonnull weights, int taps, int count, int bits);
/// Second half: each sample of a row out of `taps` values of the first half's from src + starts[x] on, taps a multiple of
/// 8, with weights of its own (taps for each x, adding up as above).
///
/// dst[x] = (Σ weights·src + 2^(bits + up + 13) + 2^(13 + up)) >> (14 + up), limited to what `bits` hold. starts and weights
/// are readable, and lead to readable values, for `count` rounded up to a multiple of 8.
typedef void vfx_resample_row_fn(void *_Nonnull dst, const int16_t *_Nonnull src, const int32_t *_Nonnull starts,
                                 const int16_t *_Nonnull weights, int taps, int count, int bits);

/// How far detail of the picture before is taken over: `most` (0…255 of 256) where it matches, half of that where the mean
/// difference is the standard deviation over `scale`.
typedef struct vfx_detail_transfer_trust { float most, scale; } vfx_detail_transfer_trust;
/// Weights of a row of samples, from 3×3 differences along the motion and the variance of 5×5 samples of luma; both are
/// readable that far round the row. `scratch` holds 3·(width + 4) values. With r² = (scale·(mean difference + 0.3))² over
/// the variance plus 2, dst = most / (1 + r⁴), rounded. IEEE single precision, no contraction: the same bits on every level.
typedef void vfx_detail_transfer_weight_row_fn(uint8_t *_Nonnull dst, const uint8_t *_Nonnull error, ptrdiff_t error_stride,
                                        const uint8_t *_Nonnull luma, ptrdiff_t luma_stride, int width,
                                        const vfx_detail_transfer_trust *_Nonnull trust, int32_t *_Nonnull scratch);
/// dst[x] = |a[x] − b[x]|.
typedef void vfx_detail_transfer_difference_row_fn(uint8_t *_Nonnull dst, const uint8_t *_Nonnull a, const uint8_t *_Nonnull b, int count);
/// dst[x] = (src[map[x]]·scale + 8192) >> 14, saturated to 16 bits, 0 ≤ scale < 65536; without a map src[x / 2], and dst
/// holds `count` rounded up to an even number.
typedef void vfx_detail_transfer_spread_row_fn(int16_t *_Nonnull dst, const int16_t *_Nonnull src, const int32_t *_Nullable map,
                                        int count, int scale);
/// detail[x] = weight[map[x]]·(moved[x] − here[x]), added to sums[map[x]]; without a map x / 2, and count is even.
typedef void vfx_detail_transfer_extract_row_fn(int32_t *_Nonnull detail, int32_t *_Nonnull sums, const void *_Nonnull moved,
                                        const void *_Nonnull here, const uint8_t *_Nonnull weight,
                                        const int32_t *_Nullable map, int count);
/// Where a sample lies between two means: weight/64 of the way from the one at `first` to the next.
typedef struct vfx_detail_transfer_place { int32_t first, weight; } vfx_detail_transfer_place;
/// dst[x] = here[x] + (detail[x] − low + 128) >> 8, limited to 0…maximum, low being the means interpolated at the sample's
/// place (rounded); without places a quarter of a mean's width to either side of x / 2, and count is even. One mean beyond
/// either end is readable.
typedef void vfx_detail_transfer_merge_row_fn(void *_Nonnull dst, const void *_Nonnull here, const int32_t *_Nonnull detail,
                                       const int32_t *_Nonnull mean, const vfx_detail_transfer_place *_Nullable places, int count,
                                       int maximum);

/// Cubic interpolation weights (Keys 1981) for each 1/32 pixel, four taps that add to 64.
extern const int8_t vfx_cubic_taps[32][4];

/// One slot per operation. C fills all of them; each instruction set then replaces what it does better.
typedef struct vfx_kernel_table {
    vfx_cpu_level level;
    vfx_downsample_fn *_Nonnull downsample;
    vfx_reduce_depth_fn *_Nonnull reduce_depth;
    vfx_sad_fn *_Nonnull sad_4x4;
    vfx_sad_fn *_Nonnull sad_8x8;
    vfx_sad_fn *_Nonnull sad_16x16;
    vfx_sad_x4_fn *_Nonnull sad_8x8_x4;
    vfx_sad_x4_fn *_Nonnull sad_16x16_x4;
    vfx_sad_fn *_Nonnull satd_4x4;
    vfx_sad_fn *_Nonnull satd_8x8;
    vfx_gradient_fn *_Nonnull gradient_8x8;
    vfx_patch_fn *_Nonnull patch_8x8;
    vfx_sad_subpixel_fn *_Nonnull sad_subpixel_8x8;
    vfx_flow_average_row_fn *_Nonnull flow_average_row;
    vfx_flow_prepare_row_fn *_Nonnull flow_prepare_row;
    vfx_flow_measure_row_fn *_Nonnull flow_measure_row;
    vfx_flow_solve_row_fn *_Nonnull flow_solve_row;
    vfx_upsample_row_fn *_Nonnull upsample_row;
    vfx_warp_row_fn *_Nonnull warp_row_8;
    vfx_warp_row_fn *_Nonnull warp_row_16;
    vfx_blend_row_fn *_Nonnull blend_row_8;
    vfx_blend_row_fn *_Nonnull blend_row_16;
    vfx_collaborative_shrink_row_fn *_Nonnull collaborative_shrink_row_8;
    vfx_collaborative_shrink_row_fn *_Nonnull collaborative_shrink_row_16;
    vfx_collaborative_noise_row_fn *_Nonnull collaborative_noise_row_8;
    vfx_collaborative_noise_row_fn *_Nonnull collaborative_noise_row_16;
    vfx_collaborative_aggregate_row_fn *_Nonnull collaborative_aggregate_row_8;
    vfx_collaborative_aggregate_row_fn *_Nonnull collaborative_aggregate_row_16;
    vfx_gather_block_fn *_Nonnull gather_block_8;
    vfx_gather_block_fn *_Nonnull gather_block_16;
    vfx_resample_column_fn *_Nonnull resample_column_8;
    vfx_resample_column_fn *_Nonnull resample_column_16;
    vfx_resample_row_fn *_Nonnull resample_row_8;
    vfx_resample_row_fn *_Nonnull resample_row_16;
    vfx_detail_transfer_weight_row_fn *_Nonnull detail_transfer_weight_row;
    vfx_detail_transfer_difference_row_fn *_Nonnull detail_transfer_difference_row;
    vfx_detail_transfer_spread_row_fn *_Nonnull detail_transfer_spread_row;
    vfx_detail_transfer_extract_row_fn *_Nonnull detail_transfer_extract_row_8;
    vfx_detail_transfer_extract_row_fn *_Nonnull detail_transfer_extract_row_16;
    vfx_detail_transfer_merge_row_fn *_Nonnull detail_transfer_merge_row_8;
    vfx_detail_transfer_merge_row_fn *_Nonnull detail_transfer_merge_row_16;
    vfx_superres_features_fn *_Nonnull superres_features;
    vfx_superres_output_fn *_Nonnull superres_output_8;
    vfx_superres_output_fn *_Nonnull superres_output_16;
    vfx_superres_input_transform_fn *_Nonnull superres_input_transform;
    vfx_superres_features_winograd_fn *_Nonnull superres_features_winograd;
    vfx_superres_pairs_fn *_Nonnull superres_pairs_8;
    vfx_superres_pairs_fn *_Nonnull superres_pairs_16;
} vfx_kernel_table;

/// The table for `level`, clamped to what the processor runs.
vfx_kernel_table vfx_kernels_make(vfx_cpu_level level);
#endif
