/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diag_test.c - diagnostics: order, counting, duplicates, and the printed form.
 */
#include "base/diag.h"

#include "support/check.h"

static const char source[] = "int a;\n"
                             "\n"
                             "        d = x[i] - 1;\r\n"
                             "\tif (\td)\n"
                             "s = \"\xc3\xa9\xc3\xa9\" + 1;\n"
                             "   \n"
                             "last";

static void check_print(uint32_t line, uint32_t column, const char *expected)
{
    diag d = { .severity = DIAG_ERROR, .file = "k.c", .line = line, .column = column,
               .message = "m" };
    text t = { 0 };

    diag_print(&t, &d, source);
    CHECK_TEXT(text_get(&t), expected);
    text_finish(&t);
}

static void a_diagnostic_shows_its_line_and_a_caret(void)
{
    check_print(1, 5, "k.c:1:5: error: m\n    int a;\n        ^\n");
    check_print(3, 9, "k.c:3:9: error: m\n    d = x[i] - 1;\n    ^\n");
    check_print(3, 22, "k.c:3:22: error: m\n    d = x[i] - 1;\n                 ^\n");
    check_print(7, 1, "k.c:7:1: error: m\n    last\n    ^\n");
}

static void the_caret_stands_under_its_letter_past_tabs_and_utf8(void)
{
    check_print(4, 7, "k.c:4:7: error: m\n    if (\td)\n        \t^\n");
    check_print(5, 11, "k.c:5:11: error: m\n    s = \"\xc3\xa9\xc3\xa9\" + 1;\n            ^\n");
}

static void places_outside_the_text_show_what_can_be_shown(void)
{
    check_print(1, 99, "k.c:1:99: error: m\n    int a;\n");
    check_print(1, 0, "k.c:1: error: m\n    int a;\n");
    check_print(3, 2, "k.c:3:2: error: m\n    d = x[i] - 1;\n");
    check_print(2, 1, "k.c:2:1: error: m\n");
    check_print(6, 2, "k.c:6:2: error: m\n");
    check_print(8, 1, "k.c:8:1: error: m\n");
    check_print(4000000000u, 1, "k.c:4000000000:1: error: m\n");
    check_print(0, 0, "k.c: error: m\n");
}

static void severity_advice_and_missing_source_are_printed(void)
{
    diag d = { .severity = DIAG_WARNING, .message = "is slow", .advice = "write less" };
    text t = { 0 };

    diag_print(&t, &d, NULL);
    CHECK_TEXT(text_get(&t), "warning: is slow\nadvice: write less\n");
    text_clear(&t);
    d.severity = DIAG_NOTE;
    d.advice = NULL;
    d.file = "a/b.c";
    d.line = 12;
    d.column = 9;
    diag_print(&t, &d, NULL);
    CHECK_TEXT(text_get(&t), "a/b.c:12:9: note: is slow\n");
    text_finish(&t);
}

static void the_list_keeps_order_counts_and_drops_duplicates(void)
{
    mem_arena arena = { 0 };
    diag_list list = { .arena = &arena };

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    diag_add(&list, DIAG_ERROR, "k.c", 9, 1, "do so", "late %d", 1);
    diag_add(&list, DIAG_WARNING, "k.c", 2, 1, NULL, "early");
    diag_add(&list, DIAG_ERROR, "k.c", 9, 1, NULL, "late %d", 1);  /* the same again */
    diag_add(&list, DIAG_ERROR, "k.c", 9, 1, NULL, "late %d", 2);  /* another message */
    diag_add(&list, DIAG_ERROR, "k.c", 9, 2, NULL, "late %d", 1);  /* another column */
    diag_add(&list, DIAG_ERROR, "k.c", 8, 1, NULL, "late %d", 1);  /* another line */
    diag_add(&list, DIAG_ERROR, "j.c", 9, 1, NULL, "late %d", 1);  /* another file */
    diag_add(&list, DIAG_NOTE, NULL, 0, 0, NULL, "no place");
    diag_add(&list, DIAG_NOTE, NULL, 0, 0, NULL, "no place");
    CHECK_EQ_U64(list.errors, 5);
    CHECK_EQ_U64(list.warnings, 1);

    text t = { 0 };
    for (const diag *d = list.first; d; d = d->next)
        diag_print(&t, d, NULL);
    CHECK_TEXT(text_get(&t), "k.c:9:1: error: late 1\n"
                             "advice: do so\n"
                             "k.c:2:1: warning: early\n"
                             "k.c:9:1: error: late 2\n"
                             "k.c:9:2: error: late 1\n"
                             "k.c:8:1: error: late 1\n"
                             "j.c:9:1: error: late 1\n"
                             "note: no place\n");
    text_finish(&t);
    mem_arena_finish(&arena);
}

static void names_are_copied_into_the_arena(void)
{
    mem_arena arena = { 0 };
    diag_list list = { .arena = &arena };
    char file[] = "k.c", advice[] = "a";

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    diag_add(&list, DIAG_ERROR, file, 1, 1, advice, "m");
    file[0] = 'x';
    advice[0] = 'y';
    CHECK_TEXT(list.first->file, "k.c");
    CHECK_TEXT(list.first->advice, "a");
    mem_arena_finish(&arena);
}

static void an_error_counts_even_where_the_arena_has_no_room(void)
{
    mem_arena arena = { 0 };
    diag_list list = { .arena = &arena };

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    while (arena_new(&arena, arena.reserved / 16))
        ;
    while (arena_new(&arena, 1))
        if (arena.reserved - arena.used > 4096)
            arena_new(&arena, (arena.reserved - arena.used) / 2);
    diag_add(&list, DIAG_ERROR, "k.c", 1, 1, "advice", "message");
    CHECK_EQ_U64(list.errors, 1);
    CHECK(list.first == NULL);
    mem_arena_finish(&arena);
}

static const check_case cases[] = {
    CASE(a_diagnostic_shows_its_line_and_a_caret),
    CASE(the_caret_stands_under_its_letter_past_tabs_and_utf8),
    CASE(places_outside_the_text_show_what_can_be_shown),
    CASE(severity_advice_and_missing_source_are_printed),
    CASE(the_list_keeps_order_counts_and_drops_duplicates),
    CASE(names_are_copied_into_the_arena),
    CASE(an_error_counts_even_where_the_arena_has_no_room),
};
CHECK_MAIN(cases)
