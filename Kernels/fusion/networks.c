#include "weights.h"

const vfx_fusion_network *vfx_fusion_network_of(vfx_fusion_model model)
{
    return model == VFX_FUSION_QUALITY ? &vfx_fusion_quality : &vfx_fusion_normal;
}
