#define _POSIX_C_SOURCE 199309L
#include "filter.h"
#include "frames.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int64_t common_divisor(int64_t a, int64_t b) {
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a > 0 ? a : 1;
}

// The first source frame of a run whose results begin at a segment.
static int first_source_of(const Filter *filter, int segment) {
    return segment > 0 ? segment * filter->segment_length - filter->lead : 0;
}

static vfx_status create(Filter *filter, int segment, vfx_stream *stream) {
    vfx_option options[MAXIMUM_OPTIONS + 2];
    char text[16], first[16];
    int count = 0;
    for (; count < filter->option_count; count++) {
        const Option *option = &filter->options[count];
        options[count] = (vfx_option){option->key, option->long_value ? option->long_value : option->value};
    }
    snprintf(text, sizeof text, "%d", segment);
    snprintf(first, sizeof first, "%d", first_source_of(filter, segment));
    options[count++] = (vfx_option){"segment", text};
    options[count++] = (vfx_option){"first_frame", first};
    const VSVideoInfo *source = &filter->source;
    return vfx_create(
        filter->effect, source->width, source->height, subsampling_of(&source->format), source->format.bitsPerSample,
        options, count, stream);
}

// Fills in the format of the results, which differs from the source's for motion. Motion vectors are floating-point numbers
// that are no colors, so they come as three planes without a matrix.
static bool set_format(Filter *filter, const vfx_frame *result, VSCore *core) {
    VSVideoFormat *format = &filter->output.format;
    if (result->depth == VFX_DEPTH_VECTORS)
        return filter->vsapi->queryVideoFormat(format, cfRGB, stFloat, 32, 0, 0, core);
    if (result->depth == format->bitsPerSample && result->subsampling == subsampling_of(format)) return true;
    return filter->vsapi->queryVideoFormat(format, cfYUV, stInteger, result->depth, 0, 0, core);
}

const char *filter_prepare(Filter *filter, VSCore *core) {
    vfx_stream stream;
    vfx_frame result = {.struct_size = sizeof result};
    if (vfx_segments(&filter->segment_length, &filter->lead) != VFX_OK || create(filter, 0, &stream) != VFX_OK)
        return vfx_last_error();
    vfx_status status = vfx_describe(stream, &result);
    vfx_destroy(stream);
    if (status != VFX_OK) return "the result cannot be described";
    filter->output.width = result.width;
    filter->output.height = result.height;
    return set_format(filter, &result, core) ? NULL : "VapourSynth does not know the format of the result";
}

// The source frame that is shown at result n, or the last one before it.
static int source_of(const Filter *filter, int n) {
    int64_t source = (int64_t)n * filter->timing.rate_den / filter->timing.rate_num;
    return source < filter->source.numFrames ? (int)source : filter->source.numFrames - 1;
}

// The first result of a run from a segment on: at or after the segment's first source frame, or made along with it.
static int first_result_of(const Filter *filter, int segment) {
    int64_t num = (int64_t)segment * filter->segment_length * filter->timing.rate_num, den = filter->timing.rate_den;
    return (int)((num + den - 1) / den) - (segment > 0 ? filter->timing.between : 0);
}

static void close_stream(Filter *filter) {
    const VSAPI *vsapi = filter->vsapi;
    if (filter->stream) vfx_destroy(filter->stream);
    filter->stream = 0;
    for (int i = 0; i < filter->fetched_count; i++) vsapi->freeFrame(filter->fetched[i]);
    filter->fetched_count = 0;
    vsapi->freeFrame(filter->latest);
    filter->latest = NULL;
}

static vfx_status open_stream(Filter *filter, int n) {
    close_stream(filter);
    int segment = source_of(filter, n) / filter->segment_length;
    filter->next_source = first_source_of(filter, segment);
    filter->next_result = first_result_of(filter, segment);
    filter->is_finished = false;
    return create(filter, segment, &filter->stream);
}

// Keeps the latest result under its number, now that its successor is known.
static void keep_latest(Filter *filter, bool scene_ends) {
    if (!filter->latest) return;
    const VSAPI *vsapi = filter->vsapi;
    vsapi->mapSetInt(vsapi->getFramePropertiesRW(filter->latest), "_SceneChangeNext", scene_ends, maReplace);
    Result *slot = &filter->results[filter->next_slot];
    vsapi->freeFrame(slot->frame);
    *slot = (Result){filter->next_result - 1, filter->latest};
    filter->latest = NULL;
    filter->next_slot = (filter->next_slot + 1) % KEPT_RESULTS;
}

static const VSFrame *kept_result(const Filter *filter, int n) {
    for (int i = 0; i < KEPT_RESULTS; i++)
        if (filter->results[i].frame && filter->results[i].n == n)
            return filter->vsapi->addFrameRef(filter->results[i].frame);
    return NULL;
}

// Takes results until the one before `wanted` is complete, or until none is ready.
static vfx_status take_results(Filter *filter, int wanted, VSCore *core) {
    while (filter->next_result <= wanted + 1) {
        vfx_frame result = {.struct_size = sizeof result};
        vfx_status status = vfx_receive(filter->stream, &result);
        if (status == VFX_END) keep_latest(filter, false);
        if (status != VFX_OK) return status;
        keep_latest(filter, result.flags & VFX_FRAME_BEGINS_SCENE);
        filter->latest = make_result(filter, &result, source_of(filter, filter->next_result), core);
        filter->next_result++;
        vfx_release(result.id);
        if (!filter->latest) return VFX_ERROR_MEMORY;
    }
    return VFX_OK;
}

// Submits the frames that have been fetched, until result `wanted` is complete.
static vfx_status submit_fetched(Filter *filter, int wanted, VSCore *core) {
    int count = 0;
    vfx_status status = VFX_AGAIN;
    while (count < filter->fetched_count) {
        status = submit_frame(filter, filter->fetched[count], filter->next_source);
        if (status == VFX_OK) {
            filter->vsapi->freeFrame(filter->fetched[count++]);
            filter->next_source++;
        } else if (status == VFX_AGAIN) {
            status = take_results(filter, wanted, core);
            if (status == VFX_OK) break;
        }
        if (status < 0) break;
    }
    filter->fetched_count -= count;
    for (int i = 0; i < filter->fetched_count; i++) filter->fetched[i] = filter->fetched[i + count];
    return status;
}

static const VSFrame *fail(Filter *filter, VSFrameContext *context) {
    char text[MAXIMUM_TEXT];
    snprintf(text, sizeof text, "vfx: %s", filter->refusal ? filter->refusal : vfx_last_error());
    filter->refusal = NULL;
    filter->vsapi->setFilterError(text, context);
    close_stream(filter);
    return NULL;
}

// Takes over the source frames that were requested for this result, if the run has not moved on since.
static void fetch(Filter *filter, VSFrameContext *context) {
    int last = filter->next_source + BATCH < filter->source.numFrames ? filter->next_source + BATCH : filter->source.numFrames;
    for (int source = filter->next_source; source < last; source++)
        filter->fetched[filter->fetched_count++] = filter->vsapi->getFrameFilter(source, filter->node, context);
}

// Whether another run reaches result n sooner than the one in progress. A new run only looks for cuts before the place from
// which its results are due; that is about eight times as fast.
static bool needs_new_run(const Filter *filter, int n) {
    if (!filter->stream || filter->next_result - 1 > n) return true;
    // A request behind this one may follow, as from a script that shows two places at once; its result is still kept.
    if (n - filter->next_result < KEPT_RESULTS) return false;
    int now = source_of(filter, filter->next_result);
    int due = source_of(filter, n) / filter->segment_length * filter->segment_length;
    return due - now > filter->lead / 8;
}

// Returns result n, or null after an error or a request for more source frames.
static const VSFrame *advance(Filter *filter, int n, VSFrameContext *context, VSCore *core) {
    const VSFrame *found;
    if ((found = kept_result(filter, n))) return found;
    if (needs_new_run(filter, n) && open_stream(filter, n) != VFX_OK) return fail(filter, context);

    if (submit_fetched(filter, n, core) < 0) return fail(filter, context);
    if (filter->next_source == filter->source.numFrames && !filter->is_finished) {
        vfx_finish(filter->stream);
        filter->is_finished = true;
    }
    if (take_results(filter, n, core) < 0) return fail(filter, context);
    if ((found = kept_result(filter, n))) return found;
    if (filter->is_finished) {
        filter->vsapi->setFilterError("vfx: the clip has ended before this frame", context);
        return NULL;
    }
    for (int source = filter->next_source; source < filter->next_source + BATCH && source < filter->source.numFrames; source++)
        filter->vsapi->requestFrameFilter(source, filter->node, context);
    return NULL;
}

const VSFrame *VS_CC filter_get_frame(
    int n, int reason, void *instance, void **frame_data, VSFrameContext *context, VSCore *core, const VSAPI *vsapi) {
    (void)frame_data;
    (void)vsapi;
    Filter *filter = instance;
    if (reason == arError) return NULL;
    // No other result is worked on between a request and the call with its frames (fmFrameState).
    if (reason == arAllFramesReady && !filter->fetched_count) fetch(filter, context);
    return advance(filter, n, context, core);
}

void VS_CC filter_free(void *instance, VSCore *core, const VSAPI *vsapi) {
    (void)core;
    Filter *filter = instance;
    close_stream(filter);
    for (int i = 0; i < KEPT_RESULTS; i++) vsapi->freeFrame(filter->results[i].frame);
    for (int i = 0; i < KEPT_SOURCES; i++) vsapi->freeMap(filter->submitted[i].properties);
    // A thread of the library may still be leaving work that was dropped.
    const struct timespec pause = {.tv_nsec = 1000000};
    while (atomic_load(&filter->borrowed) > 0) nanosleep(&pause, NULL);
    filter_delete(filter);
}

void filter_delete(Filter *filter) {
    for (int i = 0; i < filter->option_count; i++) free(filter->options[i].long_value);
    filter->vsapi->freeNode(filter->node);
    pthread_mutex_destroy(&filter->loans);
    free(filter);
}
