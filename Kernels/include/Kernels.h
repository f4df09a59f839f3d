#include "vfx_memory.h"
