/* SPDX-License-Identifier: Apache-2.0 */
/* stddef.h - as kernels see it. */
#ifndef SLIPC_STDDEF_H
#define SLIPC_STDDEF_H
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef int wchar_t;
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
