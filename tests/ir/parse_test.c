/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse_test.c - what the parser refuses, with the line; and that no text at all makes it crash.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir_case.h"

typedef struct refusal {
    const char *source, *message;
} refusal;

#define HEAD "module\nhelper void f {\n  %a = param i32\n"

static const refusal refusals[] = {
    { "", "line 1: `module` is wanted here" },
    { "module\nstuff\n", "line 2: a module holds" },
    { "module\nfile \"a\"\nfile \"a\"\n", "line 3: file a stands here twice" },
    { "module\nfile \"a\n", "line 2: a string does not end on its line" },
    { "module\nfile \"\\q\"\n", "line 2: escapes" },
    { "module\nstruct s size 4 align 3 {\n}\n", "line 2: a struct of 4 bytes aligned to 3" },
    { "module\nstruct s size 4 align 4 {\n  at 2 i32\n}\n", "line 3: a field of 4 bytes at 2" },
    { "module\nstruct s size 4 align 4 {\n  at 0 struct s\n}\n",
      "line 3: struct s is not defined" },
    { "module\ntable t [2 x i32] {\n  1\n}\n", "line 4: a i32 is wanted here" },
    { "module\ntable t i8 {\n  128\n}\n", "line 3: a i8 is wanted here" },
    { "module\ntable t [67108865 x u8] {\n", "line 2: a table of 67108865 bytes" },
    { "module\ntable t [18446744073709551615 x i64] {\n", "line 2: an array of" },
    { HEAD "  frob %a\n}\n", "line 4: no op is called frob" },
    { HEAD "  return %b\n}\n", "line 4: %b is not made above" },
    { HEAD "  %a = const i32 1\n}\n", "line 4: %a is made twice" },
    { HEAD "  %b = add i32 %a\n}\n", "line 4: add takes 2 inputs, not 1" },
    { HEAD "  %b = add i32 %a, \n}\n", "line 4: a value is wanted after the comma" },
    { HEAD "  %b = add i32 %a, %a, %a\n}\n", "line 4: add takes 2 inputs, not 3" },
    { HEAD "  %b = const i32 x\n}\n", "line 4: a i32 is wanted here" },
    { HEAD "  %b = const i32 1 2\n}\n", "line 4: the line should end here" },
    { HEAD "  %b = const i33 1\n}\n", "line 4: `void` is wanted here" },
    { HEAD "  call g\n}\n", "line 4: function g is not defined" },
    { HEAD "  %b = table ptr.table i32 t\n}\n", "line 4: table t is not defined" },
    { HEAD "  %b = math f32 sine %a\n}\n", "line 4: no math function" },
    { HEAD "  %b = atomic i32 plus %a, %a\n}\n", "line 4: `exchange` is wanted" },
    { HEAD "  switch %a case 1 {\n  }\n}\n", "line 5: `default` is wanted" },
    { HEAD "  break 4294967296\n}\n", "line 4: 4294967296 is more than 4294967295" },
    { HEAD "  block {\n", "line 5: `}` is wanted here" },
    { HEAD "  %b = void %a\n}\n", "line 4: no op is called void" },
    { "module\nhelper void f {\n  %a = param ptr.global f32 extent extent extent extent extent\n",
      "line 3: an array has at most 4 extents" },
};

static void each_refusal_names_the_line(void)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        mem_arena arena = { 0 };
        ir_module *m = NULL;
        CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
        CHECK_STATUS(ir_parse(&arena, refusals[i].source, &m), SLIP_ERR_FORMAT);
        CHECK_CONTAINS(fail_last()->message, refusals[i].message);
        CHECK(m == NULL);
        mem_arena_finish(&arena);
    }
}

/* `text` repeated inside another, deeper than is allowed. */
static void too_deep_is_refused(const char *open, const char *message)
{
    text source = { 0 };
    mem_arena arena = { 0 };
    ir_module *m = NULL;

    text_add(&source, "%s", HEAD);
    for (int i = 0; i < 100000; i++)
        text_add(&source, "%s", open);
    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    CHECK_STATUS(ir_parse(&arena, text_get(&source), &m), SLIP_ERR_FORMAT);
    CHECK_CONTAINS(fail_last()->message, message);
    mem_arena_finish(&arena);
    text_finish(&source);
}

static void depth_is_limited(void)
{
    too_deep_is_refused("block {\n", "line 204: more than 200 levels");
    too_deep_is_refused("%b = undef ptr.global ptr.global ", "line 4: ");
}

static void places_and_comments_may_be_left_out_and_names_are_free(void)
{
    ir_case_module c;

    case_load(&c, "; what it is\nmodule ; plain\n\nhelper i32 f { ; a comment\n\n"
                  "  %x = param i32 as x\n  %sum = add i32 %x,%x\n  return %sum\n}", true);
    CHECK_TEXT(case_print(&c), "module\n\nhelper i32 f {\n  %0 = param i32 as x\n"
                               "  %1 = add i32 %0, %0\n  return %1\n}\n");
    case_finish(&c);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* One or two small edits: a byte changed, a piece cut out, a piece copied elsewhere. */
static void mutate(char *source, size_t *bytes, size_t room, uint64_t *state)
{
    static const char likely[] = "%0123456789{}()[]@:,\" \nabcdefix.-;";

    for (uint64_t edits = 1 + next_random(state) % 2; edits; edits--) {
        size_t at = next_random(state) % *bytes, from = next_random(state) % *bytes;
        size_t count = 1 + next_random(state) % 12;
        if (at + count > *bytes || from + count > *bytes)
            continue;
        switch (next_random(state) % 5) {
        case 0:
            source[at] = likely[next_random(state) % (sizeof likely - 1)];
            break;
        case 1:
            memmove(source + at, source + at + count, *bytes - at - count + 1);
            *bytes -= count;
            break;
        case 2:
            memmove(source + at, source + from, count);
            break;
        case 3:
            if (*bytes + count < room) {
                memmove(source + at + count, source + at, *bytes - at + 1);
                *bytes += count;
            }
            break;
        case 4: /* a digit for a digit: other values, fields, levels */
            while (at < *bytes && (source[at] < '0' || source[at] > '9'))
                at++;
            if (at < *bytes)
                source[at] = (char)('0' + next_random(state) % 10);
            break;
        }
    }
}

/* Parsed, or refused with a line; what parses comes back from its print, and may be verified. */
static void try_text(const char *source, uint32_t *accepted)
{
    mem_arena arena = { 0 };
    ir_module *m = NULL, *again = NULL;
    text first = { 0 }, second = { 0 };

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    fail_clear();
    if (ir_parse(&arena, source, &m) != SLIP_OK) {
        CHECK_CONTAINS(fail_last()->message, "line ");
    } else {
        ++*accepted;
        ir_print(&first, m);
        CHECK_STATUS(ir_parse(&arena, text_get(&first), &again), SLIP_OK);
        ir_print(&second, again);
        CHECK_TEXT(text_get(&second), text_get(&first));
        fail_clear();
        slip_status status = ir_verify(m);
        CHECK(status == SLIP_OK || status == SLIP_ERR_INTERNAL);
    }
    text_finish(&first);
    text_finish(&second);
    mem_arena_finish(&arena);
}

static void no_mutated_text_does_harm(void)
{
    size_t bytes, room;
    char *golden = check_read("tests/golden/ir/all.ir", &bytes);
    uint64_t state = UINT64_C(0x1234567);
    uint32_t accepted = 0;

    room = 2 * bytes;
    char *source = malloc(room);
    for (int round = 0; round < 3000; round++) {
        size_t left = bytes;
        memcpy(source, golden, bytes + 1);
        mutate(source, &left, room, &state);
        try_text(source, &accepted);
    }
    CHECK(accepted > 100); /* else the edits are too wild to try anything behind the parser */
    CHECK(accepted < 2900);
    free(source);
    free(golden);
}

static const check_case cases[] = {
    CASE(each_refusal_names_the_line),
    CASE(depth_is_limited),
    CASE(places_and_comments_may_be_left_out_and_names_are_free),
    CASE(no_mutated_text_does_harm),
};
CHECK_MAIN(cases)
