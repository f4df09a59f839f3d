#include "weights.h"

const vfx_superres_network *vfx_superres_network_of(vfx_superres_model model)
{
    switch (model) {
    case VFX_SUPERRES_QUALITY: return &vfx_superres_quality;
    case VFX_SUPERRES_COMPRESSED: return &vfx_superres_compressed;
    case VFX_SUPERRES_NORMAL_COMPRESSED: return &vfx_superres_normal_compressed;
    default: return &vfx_superres_normal;
    }
}
