// Runs the kernel cases of every level without Swift: on another architecture under an emulator, or here.
//     driver                       each kernel at each level, with its digest; the status is 1 if one differs from C
//     driver SLOT...               only these kernels
//     driver --work SLOT LEVEL N   N typical calls, to count instructions; prints the units of one call
// The status is 2 if an argument names no kernel or no level, or N is no number.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../include/kernel_cases.h"

static const uint64_t seeds[] = {1, 20250117, 0xdeadbeef};

static int is_kernel(const char *name)
{
    int count;
    const vfx_kernel_slot *slots = vfx_kernel_slots(&count);
    for (int i = 0; i < count; i++)
        if (strcmp(slots[i].name, name) == 0) return 1;
    fprintf(stderr, "there is no kernel \"%s\"\n", name);
    return 0;
}

static int is_wanted(const char *slot, int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], slot) == 0) return 1;
    return count == 0;
}

/// Prints "slot level digest" and returns 1 if the kernel matches C.
static int compare(const char *slot, int level)
{
    uint64_t all = 0;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        uint64_t digest;
        const char *failure = kernel_case_run(slot, level, seeds[i], &digest);
        if (failure) {
            printf("%s %s FAILED with seed %llu: %s\n", slot, vfx_cpu_name(level), (unsigned long long)seeds[i],
                   failure);
            return 0;
        }
        all = all * 31 + digest;
    }
    printf("%s %s %016llx\n", slot, vfx_cpu_name(level), (unsigned long long)all);
    return 1;
}

int main(int count, char **words)
{
    if (count == 5 && strcmp(words[1], "--work") == 0) {
        const int level = vfx_cpu_parse(words[3]);
        char *end;
        const long calls = strtol(words[4], &end, 10);
        if (!is_kernel(words[2])) return 2;
        if (level < 0 || level > vfx_cpu_detect()) {
            fprintf(stderr, "this processor has no level \"%s\"\n", words[3]);
            return 2;
        }
        if (*end || calls < 1 || calls > 1000000) {
            fprintf(stderr, "\"%s\" is no number of calls\n", words[4]);
            return 2;
        }
        printf("%d\n", kernel_case_work(words[2], level, (int)calls));
        return 0;
    }
    for (int i = 1; i < count; i++)
        if (!is_kernel(words[i])) return 2;
    int slot_count, passed = 1;
    const vfx_kernel_slot *slots = vfx_kernel_slots(&slot_count);
    for (int i = 0; i < slot_count; i++) {
        if (!is_wanted(slots[i].name, count - 1, words + 1)) continue;
        for (int level = 0; level <= vfx_cpu_detect(); level++)
            if (vfx_kernel_has_version(slots + i, level)) {
                passed &= compare(slots[i].name, level);
                fflush(stdout);
            }
    }
    return !passed;
}
