// libFuzzer's way in for programs that have a main of their own; no header of it comes with the compiler.
#ifndef VFX_LIBFUZZER_DRIVER_H
#define VFX_LIBFUZZER_DRIVER_H
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *data, size_t size));
#endif
