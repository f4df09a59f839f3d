// The VapourSynth plug-in: reads the arguments of each function and creates its filter.

#include "filter.h"
#include "frames.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The function that is called, with its arguments and its result.
typedef struct Call {
    const VSMap *in;
    VSMap *out;
    VSCore *core;
    const VSAPI *vsapi;
    Filter *filter;
} Call;

static void add_option(Call *call, const char *key, const char *value) {
    Option *option = &call->filter->options[call->filter->option_count++];
    option->key = key;
    snprintf(option->value, sizeof option->value, "%s", value);
}

static void pass_text(Call *call, const char *argument, const char *key) {
    int error = 0;
    const char *value = call->vsapi->mapGetData(call->in, argument, 0, &error);
    if (!error) add_option(call, key, value);
}

static void pass_int(Call *call, const char *argument, const char *key) {
    int error = 0;
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)call->vsapi->mapGetInt(call->in, argument, 0, &error));
    if (!error) add_option(call, key, text);
}

static void pass_flag(Call *call, const char *argument, const char *key) {
    int error = 0;
    int64_t value = call->vsapi->mapGetInt(call->in, argument, 0, &error);
    if (!error) add_option(call, key, value ? "true" : "false");
}

static void pass_float(Call *call, const char *argument, const char *key) {
    int error = 0;
    char text[64], *comma;
    snprintf(text, sizeof text, "%.9g", call->vsapi->mapGetFloat(call->in, argument, 0, &error));
    // The host may have set a language with a decimal comma.
    if ((comma = strchr(text, ','))) *comma = '.';
    if (!error) add_option(call, key, text);
}

// Passes a text that may be long, such as the name of a file. Returns false if there is no memory for it.
static bool pass_long_text(Call *call, const char *argument, const char *key) {
    int error = 0;
    const char *value = call->vsapi->mapGetData(call->in, argument, 0, &error);
    if (error) return true;
    char *copy = malloc(strlen(value) + 1);
    if (!copy) return false;
    add_option(call, key, "");
    call->filter->options[call->filter->option_count - 1].long_value = strcpy(copy, value);
    return true;
}

static void refuse(Call *call, const char *function, const char *reason) {
    char text[MAXIMUM_TEXT];
    snprintf(text, sizeof text, "%s: %s", function, reason);
    call->vsapi->mapSetError(call->out, text);
    filter_delete(call->filter);
}

// Passes the areas of the source that are kept. Returns false after an error.
static bool pass_areas(Call *call, const char *function) {
    if (pass_long_text(call, "hold_rects", "hold_rects")) return true;
    refuse(call, function, "there is not enough memory");
    return false;
}

// Returns why a clip cannot be processed; null if it can.
static const char *unsupported(const VSVideoInfo *info, bool needs_rate) {
    if (info->format.colorFamily == cfUndefined || info->width == 0)
        return "the clip has a variable format or size; both must be constant";
    if (info->format.colorFamily == cfRGB) return "the clip is RGB; convert it to YUV or grey first";
    if (!subsampling_of(&info->format))
        return "the format is not supported; it is YUV 4:2:0, 4:2:2 or 4:4:4 or grey with 8 to 16 bits per sample";
    if (needs_rate && (info->fpsNum <= 0 || info->fpsDen <= 0))
        return "the clip has no constant frame rate; set one with std.AssumeFPS";
    if (info->fpsNum > INT32_MAX) return "the frame rate is too fine a fraction";
    return NULL;
}

// Starts a call. Returns false after an error.
static bool begin(Call *call, const char *function, const char *effect, bool needs_rate) {
    call->filter = calloc(1, sizeof *call->filter);
    if (!call->filter) {
        call->vsapi->mapSetError(call->out, "vfx: there is not enough memory");
        return false;
    }
    Filter *filter = call->filter;
    pthread_mutex_init(&filter->loans, NULL);
    filter->vsapi = call->vsapi;
    filter->effect = effect;
    filter->node = call->vsapi->mapGetNode(call->in, "clip", 0, NULL);
    filter->source = filter->output = *call->vsapi->getVideoInfo(filter->node);
    filter->timing = (Timing){1, 1, 1, 1, false, 0};
    const char *reason = unsupported(&filter->source, needs_rate);
    if (reason) {
        refuse(call, function, reason);
        return false;
    }
    // Without a rate, times count frames.
    if (filter->source.fpsNum <= 0) filter->source.fpsNum = filter->source.fpsDen = 1;
    pass_text(call, "quality", "quality");
    pass_int(call, "threads", "threads");
    pass_float(call, "cut_threshold", "cut_threshold");
    return true;
}

static void end(Call *call, const char *function) {
    Filter *filter = call->filter;
    const char *reason = filter_prepare(filter, call->core);
    const VSVideoInfo *output = &filter->output;
    char text[MAXIMUM_TEXT];
    if (!reason && (output->width % (1 << output->format.subSamplingW) || output->height % (1 << output->format.subSamplingH))) {
        snprintf(text, sizeof text, "the result would have %dx%d pixels; with this chroma subsampling, VapourSynth needs even sizes",
            output->width, output->height);
        reason = text;
    }
    if (reason) {
        refuse(call, function, reason);
        return;
    }
    VSFilterDependency dependency = {filter->node, rpGeneral};
    // The engine behind a stream works on one result after the other, and a seek begins a new stream.
    call->vsapi->createVideoFilter(
        call->out, function, &filter->output, filter_get_frame, filter_free, fmFrameState, &dependency, 1, filter,
        call->core);
}

// Sets how many results there are per source frame, as a fraction. Returns false if the numbers are too large.
static bool set_rate(Filter *filter, int64_t num, int64_t den) {
    int64_t common = common_divisor(num, den);
    filter->timing.rate_num = num / common;
    filter->timing.rate_den = den / common;
    return filter->timing.rate_num <= INT32_MAX && filter->timing.rate_den <= INT32_MAX;
}

static void convert_rate(Call *call, const char *function) {
    Filter *filter = call->filter;
    int no_num = 0, no_den = 0;
    int64_t num = call->vsapi->mapGetInt(call->in, "num", 0, &no_num);
    int64_t den = call->vsapi->mapGetInt(call->in, "den", 0, &no_den);
    if (no_den) den = 1;
    if (no_num || num < 1 || den < 1 || num > INT32_MAX || den > INT32_MAX) {
        refuse(call, function, "num and den are the new frame rate as a fraction of positive 32-bit numbers, or phases is given");
        return;
    }
    char text[32];
    snprintf(text, sizeof text, "%lld/%lld", (long long)num, (long long)den);
    add_option(call, "fps", text);
    // num / den divided by the rate of the source, cancelled first so that the products fit.
    int64_t a = common_divisor(num, filter->source.fpsNum), b = common_divisor(filter->source.fpsDen, den);
    int64_t up = num / a * (filter->source.fpsDen / b), down = filter->source.fpsNum / a * (den / b);
    if (filter->source.fpsDen > INT32_MAX || !set_rate(filter, up, down)) {
        refuse(call, function, "the ratio of the frame rates is too fine a fraction");
        return;
    }
    // Half a frame counts as one; at least one frame remains.
    int64_t count = (2 * filter->source.numFrames * filter->timing.rate_num + filter->timing.rate_den) / (2 * filter->timing.rate_den);
    if (count > INT32_MAX) {
        refuse(call, function, "the result has more than 2147483647 frames");
        return;
    }
    filter->output.numFrames = count < 1 ? 1 : (int)count;
    int64_t reduced = common_divisor(num, den);
    filter->output.fpsNum = num / reduced;
    filter->output.fpsDen = den / reduced;
    end(call, function);
}

// Sets that each source frame is shown `count` times as often. Returns false after an error.
static bool multiply_frames(Call *call, const char *function, int64_t count) {
    Filter *filter = call->filter;
    int64_t frames = (filter->source.numFrames - 1) * count + 1;
    if (frames > INT32_MAX) {
        refuse(call, function, "the result has more than 2147483647 frames");
        return false;
    }
    filter->output.numFrames = (int)frames;
    return set_rate(filter, count, 1);
}

// Raises the frame rate of the result by as much as there are more frames, so that the speed stays the same.
static void raise_rate(Filter *filter) {
    int64_t num = filter->source.fpsNum * filter->timing.rate_num, common = common_divisor(num, filter->source.fpsDen);
    filter->output.fpsNum = num / common;
    filter->output.fpsDen = filter->source.fpsDen / common;
}

// Slow motion: each frame is followed by others. Returns false after an error.
static bool add_frames(Call *call, const char *function) {
    Filter *filter = call->filter;
    int no_factor = 0, no_phases = 0;
    int64_t count = call->vsapi->mapGetInt(call->in, "factor", 0, &no_factor);
    const char *phases = call->vsapi->mapGetData(call->in, "phases", 0, &no_phases);
    pass_int(call, "factor", "factor");
    pass_text(call, "phases", "phases");
    if (no_factor && !no_phases) {
        count = 2;
        for (; *phases; phases++) count += *phases == ',';
        if (strlen(filter->options[filter->option_count - 1].value) == MAXIMUM_TEXT - 1) {
            refuse(call, function, "the list of phases is too long");
            return false;
        }
    }
    // The library refuses other factors with a better message.
    if (count < 2 || count > 256) count = 2;
    return multiply_frames(call, function, count);
}

static void VS_CC interpolate(const VSMap *in, VSMap *out, void *data, VSCore *core, const VSAPI *vsapi) {
    const char *function = data;
    Call call = {in, out, core, vsapi, NULL};
    bool has_phases = vsapi->mapNumElements(in, "phases") > 0;
    if (!begin(&call, function, has_phases ? "slomo" : "rate", true) || !pass_areas(&call, function)) return;
    pass_text(&call, "at_cut", "at_cut");
    if (!has_phases) {
        convert_rate(&call, function);
        return;
    }
    if (vsapi->mapNumElements(in, "num") > 0 || vsapi->mapNumElements(in, "den") > 0) {
        refuse(&call, function, "num and den exclude phases");
        return;
    }
    if (!add_frames(&call, function)) return;
    // The durations of slow motion shrink.
    raise_rate(call.filter);
    call.filter->timing.duration_den = call.filter->timing.rate_num;
    end(&call, function);
}

static void VS_CC smooth(const VSMap *in, VSMap *out, void *data, VSCore *core, const VSAPI *vsapi) {
    Call call = {in, out, core, vsapi, NULL};
    if (!begin(&call, data, "smooth", true) || !pass_areas(&call, data)) return;
    pass_int(&call, "depth", "depth");
    pass_int(&call, "scale", "scale");
    pass_text(&call, "at_cut", "at_cut");
    int no_depth = 0;
    int64_t depth = vsapi->mapGetInt(in, "depth", 0, &no_depth);
    // The library refuses other depths with a better message.
    if (no_depth || depth < 1 || depth > 4) depth = 1;
    if (!multiply_frames(&call, data, 1 << depth)) return;
    raise_rate(call.filter);
    call.filter->timing.is_constant = true;
    call.filter->timing.between = (1 << depth) - 1;
    end(&call, data);
}

static void VS_CC slomo(const VSMap *in, VSMap *out, void *data, VSCore *core, const VSAPI *vsapi) {
    Call call = {in, out, core, vsapi, NULL};
    if (!begin(&call, data, "slomo", true) || !pass_areas(&call, data)) return;
    pass_text(&call, "at_cut", "at_cut");
    if (add_frames(&call, data)) end(&call, data);
}

static void VS_CC deinterlace(const VSMap *in, VSMap *out, void *data, VSCore *core, const VSAPI *vsapi) {
    Call call = {in, out, core, vsapi, NULL};
    int no_rate = 0;
    const char *rate = vsapi->mapGetData(in, "field_rate", 0, &no_rate);
    // The library refuses other words than these with a better message.
    bool doubles = no_rate || strcmp(rate, "frame");
    if (!begin(&call, data, "deinterlace", doubles)) return;
    pass_text(&call, "fields", "fields");
    pass_text(&call, "field_rate", "field_rate");
    pass_text(&call, "cadence", "cadence");
    if (doubles) {
        Filter *filter = call.filter;
        // The last frame has two fields, too.
        if (!multiply_frames(&call, data, 2)) return;
        if (filter->output.numFrames == INT32_MAX) {
            refuse(&call, data, "the result has more than 2147483647 frames");
            return;
        }
        filter->output.numFrames++;
        raise_rate(filter);
        filter->timing.is_constant = true;
    }
    end(&call, data);
}

static void VS_CC motion_blur(const VSMap *in, VSMap *out, void *data, VSCore *core, const VSAPI *vsapi) {
    Call call = {in, out, core, vsapi, NULL};
    if (!begin(&call, data, "blur", false) || !pass_areas(&call, data)) return;
    pass_int(&call, "strength", "strength");
    pass_flag(&call, "linear_light", "linear_light");
    end(&call, data);
}

// Passes the contents of a file. Returns false after an error.
static bool pass_file(Call *call, const char *function, const char *argument, const char *key) {
    int error = 0;
    const char *name = call->vsapi->mapGetData(call->in, argument, 0, &error);
    if (error) return true;
    char *contents = calloc(1, MAXIMUM_FILE + 2);
    FILE *file = fopen(name, "rb");
    size_t count = file && contents ? fread(contents, 1, MAXIMUM_FILE + 1, file) : 0;
    bool has_failed = !file || !contents || ferror(file);
    if (file) fclose(file);
    bool is_binary = !has_failed && count <= MAXIMUM_FILE && strlen(contents) != count;
    if (has_failed || is_binary || count > MAXIMUM_FILE) {
        char text[MAXIMUM_TEXT];
        snprintf(text, sizeof text, "the file '%.200s' of '%s' %s", name, argument,
            has_failed ? "cannot be read" : is_binary ? "is not text: it has a byte of value 0" : "is too long");
        free(contents);
        refuse(call, function, text);
        return false;
    }
    add_option(call, key, "");
    call->filter->options[call->filter->option_count - 1].long_value = contents;
    return true;
}

static void VS_CC denoise(const VSMap *in, VSMap *out, void *data, VSCore *core, const VSAPI *vsapi) {
    Call call = {in, out, core, vsapi, NULL};
    if (!begin(&call, data, "denoise", false) || !pass_areas(&call, data)) return;
    pass_float(&call, "strength", "strength");
    pass_float(&call, "sigma", "sigma");
    pass_text(&call, "deblock", "deblock");
    pass_int(&call, "past", "past");
    pass_int(&call, "future", "future");
    if (pass_file(&call, data, "model", "model")) end(&call, data);
}

static void VS_CC upscale(const VSMap *in, VSMap *out, void *data, VSCore *core, const VSAPI *vsapi) {
    Call call = {in, out, core, vsapi, NULL};
    if (!begin(&call, data, "upscale", false)) return;
    pass_float(&call, "scale", "scale");
    pass_text(&call, "deblock", "deblock");
    pass_float(&call, "compression", "compression");
    pass_float(&call, "quantizer_step", "quantizer_step");
    pass_flag(&call, "loop_filter", "loop_filter");
    pass_text(&call, "input_type", "input_type");
    pass_flag(&call, "low_latency", "low_latency");
    int no_width = 0, no_height = 0;
    int64_t width = vsapi->mapGetInt(in, "width", 0, &no_width), height = vsapi->mapGetInt(in, "height", 0, &no_height);
    if (no_width != no_height) {
        refuse(&call, data, "width and height are given together");
        return;
    }
    if (!no_width) {
        char text[64];
        snprintf(text, sizeof text, "%lldx%lld", (long long)width, (long long)height);
        add_option(&call, "size", text);
    }
    end(&call, data);
}

static void VS_CC flow(const VSMap *in, VSMap *out, void *data, VSCore *core, const VSAPI *vsapi) {
    Call call = {in, out, core, vsapi, NULL};
    if (!begin(&call, data, "flow", false)) return;
    pass_text(&call, "output", "output");
    pass_text(&call, "direction", "direction");
    pass_float(&call, "maximum", "maximum");
    pass_flag(&call, "legend", "legend");
    pass_text(&call, "range", "range");
    end(&call, data);
}

static void VS_CC grain(const VSMap *in, VSMap *out, void *data, VSCore *core, const VSAPI *vsapi) {
    Call call = {in, out, core, vsapi, NULL};
    // The grain of a table depends on the times of frames.
    if (!begin(&call, data, "grain", vsapi->mapNumElements(in, "table") > 0)) return;
    pass_float(&call, "strength", "strength");
    if (pass_long_text(&call, "table", "table")) end(&call, data);
    else refuse(&call, data, "there is not enough memory");
}

// The arguments of all functions, of those that search for cuts, and of those that keep areas of the source.
#define CLIP "clip:vnode;"
#define COMMON "quality:data:opt;threads:int:opt;"
#define CUTS "cut_threshold:float:opt;"
#define AREAS "hold_rects:data:opt;"

VS_EXTERNAL_API(void) VapourSynthPluginInit2(VSPlugin *plugin, const VSPLUGINAPI *api) {
    static const struct {
        const char *name, *arguments;
        VSPublicFunction function;
    } functions[] = {
        {"Interpolate", CLIP "num:int:opt;den:int:opt;phases:data:opt;at_cut:data:opt;" AREAS COMMON CUTS, interpolate},
        {"Slomo", CLIP "factor:int:opt;phases:data:opt;at_cut:data:opt;" AREAS COMMON CUTS, slomo},
        {"Smooth", CLIP "depth:int:opt;scale:int:opt;at_cut:data:opt;" AREAS COMMON, smooth},
        {"Deinterlace", CLIP "fields:data:opt;field_rate:data:opt;cadence:data:opt;" COMMON CUTS, deinterlace},
        {"MotionBlur", CLIP "strength:int:opt;linear_light:int:opt;" AREAS COMMON CUTS, motion_blur},
        {"Denoise",
         CLIP "strength:float:opt;sigma:float:opt;model:data:opt;deblock:data:opt;past:int:opt;future:int:opt;" AREAS COMMON CUTS,
         denoise},
        {"Upscale",
         CLIP "scale:float:opt;width:int:opt;height:int:opt;deblock:data:opt;compression:float:opt;quantizer_step:float:opt;"
              "loop_filter:int:opt;input_type:data:opt;low_latency:int:opt;" COMMON CUTS,
         upscale},
        {"Grain", CLIP "strength:float:opt;table:data:opt;" COMMON CUTS, grain},
        {"Flow", CLIP "output:data:opt;direction:data:opt;maximum:float:opt;legend:int:opt;range:data:opt;" COMMON CUTS, flow},
    };
    api->configPlugin(
        "org.frameeffects.vfx", "vfx", "Video frame effects", VS_MAKE_VERSION(0, 1), VS_MAKE_VERSION(4, 0), 0, plugin);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        api->registerFunction(
            functions[i].name, functions[i].arguments, "clip:vnode;", functions[i].function, (void *)functions[i].name, plugin);
}
