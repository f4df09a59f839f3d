#include "../x86/x86.h"
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#define PIXEL uint8_t
#define LANE int16_t
#define SUM uint16_t
#define NAME(x) vfx_##x##_8_auto_avx2
#include "combing_tmpl.h"

#define PIXEL uint16_t
#define LANE int32_t
#define SUM uint32_t
#define NAME(x) vfx_##x##_16_auto_avx2
#include "combing_tmpl.h"

#pragma clang attribute pop
#endif
