// One training step of the network for restoration, for one patch: the output, and the gradients of the squared error.
//
// restoration_gradients.py compiles it. It needs a processor with AMX (matrix products of bfloat16, with sums in float),
// and takes a tenth of the time of vector instructions. All maps have the same row length S, so that a map is one list of
// positions and a tap of a kernel is an offset in it. Positions beyond a layer's own width and height hold numbers of no
// meaning; their gradients are zero.
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define C 32        // channels
#define WINDOW 10   // rows of samples that first layer and linear filter read, and samples of a row
#define BLOCK 32    // positions that are computed at once
#define CHUNK 512   // positions for which the gradients of all taps are summed while they are in the cache
#define MIDDLES 16  // at most

typedef uint16_t half;  // bfloat16
typedef struct { const half *at; int stride; } tap;  // where it reads; bytes between positions

typedef struct {
    int side, middles, S, count, pad, pitch;  // positions of a map, zeros before and after it, length of a transposed channel
    half *pictures[2];                        // even and odd rows of samples
    half *turned[2];                          // transposed: 16 × pitch, row i is the sample i further on
    half *before[MIDDLES + 1], *after[MIDDLES + 1], *flipped[MIDDLES + 1];  // the last is `after`, transposed
    half *errors[2], *pairs;                  // gradients by position, and by pairs of positions
    uint8_t *inside[MIDDLES + 2];
    float *target;
    half *kernel, *middle, *reverse;          // packed: of one layer; of all middle layers, forward and backward
    float *sums;
} space;

static size_t rounded(size_t bytes) { return (bytes + 127) / 128 * 128 + 64; }

// Divides the memory; with none, only measures it.
static size_t divide(space *s, char *memory, int side, int middles) {
    size_t used = 0;
    #define TAKE(type, n) (type *)(memory + used); used += rounded(sizeof(type) * (size_t)(n))
    s->side = side, s->middles = middles, s->S = side + 2 * (middles + 3), s->count = s->S * s->S;
    s->pad = 4 * s->S + 2 * BLOCK, s->pitch = (s->count + s->pad + 95) / 64 * 64 + 32;
    int all = s->count + 2 * s->pad;
    used = 64;
    for (int k = 0; k < 2; k++) {
        s->pictures[k] = TAKE(half, 2 * all);
        s->turned[k] = TAKE(half, 16 * s->pitch);
        s->errors[k] = TAKE(half, C * all);
    }
    for (int k = 0; k <= middles; k++) {
        s->before[k] = TAKE(half, C * all);
        s->after[k] = TAKE(half, C * all);
        s->flipped[k] = TAKE(half, C * s->pitch);
    }
    for (int k = 0; k <= middles + 1; k++) { s->inside[k] = TAKE(uint8_t, all); }
    s->pairs = TAKE(half, C * all);
    s->target = TAKE(float, 4 * all);
    s->kernel = TAKE(half, 20 * C * C);
    s->middle = TAKE(half, (size_t)middles * 9 * C * C);
    s->reverse = TAKE(half, (size_t)middles * 9 * C * C);
    s->sums = TAKE(float, 10 * C * C);
    #undef TAKE
    return used;
}

size_t restoration_space(int side, int middles) {
    space s;
    return divide(&s, 0, side, middles);
}

// Asks the system for the matrix registers, once per process.
int restoration_prepare(void) { return (int)syscall(SYS_arch_prctl, 0x1023, 18); }

static half narrow(float v) {
    uint32_t bits;
    memcpy(&bits, &v, 4);
    return (half)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static void configure(void) {
    struct { uint8_t palette, start, zero[14]; uint16_t bytes[16]; uint8_t rows[16]; } t __attribute__((aligned(64)));
    memset(&t, 0, sizeof t);
    t.palette = 1;
    for (int k = 0; k < 8; k++) t.bytes[k] = 64, t.rows[k] = 16;
    _tile_loadconfig(&t);
}

// Packs `taps` kernels of inputs × outputs into tiles of 16 pairs of inputs × 16 outputs, `halves` for each tap.
static void pack(half *dst, const float *src, int taps, int inputs, int outputs, int halves) {
    memset(dst, 0, sizeof(half) * (size_t)(taps * halves * 512));
    for (int t = 0; t < taps; t++)
        for (int i = 0; i < inputs; i++)
            for (int o = 0; o < outputs; o++)
                dst[((t * halves + o / 16) * 16 + i / 2) * 32 + o % 16 * 2 + i % 2] = narrow(src[(t * inputs + i) * outputs + o]);
}

// Packs the kernels of a 3×3 layer with inputs and outputs exchanged and turned by half a turn.
static void packReverse(half *dst, const float *src, int outputs) {
    memset(dst, 0, sizeof(half) * 9 * 2 * 512);
    for (int t = 0; t < 9; t++)
        for (int i = 0; i < C; i++)
            for (int o = 0; o < outputs; o++)
                dst[((t * 2 + i / 16) * 16 + o / 2) * 32 + i % 16 * 2 + o % 2] = narrow(src[(t * C + i) * outputs + o]);
}

// The sums over taps for BLOCK positions from `at`: BLOCK × 32, or the first 16 columns of that.
static inline void products(float *sums, const tap *taps, int count, const half *kernel, int halves, int at) {
    _tile_zero(4);
    _tile_zero(5);
    if (halves == 2) {
        _tile_zero(6);
        _tile_zero(7);
        for (int t = 0; t < count; t++, kernel += 1024) {
            const char *source = (const char *)taps[t].at + (ptrdiff_t)at * taps[t].stride;
            _tile_loadd(0, source, taps[t].stride);
            _tile_loadd(2, kernel, 64);
            _tile_loadd(1, source + 16 * taps[t].stride, taps[t].stride);
            _tile_loadd(3, kernel + 512, 64);
            _tile_dpbf16ps(4, 0, 2);
            _tile_dpbf16ps(5, 1, 2);
            _tile_dpbf16ps(6, 0, 3);
            _tile_dpbf16ps(7, 1, 3);
        }
        _tile_stored(6, sums + 16, 128);
        _tile_stored(7, sums + 16 * 32 + 16, 128);
    } else
        for (int t = 0; t < count; t++, kernel += 512) {
            const char *source = (const char *)taps[t].at + (ptrdiff_t)at * taps[t].stride;
            _tile_loadd(0, source, taps[t].stride);
            _tile_loadd(1, source + 16 * taps[t].stride, taps[t].stride);
            _tile_loadd(2, kernel, 64);
            _tile_dpbf16ps(4, 0, 2);
            _tile_dpbf16ps(5, 1, 2);
        }
    _tile_stored(4, sums, 128);
    _tile_stored(5, sums + 16 * 32, 128);
}

static inline __m512i bothNarrow(__m512 low, __m512 high) { return (__m512i)_mm512_cvtne2ps_pbh(high, low); }

// Two positions of 32 channels as 2 × 16 channels of pairs.
static inline void paired(__m512i a, __m512i b, __m512i *low, __m512i *high) {
    static const uint16_t lows[32] = {0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39,
                                      8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47};
    __m512i index = _mm512_loadu_si512(lows);
    *low = _mm512_permutex2var_epi16(a, index, b);
    *high = _mm512_permutex2var_epi16(a, _mm512_add_epi16(index, _mm512_set1_epi16(16)), b);
}

// Transposes 16 × 16 values of 32 bits.
static inline void transpose(__m512i r[16]) {
    __m512i t[16];
    for (int k = 0; k < 16; k += 2) {
        t[k] = _mm512_unpacklo_epi32(r[k], r[k + 1]);
        t[k + 1] = _mm512_unpackhi_epi32(r[k], r[k + 1]);
    }
    for (int k = 0; k < 16; k += 4) {
        r[k] = _mm512_unpacklo_epi64(t[k], t[k + 2]);
        r[k + 1] = _mm512_unpackhi_epi64(t[k], t[k + 2]);
        r[k + 2] = _mm512_unpacklo_epi64(t[k + 1], t[k + 3]);
        r[k + 3] = _mm512_unpackhi_epi64(t[k + 1], t[k + 3]);
    }
    for (int k = 0; k < 4; k++) {
        t[k] = _mm512_shuffle_i32x4(r[k], r[k + 4], 0x88);
        t[k + 4] = _mm512_shuffle_i32x4(r[k], r[k + 4], 0xdd);
        t[k + 8] = _mm512_shuffle_i32x4(r[k + 8], r[k + 12], 0x88);
        t[k + 12] = _mm512_shuffle_i32x4(r[k + 8], r[k + 12], 0xdd);
    }
    for (int k = 0; k < 4; k++) {
        r[k] = _mm512_shuffle_i32x4(t[k], t[k + 8], 0x88);
        r[k + 8] = _mm512_shuffle_i32x4(t[k], t[k + 8], 0xdd);
        r[k + 4] = _mm512_shuffle_i32x4(t[k + 4], t[k + 12], 0x88);
        r[k + 12] = _mm512_shuffle_i32x4(t[k + 4], t[k + 12], 0xdd);
    }
}

static void flip(half *dst, int pitch, const half *src, int at) {
    __m512i low[16], high[16];
    for (int k = 0; k < 16; k++)
        paired(_mm512_loadu_si512(src + (at + 2 * k) * C), _mm512_loadu_si512(src + (at + 2 * k + 1) * C), low + k, high + k);
    transpose(low);
    transpose(high);
    for (int k = 0; k < 16; k++) {
        _mm512_storeu_si512(dst + k * pitch + at, low[k]);
        _mm512_storeu_si512(dst + (k + 16) * pitch + at, high[k]);
    }
}

// The gradient of a kernel: taps × (16 or 32 inputs) × 32 outputs, from transposed sources and the pairs of gradients.
static void correlate(space *s, half *const *sources, const int *offsets, int count, int inputs, int end) {
    float *sums = s->sums;
    int tall = inputs > 16;
    memset(sums, 0, sizeof(float) * (size_t)(count * (tall ? 32 : 16) * 32));
    for (int chunk = 0; chunk < end; chunk += CHUNK) {
        int stop = chunk + CHUNK < end ? chunk + CHUNK : end;
        for (int t = 0; t < count; t++) {
            float *sum = sums + t * (tall ? 32 : 16) * 32;
            const half *source = sources[t] + offsets[t];
            _tile_loadd(4, sum, 128);
            _tile_loadd(5, sum + 16, 128);
            if (tall) {
                _tile_loadd(6, sum + 16 * 32, 128);
                _tile_loadd(7, sum + 16 * 32 + 16, 128);
            }
            for (int at = chunk; at < stop; at += BLOCK) {
                _tile_loadd(2, s->pairs + at * C, 128);
                _tile_loadd(3, s->pairs + at * C + 32, 128);
                _tile_loadd(0, source + at, 2 * s->pitch);
                _tile_dpbf16ps(4, 0, 2);
                _tile_dpbf16ps(5, 0, 3);
                if (tall) {
                    _tile_loadd(1, source + 16 * s->pitch + at, 2 * s->pitch);
                    _tile_dpbf16ps(6, 1, 2);
                    _tile_dpbf16ps(7, 1, 3);
                }
            }
            _tile_stored(4, sum, 128);
            _tile_stored(5, sum + 16, 128);
            if (tall) {
                _tile_stored(6, sum + 16 * 32, 128);
                _tile_stored(7, sum + 16 * 32 + 16, 128);
            }
        }
    }
}

static void start(space *s, const uint8_t *picture, const uint8_t *target) {
    int S = s->S, side = s->side;
    for (int y = 0; y < 2 * S; y++)
        for (int x = 0; x < 2 * S; x++) s->pictures[y % 2][y / 2 * 2 * S + x] = narrow((float)(picture[y * 2 * S + x] - 128));
    for (int parity = 0; parity < 2; parity++)
        for (int i = 0; i < WINDOW; i++) {
            const half *from = s->pictures[parity] + i;
            half *to = s->turned[parity] + i * s->pitch;
            for (int p = 0; p < s->count; p++) to[p] = from[2 * p];
        }
    for (int y = 0; y < 2 * side; y++)
        for (int x = 0; x < 2 * side; x++)
            s->target[(y / 2 * S + x / 2) * 4 + y % 2 * 2 + x % 2] = (float)(target[y * 2 * side + x] - 128) * (1 / 255.0f);
    for (int layer = 0; layer <= s->middles + 1; layer++) {
        int size = S - 4 - 2 * layer;
        if (s->inside[layer][0]) break;  // from an earlier patch
        for (int y = 0; y < size; y++) memset(s->inside[layer] + y * S, 1, (size_t)size);
    }
}

static inline __m512 wide(const half *v) {
    return (__m512)_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)v)), 16);
}

// How many positions a layer has in the list, in whole blocks.
static int extent(const space *s, int layer) {
    int size = s->S - 4 - 2 * layer;
    return ((size - 1) * s->S + size + BLOCK - 1) / BLOCK * BLOCK;
}

void restoration_pack(char *memory, int side, int middles, const float *kernels) {
    space s;
    divide(&s, memory, side, middles);
    for (int k = 0; k < middles; k++) {
        pack(s.middle + k * 9 * C * C, kernels + k * 9 * C * C, 9, C, C, 2);
        packReverse(s.reverse + k * 9 * C * C, kernels + k * 9 * C * C, C);
    }
}

// `memory`: zeros before the first call; restoration_pack has put the middle kernels (middles × 9 × inputs × outputs) there.
// `picture`: (side + 2 · halo)² · 4 samples, halo = middles + 3; `target`: side² · 4 samples. `first`: 10 × 10 × 32, for
// samples in code values; `last`: 9 × 32 × 4; `skip`: 10 × 10 × 4, without the sample itself, for code values. `biases`:
// middles + 1 times 32, then 4; `slopes`: middles + 1 times 32. Gradients of the sum of squared errors times `weight` have
// the same layouts and are added to those of the middle kernels, and stored for the others. Returns the sum of squares.
double restoration_step(char *memory, int side, int middles, const uint8_t *picture, const uint8_t *target,
                        const float *first, const float *last, const float *skip, const float *biases, const float *slopes,
                        double weight, float *firstGradient, float *middleGradient, float *lastGradient, float *skipGradient,
                        float *biasGradient, float *slopeGradient) {
    space all, *s = &all;
    divide(s, memory, side, middles);
    configure();
    start(s, picture, target);
    int S = s->S;
    float sums[BLOCK * 32] __attribute__((aligned(64)));
    tap taps[9 + WINDOW];
    for (int layer = 0; layer <= middles; layer++) {
        const half *kernel;
        int count;
        if (layer == 0) {
            pack(s->kernel, first, WINDOW, WINDOW, C, 2);
            kernel = s->kernel, count = WINDOW;
            for (int r = 0; r < WINDOW; r++) taps[r] = (tap){s->pictures[r % 2] + r / 2 * 2 * S, 4};
        } else {
            kernel = s->middle + (layer - 1) * 9 * C * C, count = 9;
            for (int t = 0; t < 9; t++) taps[t] = (tap){s->after[layer - 1] + (t / 3 * S + t % 3) * C, 2 * C};
        }
        __m512 b0 = _mm512_loadu_ps(biases + layer * C), b1 = _mm512_loadu_ps(biases + layer * C + 16);
        __m512 s0 = _mm512_loadu_ps(slopes + layer * C), s1 = _mm512_loadu_ps(slopes + layer * C + 16);
        int end = extent(s, layer);
        for (int at = 0; at < end; at += BLOCK) {
            products(sums, taps, count, kernel, 2, at);
            for (int p = 0; p < BLOCK; p++) {
                __m512 a = _mm512_add_ps(_mm512_load_ps(sums + 32 * p), b0), b = _mm512_add_ps(_mm512_load_ps(sums + 32 * p + 16), b1);
                _mm512_storeu_si512(s->before[layer] + (at + p) * C, bothNarrow(a, b));
                a = _mm512_mask_mul_ps(a, _mm512_movepi32_mask((__m512i)a), a, s0);
                b = _mm512_mask_mul_ps(b, _mm512_movepi32_mask((__m512i)b), b, s1);
                _mm512_storeu_si512(s->after[layer] + (at + p) * C, bothNarrow(a, b));
            }
            flip(s->flipped[layer], s->pitch, s->after[layer], at);
        }
    }
    // The last layer, and the gradients of its sums.
    pack(s->kernel, last, 9, C, 4, 1);
    pack(s->kernel + 9 * 512, skip, WINDOW, WINDOW, 4, 1);
    for (int t = 0; t < 9; t++) taps[t] = (tap){s->after[middles] + (t / 3 * S + t % 3) * C, 2 * C};
    for (int r = 0; r < WINDOW; r++) taps[9 + r] = (tap){s->pictures[r % 2] + 2 * ((middles + 1 + r / 2) * S + middles + 1), 4};
    half *errors = s->errors[0] + s->pad * C, *next = s->errors[1] + s->pad * C;
    int end = extent(s, middles + 1), own = (middles + 3) * (S + 1);
    __m128 offset = _mm_loadu_ps(biases + (middles + 1) * C), lastSum = _mm_setzero_ps(), squares = _mm_setzero_ps();
    for (int at = 0; at < end; at += BLOCK) {
        products(sums, taps, 9 + WINDOW, s->kernel, 1, at);
        for (int p = at; p < at + BLOCK; p += 2) {
            __m512i values[2];
            for (int k = 0; k < 2; k++) {
                int q = p + k;
                uint32_t pair[2];
                memcpy(pair, s->pictures[0] + 2 * (q + own), 4);
                memcpy(pair + 1, s->pictures[1] + 2 * (q + own), 4);
                __m128 self = (__m128)_mm_setr_epi32((int)(pair[0] << 16), (int)(pair[0] & 0xffff0000), (int)(pair[1] << 16),
                                                     (int)(pair[1] & 0xffff0000));
                __m128 error = _mm_add_ps(_mm_add_ps(_mm_loadu_ps(sums + 32 * (q - at)), offset),
                                          _mm_sub_ps(_mm_mul_ps(self, _mm_set1_ps(1 / 255.0f)), _mm_loadu_ps(s->target + 4 * q)));
                error = _mm_maskz_mov_ps(s->inside[middles + 1][q] ? 15 : 0, error);
                squares = _mm_add_ps(squares, _mm_mul_ps(error, error));
                error = _mm_mul_ps(error, _mm_set1_ps((float)(2 * weight)));
                lastSum = _mm_add_ps(lastSum, error);
                values[k] = bothNarrow(_mm512_zextps128_ps512(error), _mm512_setzero_ps());
                _mm512_storeu_si512(errors + q * C, values[k]);
            }
            __m512i low, high;
            paired(values[0], values[1], &low, &high);
            _mm512_storeu_si512(s->pairs + p * C, low);
            _mm512_storeu_si512(s->pairs + p * C + 32, high);
        }
    }
    _mm_storeu_ps(biasGradient + (middles + 1) * C, lastSum);
    memset(errors + end * C, 0, sizeof(half) * (size_t)((s->count + s->pad - end) * C));
    half *sources[WINDOW];
    int offsets[WINDOW];
    for (int r = 0; r < WINDOW; r++) sources[r] = s->turned[r % 2], offsets[r] = (middles + 1 + r / 2) * S + middles + 1;
    correlate(s, sources, offsets, WINDOW, WINDOW, end);
    for (int r = 0; r < WINDOW; r++)
        for (int i = 0; i < WINDOW; i++) memcpy(skipGradient + (r * WINDOW + i) * 4, s->sums + (r * 16 + i) * 32, 16);
    packReverse(s->kernel, last, 4);
    for (int layer = middles + 1; layer >= 0; layer--) {
        end = extent(s, layer);
        if (layer == 0) {
            for (int r = 0; r < WINDOW; r++) sources[r] = s->turned[r % 2], offsets[r] = r / 2 * S;
            correlate(s, sources, offsets, WINDOW, WINDOW, end);
            for (int r = 0; r < WINDOW; r++)
                for (int i = 0; i < WINDOW; i++) memcpy(firstGradient + (r * WINDOW + i) * C, s->sums + (r * 16 + i) * 32, 128);
            break;
        }
        for (int t = 0; t < 9; t++) sources[t] = s->flipped[layer - 1], offsets[t] = t / 3 * S + t % 3;
        correlate(s, sources, offsets, 9, C, end);
        if (layer == middles + 1)
            for (int k = 0; k < 9 * C; k++) memcpy(lastGradient + 4 * k, s->sums + 32 * k, 16);
        else
            for (int k = 0; k < 9 * C * C; k++) middleGradient[(layer - 1) * 9 * C * C + k] += s->sums[k];
        const half *kernel = layer == middles + 1 ? s->kernel : s->reverse + (layer - 1) * 9 * C * C;
        for (int t = 0; t < 9; t++) taps[t] = (tap){errors - (t / 3 * S + t % 3) * C, 2 * C};
        const float *slope = slopes + (layer - 1) * C;
        __m512 s0 = _mm512_loadu_ps(slope), s1 = _mm512_loadu_ps(slope + 16);
        __m512 bias0 = _mm512_setzero_ps(), bias1 = bias0, slope0 = bias0, slope1 = bias0;
        end = extent(s, layer - 1);
        for (int at = 0; at < end; at += BLOCK) {
            products(sums, taps, 9, kernel, 2, at);
            for (int p = at; p < at + BLOCK; p += 2) {
                __m512i values[2];
                for (int k = 0; k < 2; k++) {
                    int q = p + k;
                    __mmask16 keep = s->inside[layer - 1][q] ? 0xffff : 0;
                    const half *from = s->before[layer - 1] + q * C;
                    __m512 x0 = wide(from), x1 = wide(from + 16);
                    __mmask16 n0 = _mm512_movepi32_mask((__m512i)x0), n1 = _mm512_movepi32_mask((__m512i)x1);
                    __m512 g0 = _mm512_maskz_mov_ps(keep, _mm512_load_ps(sums + 32 * (q - at)));
                    __m512 g1 = _mm512_maskz_mov_ps(keep, _mm512_load_ps(sums + 32 * (q - at) + 16));
                    slope0 = _mm512_mask3_fmadd_ps(g0, x0, slope0, n0);
                    slope1 = _mm512_mask3_fmadd_ps(g1, x1, slope1, n1);
                    g0 = _mm512_mask_mul_ps(g0, n0, g0, s0);
                    g1 = _mm512_mask_mul_ps(g1, n1, g1, s1);
                    bias0 = _mm512_add_ps(bias0, g0);
                    bias1 = _mm512_add_ps(bias1, g1);
                    values[k] = bothNarrow(g0, g1);
                    _mm512_storeu_si512(next + q * C, values[k]);
                }
                __m512i low, high;
                paired(values[0], values[1], &low, &high);
                _mm512_storeu_si512(s->pairs + p * C, low);
                _mm512_storeu_si512(s->pairs + p * C + 32, high);
            }
        }
        memset(next + end * C, 0, sizeof(half) * (size_t)((s->count + s->pad - end) * C));
        _mm512_storeu_ps(biasGradient + (layer - 1) * C, bias0);
        _mm512_storeu_ps(biasGradient + (layer - 1) * C + 16, bias1);
        _mm512_storeu_ps(slopeGradient + (layer - 1) * C, slope0);
        _mm512_storeu_ps(slopeGradient + (layer - 1) * C + 16, slope1);
        half *swap = errors;
        errors = next, next = swap;
    }
    _tile_release();
    __m128 two = _mm_add_ps(squares, _mm_movehl_ps(squares, squares));
    return (double)(two[0] + two[1]);
}
