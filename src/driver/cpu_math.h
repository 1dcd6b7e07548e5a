/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_math.h - the math functions that CPU code may import, by name. Nothing else can be reached.
 */
#ifndef SLIPWAY_DRIVER_CPU_MATH_H
#define SLIPWAY_DRIVER_CPU_MATH_H

/* Any function, to be called as what it is. NULL if there is none of that name. */
typedef void (*cpu_math_function)(void);
cpu_math_function cpu_math_named(const char *name);

#endif
