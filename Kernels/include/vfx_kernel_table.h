#ifndef VFX_KERNEL_TABLE_H
#define VFX_KERNEL_TABLE_H
#include <stddef.h>
#include "vfx_bilateral_match.h"
#include "vfx_blend.h"
#include "vfx_block_search.h"
#include "vfx_collaborative.h"
#include "vfx_combing.h"
#include "vfx_cpu.h"
#include "vfx_deinterlace.h"
#include "vfx_detail_transfer.h"
#include "vfx_displace.h"
#include "vfx_downsample.h"
#include "vfx_flow.h"
#include "vfx_flow_median.h"
#include "vfx_fusion.h"
#include "vfx_kernel_list.h"
#include "vfx_motion_blur.h"
#include "vfx_occlusion_fill.h"
#include "vfx_reduce_depth.h"
#include "vfx_resample.h"
#include "vfx_sad.h"
#include "vfx_satd.h"
#include "vfx_splat.h"
#include "vfx_subdivision.h"
#include "vfx_superres.h"
#include "vfx_upsample.h"
#include "vfx_vector_median.h"
#include "vfx_visibility.h"
#include "vfx_warp.h"

// These rules apply to every kernel unless its contract says otherwise:
// - Widths, heights and counts are 1 or more. Strides are in samples of the plane they belong to and may be negative.
// - Pointers have only the natural alignment of their type. `void` rows are uint8_t in kernels whose names end in _8
//   and uint16_t in those that end in _16.
// - Only the specified samples are read or written, even where the end of a row does not fill a register.
// - Outputs overlap neither inputs nor other outputs.
// - `maximum` is 2^depth − 1 for the bit depth of the frame: at most 255 in _8 kernels and 65535 in _16 kernels.
// - Vectors are in 1/32 sample. >> of a negative number rounds towards minus infinity.
// - Every level produces the same bits as C, including floats. Kernels do not allocate memory, fail or keep state.

/// The kernels of one level.
#define VFX_KERNEL_MEMBER(slot, function) function *_Nonnull slot;
typedef struct vfx_kernel_table {
    int level; // see vfx_cpu.h
    VFX_KERNELS(VFX_KERNEL_MEMBER)
} vfx_kernel_table;
#undef VFX_KERNEL_MEMBER

/// Returns the table for `level`, or for the highest level that the processor supports if that is lower. For each
/// kernel, the table contains its version for that level or, if there is none, for the next lower level that has one.
/// - Parameter level: 0 or more.
vfx_kernel_table vfx_kernels_make(int level);

/// An entry of the list, for tests and benchmarks that iterate over all kernels.
typedef struct vfx_kernel_slot {
    const char *_Nonnull name;
    size_t offset; // of the pointer in vfx_kernel_table
} vfx_kernel_slot;
/// Returns all entries of the list in order; `count` receives their number.
const vfx_kernel_slot *_Nonnull vfx_kernel_slots(int *_Nonnull count);
/// Returns whether a level has a version of the kernel that no level below it has.
/// - Parameter level: 0…vfx_cpu_level_count() − 1.
int vfx_kernel_has_version(const vfx_kernel_slot *_Nonnull slot, int level);
#endif
