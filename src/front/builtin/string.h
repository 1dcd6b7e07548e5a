/* SPDX-License-Identifier: Apache-2.0 */
/* string.h - as kernels see it: of constant size. */
#ifndef SLIPC_STRING_H
#define SLIPC_STRING_H
#include <stddef.h>
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
#endif
