#include "../x86/x86.h"
#define BLOCKS 2
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni"))), apply_to = function)

#define PIXEL uint8_t
#define NAME(x) vfx_##x##_8_auto_avx512
#include "collaborative_tmpl.h"

#define PIXEL uint16_t
#define NAME(x) vfx_##x##_16_auto_avx512
#include "collaborative_tmpl.h"

#pragma clang attribute pop
#endif
