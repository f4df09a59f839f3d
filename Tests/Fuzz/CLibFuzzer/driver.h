// libFuzzer's entry point for programs with their own main; the compiler does not come with a header for it.
#ifndef VFX_LIBFUZZER_DRIVER_H
#define VFX_LIBFUZZER_DRIVER_H
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *data, size_t size));
#endif
