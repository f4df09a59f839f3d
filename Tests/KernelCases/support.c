#include "case.h"
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GUARD = 64 };

uint64_t kc_next(kc_run *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

int kc_in(kc_run *r, int low, int high) { return low + (int)(kc_next(r) % (uint64_t)((int64_t)high - low + 1)); }

vfx_motion_vector kc_vector(kc_run *r, int span)
{
    const int16_t x = (int16_t)kc_in(r, -span, span);
    const int16_t y = (int16_t)kc_in(r, -span, span);
    return (vfx_motion_vector){x, y};
}

const int kc_widths[] = {
    1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,  24,  25,
    26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48,  49,  50,
    51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 127, 128, 129, 255, 641, 1920, 0,
};

/// A mapping; its record is allocated separately.
typedef struct kc_block {
    struct kc_block *next;
    uint8_t *mapping;
    size_t mapped;
} kc_block;

void *kc_guarded(kc_run *r, size_t size, bool at_end)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = (size + page - 1) / page * page + (size == 0) * page;
    kc_block *block = malloc(sizeof *block);
    if (!block) abort();
    block->mapped = inner + 2 * page;
    block->mapping = mmap(NULL, block->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block->mapping == MAP_FAILED || mprotect(block->mapping, page, PROT_NONE)
        || mprotect(block->mapping + page + inner, page, PROT_NONE))
        abort();
    block->next = r->blocks;
    r->blocks = block;
    return block->mapping + page + (at_end ? inner - size : 0);
}

void *kc_copy(kc_run *r, const void *bytes, size_t size)
{
    void *copy = kc_guarded(r, size, true);
    memcpy(copy, bytes, size);
    return copy;
}

void kc_release(kc_run *r)
{
    for (kc_block *block = r->blocks, *next; block; block = next) {
        next = block->next;
        munmap(block->mapping, block->mapped);
        free(block);
    }
    r->blocks = NULL;
}

kc_pattern kc_any_pattern(kc_run *r) { return (kc_pattern)kc_in(r, 0, KC_PATTERNS - 1); }

kc_plane kc_plane_make(kc_run *r, int bytes, int x0, int x1, int y0, int y1)
{
    const ptrdiff_t pitch = x1 - x0 + (kc_one_in(r, 3) ? 0 : kc_in(r, 1, 70));
    const bool upward = kc_one_in(r, 3);
    const size_t count = (size_t)((y1 - y0 - 1) * pitch + x1 - x0);
    uint8_t *first = kc_guarded(r, count * (size_t)bytes, kc_one_in(r, 2));
    const ptrdiff_t origin = (upward ? y1 - 1 : -y0) * pitch - x0;
    return (kc_plane){first + origin * bytes, upward ? -pitch : pitch, bytes, x0, x1, y0, y1};
}

static unsigned sample(kc_run *r, kc_pattern pattern, int x, int y, unsigned maximum)
{
    switch (pattern) {
    case KC_RANDOM: return (unsigned)(kc_next(r) % (maximum + 1));
    case KC_ZERO: return 0;
    case KC_MAXIMUM: return maximum;
    case KC_EXTREMES: return kc_next(r) & 1 ? maximum : 0;
    case KC_CHECKERBOARD: return (x + y) & 1 ? maximum : 0;
    case KC_INVERSE_CHECKERBOARD: return (x + y) & 1 ? 0 : maximum;
    case KC_COLUMNS: return x & 2 ? maximum : 0;
    case KC_ROWS: return y & 2 ? maximum : 0;
    default: return (unsigned)(x * 7 + y * 13) & maximum;
    }
}

void kc_fill(kc_run *r, const kc_plane *plane, kc_pattern pattern, unsigned maximum)
{
    for (int y = plane->y0; y < plane->y1; y++)
        for (int x = plane->x0; x < plane->x1; x++) {
            const unsigned value = sample(r, pattern, x, y, maximum);
            const ptrdiff_t at = y * plane->stride + x;
            if (plane->bytes == 1)
                ((uint8_t *)plane->origin)[at] = (uint8_t)value;
            else
                ((uint16_t *)plane->origin)[at] = (uint16_t)value;
        }
}

kc_output kc_output_make(kc_run *r, int row_bytes, int rows, int sample)
{
    const int shift = kc_in(r, 0, 31) * sample; // the start of the memory is aligned
    const ptrdiff_t pitch = (row_bytes + GUARD + shift + sample - 1) / sample * sample;
    kc_output o = {.pitch = pitch, .size = (size_t)(pitch * rows + GUARD + shift)};
    o.wanted_start = kc_guarded(r, o.size, false);
    o.got_start = kc_guarded(r, o.size, false);
    for (size_t i = 0; i < o.size; i++) o.wanted_start[i] = o.got_start[i] = (uint8_t)(i * 37 + 11);
    o.wanted = o.wanted_start + GUARD + shift;
    o.got = o.got_start + GUARD + shift;
    return o;
}

static void fail(kc_run *r, const char *what, const char *format, va_list arguments)
{
    if (*r->failure) return;
    const int length = snprintf(r->failure, sizeof r->failure, "%s: ", what);
    vsnprintf(r->failure + length, sizeof r->failure - (size_t)length, format, arguments);
}

// FNV-1a.
static void add_to_digest(kc_run *r, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) r->digest = (r->digest ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3;
}

void kc_check(kc_run *r, const kc_output *o, const char *format, ...)
{
    add_to_digest(r, o->got_start, o->size);
    if (memcmp(o->wanted_start, o->got_start, o->size) == 0) return;
    va_list arguments;
    va_start(arguments, format);
    fail(r, "the output differs", format, arguments);
    va_end(arguments);
}

void kc_check_value(kc_run *r, int64_t wanted, int64_t got, const char *format, ...)
{
    add_to_digest(r, &got, sizeof got);
    if (wanted == got) return;
    char what[64];
    snprintf(what, sizeof what, "%lld, but C has %lld", (long long)got, (long long)wanted);
    va_list arguments;
    va_start(arguments, format);
    fail(r, what, format, arguments);
    va_end(arguments);
}
