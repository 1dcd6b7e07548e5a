/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lock.c - see lock.h. 0: free, 1: held, 2: held and waited for (as in Drepper, "Futexes Are
 * Tricky"). Besides: memcpy and its like for this library alone, since a sanitizer's own would
 * tell it what the "device" touches.
 */
#define _GNU_SOURCE
#include "fake/stream/lock.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint32_t word;

void fake_lock(void)
{
    uint32_t seen = 0;

    if (__atomic_compare_exchange_n(&word, &seen, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    while (__atomic_exchange_n(&word, 2, __ATOMIC_ACQUIRE) != 0)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

void fake_unlock(void)
{
    if (__atomic_exchange_n(&word, 0, __ATOMIC_RELEASE) == 2)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
HIDDEN void *memmove(void *to, const void *from, size_t bytes);
HIDDEN void *memset(void *to, int value, size_t bytes);
HIDDEN int memcmp(const void *a, const void *b, size_t bytes);

/* Words where they can be had: device memory is large. */
typedef uint64_t __attribute__((may_alias, aligned(1))) word64;

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    uint8_t *t = to;
    const uint8_t *f = from;

    for (; bytes >= 8; bytes -= 8, t += 8, f += 8)
        *(word64 *)t = *(const word64 *)f;
    while (bytes--)
        *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
    uint8_t *t = to;
    const uint8_t *f = from;

    if (t <= f || t >= f + bytes)
        return memcpy(to, from, bytes);
    while (bytes--)
        t[bytes] = f[bytes];
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    uint64_t wide = 0x0101010101010101u * (uint8_t)value;
    uint8_t *t = to;

    for (; bytes >= 8; bytes -= 8, t += 8)
        *(word64 *)t = wide;
    while (bytes--)
        *t++ = (uint8_t)value;
    return to;
}

int memcmp(const void *a, const void *b, size_t bytes)
{
    const uint8_t *x = a, *y = b;

    for (size_t k = 0; k < bytes; k++)
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    return 0;
}
