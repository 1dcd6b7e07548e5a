/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npy_test.c - files that NumPy wrote are read with their values, whatever type, order and version;
 * damaged ones are refused with a reason; what is written is what NumPy would write.
 *
 * The corpus is made by tests/fuzz/npy_corpus.py.
 */
#include "npy.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npy_header.h"
#include "support/check.h"
#include "tool.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *corpus_path(const char *name)
{
    static char path[128];

    snprintf(path, sizeof path, "tests/fuzz/npy_corpus/%s", name);
    return check_path(path);
}

static npy_array load(const char *name)
{
    npy_array a = { 0 };

    tool_clear();
    CHECK_STATUS(npy_load(corpus_path(name), &a), SLIP_OK);
    return a;
}

/* Element k as a number, whatever its type. */
static double number(const npy_array *a, uint64_t k)
{
    char text[VALUE_TEXT_BYTES];
    const char *at = value_print(a->type, (const char *)a->data + k * a->item_bytes, text);

    return strcmp(at, "true") == 0 ? 1 : strcmp(at, "false") == 0 ? 0 : strtod(at, NULL);
}

static void check_refused(const char *name, slip_status status, const char *part)
{
    npy_array a = { 0 };

    tool_clear();
    CHECK_STATUS(npy_load(corpus_path(name), &a), status);
    CHECK_CONTAINS(tool_message(), part);
    CHECK(a.data == NULL && a.memory == NULL);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* 0 7 14 / 21 28 35; bool: 0 1 0 / 1 0 1. */
static void check_grid(const char *type, const char *suffix, bool fortran)
{
    char name[64];

    snprintf(name, sizeof name, "good_%s_%s.npy", type, suffix);
    npy_array a = load(name);
    CHECK_EQ_U64(a.rank, 2);
    CHECK_EQ_U64(a.shape[0], 2);
    CHECK_EQ_U64(a.shape[1], 3);
    CHECK_EQ_U64(a.count, 6);
    CHECK(a.fortran == fortran);
    CHECK_EQ_U64(a.bytes, 6 * (uint64_t)(type[1] - '0'));
    CHECK(value_types[a.type].kind == type[0]);
    for (uint64_t k = 0; k < 6; k++)
        CHECK_EQ_F64(number(&a, k), type[0] == 'b' ? (double)(k % 2) : (double)k * 7);
    npy_finish(&a);
}

static const char *const types[] = { "b1", "i1", "u1", "i2", "u2", "i4",
                                     "u4", "i8", "u8", "f4", "f8" };

static void every_type_is_read_in_c_order(void)
{
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
        check_grid(types[k], "c", false);
}

static void every_type_in_fortran_order_is_put_into_c_order(void)
{
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
        check_grid(types[k], "fortran", true);
}

static void every_big_endian_type_is_turned_round(void)
{
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
        check_grid(types[k], "big", false);
}

static void versions_two_and_three_are_read(void)
{
    const char *names[] = { "good_version2.npy", "good_version3.npy" };

    for (size_t v = 0; v < 2; v++) {
        npy_array a = load(names[v]);
        CHECK_EQ_U64(a.count, 4);
        for (uint64_t k = 0; k < 4; k++)
            CHECK_EQ_F64(number(&a, k), (double)k);
        npy_finish(&a);
    }
}

static void four_axes_in_fortran_order_are_put_into_c_order(void)
{
    npy_array a = load("good_rank4_fortran.npy");

    CHECK_EQ_U64(a.count, 120);
    for (uint64_t k = 0; k < 120; k++)
        CHECK_EQ_F64(number(&a, k), (double)k);
    npy_finish(&a);
}

static void an_array_without_axes_has_one_element(void)
{
    npy_array a = load("good_scalar.npy");

    CHECK_EQ_U64(a.rank, 0);
    CHECK_EQ_U64(a.count, 1);
    CHECK_EQ_F64(number(&a, 0), 2.5);
    npy_finish(&a);
}

static void an_empty_array_has_a_shape_and_no_bytes(void)
{
    npy_array a = load("good_empty.npy");

    CHECK_EQ_U64(a.rank, 2);
    CHECK_EQ_U64(a.shape[1], 5);
    CHECK_EQ_U64(a.bytes, 0);
    CHECK(a.data != NULL);
    npy_finish(&a);
    a = load("good_huge_but_empty.npy");
    CHECK_EQ_U64(a.count, 0);
    npy_finish(&a);
}

static void raw_blocks_keep_their_bytes(void)
{
    npy_array a = load("good_raw.npy");

    CHECK(a.type == VALUE_TYPE_COUNT);
    CHECK_EQ_U64(a.item_bytes, 3);
    CHECK_EQ_U64(a.count, 2);
    CHECK(memcmp(a.data, "\0\1\2\3\4\5", 6) == 0);
    npy_finish(&a);
}

/* ---- refusals ------------------------------------------------------------------------------- */

static void what_is_no_npy_file_is_refused(void)
{
    check_refused("bad_nothing.npy", SLIP_ERR_FORMAT, "this is no .npy file");
    check_refused("bad_magic_only.npy", SLIP_ERR_FORMAT, "this is no .npy file");
    check_refused("bad_version9.npy", SLIP_ERR_FORMAT,
                  "version 9.0; versions 1.0, 2.0 and 3.0 are read");
    CHECK_STATUS(npy_load("/nowhere/u.npy", &(npy_array){ 0 }), SLIP_ERR_NOT_FOUND);
}

static void lengths_are_held_against_the_file(void)
{
    check_refused("bad_header_past_the_end.npy", SLIP_ERR_FORMAT, "header, which has 60000 bytes");
    check_refused("bad_header_past_the_end_v2.npy", SLIP_ERR_FORMAT,
                  "header, which has 4294967295 bytes");
    check_refused("bad_cut_off.npy", SLIP_ERR_FORMAT,
                  "(2,) elements of 4 bytes take 8 bytes; 7 are there");
    check_refused("bad_too_long.npy", SLIP_ERR_FORMAT, "1 bytes follow the data, which has 8");
    check_refused("bad_two_arrays.npy", SLIP_ERR_FORMAT, "bytes follow the data, which has 16");
    check_refused("bad_huge_shape.npy", SLIP_ERR_FORMAT, "passes 2^63 bytes");
    check_refused("bad_wrapping_shape.npy", SLIP_ERR_FORMAT, "passes 2^63 bytes");
}

static void shapes_that_are_none_are_refused(void)
{
    check_refused("bad_wrapping_extent.npy", SLIP_ERR_FORMAT, "no extent");
    check_refused("bad_negative.npy", SLIP_ERR_FORMAT, "no extent");
    check_refused("bad_expression.npy", SLIP_ERR_FORMAT, "no tuple");
    check_refused("bad_no_tuple.npy", SLIP_ERR_FORMAT, "no tuple");
    check_refused("bad_many_axes.npy", SLIP_ERR_UNSUPPORTED, "more than 32 dimensions");
}

static void types_that_no_kernel_has_are_refused_with_those_there_are(void)
{
    const char *list = "kernels have b1 i1 u1 i2 u2 i4 u4 i8 u8 f4 f8, and V<bytes> for structs";

    check_refused("bad_objects.npy", SLIP_ERR_UNSUPPORTED, list);
    check_refused("bad_half.npy", SLIP_ERR_UNSUPPORTED, "the element type is '<f2'");
    check_refused("bad_complex.npy", SLIP_ERR_UNSUPPORTED, list);
    check_refused("bad_zero_bytes.npy", SLIP_ERR_UNSUPPORTED, list);
    check_refused("bad_no_order.npy", SLIP_ERR_UNSUPPORTED, list);
    check_refused("bad_bar_order.npy", SLIP_ERR_UNSUPPORTED, list);
    check_refused("bad_records.npy", SLIP_ERR_UNSUPPORTED, "a.view('V%d' % a.itemsize)");
}

static void headers_that_are_no_dictionary_of_three_are_refused(void)
{
    const char *names[] = { "key_twice",   "other_key", "key_missing", "escape",
                            "open_string", "truth",     "after",       "deep" };
    char name[64];

    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        snprintf(name, sizeof name, "bad_%s.npy", names[k]);
        check_refused(name, SLIP_ERR_FORMAT, "header");
    }
}

/* Each file cut at each byte: refused, never read past its end (the sanitizers watch). */
static void a_file_cut_anywhere_is_refused(void)
{
    size_t size = 0;
    char *whole = check_read("tests/fuzz/npy_corpus/good_f8_fortran.npy", &size);

    for (size_t cut = 0; cut < size; cut++) {
        npy_array a = { 0 };
        void *part = malloc(cut ? cut : 1);
        CHECK(part != NULL);
        memcpy(part, whole, cut);
        tool_clear();
        CHECK_STATUS(npy_take(part, cut, "cut", &a), SLIP_ERR_FORMAT);
    }
    free(whole);
}

static void the_corpus_is_replayed(void)
{
    DIR *folder = opendir(check_path("tests/fuzz/npy_corpus"));
    uint32_t count = 0;

    CHECK(folder != NULL);
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        size_t size = 0;
        char path[512];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "tests/fuzz/npy_corpus/%s", entry->d_name);
        char *data = check_read(path, &size);
        LLVMFuzzerTestOneInput((const uint8_t *)data, size);
        free(data);
        count++;
    }
    closedir(folder);
    CHECK(count >= 65);
}

/* ---- writing -------------------------------------------------------------------------------- */

/* The bytes that NumPy wrote come back, in either order. */
static void check_rewritten(const char *name)
{
    size_t wanted = 0, got = 0;
    char path[128];
    const char *made = check_temp_path(".npy");
    npy_array a = load(name);

    CHECK_STATUS(npy_save(made, &a), SLIP_OK);
    npy_finish(&a);
    snprintf(path, sizeof path, "tests/fuzz/npy_corpus/%s", name);
    char *first = check_read(path, &wanted), *second = check_read(made, &got);
    CHECK_EQ_U64(got, wanted);
    CHECK(memcmp(first, second, wanted) == 0);
    free(first);
    free(second);
}

static void what_is_written_is_what_numpy_writes(void)
{
    char name[64];

    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        snprintf(name, sizeof name, "good_%s_c.npy", types[k]);
        check_rewritten(name);
        snprintf(name, sizeof name, "good_%s_fortran.npy", types[k]);
        check_rewritten(name);
    }
    check_rewritten("good_rank4_fortran.npy");
    check_rewritten("good_scalar.npy");
    check_rewritten("good_empty.npy");
    check_rewritten("good_raw.npy");
}

static void a_file_that_cannot_be_written_leaves_nothing(void)
{
    npy_array a = load("good_f4_c.npy");

    CHECK_STATUS(npy_save("/nowhere/out.npy", &a), SLIP_ERR_NOT_FOUND);
    CHECK_CONTAINS(tool_message(), "/nowhere/out.npy: cannot be written: ");
    npy_finish(&a);
}

static void an_array_that_no_memory_holds_is_refused(void)
{
    npy_array a = { .type = VALUE_f64, .item_bytes = 8, .rank = 2, .shape = { INT64_MAX, 3 } };

    tool_clear();
    CHECK_STATUS(npy_make(&a), SLIP_ERR_MEMORY);
    CHECK(a.data == NULL);
}

static const check_case cases[] = {
    CASE(every_type_is_read_in_c_order),
    CASE(every_type_in_fortran_order_is_put_into_c_order),
    CASE(every_big_endian_type_is_turned_round),
    CASE(versions_two_and_three_are_read),
    CASE(four_axes_in_fortran_order_are_put_into_c_order),
    CASE(an_array_without_axes_has_one_element),
    CASE(an_empty_array_has_a_shape_and_no_bytes),
    CASE(raw_blocks_keep_their_bytes),
    CASE(what_is_no_npy_file_is_refused),
    CASE(lengths_are_held_against_the_file),
    CASE(shapes_that_are_none_are_refused),
    CASE(types_that_no_kernel_has_are_refused_with_those_there_are),
    CASE(headers_that_are_no_dictionary_of_three_are_refused),
    CASE(a_file_cut_anywhere_is_refused),
    CASE(the_corpus_is_replayed),
    CASE(what_is_written_is_what_numpy_writes),
    CASE(a_file_that_cannot_be_written_leaves_nothing),
    CASE(an_array_that_no_memory_holds_is_refused),
};

CHECK_MAIN(cases)
