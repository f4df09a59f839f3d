#ifndef VFX_SUPERRES_WEIGHTS_H
#define VFX_SUPERRES_WEIGHTS_H
#include "../include/vfx_superres.h"

extern const vfx_superres_network vfx_superres_normal, vfx_superres_quality, vfx_superres_compressed,
    vfx_superres_normal_compressed;
#endif
