#ifndef VFX_DEINTERLACE_WEIGHTS_H
#define VFX_DEINTERLACE_WEIGHTS_H
#include "../include/vfx_deinterlace.h"

extern const vfx_deinterlace_network vfx_deinterlace_small, vfx_deinterlace_large;
#endif
