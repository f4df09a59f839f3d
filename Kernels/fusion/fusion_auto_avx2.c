#include "../x86/x86.h"
#include "../internal/power.h"
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#define NAME(x) vfx_##x##_auto_avx2
#include "fusion_tmpl.h"
#undef NAME

#define OUT uint8_t
#define EXTRA 4
#define NAME(x) vfx_##x##_12_to_8_auto_avx2
#include "fusion_blend_tmpl.h"

#define OUT uint16_t
#define EXTRA 0
#define NAME(x) vfx_##x##_16_auto_avx2
#include "fusion_blend_tmpl.h"

#pragma clang attribute pop
#endif
