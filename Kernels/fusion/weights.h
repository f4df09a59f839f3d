#ifndef VFX_FUSION_WEIGHTS_H
#define VFX_FUSION_WEIGHTS_H
#include "../include/vfx_fusion.h"

extern const vfx_fusion_network vfx_fusion_small, vfx_fusion_large;
#endif
