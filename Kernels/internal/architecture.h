#ifndef VFX_ARCHITECTURE_H
#define VFX_ARCHITECTURE_H
#include "versions.h"

// What the folder of an architecture (x86/, arm/) defines: its levels above C, in ascending order, and which kernels each
// replaces.

typedef void vfx_any_function(void);

/// A version of a kernel: where its pointer belongs in the table, and the function.
typedef struct vfx_version {
    size_t offset; // in vfx_kernel_table
    vfx_any_function *function;
} vfx_version;

typedef struct vfx_level {
    const char *name; // for VFX_CPU
    int (*is_supported)(void); // by this processor, given that it supports all levels below
    const vfx_version *versions;
    int count;
} vfx_level;

typedef struct vfx_architecture {
    const vfx_level *levels;
    int count;
} vfx_architecture;

/// The architecture that this is compiled for, defined in its folder; dispatch.c defines one without levels for all others.
#pragma GCC visibility push(hidden)
extern const vfx_architecture vfx_this_architecture;
#pragma GCC visibility pop

/// An entry of a level's versions, and a level.
#define VFX_VERSION(slot, symbol) {offsetof(vfx_kernel_table, slot), (vfx_any_function *)symbol},
#define VFX_LEVEL(name, is_supported, versions) {name, is_supported, versions, sizeof versions / sizeof *versions}
#endif
