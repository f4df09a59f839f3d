#ifndef KERNEL_CASES_H
#define KERNEL_CASES_H
#include <stdint.h>
#include "Kernels.h"

// The comparison of every kernel with its plain C version, in C, so that it also runs where Swift does not:
// KernelsTests runs the cases on the levels of the test machine, driver/driver.c on those of another architecture under
// emulation. The inputs depend only on the seed, so that the digests of all levels and architectures are equal.

/// Returns a description of the first difference between the kernel at `level` and plain C, or NULL if there is none.
/// Memory that a kernel may not touch is inaccessible or compared.
///
/// - Parameters:
///   - slot: the name of a kernel in the list.
///   - level: a level that the processor supports; plain C is compared with itself.
///   - seed: seed of the inputs.
///   - digest: receives a checksum of all outputs.
/// - Returns: the description, valid until the next call on the same thread.
const char *_Nullable kernel_case_run(const char *_Nonnull slot, int level, uint64_t seed, uint64_t *_Nonnull digest);

/// Whether the kernel has a case.
int kernel_case_exists(const char *_Nonnull slot);

/// Runs a typical call of the kernel `calls` times, to count its instructions.
/// - Returns: the units of work of one call (pixels, cells or blocks); 0 if the kernel has no such workload.
int kernel_case_work(const char *_Nonnull slot, int level, int calls);
#endif
