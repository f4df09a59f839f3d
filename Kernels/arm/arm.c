#include "arm.h"
#if defined(__aarch64__)
#include "../internal/architecture.h"
#include <sys/auxv.h>

#define NEON(slot) VFX_VERSION(slot, vfx_##slot##_neon)
#define DOTPROD(slot) VFX_VERSION(slot, vfx_##slot##_dotprod)

// Every kernel is in one of the three lists.
#define COUNT(slot) +1
#define COUNT_KERNEL(slot, function) +1
_Static_assert((VFX_NEON_VERSIONS(COUNT) VFX_NEON_COMPILED(COUNT) VFX_NEON_PLAIN(COUNT)) == (VFX_KERNELS(COUNT_KERNEL)),
               "arm_versions.h lists other kernels than vfx_kernel_list.h");

static const vfx_version neon[] = {VFX_NEON_VERSIONS(NEON)};
static const vfx_version dotprod[] = {VFX_DOTPROD_VERSIONS(DOTPROD)};

/// Every 64-bit Arm processor that runs Linux has NEON.
static int has_neon(void) { return 1; }

/// Bit 20 of the hardware capabilities is HWCAP_ASIMDDP: SDOT and UDOT.
static int has_dotprod(void) { return getauxval(AT_HWCAP) >> 20 & 1; }

static const vfx_level levels[] = {
    VFX_LEVEL("neon", has_neon, neon),
    VFX_LEVEL("dotprod", has_dotprod, dotprod),
};

const vfx_architecture vfx_this_architecture = {levels, sizeof levels / sizeof *levels};
#endif
