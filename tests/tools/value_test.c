/* SPDX-License-Identifier: Apache-2.0 */
/*
 * value_test.c - texts to values and back at the edges of every type; nothing is rounded to fit.
 */
#include "value.h"

#include <string.h>

#include "support/check.h"
#include "tool.h"

/* The value of `text` printed again; "" where it was refused. */
static const char *again(value_type type, const char *text)
{
    static char out[VALUE_TEXT_BYTES];
    uint64_t bits = 0;

    tool_clear();
    if (value_parse(type, "n", text, &bits) != SLIP_OK)
        return "";
    return value_print(type, &bits, out);
}

static void integers_reach_both_ends_of_their_type(void)
{
    CHECK_TEXT(again(VALUE_i8, "-128"), "-128");
    CHECK_TEXT(again(VALUE_i8, "127"), "127");
    CHECK_TEXT(again(VALUE_u8, "255"), "255");
    CHECK_TEXT(again(VALUE_i16, "-32768"), "-32768");
    CHECK_TEXT(again(VALUE_u16, "0xFFFF"), "65535");
    CHECK_TEXT(again(VALUE_i32, "-2147483648"), "-2147483648");
    CHECK_TEXT(again(VALUE_i32, "+2147483647"), "2147483647");
    CHECK_TEXT(again(VALUE_u32, "4294967295"), "4294967295");
    CHECK_TEXT(again(VALUE_i64, "-9223372036854775808"), "-9223372036854775808");
    CHECK_TEXT(again(VALUE_i64, "0x7fffffffffffffff"), "9223372036854775807");
    CHECK_TEXT(again(VALUE_u64, "18446744073709551615"), "18446744073709551615");
    CHECK_TEXT(again(VALUE_u64, "-0"), "0");
}

static void integers_past_the_end_are_refused_with_the_range(void)
{
    CHECK_TEXT(again(VALUE_i8, "128"), "");
    CHECK_TEXT(tool_message(), "n=128: i8 takes -128 to 127");
    CHECK_TEXT(again(VALUE_i8, "-129"), "");
    CHECK_TEXT(again(VALUE_u8, "256"), "");
    CHECK_TEXT(again(VALUE_u8, "-1"), "");
    CHECK_TEXT(tool_message(), "n=-1: u8 takes 0 to 255");
    CHECK_TEXT(again(VALUE_i32, "2147483648"), "");
    CHECK_TEXT(tool_message(), "n=2147483648: i32 takes -2147483648 to 2147483647");
    CHECK_TEXT(again(VALUE_i64, "9223372036854775808"), "");
    CHECK_TEXT(again(VALUE_i64, "-9223372036854775809"), "");
    CHECK_TEXT(again(VALUE_u64, "18446744073709551616"), "");
    CHECK_TEXT(tool_message(), "n=18446744073709551616: u64 takes 0 to 18446744073709551615");
    CHECK_TEXT(again(VALUE_u64, "184467440737095516150"), "");
}

static void what_is_no_whole_number_is_refused(void)
{
    const char *texts[] = { "",   "-",  "+",   "1.0",  "1e3", "0x",   "12a",
                            " 1", "1 ", "--1", "true", "0b1", "1_000" };

    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        CHECK_TEXT(again(VALUE_i32, texts[k]), "");
    CHECK_TEXT(again(VALUE_i32, "1.5"), "");
    CHECK_TEXT(tool_message(), "n=1.5: i32 takes a whole number, -2147483648 to 2147483647");
}

static void floats_take_the_nearest_number_of_their_own_type(void)
{
    float narrow = 0;
    double wide = 0;

    CHECK_STATUS(value_parse(VALUE_f32, "k", "0.1", &narrow), SLIP_OK);
    CHECK(narrow == 0.1f);
    /* halfway between two f32 after rounding to f64 first: a single rounding goes up */
    CHECK_STATUS(value_parse(VALUE_f32, "k", "1.00000005960464488", &narrow), SLIP_OK);
    CHECK(narrow == 0x1.000002p0f);
    CHECK_STATUS(value_parse(VALUE_f64, "k", "0x1.8p1", &wide), SLIP_OK);
    CHECK(wide == 3.0);
    CHECK_TEXT(again(VALUE_f64, "-0"), "-0");
    CHECK_TEXT(again(VALUE_f32, "1e-45"), "1.4013e-45");
    CHECK_TEXT(again(VALUE_f32, "3"), "3");
    CHECK_TEXT(again(VALUE_f64, "inf"), "inf");
    CHECK_TEXT(again(VALUE_f32, "-inf"), "-inf");
    CHECK_TEXT(again(VALUE_f32, "nan"), "nan");
}

static void floats_past_the_end_are_refused(void)
{
    CHECK_TEXT(again(VALUE_f32, "1e39"), "");
    CHECK_TEXT(tool_message(),
               "n=1e39: f32 takes numbers up to 3.40282347e+38; write inf for infinity");
    CHECK_TEXT(again(VALUE_f64, "-1e309"), "");
    CHECK_TEXT(again(VALUE_f64, "1e-400"), "0");
    CHECK_TEXT(again(VALUE_f32, "one"), "");
    CHECK_TEXT(tool_message(), "n=one: f32 takes a number, inf or nan");
    CHECK_TEXT(again(VALUE_f32, "1x"), "");
    CHECK_TEXT(again(VALUE_f32, " 1"), "");
    CHECK_TEXT(again(VALUE_f32, ""), "");
    CHECK_TEXT(again(VALUE_f64, "nan(5)"), "");
}

static void bools_are_four_words(void)
{
    CHECK_TEXT(again(VALUE_bool, "true"), "true");
    CHECK_TEXT(again(VALUE_bool, "1"), "true");
    CHECK_TEXT(again(VALUE_bool, "false"), "false");
    CHECK_TEXT(again(VALUE_bool, "0"), "false");
    CHECK_TEXT(again(VALUE_bool, "2"), "");
    CHECK_TEXT(tool_message(), "n=2: bool takes true, false, 1 or 0");
}

static void printed_floats_read_back_as_they_were(void)
{
    uint64_t seed = 1;

    for (int k = 0; k < 20000; k++) {
        uint64_t bits = seed = seed * 6364136223846793005u + 1442695040888963407u, back = 0;
        char out[VALUE_TEXT_BYTES];
        double wide;
        float narrow;
        memcpy(&wide, &bits, 8);
        memcpy(&narrow, &bits, 4);
        if (wide != wide || narrow != narrow)
            continue;
        CHECK_STATUS(value_parse(VALUE_f64, "k", value_print(VALUE_f64, &bits, out), &back),
                     SLIP_OK);
        CHECK_EQ_U64(back, bits);
        back = 0;
        CHECK_STATUS(value_parse(VALUE_f32, "k", value_print(VALUE_f32, &bits, out), &back),
                     SLIP_OK);
        CHECK_EQ_U64(back, bits & UINT32_MAX);
    }
}

/* Values of the published SplitMix64 from seed 0, worked out apart from this code. */
static void random_values_come_from_splitmix(void)
{
    uint64_t words[2];
    uint8_t bytes[2];
    double wide = 0;
    float narrow = 0;

    value_fill_random(VALUE_u64, 0, words, 2);
    CHECK_EQ_U64(words[0], 0xe220a8397b1dcdafu);
    CHECK_EQ_U64(words[1], 0x6e789e6aa1b965f4u);
    value_fill_random(VALUE_u8, 0, bytes, 2);
    CHECK_EQ_U64(bytes[0], 0xe2);
    CHECK_EQ_U64(bytes[1], 0x6e);
    value_fill_random(VALUE_f64, 0, &wide, 1);
    CHECK_EQ_F64(wide, 0x1.c4415072f63b9p-1);
    value_fill_random(VALUE_f32, 0, &narrow, 1);
    CHECK(narrow == 0x1.c44150p-1f);
}

static void names_are_those_of_signatures(void)
{
    CHECK(value_type_named("u16") == VALUE_u16);
    CHECK(value_type_named("bool") == VALUE_bool);
    CHECK(value_type_named("particle") == VALUE_TYPE_COUNT);
}

static const check_case cases[] = {
    CASE(integers_reach_both_ends_of_their_type),
    CASE(integers_past_the_end_are_refused_with_the_range),
    CASE(what_is_no_whole_number_is_refused),
    CASE(floats_take_the_nearest_number_of_their_own_type),
    CASE(floats_past_the_end_are_refused),
    CASE(bools_are_four_words),
    CASE(printed_floats_read_back_as_they_were),
    CASE(random_values_come_from_splitmix),
    CASE(names_are_those_of_signatures),
};

CHECK_MAIN(cases)
