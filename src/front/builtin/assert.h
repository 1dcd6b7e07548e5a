/* SPDX-License-Identifier: Apache-2.0 */
/* assert.h - as kernels see it, as under NDEBUG: the argument has to be right C, and is not evaluated. */
#undef assert
#define assert(condition) ((void)sizeof((condition) ? 1 : 0))
#ifndef static_assert
#define static_assert _Static_assert
#endif
