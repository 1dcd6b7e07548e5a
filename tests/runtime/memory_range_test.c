/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory_range_test.c - ranges of memory: which is found, which are refused, and what is left where
 * memory runs out.
 */

#include "runtime/hand.h"
#include "support/check.h"

enum { N = 16 };

static slip_status next(const hand_device *on, const void *x, void *y, int32_t n)
{
    slip_arg args[] = { { &n, sizeof n }, { x, 4 * (uint64_t)n }, { y, 4 * (uint64_t)n } };

    return slip_launch(on->stream, hand_entry(on, HAND_NEXT), args, 3, NULL, 0);
}

static void an_array_partly_in_a_known_range_is_refused_naming_both(void)
{
    hand_device on;
    void *memory = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_alloc(on.device, 8 * sizeof(float), &memory), SLIP_OK);
    CHECK_STATUS(hand_add_one(&on, (float *)memory + 4, 5), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "array `x` of add, 20 bytes at ");
    CHECK_CONTAINS(slip_last_error()->message, "lies only partly in the 32 bytes at ");
    CHECK_CONTAINS(slip_last_error()->message, "of slip_alloc");
    CHECK_STATUS(hand_add_one(&on, (float *)memory - 1, 3), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(hand_add_one(&on, (float *)memory + 4, 4), SLIP_OK);
    slip_free(on.device, memory);
    hand_close(&on);
}

static void ranges_may_touch_but_not_overlap(void)
{
    hand_device on;
    float x[N] = { 0 };
    void *out = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_keep(on.device, &x[4], 4 * sizeof *x), SLIP_OK);
    CHECK_STATUS(slip_keep(on.device, &x[7], 4 * sizeof *x), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "16 bytes at ");
    CHECK_CONTAINS(slip_last_error()->message, "for slip_keep touch the 16 bytes at ");
    CHECK_STATUS(slip_keep(on.device, &x[2], 3 * sizeof *x), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_wrap(on.device, &x[5], 4, &out), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_keep(on.device, &x[8], 4 * sizeof *x), SLIP_OK);
    CHECK_STATUS(slip_keep(on.device, &x[0], 4 * sizeof *x), SLIP_OK);
    CHECK_STATUS(hand_add_one(&on, &x[3], 2), SLIP_ERR_ARGUMENT); /* across two ranges */
    CHECK_STATUS(slip_unkeep(on.device, &x[5]), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_unkeep(on.device, &x[4]), SLIP_OK);
    CHECK_STATUS(slip_unkeep(on.device, &x[4]), SLIP_ERR_ARGUMENT);
    hand_close(&on);
}

static void zero_bytes_give_an_address_for_empty_arrays_only(void)
{
    hand_device on;
    void *a = NULL, *b = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_alloc(on.device, 0, &a), SLIP_OK);
    CHECK_STATUS(slip_alloc(on.device, 0, &b), SLIP_OK);
    CHECK(a && b && a != b);
    CHECK_STATUS(hand_add_one(&on, a, 0), SLIP_OK);
    CHECK_STATUS(hand_add_one(&on, a, 1), SLIP_ERR_ARGUMENT);
    slip_free(on.device, a);
    slip_free(on.device, b);
    hand_close(&on);
}

static void the_wrong_kind_of_memory_is_refused(void)
{
    hand_device on;
    float x[N] = { 0 };
    void *memory = NULL, *native = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_alloc(on.device, sizeof x, &memory), SLIP_OK);
    CHECK_STATUS(slip_push(on.stream, memory), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "it is of slip_alloc");
    CHECK_STATUS(slip_fetch(on.stream, x), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_upload(on.stream, x, x, sizeof x), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_download(on.stream, x, x, sizeof x), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_upload(on.stream, memory, x, sizeof x + 1), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_native(on.device, x, &native), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_keep(on.device, x, 0), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_keep(on.device, NULL, 4), SLIP_ERR_ARGUMENT);
    fail_clear();
    slip_host_free(on.device, memory); /* not its own: left alone, and recorded */
    CHECK_EQ_U64(slip_last_error()->code, SLIP_ERR_ARGUMENT);
    slip_free(on.device, NULL);
    slip_free(on.device, memory);
    hand_close(&on);
}

static void a_range_freed_and_made_again_is_looked_up_again(void)
{
    hand_device on;
    float x[N] = { 0 };

    hand_open(&on);
    for (int round = 0; round < 3; round++) {
        CHECK_STATUS(hand_add_one(&on, x, N), SLIP_OK); /* in place */
        CHECK_STATUS(slip_keep(on.device, x, sizeof x), SLIP_OK);
        CHECK_STATUS(hand_add_one(&on, x, N), SLIP_OK); /* the mirror */
        CHECK_STATUS(slip_unkeep(on.device, x), SLIP_OK);
        CHECK_EQ_F64((double)x[1], round + 1.0);
    }
    hand_close(&on);
}

static void memory_of_other_kinds_is_another_shape_of_call(void)
{
    hand_device on;
    float x[N] = { 0 }, y[N] = { 0 };
    void *memory = NULL;
    slip_stats stats;

    hand_open(&on);
    CHECK_STATUS(slip_alloc(on.device, sizeof x, &memory), SLIP_OK);
    for (int round = 0; round < 3; round++) {
        CHECK_STATUS(next(&on, x, y, N), SLIP_OK);
        CHECK_STATUS(next(&on, x, memory, N), SLIP_OK);
        CHECK_STATUS(next(&on, memory, y, N), SLIP_OK);
    }
    CHECK_EQ_F64((double)y[0], 2.0);
    slip_device_stats(on.device, &stats);
    CHECK_EQ_U64(stats.plans, 3);
    slip_free(on.device, memory);
    hand_close(&on);
}

/* Each way to make memory, failing request k for k = 1, 2, ...: an error, nothing published,
 * nothing left. */
static void making_memory_leaves_nothing_behind_whichever_request_fails(void)
{
    float x[N] = { 0 };

    for (int way = 0; way < 4; way++)
        for (uint64_t fail = 1;; fail++) {
            hand_device on;
            void *out = NULL;
            hand_open(&on);
            uint64_t generation = on.device->generation, live = mem_live();
            fail_clear();
            mem_fail_at(fail);
            slip_status status = way == 0   ? slip_alloc(on.device, 64, &out)
                                 : way == 1 ? slip_host_alloc(on.device, 64, &out)
                                 : way == 2 ? slip_keep(on.device, x, sizeof x)
                                            : slip_wrap(on.device, x, sizeof x, &out);
            mem_fail_at(0);
            CHECK_EQ_U64(fail_last()->code, status);
            if (status != SLIP_OK) {
                CHECK_EQ_U64(status, SLIP_ERR_MEMORY);
                CHECK(out == NULL);
                CHECK_EQ_U64(mem_live(), live);
                CHECK_EQ_U64(on.device->generation, generation);
                CHECK_STATUS(hand_add_one(&on, x, N), SLIP_OK);
            }
            hand_close(&on);
            if (status == SLIP_OK)
                break;
        }
}

static void freeing_works_where_no_memory_is_left(void)
{
    hand_device on;
    float x[N] = { 0 };
    void *memory[3];

    hand_open(&on);
    for (int i = 0; i < 3; i++)
        CHECK_STATUS(slip_alloc(on.device, sizeof x, &memory[i]), SLIP_OK);
    CHECK_STATUS(slip_keep(on.device, x, sizeof x), SLIP_OK);
    mem_fail_at(1);
    slip_free(on.device, memory[1]);
    mem_fail_at(1);
    CHECK_STATUS(slip_unkeep(on.device, x), SLIP_OK);
    mem_fail_at(0);
    CHECK_STATUS(hand_add_one(&on, x, N), SLIP_OK); /* unknown again */
    CHECK_EQ_F64((double)x[0], 1.0);
    CHECK_STATUS(slip_keep(on.device, x, sizeof x), SLIP_OK);
    CHECK_STATUS(hand_add_one(&on, memory[2], N), SLIP_OK);
    slip_free(on.device, memory[0]);
    hand_close(&on); /* memory[2] is forgotten: closing takes it */
}

static void many_ranges_are_each_found(void)
{
    enum { MANY = 200 };
    hand_device on;
    float *memory[MANY];

    hand_open(&on);
    for (int i = 0; i < MANY; i++) {
        void *out = NULL;
        CHECK_STATUS(slip_alloc(on.device, (uint64_t)(1 + i % 7) * sizeof(float), &out), SLIP_OK);
        memory[i] = out;
        memory[i][i % 7] = (float)i;
    }
    for (int i = 0; i < MANY; i += 2)
        slip_free(on.device, memory[i]);
    for (int i = 1; i < MANY; i += 2) {
        CHECK_STATUS(hand_add_one(&on, memory[i], 1 + i % 7), SLIP_OK);
        CHECK_EQ_F64((double)memory[i][i % 7], i + 1.0);
        CHECK_STATUS(hand_add_one(&on, memory[i], 2 + i % 7), SLIP_ERR_ARGUMENT);
    }
    hand_close(&on);
}

static void memory_no_machine_has_is_refused(void)
{
    hand_device on;
    void *out = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_alloc(on.device, UINT64_MAX - 8, &out), SLIP_ERR_MEMORY);
    CHECK_STATUS(slip_alloc(on.device, (uint64_t)1 << 62, &out), SLIP_ERR_MEMORY);
    CHECK_CONTAINS(slip_last_error()->message, "4611686018427387904 bytes"); /* as was asked */
    CHECK(out == NULL);
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(an_array_partly_in_a_known_range_is_refused_naming_both),
    CASE(ranges_may_touch_but_not_overlap),
    CASE(zero_bytes_give_an_address_for_empty_arrays_only),
    CASE(the_wrong_kind_of_memory_is_refused),
    CASE(a_range_freed_and_made_again_is_looked_up_again),
    CASE(memory_of_other_kinds_is_another_shape_of_call),
    CASE(making_memory_leaves_nothing_behind_whichever_request_fails),
    CASE(freeing_works_where_no_memory_is_left),
    CASE(many_ranges_are_each_found),
    CASE(memory_no_machine_has_is_refused),
};
CHECK_MAIN(cases)
