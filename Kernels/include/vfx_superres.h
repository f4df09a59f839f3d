#ifndef VFX_SUPERRES_H
#define VFX_SUPERRES_H
#include <stddef.h>
#include <stdint.h>

// Small networks that double a picture or clean it at its size. They operate on rows of pairs. A pair is two signed
// 16-bit values in 32 bits: two channels of a feature map at one position or, for the input plane, a sample and its right
// neighbour. Samples are scaled to 16 bits and made signed: (v << (16 − depth)) − 32768.

/// One layer. Output o at x is bias[o] + Σ over s, k of source[s][x].k · weight(o, s, k), in 32 bits without overflow.
typedef struct vfx_superres_layer {
    const int16_t *_Nonnull weights; // [outputs / 4][sources][4][2]
    const int32_t *_Nonnull bias;
    const int16_t *_Nullable slopes; // of the activation for negative values, in 1/32768, above −1; NULL in the last layer
    int sources;                     // rows of pairs that the layer reads
    int outputs;                     // a multiple of four
    int shift;                       // 1…28
} vfx_superres_layer;

/// Rows are processed in steps of this many pairs: `count`, rounded up to a multiple of it, is readable and writable.
#define VFX_SUPERRES_STEP 64

/// Computes the features of a row: f = saturate16((sum + 2^(shift − 1)) >> shift), where negative f are replaced by
/// (f·slope + 16384) >> 15. Channels 2p and 2p + 1 are written to dst[p]. Returns 1 if the first `count` values of all
/// channels are within −2^14…2^14 − 1, so that they fit into the input transform below, else 0.
typedef int vfx_superres_features_fn(int32_t *_Nonnull const *_Nonnull dst, const int32_t *_Nonnull const *_Nonnull src,
                                    const vfx_superres_layer *_Nonnull layer, int count);

/// Computes the last layer: four output samples of `depth` bits (8, or 9…16 in the 16-bit version) for each position,
/// (sum + 2^(shift + 15) + 2^(s − 1)) >> s, s = shift + 16 − depth, limited to 0…2^depth − 1. Outputs 0 and 1 are
/// written next to each other to `upper`, 2 and 3 to `lower`; exactly 2·count samples are written to each.
typedef void vfx_superres_output_fn(void *_Nonnull upper, void *_Nonnull lower, const int32_t *_Nonnull const *_Nonnull src,
                                   const vfx_superres_layer *_Nonnull layer, int count, int depth);

/// A middle layer as a vertical Winograd F(2, 3) convolution: computes two rows at once, with a third fewer products
/// than computing them one by one. Instead of feature rows it reads the input transform of four rows: the two rows and
/// those directly above and below them. The transform has four parts, each with the positions and channels of a row.
/// With kernel rows g0, g1, g2, the weights of the parts are g0, g0 + g1 + g2, g0 − g1 + g2 and −g2.
typedef struct vfx_superres_winograd_layer {
    const int16_t *_Nonnull weights;          // [outputs / 4][4·sources][4][2]
    const vfx_superres_layer *_Nonnull layer; // all fields except weights and sources are used
    int sources;                              // rows of pairs in each of the four parts
} vfx_superres_winograd_layer;

/// Computes the input transform of four rows of features s0…s3: s0 − s2, s1 + s2, s2 − s1, s1 − s3. Features are within
/// −2^14…2^14 − 1, so the results fit into 16 bits. Each row consists of `pairs` rows of pairs, `src_pitch` apart. Row
/// of pairs p of part k is written to dst + (k·pairs + p)·dst_pitch. Rows are read and written in whole steps.
typedef void vfx_superres_input_transform_fn(int32_t *_Nonnull dst, ptrdiff_t dst_pitch,
                                             const int32_t *_Nonnull const *_Nonnull src, ptrdiff_t src_pitch, int pairs,
                                             int count);

/// Computes the features of both rows, as vfx_superres_features_fn does for one. Output transform: part 0 plus half of
/// parts 1 + 2 for the upper row, part 3 plus half of parts 1 − 2 for the lower row. Returns a bit mask: 1 if the upper
/// row fits into the input transform, 2 if the lower row does.
typedef int vfx_superres_features_winograd_fn(int32_t *_Nonnull const *_Nonnull upper,
                                              int32_t *_Nonnull const *_Nonnull lower,
                                              const int32_t *_Nonnull const *_Nonnull src,
                                              const vfx_superres_winograd_layer *_Nonnull winograd, int count);

/// Makes pairs of neighbouring samples, from (first, first + 1) to (first + count − 1, first + count). `row` has
/// `width` samples, of which the first and last are repeated beyond the ends; `first` may be negative. Reads only the
/// row, writes exactly `count` pairs.
typedef void vfx_superres_pairs_fn(int32_t *_Nonnull dst, const void *_Nonnull row, int width, int first, int count,
                                  int depth);

/// A trained network. The first layer reads pairs of input samples in 5 rows at dx = −2, 0, 2 (15 sources). The middle
/// layers read `channels` / 2 pairs at 3×3 positions, ordered by row, column and pair. The last layer reads the same as
/// a middle one, followed by the 15 sources of the first.
typedef struct vfx_superres_network {
    const char *_Nonnull name;
    int channels, middles;
    const vfx_superres_layer *_Nonnull layers; // middles + 2
    const int16_t *_Nonnull weights;          // of all layers, contiguous
    const int32_t *_Nonnull biases;
    const int16_t *_Nonnull slopes;
    int weight_count, bias_count, slope_count;
    uint64_t checksum; // FNV-1a, 64 bits, of weights, biases and slopes as little-endian bytes
} vfx_superres_network;

typedef enum vfx_superres_model {
    VFX_SUPERRES_SMALL = 0,
    VFX_SUPERRES_LARGE = 1,
    VFX_SUPERRES_MEDIUM_COMPRESSED = 2
} vfx_superres_model;

/// Returns the network of a model.
const vfx_superres_network *_Nonnull vfx_superres_network_of(vfx_superres_model model);

/// A network for many conditions. First and last layer, biases and slopes are sums of planes, each times a weight of the
/// condition; the middle layers are the same for all. A mixture of the planes is the network for one condition.
typedef struct vfx_superres_conditioned_network {
    const char *_Nonnull name;
    int channels, middles, planes;
    const int16_t *_Nonnull first;  // [planes], each as the weights of a layer
    const int16_t *_Nonnull middle; // [middles], likewise
    const int16_t *_Nonnull last;   // [planes], likewise
    const int32_t *_Nonnull biases; // [middles + 1][planes][channels]
    const int32_t *_Nonnull slopes; // [middles + 1][planes][channels], in 1/32768
    const int32_t *_Nonnull shifts; // [middles + 2]
    int first_count, middle_count, last_count, bias_count, slope_count, shift_count;
    uint64_t checksum; // FNV-1a, 64 bits, of all tables in this order as little-endian bytes
} vfx_superres_conditioned_network;

/// Returns the network that doubles single images.
const vfx_superres_conditioned_network *_Nonnull vfx_superres_image_network(void);

/// The networks that clean compressed pictures.
typedef enum {
    VFX_SUPERRES_RESTORATION_FULL,  ///< 32 channels, ten middle layers
    VFX_SUPERRES_RESTORATION_LIGHT, ///< 16 channels, six middle layers
    VFX_SUPERRES_RESTORATION_SMALL, ///< 8 channels, two middle layers
} vfx_superres_restoration_size;

/// Returns the network that cleans compressed pictures at their size. Each position stands for a block of 2×2 samples. Its
/// first layer reads 10 rows of samples, five pairs of each (50 sources), and its last layer the same after the features.
const vfx_superres_conditioned_network *_Nonnull vfx_superres_restoration_network(vfx_superres_restoration_size size);
#endif
