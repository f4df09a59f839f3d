#ifndef VFX_SUPERRES_H
#define VFX_SUPERRES_H
#include <stddef.h>
#include <stdint.h>

// A small ×2 super-resolution network on rows of pairs. A pair is two signed 16-bit values side by side in 32 bits: two
// channels of a feature map at one place, or, for the picture itself, a sample and its right neighbour. Samples are offset
// binary in 16 bits: (v << (16 − depth)) − 32768.

/// One layer. Output o at x is bias[o] + Σ over s, k of source[s][x].k · weight(o, s, k), in 32 bits without overflow.
typedef struct vfx_superres_layer {
    const int16_t *_Nonnull weights; // [outputs / 4][sources][4][2]
    const int32_t *_Nonnull bias;
    const int16_t *_Nullable slopes; // for negative values, in 1/32768; nil in the last layer
    int sources;                     // rows of pairs that it reads
    int outputs;                     // a multiple of four
    int shift;                       // 1…28
} vfx_superres_layer;

/// Rows are read and written in steps of this many pairs: that much must be accessible, `count` rounded up.
#define VFX_SUPERRES_STEP 64

/// Features of a row: f = saturate16((sum + 2^(shift − 1)) >> shift), then f < 0 ? (f·slope + 16384) >> 15 : f.
/// Channels 2p and 2p + 1 go to dst[p]. Returns 1 when the first `count` of all fit the input transform below, that is lie
/// within −2^14…2^14 − 1, else 0.
typedef int vfx_superres_features_fn(int32_t *_Nonnull const *_Nonnull dst, const int32_t *_Nonnull const *_Nonnull src,
                                    const vfx_superres_layer *_Nonnull layer, int count);

/// The four samples that each place becomes, of `depth` bits (8, or 9…16 for the 16-bit version), from the last layer:
/// (sum + 2^(shift + 15) + 2^(s − 1)) >> s, s = shift + 16 − depth, limited to 0…2^depth − 1. Outputs 0 and 1 go to
/// `upper`, 2 and 3 to `lower`, side by side; exactly 2·count samples are written to each.
typedef void vfx_superres_output_fn(void *_Nonnull upper, void *_Nonnull lower, const int32_t *_Nonnull const *_Nonnull src,
                                   const vfx_superres_layer *_Nonnull layer, int count, int depth);

/// A middle layer by Winograd's F(2, 3) down the columns: two rows at once, with a third fewer products than one by one.
/// Instead of rows it reads the input transform of the four rows round the two, each of its four parts at the places and
/// channels of a row. With kernel rows g0, g1, g2 the parts' weights are g0, g0 + g1 + g2, g0 − g1 + g2 and −g2.
typedef struct vfx_superres_winograd_layer {
    const int16_t *_Nonnull weights;          // [outputs / 4][4·sources][4][2]
    const vfx_superres_layer *_Nonnull layer; // all but its weights and sources
    int sources;                              // rows of pairs in each of the four parts
} vfx_superres_winograd_layer;

/// The input transform of four rows of features that fit it, of `pairs` rows of pairs `src_pitch` apart each: s0 − s2,
/// s1 + s2, s2 − s1, s1 − s3, which do not overflow 16 bits. Pair p of part k goes to dst + (k·pairs + p)·dst_pitch. Rows
/// are read and written in whole steps.
typedef void vfx_superres_input_transform_fn(int32_t *_Nonnull dst, ptrdiff_t dst_pitch,
                                             const int32_t *_Nonnull const *_Nonnull src, ptrdiff_t src_pitch, int pairs,
                                             int count);

/// Both rows' features, as vfx_superres_features_fn makes them. Output transform: part 0 and half of parts 1 + 2 for the
/// upper row, part 3 and half of parts 1 − 2 for the lower. Returns 1 when the upper row fits the input transform plus 2
/// when the lower one does.
typedef int vfx_superres_features_winograd_fn(int32_t *_Nonnull const *_Nonnull upper,
                                              int32_t *_Nonnull const *_Nonnull lower,
                                              const int32_t *_Nonnull const *_Nonnull src,
                                              const vfx_superres_winograd_layer *_Nonnull winograd, int count);

/// Pairs of row samples first … first + count, `row` of `width` samples being repeated beyond its ends; first may be
/// negative. Reads nothing outside the row, writes exactly `count` pairs.
typedef void vfx_superres_pairs_fn(int32_t *_Nonnull dst, const void *_Nonnull row, int width, int first, int count,
                                  int depth);

/// A trained network: the first layer reads 5 rows of picture pairs at dx = −2, 0, 2 (15 sources); the middle ones 3×3
/// places of `channels` / 2 pairs, rows first, then columns, then pairs; the last one likewise, and after them the
/// picture like the first.
typedef struct vfx_superres_network {
    const char *_Nonnull name;
    int channels, middles;
    const vfx_superres_layer *_Nonnull layers; // middles + 2
    const int16_t *_Nonnull weights;          // all layers' one after another
    const int32_t *_Nonnull biases;
    const int16_t *_Nonnull slopes;
    int weight_count, bias_count, slope_count;
    uint64_t checksum; // FNV-1a, 64 bits, of weights, biases and slopes as little-endian bytes
} vfx_superres_network;

typedef enum vfx_superres_model {
    VFX_SUPERRES_NORMAL = 0,
    VFX_SUPERRES_QUALITY = 1,
    VFX_SUPERRES_COMPRESSED = 2
} vfx_superres_model;

/// The network of a model.
const vfx_superres_network *_Nonnull vfx_superres_network_of(vfx_superres_model model);
#endif
