/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spin.h - what a thread needs that asks again and again before it sleeps.
 */
#ifndef SLIPWAY_DRIVER_SPIN_H
#define SLIPWAY_DRIVER_SPIN_H

#include <stdint.h>

/* Nanoseconds of the monotonic clock. */
uint64_t spin_now_ns(void);

/* Lets the processor's other thread go on. */
static inline void spin_rest(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
