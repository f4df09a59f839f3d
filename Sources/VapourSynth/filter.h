// One filter of the plug-in: an effect over a clip, whose results can be requested in any order.

#ifndef VFX_VAPOURSYNTH_FILTER_H
#define VFX_VAPOURSYNTH_FILTER_H

#include <VapourSynth4.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <vfx.h>

enum {
    // Source frames requested at once.
    BATCH = 8,
    // Results that are kept for requests that come out of order.
    KEPT_RESULTS = 32,
    // Source frames that are remembered until their results have come: look-ahead, neighbours and queues.
    KEPT_SOURCES = 64,
    MAXIMUM_OPTIONS = 12,
    MAXIMUM_TEXT = 512,
    // Bytes of a file that is passed as text.
    MAXIMUM_FILE = 65536
};

typedef struct Option {
    const char *key;
    char value[MAXIMUM_TEXT];
    // A longer value, which is freed with the filter; null if `value` is used.
    char *long_value;
} Option;

// How results are numbered: result n shows the source at position n / rate_num * rate_den, in source frames.
typedef struct Timing {
    int64_t rate_num, rate_den;
    // Durations of results are multiplied by this fraction before they become properties.
    int64_t duration_num, duration_den;
    // Whether all results last as long as the rate says, whatever their durations.
    bool is_constant;
    // The results that a run makes before those of the first source frame of a segment: those between it and the one before.
    int between;
} Timing;

typedef struct Result {
    int n;
    const VSFrame *frame;
} Result;

// A source frame that has been submitted.
typedef struct Submitted {
    VSMap *properties;
    // Guarded by the filter's `loans`, like the loan.
    const void *planes[3];
    // Null once the library has given the frame back.
    struct Loan *loan;
} Submitted;

typedef struct Filter {
    const VSAPI *vsapi;
    VSNode *node;
    VSVideoInfo source, output;
    const char *effect;
    Option options[MAXIMUM_OPTIONS];
    int option_count;
    Timing timing;
    // Source frames in a segment, and those before one with which a run has to begin.
    int32_t segment_length, lead;

    // The run in progress; 0 if there is none.
    vfx_stream stream;
    int next_source, next_result;
    bool is_finished;
    // The latest result, which waits for its successor to tell whether a scene ends with it.
    VSFrame *latest;
    Result results[KEPT_RESULTS];
    int next_slot;
    Submitted submitted[KEPT_SOURCES];
    // Source frames that have been fetched and not yet submitted, the first at `next_source`.
    const VSFrame *fetched[BATCH];
    int fetched_count;
    // Why a source frame was refused; null if none was.
    const char *refusal;
    // Source frames that the library has borrowed. It gives them back on threads of its own.
    atomic_int borrowed;
    pthread_mutex_t loans;
} Filter;

// The greatest common divisor of two numbers that are not negative; at least 1.
int64_t common_divisor(int64_t a, int64_t b);

// Checks the effect with its options, and fills in the size and format of the results. Returns null, or an error.
const char *filter_prepare(Filter *filter, VSCore *core);

// Frees a filter that has no run.
void filter_delete(Filter *filter);

// The filter's functions for VapourSynth.
const VSFrame *VS_CC filter_get_frame(
    int n, int reason, void *instance, void **frame_data, VSFrameContext *context, VSCore *core, const VSAPI *vsapi);
void VS_CC filter_free(void *instance, VSCore *core, const VSAPI *vsapi);

#endif
