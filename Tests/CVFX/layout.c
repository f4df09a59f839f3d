// Prints the size of each structure of vfx.h, and the place and the size of its members.
#include <stdio.h>
#include <vfx.h>

#define MEMBER(type, name) \
    printf(#type "." #name " at %zu, %zu bytes\n", offsetof(type, name), sizeof(((type *)0)->name))

int main(void) {
    printf("VFX_ABI_VERSION %d\n", VFX_ABI_VERSION);
    printf("vfx_option %zu bytes\n", sizeof(vfx_option));
    MEMBER(vfx_option, key);
    MEMBER(vfx_option, value);
    printf("vfx_frame %zu bytes\n", sizeof(vfx_frame));
    MEMBER(vfx_frame, struct_size);
    MEMBER(vfx_frame, flags);
    MEMBER(vfx_frame, width);
    MEMBER(vfx_frame, height);
    MEMBER(vfx_frame, subsampling);
    MEMBER(vfx_frame, depth);
    MEMBER(vfx_frame, time);
    MEMBER(vfx_frame, duration);
    MEMBER(vfx_frame, time_scale);
    MEMBER(vfx_frame, duration_scale);
    MEMBER(vfx_frame, matrix);
    MEMBER(vfx_frame, primaries);
    MEMBER(vfx_frame, transfer);
    MEMBER(vfx_frame, range);
    MEMBER(vfx_frame, chroma_location);
    MEMBER(vfx_frame, field_order);
    MEMBER(vfx_frame, planes);
    MEMBER(vfx_frame, strides);
    MEMBER(vfx_frame, release);
    MEMBER(vfx_frame, context);
    MEMBER(vfx_frame, id);
    return 0;
}
