#ifndef VFX_DOUBLER_WEIGHTS_H
#define VFX_DOUBLER_WEIGHTS_H
#include "../include/vfx_doubler.h"

extern const vfx_doubler_network vfx_doubler_normal, vfx_doubler_quality, vfx_doubler_compressed;
#endif
