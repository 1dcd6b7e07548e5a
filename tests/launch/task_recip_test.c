/* SPDX-License-Identifier: Apache-2.0 */
/* task_recip_test.c - reciprocals against division. */
#include "launch/task_params.h"
#include "support/check.h"

/* As module.h says a shader does it. */
static uint32_t divide(task_recip r, uint32_t x)
{
    return r.magic ? (uint32_t)((uint64_t)x * r.magic >> 32) >> r.shift : x >> r.shift;
}

/* A quotient goes wrong first beside a multiple of the count, and at the end. */
static void check_count(uint32_t count)
{
    task_recip r = task_recip_of(count);
    uint32_t most = INT32_MAX, last = most / count * count;
    uint32_t tried[] = {
        0,        1,    count - 1, count,    count + 1,    2 * count - 1, most / 2, most,
        most - 1, last, last - 1,  last + 1, most / 3 * 2, last / 2,      count / 2
    };

    CHECK_EQ_U64(r.count, count);
    for (size_t k = 0; k < sizeof tried / sizeof tried[0]; k++)
        if (tried[k] <= most && divide(r, tried[k]) != tried[k] / count)
            CHECK_FAIL("%u / %u gives %u", tried[k], count, divide(r, tried[k]));
}

static void quotients_are_those_of_division(void)
{
    for (uint32_t count = 1; count < 200000; count++)
        check_count(count);
    for (uint32_t k = 0; k < 31; k++)
        for (uint32_t around = 0; around < 5; around++) {
            uint32_t count = ((uint32_t)1 << k) + around - 2;
            if (count >= 1 && count <= INT32_MAX)
                check_count(count);
        }
    for (uint64_t count = 3; count <= INT32_MAX; count = count * 7 / 5 + 1)
        check_count((uint32_t)count);
    check_count(INT32_MAX);
    check_count(INT32_MAX - 1);
}

/* Every x, for counts of every kind. */
static void every_number_below_a_million(void)
{
    static const uint32_t counts[] = {
        1, 2, 3, 5, 7, 10, 641, 1000, 1023, 1024, 1025, 65537, 999983
    };

    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        task_recip r = task_recip_of(counts[k]);
        for (uint32_t x = 0; x < 1000000; x++)
            if (divide(r, x) != x / counts[k])
                CHECK_FAIL("%u / %u gives %u", x, counts[k], divide(r, x));
    }
}

static const check_case cases[] = {
    CASE(quotients_are_those_of_division),
    CASE(every_number_below_a_million),
};
CHECK_MAIN(cases)
