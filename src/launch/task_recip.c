/* SPDX-License-Identifier: Apache-2.0 */
/*
 * task_recip.c - division by an axis' count as a multiplication.
 *
 * For c no power of two let l be the least number with c < 2^l. magic = floor(2^(31+l) / c) + 1
 * fits 32 bits, and floor(x / c) = x * magic >> (31 + l) for all x < 2^31 (Granlund and Montgomery,
 * Division by Invariant Integers using Multiplication, theorem 4.2 with N = 31).
 */
#include "launch/task_params.h"

task_recip task_recip_of(uint64_t count)
{
    uint32_t log = 63u - (uint32_t)__builtin_clzll(count);

    if ((count & (count - 1)) == 0)
        return (task_recip){ count, 0, log };
    return (task_recip){ count, (uint32_t)(((uint64_t)1 << (32 + log)) / count + 1), log };
}
