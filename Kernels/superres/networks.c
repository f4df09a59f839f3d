#include "weights.h"

const vfx_superres_network *vfx_superres_network_of(vfx_superres_model model)
{
    switch (model) {
    case VFX_SUPERRES_LARGE: return &vfx_superres_large;
    case VFX_SUPERRES_MEDIUM_COMPRESSED: return &vfx_superres_medium_compressed;
    default: return &vfx_superres_small;
    }
}

const vfx_superres_conditioned_network *vfx_superres_image_network(void) { return &vfx_superres_image; }

const vfx_superres_conditioned_network *vfx_superres_restoration_network(vfx_superres_restoration_size size)
{
    switch (size) {
    case VFX_SUPERRES_RESTORATION_LIGHT: return &vfx_superres_restoration_light;
    case VFX_SUPERRES_RESTORATION_SMALL: return &vfx_superres_restoration_small;
    default: return &vfx_superres_restoration;
    }
}
