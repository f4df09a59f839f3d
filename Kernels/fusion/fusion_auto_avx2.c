#include "../internal/versions.h"
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#define NAME(x) vfx_##x##_auto_avx2
#include "fusion_tmpl.h"
#undef NAME

#define PIXEL uint8_t
#define NAME(x) vfx_##x##_8_auto_avx2
#include "fusion_samples_tmpl.h"

#define PIXEL uint16_t
#define NAME(x) vfx_##x##_16_auto_avx2
#include "fusion_samples_tmpl.h"

#pragma clang attribute pop
#endif
