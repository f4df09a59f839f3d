#ifndef VFX_KERNEL_TABLE_H
#define VFX_KERNEL_TABLE_H
#include <stddef.h>
#include "vfx_blend.h"
#include "vfx_collaborative.h"
#include "vfx_cpu.h"
#include "vfx_detail_transfer.h"
#include "vfx_downsample.h"
#include "vfx_flow.h"
#include "vfx_kernel_list.h"
#include "vfx_lucas_kanade.h"
#include "vfx_motion_blur.h"
#include "vfx_reduce_depth.h"
#include "vfx_resample.h"
#include "vfx_sad.h"
#include "vfx_satd.h"
#include "vfx_superres.h"
#include "vfx_upsample.h"
#include "vfx_warp.h"

// What holds for every kernel, unless its contract says otherwise:
// - Widths, heights and counts are 1 or more. Strides are in samples of the plane they belong to and may be negative.
// - A pointer has the natural alignment of its type and no more. `void` rows are uint8_t in kernels that end in _8 and
//   uint16_t in those that end in _16.
// - Nothing but the named samples is read or written, not even to fill a register at the end of a row.
// - What is written overlaps neither what is read nor what else is written.
// - Samples that a contract limits to 0…maximum are limited by 2^depth − 1 of the picture: up to 255 or 65535.
// - Vectors are in 1/32 sample. >> of a negative number rounds towards minus infinity.
// - Every level writes the same bits as C, floats included. No kernel allocates, fails or keeps a state.

/// The kernels of one level.
#define VFX_KERNEL_MEMBER(slot, function, sse41, avx2, avx512) function *_Nonnull slot;
typedef struct vfx_kernel_table {
    vfx_cpu_level level;
    VFX_KERNELS(VFX_KERNEL_MEMBER)
} vfx_kernel_table;
#undef VFX_KERNEL_MEMBER

/// The table for `level`, or for the highest level that the processor runs if that is lower: C's version of every kernel,
/// replaced level by level.
vfx_kernel_table vfx_kernels_make(vfx_cpu_level level);

/// What kind of version a level adds; vfx_kernel_list.h explains the kinds.
typedef enum vfx_kernel_version { VFX_KERNEL_NONE, VFX_KERNEL_SIMD, VFX_KERNEL_AUTO } vfx_kernel_version;

/// An entry of the list, for tests and benchmarks that go through all kernels.
typedef struct vfx_kernel_slot {
    const char *_Nonnull name;
    size_t offset; // of the pointer in vfx_kernel_table
    vfx_kernel_version sse41, avx2, avx512;
} vfx_kernel_slot;
/// All entries of the list in its order; `count` receives their number.
const vfx_kernel_slot *_Nonnull vfx_kernel_slots(int *_Nonnull count);
#endif
