#include "weights.h"

const vfx_doubler_network *vfx_doubler_network_of(vfx_doubler_model model)
{
    switch (model) {
    case VFX_DOUBLER_QUALITY: return &vfx_doubler_quality;
    case VFX_DOUBLER_COMPRESSED: return &vfx_doubler_compressed;
    default: return &vfx_doubler_normal;
    }
}
