#include "weights.h"

const vfx_fusion_network *vfx_fusion_network_of(vfx_fusion_model model)
{
    return model == VFX_FUSION_LARGE ? &vfx_fusion_large : &vfx_fusion_small;
}
