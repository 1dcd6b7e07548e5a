/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scalar_text_test.c - scalars printed and read back to the same bits, and what is refused.
 */
#include <locale.h>
#include <string.h>

#include "base/scalar.h"
#include "support/check.h"

static void check_print(scalar_type type, uint64_t bits, const char *expected)
{
    char out[40];
    const char *end = NULL;
    uint64_t back = 0xdead;

    scalar_print(type, bits, out);
    CHECK_TEXT(out, expected);
    CHECK(scalar_parse(type, out, &end, &back));
    CHECK(*end == '\0');
    CHECK_EQ_U64(back, bits);
}

static void numbers_print_as_written_here(void)
{
    check_print(SCALAR_bool, 1, "true");
    check_print(SCALAR_bool, 0, "false");
    check_print(SCALAR_i8, (uint64_t)-128, "-128");
    check_print(SCALAR_u8, 255, "255");
    check_print(SCALAR_i16, (uint64_t)-1, "-1");
    check_print(SCALAR_u32, 4294967295, "4294967295");
    check_print(SCALAR_i64, (uint64_t)INT64_MIN, "-9223372036854775808");
    check_print(SCALAR_u64, UINT64_MAX, "18446744073709551615");
    check_print(SCALAR_f32, 0x3f800000, "0x1p+0");
    check_print(SCALAR_f32, 0xbfc00000, "-0x1.8p+0");
    check_print(SCALAR_f32, 0x3dcccccd, "0x1.99999ap-4");
    check_print(SCALAR_f32, 1, "0x1p-149");
    check_print(SCALAR_f32, 0x7f7fffff, "0x1.fffffep+127");
    check_print(SCALAR_f32, 0x80000000, "-0x0p+0");
    check_print(SCALAR_f64, 0x3fb999999999999a, "0x1.999999999999ap-4");
    check_print(SCALAR_f64, 1, "0x0.0000000000001p-1022");
    check_print(SCALAR_f64, 0x0010000000000000, "0x1p-1022");
    check_print(SCALAR_f64, 0x7fefffffffffffff, "0x1.fffffffffffffp+1023");
    check_print(SCALAR_f64, 0x0008000000000000, "0x0.8p-1022");
    check_print(SCALAR_f64, 0x4000000000000010, "0x1.000000000001p+1");
    check_print(SCALAR_f32, 0x7f800000, "inf");
    check_print(SCALAR_f64, 0xfff0000000000000, "-inf");
    check_print(SCALAR_f32, 0x7fc00000, "nan(0x7fc00000)");
    check_print(SCALAR_f32, 0xffa00001, "nan(0xffa00001)");
    check_print(SCALAR_f64, 0xfff8000000000123, "nan(0xfff8000000000123)");
}

static void any_bits_survive_print_and_parse(void)
{
    uint64_t state = 0x2545f4914f6cdd1d;

    for (int i = 0; i < 200000; i++) {
        scalar_type type = (scalar_type)(i % SCALAR_TYPE_COUNT);
        char out[40];
        const char *end;
        uint64_t back = 0;
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        uint64_t bits = scalar_canonical(type, i % 3 ? state : state >> (state % 64));
        scalar_print(type, bits, out);
        CHECK(strlen(out) < 40);
        CHECK(scalar_parse(type, out, &end, &back));
        if (back != bits || *end)
            CHECK_FAIL("%s 0x%llx is printed %s, read 0x%llx", scalar_types[type].name,
                       (unsigned long long)bits, out, (unsigned long long)back);
    }
}

static void check_refused(scalar_type type, const char *from)
{
    const char *end = from;
    uint64_t out = 0xdead;

    if (scalar_parse(type, from, &end, &out))
        CHECK_FAIL("\"%s\" was read as %s", from, scalar_types[type].name);
    CHECK(end == from);
    CHECK_EQ_U64(out, 0xdead);
}

static void what_does_not_fit_or_is_no_number_is_refused(void)
{
    check_refused(SCALAR_i8, "128");
    check_refused(SCALAR_i8, "-129");
    check_refused(SCALAR_u8, "256");
    check_refused(SCALAR_u8, "-1");
    check_refused(SCALAR_bool, "2");
    check_refused(SCALAR_bool, "256");
    check_refused(SCALAR_bool, "yes");
    check_refused(SCALAR_i64, "9223372036854775808");
    check_refused(SCALAR_i64, "-9223372036854775809");
    check_refused(SCALAR_i64, "18446744073709551615");
    check_refused(SCALAR_u64, "18446744073709551616");
    check_refused(SCALAR_u64, "-1");
    check_refused(SCALAR_u64, "99999999999999999999999999");
    check_refused(SCALAR_i32, "");
    check_refused(SCALAR_i32, "-");
    check_refused(SCALAR_i32, " 1");
    check_refused(SCALAR_i32, "+1");
    check_refused(SCALAR_f32, "");
    check_refused(SCALAR_f32, " 1");
    check_refused(SCALAR_f32, "x");
    check_refused(SCALAR_f32, "-");
    check_refused(SCALAR_f64, ".");
    check_refused(SCALAR_f32, "nan");
    check_refused(SCALAR_f32, "nan(0x7f800000)");  /* that is infinity */
    check_refused(SCALAR_f32, "nan(0x1)");
    check_refused(SCALAR_f32, "nan(0x17fc00000)"); /* more than 32 bits */
    check_refused(SCALAR_f64, "nan(0xfff8000000000000");
    check_refused(SCALAR_f64, "nan(0x)");
    check_refused(SCALAR_f64, "nan(0x-1)");
    check_refused(SCALAR_f64, "nan(0x1fff8000000000000)");
}

static void parsing_stops_where_the_number_ends(void)
{
    const char *text = "-12, 0x1.8p+1) 2.5;", *end;
    uint64_t out;

    CHECK(scalar_parse(SCALAR_i32, text, &end, &out));
    CHECK_EQ_I64(out, -12);
    CHECK_TEXT(end, ", 0x1.8p+1) 2.5;");
    CHECK(scalar_parse(SCALAR_f64, end + 2, &end, &out));
    CHECK_EQ_U64(out, 0x4008000000000000); /* 3 */
    CHECK_TEXT(end, ") 2.5;");
    CHECK(scalar_parse(SCALAR_f32, end + 2, &end, &out));
    CHECK_EQ_U64(out, 0x40200000);
    CHECK_TEXT(end, ";");
    CHECK(scalar_parse(SCALAR_f32, "inf)", &end, &out));
    CHECK_TEXT(end, ")");
}

static void decimals_are_rounded_to_the_type_once(void)
{
    const char *end;
    uint64_t out;

    /* 1 + 2^-24 + 2^-55: by way of double it is the tie 1 + 2^-24, which goes to 1. */
    CHECK(scalar_parse(SCALAR_f32, "1.00000005960464480546032", &end, &out));
    CHECK_EQ_U64(out, 0x3f800001);
    CHECK(scalar_parse(SCALAR_f64, "0.1", &end, &out));
    CHECK_EQ_U64(out, 0x3fb999999999999a);
}

static void a_locale_with_decimal_commas_changes_nothing(void)
{
    static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C.UTF-8" };
    const char *chosen = NULL;

    for (size_t i = 0; i < sizeof names / sizeof names[0] && !chosen; i++)
        chosen = setlocale(LC_ALL, names[i]);
    CHECK(chosen != NULL);
    check_print(SCALAR_f64, 0x3fb999999999999a, "0x1.999999999999ap-4");
    check_print(SCALAR_f32, 0xbfc00000, "-0x1.8p+0");
    setlocale(LC_ALL, "C");
}

static const check_case cases[] = {
    CASE(numbers_print_as_written_here),
    CASE(any_bits_survive_print_and_parse),
    CASE(what_does_not_fit_or_is_no_number_is_refused),
    CASE(parsing_stops_where_the_number_ends),
    CASE(decimals_are_rounded_to_the_type_once),
    CASE(a_locale_with_decimal_commas_changes_nothing),
};
CHECK_MAIN(cases)
