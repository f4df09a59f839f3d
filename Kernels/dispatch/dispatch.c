#include "../internal/architecture.h"
#include <string.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
const vfx_architecture vfx_this_architecture = {0, 0};
#endif

int vfx_cpu_level_count(void) { return vfx_this_architecture.count + 1; }

int vfx_cpu_detect(void)
{
    int level = VFX_CPU_C;
    while (level < vfx_this_architecture.count && vfx_this_architecture.levels[level].is_supported()) level++;
    return level;
}

const char *vfx_cpu_name(int level) { return level == VFX_CPU_C ? "c" : vfx_this_architecture.levels[level - 1].name; }

int vfx_cpu_parse(const char *name)
{
    for (int level = vfx_cpu_level_count() - 1; level >= 0; level--)
        if (strcmp(name, vfx_cpu_name(level)) == 0) return level;
    return -1;
}

#define FILL_C(slot, function) t->slot = vfx_##slot##_c;

vfx_kernel_table vfx_kernels_make(int level)
{
    vfx_kernel_table table, *t = &table;
    const int highest = vfx_cpu_detect();
    t->level = level < highest ? level : highest;
    VFX_KERNELS(FILL_C)
    for (int l = 0; l < t->level; l++) {
        const vfx_version *versions = vfx_this_architecture.levels[l].versions;
        for (int i = 0; i < vfx_this_architecture.levels[l].count; i++)
            memcpy((char *)t + versions[i].offset, &versions[i].function, sizeof(vfx_any_function *));
    }
    return table;
}

int vfx_kernel_has_version(const vfx_kernel_slot *slot, int level)
{
    if (level == VFX_CPU_C) return 1;
    const vfx_version *versions = vfx_this_architecture.levels[level - 1].versions;
    for (int i = 0; i < vfx_this_architecture.levels[level - 1].count; i++)
        if (versions[i].offset == slot->offset) return 1;
    return 0;
}

#define SLOT(slot, function) {#slot, offsetof(vfx_kernel_table, slot)},

const vfx_kernel_slot *vfx_kernel_slots(int *count)
{
    static const vfx_kernel_slot slots[] = {VFX_KERNELS(SLOT)};
    *count = (int)(sizeof slots / sizeof *slots);
    return slots;
}
