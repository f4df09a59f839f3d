#include "weights.h"

const vfx_deinterlace_network *vfx_deinterlace_network_of(vfx_deinterlace_model model)
{
    return model == VFX_DEINTERLACE_LARGE ? &vfx_deinterlace_large : &vfx_deinterlace_small;
}
