#include "frames.h"
#include <stdlib.h>
#include <string.h>

int32_t subsampling_of(const VSVideoFormat *format) {
    if (format->sampleType != stInteger || format->bitsPerSample < 8 || format->bitsPerSample > 16) return 0;
    if (format->colorFamily == cfGray) return VFX_SUBSAMPLING_400;
    if (format->colorFamily != cfYUV) return 0;
    switch (format->subSamplingW * 10 + format->subSamplingH) {
        case 11: return VFX_SUBSAMPLING_420;
        case 10: return VFX_SUBSAMPLING_422;
        case 0: return VFX_SUBSAMPLING_444;
        default: return 0;
    }
}

// A frame that the library has borrowed.
typedef struct Loan {
    Filter *filter;
    Submitted *submitted;
    const VSFrame *frame;
} Loan;

static void end_loan(void *context) {
    Loan loan = *(Loan *)context;
    // Before the memory of the frame can become that of something else.
    pthread_mutex_lock(&loan.filter->loans);
    if (loan.submitted->loan == context) loan.submitted->loan = NULL;
    pthread_mutex_unlock(&loan.filter->loans);
    free(context);
    loan.filter->vsapi->freeFrame(loan.frame);
    atomic_fetch_sub(&loan.filter->borrowed, 1);
}

static int property(const VSAPI *vsapi, const VSMap *map, const char *key, int missing) {
    int error = 0, value = vsapi->mapGetIntSaturated(map, key, 0, &error);
    return error ? missing : value;
}

// Unknown code points count as unspecified, which is 2.
static int code_point(const VSAPI *vsapi, const VSMap *map, const char *key) {
    int value = property(vsapi, map, key, 2);
    return value < 0 || value > 255 ? 2 : value;
}

static void read_properties(const VSAPI *vsapi, const VSMap *map, vfx_frame *frame) {
    frame->matrix = code_point(vsapi, map, "_Matrix");
    frame->primaries = code_point(vsapi, map, "_Primaries");
    frame->transfer = code_point(vsapi, map, "_Transfer");
    // _Range counts limited as 0, the older _ColorRange counts full as 0.
    int range = property(vsapi, map, "_Range", -1), older = property(vsapi, map, "_ColorRange", -1);
    if (range < 0 && older >= 0) range = !older;
    frame->range = range == 0 ? VFX_RANGE_LIMITED : range == 1 ? VFX_RANGE_FULL : VFX_RANGE_UNSPECIFIED;
    int location = property(vsapi, map, "_ChromaLocation", -1);
    frame->chroma_location = location >= 0 && location <= 5 ? location + VFX_CHROMA_LEFT : VFX_CHROMA_UNSPECIFIED;
}

vfx_status submit_frame(Filter *filter, const VSFrame *frame, int n) {
    const VSAPI *vsapi = filter->vsapi;
    const VSMap *map = vsapi->getFramePropertiesRO(frame);
    // 1 is bottom field first, 2 top field first, as in the library.
    int fields = property(vsapi, map, "_FieldBased", 0);
    if (fields > 0 && strcmp(filter->effect, "deinterlace")) {
        filter->refusal =
            "the clip is interlaced (_FieldBased); deinterlace it first with vfx.Deinterlace, or process its frames as they "
            "are after std.SetFieldBased(0)";
        return VFX_ERROR_UNSUPPORTED;
    }
    const VSVideoInfo *source = &filter->source;
    vfx_frame input = {
        .struct_size = sizeof input, .width = source->width, .height = source->height,
        .subsampling = subsampling_of(&source->format), .depth = source->format.bitsPerSample,
        .time = n * source->fpsDen, .time_scale = (int32_t)source->fpsNum, .duration = source->fpsDen,
        .duration_scale = (int32_t)source->fpsNum, .field_order = fields == 1 || fields == 2 ? fields : 0,
        .release = end_loan};
    for (int plane = 0; plane < source->format.numPlanes; plane++) {
        input.planes[plane] = vsapi->getReadPtr(frame, plane);
        input.strides[plane] = vsapi->getStride(frame, plane);
    }
    read_properties(vsapi, map, &input);
    Loan *loan = malloc(sizeof *loan);
    if (!loan) return VFX_ERROR_MEMORY;
    Submitted *kept = &filter->submitted[n % KEPT_SOURCES];
    *loan = (Loan){filter, kept, vsapi->addFrameRef(frame)};
    input.context = loan;
    vsapi->freeMap(kept->properties);
    kept->properties = vsapi->createMap();
    vsapi->copyMap(map, kept->properties);
    pthread_mutex_lock(&filter->loans);
    for (int plane = 0; plane < 3; plane++) kept->planes[plane] = input.planes[plane];
    kept->loan = loan;
    pthread_mutex_unlock(&filter->loans);
    atomic_fetch_add(&filter->borrowed, 1);
    vfx_status status = vfx_submit(filter->stream, &input);
    if (status != VFX_OK) end_loan(loan);
    return status;
}

// Sets or removes a property.
static void set(const VSAPI *vsapi, VSMap *map, const char *key, bool is_known, int64_t value) {
    if (is_known) vsapi->mapSetInt(map, key, value, maReplace);
    else vsapi->mapDeleteKey(map, key);
}

static void write_properties(Filter *filter, const vfx_frame *result, VSMap *map) {
    const VSAPI *vsapi = filter->vsapi;
    set(vsapi, map, "_Matrix", result->matrix != 2, result->matrix);
    set(vsapi, map, "_Primaries", result->primaries != 2, result->primaries);
    set(vsapi, map, "_Transfer", result->transfer != 2, result->transfer);
    set(vsapi, map, "_ChromaLocation", result->chroma_location > 0, result->chroma_location - VFX_CHROMA_LEFT);
    if (!strcmp(filter->effect, "deinterlace")) vsapi->mapSetInt(map, "_FieldBased", 0, maReplace);
    // Drawings of motion have a range of their own, and vectors have none.
    if (!strcmp(filter->effect, "flow")) {
        set(vsapi, map, "_Range", result->range != VFX_RANGE_UNSPECIFIED, result->range == VFX_RANGE_FULL);
        set(vsapi, map, "_ColorRange", result->range != VFX_RANGE_UNSPECIFIED, result->range == VFX_RANGE_LIMITED);
    }
    if (filter->timing.is_constant) {
        vsapi->mapSetInt(map, "_DurationNum", filter->output.fpsDen, maReplace);
        vsapi->mapSetInt(map, "_DurationDen", filter->output.fpsNum, maReplace);
    } else if (result->duration_scale > 0 && filter->output.fpsNum > 0) {
        int64_t duration = result->duration * filter->timing.duration_num;
        int64_t scale = result->duration_scale * filter->timing.duration_den, common = common_divisor(duration, scale);
        vsapi->mapSetInt(map, "_DurationNum", duration / common, maReplace);
        vsapi->mapSetInt(map, "_DurationDen", scale / common, maReplace);
    }
    // The time in the source is not the time in the result.
    if (filter->timing.rate_num != filter->timing.rate_den) vsapi->mapDeleteKey(map, "_AbsoluteTime");
    vsapi->mapSetInt(map, "_SceneChangePrev", result->flags & VFX_FRAME_BEGINS_SCENE ? 1 : 0, maReplace);
    vsapi->mapSetInt(map, "_SceneChangeNext", 0, maReplace);
}

// Returns a new reference to the source frame whose samples a result has; null if it has its own. All planes count, since
// frames may share some of them.
static const VSFrame *untouched(Filter *filter, const vfx_frame *result) {
    int count = filter->source.format.numPlanes;
    const VSFrame *found = NULL;
    pthread_mutex_lock(&filter->loans);
    for (int i = 0; i < KEPT_SOURCES && !found; i++) {
        const Submitted *kept = &filter->submitted[i];
        bool is_same = kept->loan != NULL;
        for (int plane = 0; plane < count; plane++) is_same = is_same && kept->planes[plane] == result->planes[plane];
        if (is_same) found = filter->vsapi->addFrameRef(kept->loan->frame);
    }
    pthread_mutex_unlock(&filter->loans);
    return found;
}

static VSFrame *copy_samples(const Filter *filter, const vfx_frame *result, VSCore *core) {
    const VSAPI *vsapi = filter->vsapi;
    const VSVideoInfo *output = &filter->output;
    VSFrame *frame = vsapi->newVideoFrame(&output->format, output->width, output->height, NULL, core);
    if (!frame) return NULL;
    for (int plane = 0; plane < output->format.numPlanes; plane++) {
        size_t bytes = (size_t)vsapi->getFrameWidth(frame, plane) * output->format.bytesPerSample;
        int height = vsapi->getFrameHeight(frame, plane);
        ptrdiff_t stride = vsapi->getStride(frame, plane);
        uint8_t *to = vsapi->getWritePtr(frame, plane);
        const uint8_t *from = result->planes[plane];
        for (int y = 0; y < height; y++, to += stride, from += result->strides[plane]) memcpy(to, from, bytes);
    }
    return frame;
}

VSFrame *make_result(Filter *filter, const vfx_frame *result, int source, VSCore *core) {
    const VSAPI *vsapi = filter->vsapi;
    const VSFrame *same = untouched(filter, result);
    VSFrame *frame = same ? vsapi->copyFrame(same, core) : copy_samples(filter, result, core);
    vsapi->freeFrame(same);
    if (!frame) return NULL;
    VSMap *map = vsapi->getFramePropertiesRW(frame), *kept = filter->submitted[source % KEPT_SOURCES].properties;
    vsapi->clearMap(map);
    if (kept) vsapi->copyMap(kept, map);
    write_properties(filter, result, map);
    return frame;
}
