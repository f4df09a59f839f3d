#ifndef VFX_SUPERRES_WEIGHTS_H
#define VFX_SUPERRES_WEIGHTS_H
#include "../include/vfx_superres.h"

extern const vfx_superres_network vfx_superres_small, vfx_superres_large, vfx_superres_medium_compressed;
extern const vfx_superres_conditioned_network vfx_superres_image, vfx_superres_restoration,
    vfx_superres_restoration_light, vfx_superres_restoration_small;
#endif
