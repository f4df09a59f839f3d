#ifndef KERNEL_CASE_H
#define KERNEL_CASE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "include/kernel_cases.h"

/// A run of a case.
typedef struct kc_run {
    const vfx_kernel_table *c, *tested;
    uint64_t state; // of the generator
    uint64_t digest;
    struct kc_block *blocks; // memory of this run; the latest first
    char failure[256];
} kc_run;

/// A kernel's case. A file of cases defines a list of these, and cases.c names the list.
typedef struct kc_case {
    const char *slot;
    void (*compare)(kc_run *r);
    /// Prepares a typical call, makes it `calls` times with r->tested, and returns its units of work.
    int (*work)(kc_run *r, int calls);
} kc_case;

// Random numbers: SplitMix64, the same on every system.
uint64_t kc_next(kc_run *r);
/// A number from `low` to `high`, both included.
int kc_in(kc_run *r, int low, int high);
static inline bool kc_one_in(kc_run *r, int n) { return kc_in(r, 1, n) == 1; }
/// A vector whose components are from −span to span. The order in which arguments, operands and the elements of an
/// initialiser list are evaluated is unspecified, so at most one of them may draw numbers.
vfx_motion_vector kc_vector(kc_run *r, int span);

/// Widths with every remainder modulo the vector length, and some longer rows; ends with 0.
extern const int kc_widths[];

// Memory. All of it is released by kc_release() and at the end of the run.

/// `size` bytes between two inaccessible pages. They end at the following page, or begin after the preceding one.
void *kc_guarded(kc_run *r, size_t size, bool at_end);
/// A copy of `size` bytes that ends at an inaccessible page.
void *kc_copy(kc_run *r, const void *bytes, size_t size);
/// Releases all memory of the run, so that a long case can reuse it.
void kc_release(kc_run *r);

/// Contents of a source.
typedef enum kc_pattern {
    KC_RANDOM, KC_ZERO, KC_MAXIMUM, KC_EXTREMES, KC_CHECKERBOARD, KC_INVERSE_CHECKERBOARD, KC_COLUMNS, KC_ROWS, KC_RAMP,
    KC_PATTERNS
} kc_pattern;
kc_pattern kc_any_pattern(kc_run *r);

/// A source plane. No byte before the first or after the last sample of its rectangle is accessible.
typedef struct kc_plane {
    void *origin; // the sample (0, 0)
    ptrdiff_t stride; // in samples; negative in one plane of three
    int bytes; // per sample: 1 or 2
    int x0, x1, y0, y1; // the rectangle, without x1 and y1
} kc_plane;
/// Makes a plane with a random gap between rows, direction and adjacent guard page.
kc_plane kc_plane_make(kc_run *r, int bytes, int x0, int x1, int y0, int y1);
void kc_fill(kc_run *r, const kc_plane *plane, kc_pattern pattern, unsigned maximum);

/// Rows that C and the tested version write, with guard bytes around each.
typedef struct kc_output {
    uint8_t *wanted, *got; // the first sample of the first row
    ptrdiff_t pitch; // in bytes
    size_t size; // of each, guard bytes included
    uint8_t *wanted_start, *got_start;
} kc_output;
/// Makes outputs of `rows` rows of `row_bytes` bytes, misaligned by a random number of samples of `sample` bytes.
kc_output kc_output_make(kc_run *r, int row_bytes, int rows, int sample);
/// Compares the outputs, guard bytes included, and adds the tested version's bytes to the digest. A difference
/// becomes the failure of the run, with the text.
void kc_check(kc_run *r, const kc_output *output, const char *format, ...) __attribute__((format(printf, 3, 4)));
/// Compares two values, such as what kernels return.
void kc_check_value(kc_run *r, int64_t wanted, int64_t got, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#endif
