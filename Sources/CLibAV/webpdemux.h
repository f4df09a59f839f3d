// The functions of libwebpdemux that are used. Its headers are not needed to build, and the program runs without it: only
// animated WebP images need it, which libavcodec does not decode. The types are those of its binary interface 1.x.
#ifndef VFX_CLIBAV_WEBPDEMUX_H
#define VFX_CLIBAV_WEBPDEMUX_H
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *_Nullable bytes;
    size_t size;
} vfx_webp_data;

typedef struct {
    int color_mode;
    int use_threads;
    uint32_t padding[7];
} vfx_webp_options;

typedef struct {
    uint32_t canvas_width;
    uint32_t canvas_height;
    uint32_t loop_count;
    uint32_t background_color;
    uint32_t frame_count;
    uint32_t padding[4];
} vfx_webp_info;

static const int vfx_webp_version = 0x0107, vfx_webp_bgra = 3;

typedef struct {
    int (*_Nonnull options_init)(vfx_webp_options *_Nonnull options, int version);
    // The decoder reads from `data` until it is deleted.
    void *_Nullable (*_Nonnull open)(
        const vfx_webp_data *_Nonnull data, const vfx_webp_options *_Nonnull options, int version);
    int (*_Nonnull info)(const void *_Nonnull decoder, vfx_webp_info *_Nonnull info);
    int (*_Nonnull has_more)(const void *_Nonnull decoder);
    // Returns the whole canvas, which stays valid until the next call, and the time in ms at which it is replaced.
    int (*_Nonnull next)(void *_Nonnull decoder, uint8_t *_Nullable *_Nonnull canvas, int *_Nonnull end);
    void (*_Nonnull close)(void *_Nullable decoder);
} vfx_webp_functions;

#define VFX_WEBP_LOAD(field, name) \
    if (!(functions.field = (__typeof__(functions.field))dlsym(library, "WebPAnimDecoder" #name))) return NULL;
// Loads libwebpdemux; returns NULL if it is not installed.
static inline const vfx_webp_functions *_Nullable vfx_load_webp(void) {
    static vfx_webp_functions functions;
    void *library = dlopen("libwebpdemux.so.2", RTLD_LAZY);
    if (!library) return NULL;
    VFX_WEBP_LOAD(options_init, OptionsInitInternal)
    VFX_WEBP_LOAD(open, NewInternal)
    VFX_WEBP_LOAD(info, GetInfo)
    VFX_WEBP_LOAD(has_more, HasMoreFrames)
    VFX_WEBP_LOAD(next, GetNext)
    VFX_WEBP_LOAD(close, Delete)
    return &functions;
}
#undef VFX_WEBP_LOAD
#endif
