/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_mode.h - the floating-point mode that tasks and launch programs run in.
 *
 * Round to nearest even, denormals kept, no traps: LANGUAGE rule 19. The application's own mode is
 * read once and put back; where it is the default already nothing is written.
 */
#ifndef SLIPWAY_DRIVER_CPU_MODE_H
#define SLIPWAY_DRIVER_CPU_MODE_H

#include <stdint.h>

#if defined(__x86_64__)

enum {
    CPU_MODE_DEFAULT = 0x1f80,
    CPU_MODE_FLAGS = 0x3f
}; /* MXCSR: all masked; sticky flags do not matter */

static inline uint64_t cpu_mode_read(void)
{
    return __builtin_ia32_stmxcsr();
}

static inline void cpu_mode_write(uint64_t mode)
{
    __builtin_ia32_ldmxcsr((uint32_t)mode);
}

#elif defined(__aarch64__)

enum { CPU_MODE_DEFAULT = 0, CPU_MODE_FLAGS = 0 }; /* FPCR */

static inline uint64_t cpu_mode_read(void)
{
    uint64_t mode;

    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
}

static inline void cpu_mode_write(uint64_t mode)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(mode));
}

#else
#error "cpu_mode.h: this processor's floating-point mode is not described"
#endif

/* Puts the thread into the default mode and returns the mode to give to cpu_mode_leave. */
static inline uint64_t cpu_mode_enter(void)
{
    uint64_t mode = cpu_mode_read();

    if ((mode & ~(uint64_t)CPU_MODE_FLAGS) != CPU_MODE_DEFAULT)
        cpu_mode_write(CPU_MODE_DEFAULT);
    return mode;
}

static inline void cpu_mode_leave(uint64_t mode)
{
    if ((mode & ~(uint64_t)CPU_MODE_FLAGS) != CPU_MODE_DEFAULT)
        cpu_mode_write(mode);
}

#endif
