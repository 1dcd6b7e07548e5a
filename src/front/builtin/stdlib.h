/* SPDX-License-Identifier: Apache-2.0 */
/* stdlib.h - as kernels see it. */
#ifndef SLIPC_STDLIB_H
#define SLIPC_STDLIB_H
#include <stddef.h>
int abs(int value);
long labs(long value);
long long llabs(long long value);
#endif
