#include "vfx_kernels.h"
#include "vfx_memory.h"
