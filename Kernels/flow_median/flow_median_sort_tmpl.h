// Compiled once per instruction set, with KEYS (a register of keys), LEAST(a, b) and MOST(a, b).

// Puts keys in order that are `apart`, if the bit `bit` of the index of the first is as in `set`.
static inline __attribute__((always_inline)) void exchange(KEYS keys[NEIGHBOURHOOD], int bit, int set, int apart)
{
#pragma clang loop unroll(full)
    for (int i = 0; i < NEIGHBOURHOOD - apart; i++) {
        if ((i & bit) != set) continue;
        const KEYS least = LEAST(keys[i], keys[i + apart]);
        keys[i + apart] = MOST(keys[i], keys[i + apart]);
        keys[i] = least;
    }
}

// Sorts by merge exchange (K. Batcher; D. Knuth, "The art of computer programming", volume 3, algorithm 5.2.2 M).
static inline __attribute__((always_inline)) void sort(KEYS keys[NEIGHBOURHOOD])
{
    exchange(keys, 16, 0, 16);
    exchange(keys, 8, 0, 8);
    exchange(keys, 8, 8, 8);
    exchange(keys, 4, 0, 4);
    exchange(keys, 4, 4, 12);
    exchange(keys, 4, 4, 4);
    exchange(keys, 2, 0, 2);
    exchange(keys, 2, 2, 14);
    exchange(keys, 2, 2, 6);
    exchange(keys, 2, 2, 2);
    exchange(keys, 1, 0, 1);
    exchange(keys, 1, 1, 15);
    exchange(keys, 1, 1, 7);
    exchange(keys, 1, 1, 3);
    exchange(keys, 1, 1, 1);
}
#undef KEYS
#undef LEAST
#undef MOST
