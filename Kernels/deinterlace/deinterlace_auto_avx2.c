#include "../x86/x86.h"
#include "../internal/power.h"
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#define NAME(x) vfx_##x##_auto_avx2
#include "deinterlace_weights_tmpl.h"
#undef NAME

#define SAMPLE uint8_t
#define MORE 4
#define NAME(x) vfx_##x##_8_auto_avx2
#include "deinterlace_tmpl.h"

#define SAMPLE uint16_t
#define MORE 0
#define NAME(x) vfx_##x##_16_auto_avx2
#include "deinterlace_tmpl.h"

#pragma clang attribute pop
#endif
