// Parts of libav that Swift cannot import (function-like macros) or that differ between its versions.
#ifndef VFX_CLIBAV_SHIM_H
#define VFX_CLIBAV_SHIM_H
#include <dlfcn.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/film_grain_params.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/spherical.h>
#include <libavutil/stereo3d.h>
#include <libavutil/video_enc_params.h>
#include <libswscale/swscale.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

// The functions of libavfilter that are used, with the types that its headers give them.
#define VFX_FILTER_FUNCTIONS(X) \
    X(avfilter_get_by_name) X(avfilter_graph_alloc) X(avfilter_graph_config) X(avfilter_graph_create_filter) \
    X(avfilter_graph_free) X(avfilter_graph_parse_ptr) X(avfilter_inout_alloc) X(avfilter_inout_free) \
    X(av_buffersink_get_frame) X(av_buffersink_set_frame_size) X(av_buffersrc_add_frame)
#define VFX_FILTER_FIELD(name) __typeof__(name) *_Nonnull name;
typedef struct { VFX_FILTER_FUNCTIONS(VFX_FILTER_FIELD) } vfx_filter_functions;

// Loads libavfilter, in the version of its headers; returns NULL if that fails, and dlerror() then tells why. The
// program is not linked to it: only audio that is slowed down needs it, and with its many dependencies it would take a
// third of the time that the program needs to start.
#define VFX_FILTER_LOAD(name) \
    if (!(functions.name = (__typeof__(name) *)dlsym(library, #name))) return NULL;
static inline const vfx_filter_functions *_Nullable vfx_load_filters(void) {
    static vfx_filter_functions functions;
    void *library = dlopen("libavfilter.so." AV_STRINGIFY(LIBAVFILTER_VERSION_MAJOR), RTLD_LAZY);
    if (!library) return NULL;
    VFX_FILTER_FUNCTIONS(VFX_FILTER_LOAD)
    return &functions;
}
#undef VFX_FILTER_LOAD
#undef VFX_FILTER_FIELD
#undef VFX_FILTER_FUNCTIONS

// The functions of libheif that are used. Its headers are not needed to build, and the program runs without it: only
// HEIC images need it. The types are those of libheif 1, whose interface is stable.
typedef struct { int code; int detail; const char *_Nullable message; } vfx_heif_error;
typedef struct {
    void *_Nullable (*_Nonnull context_alloc)(void);
    void (*_Nonnull context_free)(void *_Nullable context);
    vfx_heif_error (*_Nonnull context_read)(
        void *_Nonnull context, const void *_Nonnull bytes, size_t count, const void *_Nullable options);
    vfx_heif_error (*_Nonnull context_primary)(void *_Nonnull context, void *_Nullable *_Nonnull handle);
    void (*_Nonnull handle_release)(const void *_Nullable handle);
    int (*_Nonnull handle_width)(const void *_Nonnull handle);
    int (*_Nonnull handle_height)(const void *_Nonnull handle);
    int (*_Nonnull handle_has_alpha)(const void *_Nonnull handle);
    int (*_Nonnull handle_bits)(const void *_Nonnull handle);
    vfx_heif_error (*_Nonnull decode)(
        const void *_Nonnull handle, void *_Nullable *_Nonnull image, int colorspace, int chroma,
        const void *_Nullable options);
    void (*_Nonnull image_release)(const void *_Nullable image);
    int (*_Nonnull image_width)(const void *_Nonnull image, int channel);
    int (*_Nonnull image_height)(const void *_Nonnull image, int channel);
    const uint8_t *_Nullable (*_Nonnull image_plane)(const void *_Nonnull image, int channel, int *_Nonnull stride);
} vfx_heif_functions;

// Values of libheif's enumerations.
static const int vfx_heif_rgb = 1, vfx_heif_interleaved = 10;
static const int vfx_heif_rgb8 = 10, vfx_heif_rgba8 = 11, vfx_heif_rgb16_big = 12, vfx_heif_rgba16_big = 13;

#define VFX_HEIF_LOAD(field, name) \
    if (!(functions.field = (__typeof__(functions.field))dlsym(library, "heif_" #name))) return NULL;
// Loads libheif; returns NULL if it is not installed.
static inline const vfx_heif_functions *_Nullable vfx_load_heif(void) {
    static vfx_heif_functions functions;
    void *library = dlopen("libheif.so.1", RTLD_LAZY);
    if (!library) return NULL;
    VFX_HEIF_LOAD(context_alloc, context_alloc)
    VFX_HEIF_LOAD(context_free, context_free)
    VFX_HEIF_LOAD(context_read, context_read_from_memory_without_copy)
    VFX_HEIF_LOAD(context_primary, context_get_primary_image_handle)
    VFX_HEIF_LOAD(handle_release, image_handle_release)
    VFX_HEIF_LOAD(handle_width, image_handle_get_width)
    VFX_HEIF_LOAD(handle_height, image_handle_get_height)
    VFX_HEIF_LOAD(handle_has_alpha, image_handle_has_alpha_channel)
    VFX_HEIF_LOAD(handle_bits, image_handle_get_luma_bits_per_pixel)
    VFX_HEIF_LOAD(decode, decode_image)
    VFX_HEIF_LOAD(image_release, image_release)
    VFX_HEIF_LOAD(image_width, image_get_width)
    VFX_HEIF_LOAD(image_height, image_get_height)
    VFX_HEIF_LOAD(image_plane, image_get_plane_readonly)
    return &functions;
}
#undef VFX_HEIF_LOAD

static const int64_t vfx_av_no_time = AV_NOPTS_VALUE;
static const int vfx_averror_eof = AVERROR_EOF;
static const int vfx_averror_exit = AVERROR_EXIT;
static const int vfx_averror_invalid_data = AVERROR_INVALIDDATA;
static const int vfx_averror_protocol_not_found = AVERROR_PROTOCOL_NOT_FOUND;
static const int vfx_averror_decoder_not_found = AVERROR_DECODER_NOT_FOUND;

// Whether a file is on an SMB share, by the file system magic numbers of SMB 1 and SMB 2.
static inline int vfx_is_on_smb(int file) {
    struct statfs system;
    if (fstatfs(file, &system) != 0) return 0;
    return (uint32_t)system.f_type == 0xFF534D42u || (uint32_t)system.f_type == 0xFE534D42u;
}

// Declared here because glibc declares it only with GNU extensions enabled.
int memfd_create(const char *name, unsigned int flags);
static inline int vfx_memory_file(const char *name) { return memfd_create(name, 1 /* MFD_CLOEXEC */); }

// Renames a file, failing if the new name exists. Declared here for the same reason.
int renameat2(int old_folder, const char *old_name, int new_folder, const char *new_name, unsigned int flags);
static inline int vfx_rename_new(const char *old_name, const char *new_name) {
    return renameat2(-100 /* AT_FDCWD */, old_name, -100, new_name, 1 /* RENAME_NOREPLACE */);
}

// Extended attributes of a file. The first returns the number of bytes read, or a negative number.
static inline long vfx_read_attribute(const char *path, const char *name, void *value, unsigned long size) {
    return getxattr(path, name, value, size);
}
static inline int vfx_write_attribute(const char *path, const char *name, const void *value, unsigned long size) {
    return setxattr(path, name, value, size, 0);
}

static inline int vfx_averror(int errno_value) { return AVERROR(errno_value); }

static inline int64_t vfx_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 0, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

static inline int vfx_frame_is_interlaced(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame->interlaced_frame;
#endif
}

static inline int vfx_frame_is_key(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
    return frame->key_frame;
#endif
}

// The place in the file of the packet that a frame was decoded from, in bytes; -1 where libav no longer tells.
static inline int64_t vfx_frame_place(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_MAJOR < 59
    return frame->pkt_pos;
#else
    (void)frame;
    return -1;
#endif
}

// Whether the decoder has reported errors in a frame.
static inline int vfx_frame_is_corrupt(const AVFrame *frame) {
    return frame->decode_error_flags != 0 || (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0;
}

// The opaque pointer of the codec context that a log message is about; NULL for other contexts. The threads of a
// decoder have copies of the user's context, which share its opaque pointer.
static inline const void *vfx_log_owner(const void *context) {
    if (context && *(const AVClass *const *)context == avcodec_get_class())
        return ((const AVCodecContext *)context)->opaque;
    return NULL;
}

static inline int vfx_frame_is_top_field_first(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
    return frame->top_field_first;
#endif
}
#endif
