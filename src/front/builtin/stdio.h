/* SPDX-License-Identifier: Apache-2.0 */
/* stdio.h - as kernels see it. */
#ifndef SLIPC_STDIO_H
#define SLIPC_STDIO_H
#include <stddef.h>
int printf(const char *restrict format, ...) __attribute__((format(printf, 1, 2)));
#endif
