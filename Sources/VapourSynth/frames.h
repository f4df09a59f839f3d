// Frames of VapourSynth as frames of the library, and back.

#ifndef VFX_VAPOURSYNTH_FRAMES_H
#define VFX_VAPOURSYNTH_FRAMES_H

#include "filter.h"

// Returns the library's number for a chroma subsampling; 0 for formats that it does not support.
int32_t subsampling_of(const VSVideoFormat *format);

// Submits source frame n, which is borrowed without a copy. The caller keeps its reference.
vfx_status submit_frame(Filter *filter, const VSFrame *frame, int n);

// Makes a frame of a result, with the properties of the source frame that it is made from. The samples are copied, unless
// they are those of a source frame.
VSFrame *make_result(Filter *filter, const vfx_frame *result, int source, VSCore *core);

#endif
