/* SPDX-License-Identifier: Apache-2.0 */
/*
 * change_test.c - walking, numbering, moving, replacing, cloning; when a region has ended.
 */
#include <string.h>

#include "ir_case.h"

static const char sample[] = "module\n"
                             "helper i32 f {\n"
                             "  %i = param i32\n  %b = param bool\n  %p = param ptr.global i32\n"
                             "  store %p, %i\n"
                             "  %a = neg i32 %i\n"
                             "  %c = if i32 %b {\n    %d = add i32 %a, %i\n    yield %d\n"
                             "  } else {\n    yield %a\n  }\n"
                             "  %e = update i32 %p (%old i32) {\n    %f = add i32 %old, %a\n"
                             "    yield %f\n  }\n"
                             "  return %c\n}\n";

static bool note_name(ir_op *op, void *user)
{
    text_add(user, "%s ", ir_codes[op->code].name);
    return op->code != IR_update;
}

static void a_walk_goes_in_program_order_and_stops_when_told(void)
{
    ir_case_module c;
    text names = { 0 };

    case_load(&c, sample, true);
    CHECK(!ir_walk(case_func(&c, "f")->body, note_name, &names));
    CHECK_TEXT(text_get(&names), "store neg if add yield yield update ");
    text_finish(&names);
    case_finish(&c);
}

static bool drop_stores(ir_op *op, void *user)
{
    (void)user;
    if (op->code == IR_store || op->code == IR_update)
        ir_remove(op);
    return true;
}

static void a_walk_may_remove_the_op_it_visits(void)
{
    ir_case_module c;
    text names = { 0 };

    case_load(&c, sample, true);
    CHECK(ir_walk(case_func(&c, "f")->body, drop_stores, NULL));
    CHECK(ir_walk(case_func(&c, "f")->body, note_name, &names));
    CHECK_TEXT(text_get(&names), "neg if add yield yield return ");
    CHECK_STATUS(ir_verify(c.module), SLIP_OK);
    text_finish(&names);
    case_finish(&c);
}

static bool note_id(ir_op *op, void *user)
{
    bool *seen = user;

    CHECK(op->id < 16 && !seen[op->id]);
    seen[op->id] = true;
    return true;
}

static void every_op_has_a_number_of_its_own_values_first(void)
{
    ir_case_module c;
    bool seen[16] = { 0 };

    case_load(&c, sample, true);
    ir_func *f = case_func(&c, "f");
    /* 3 parameters; a c d e f old; then store, three yields, return */
    CHECK_EQ_U64(ir_number(f), 3 + 6 + 5);
    CHECK_EQ_U64(f->params[2].op->id, 2);
    CHECK_EQ_U64(f->body->first->next->id, 3); /* neg: the store before it makes no value */
    CHECK_EQ_U64(f->body->first->id, 9);
    ir_walk(f->body, note_id, seen);
    case_finish(&c);
}

static void uses_are_replaced_in_regions_and_extents(void)
{
    ir_case_module c;

    case_load(&c, "module\nkernel void k {\n  %n = param i64\n  %m = param i64\n"
                  "  %u = param ptr.global f32 array extent {\n    %a = add i64 %n, %n\n"
                  "    yield %a\n  }\n  block {\n    %o = offset ptr.global f32 %u, %n\n  }\n}\n",
              true);
    ir_func *f = case_func(&c, "k");
    ir_replace_uses(f, f->params[0].op, f->params[1].op);
    CHECK_TEXT(case_print(&c), "module\n\nkernel void k {\n  %0 = param i64\n  %1 = param i64\n"
                               "  %2 = param ptr.global f32 array extent {\n"
                               "    %3 = add i64 %1, %1\n    yield %3\n  }\n"
                               "  block {\n    %4 = offset ptr.global f32 %2, %1\n  }\n}\n");
    case_finish(&c);
}

static void a_clone_uses_what_was_cloned_and_shares_nothing(void)
{
    ir_case_module c;

    case_load(&c, sample, true);
    ir_func *f = case_func(&c, "f"), *g = ir_func_new(c.module, IR_HELPER, "g", f->result);
    ir_builder b = { .module = c.module, .func = g, .region = g->body };
    ir_clone_map *map = ir_clone_map_new(c.module);
    for (uint32_t i = 0; i < f->param_count; i++)
        ir_clone_map_set(map, f->params[i].op,
                         ir_param_add(c.module, g, NULL, f->params[i].op->type)->op);
    ir_clone_region_into(&b, map, f->body);
    CHECK_STATUS(ir_verify(c.module), SLIP_OK); /* also: no value of f is used in g */
    CHECK(ir_clone_map_get(map, f->body->first) == g->body->first);
    CHECK(ir_clone_map_get(map, g->body->first) == NULL);
    ir_func_remove(c.module, f);
    g->name = "f";
    CHECK_TEXT(case_print(&c) + strlen("module\n\n"),
               "helper i32 f {\n  %0 = param i32\n  %1 = param bool\n"
               "  %2 = param ptr.global i32\n  store %2, %0\n  %3 = neg i32 %0\n"
               "  %4 = if i32 %1 {\n    %5 = add i32 %3, %0\n    yield %5\n  } else {\n"
               "    yield %3\n  }\n  %6 = update i32 %2 (%7 i32) {\n    %8 = add i32 %7, %3\n"
               "    yield %8\n  }\n  return %4\n}\n");
    case_finish(&c);
}

static void a_map_holds_many(void)
{
    ir_case_module c;
    ir_op *ops[1000];

    case_load(&c, "module\nhelper void f {\n}\n", true);
    ir_builder b = { .module = c.module, .region = case_func(&c, "f")->body };
    ir_clone_map *map = ir_clone_map_new(c.module);
    for (int i = 0; i < 1000; i++)
        ops[i] = ir_const_i64(&b, i);
    for (int i = 0; i < 999; i++)
        ir_clone_map_set(map, ops[i], ops[i + 1]);
    ir_clone_map_set(map, ops[5], ops[0]);
    for (int i = 0; i < 999; i++)
        CHECK(ir_clone_map_get(map, ops[i]) == (i == 5 ? ops[0] : ops[i + 1]));
    CHECK(ir_clone_map_get(map, ops[999]) == NULL);
    case_finish(&c);
}

typedef struct ending {
    const char *body;
    bool ended;
} ending;

static const ending endings[] = {
    { "", false },
    { "%a = neg i32 %i\n", false },
    { "return\n", true },
    { "if %b {\nreturn\n}\n", false },
    { "if %b {\nreturn\n} else {\nreturn\n}\n", true },
    { "if %b {\nreturn\n} else {\nif %b {\nreturn\n} else {\nreturn\n}\n}\n", true },
    { "loop {\n}\n", true },
    { "loop {\nbreak 1\n}\n", false },
    { "loop {\n} next {\nif %b {\nbreak 1\n}\n}\n", false },
    { "loop {\nif %b {\ncontinue 1\n}\nreturn\n}\n", true },
    { "loop {\nloop {\nbreak 1\n}\n}\n", true },
    { "loop {\nloop {\nbreak 2\n}\n}\n", false },
    { "block {\nreturn\n}\n", true },
    { "block {\nif %b {\nbreak 1\n}\nreturn\n}\n", false },
    { "switch %i case 1 {\nreturn\n} default {\n}\n", false },
    { "switch %i case 1 {\nreturn\n} default {\nreturn\n}\n", true },
    { "task %i, %i (%k i32) {\nloop {\n}\n}\n", false },
};

static void a_region_has_ended_when_nothing_can_follow(void)
{
    text source = { 0 };

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        ir_case_module c;
        text_clear(&source);
        text_add(&source, "module\nkernel void f {\n%%i = param i32\n%%b = param bool\n%s}\n",
                 endings[i].body);
        case_load(&c, text_get(&source), true);
        if (ir_region_ended(case_func(&c, "f")->body) != endings[i].ended)
            CHECK_FAIL("%s", endings[i].body);
        case_finish(&c);
    }
    text_finish(&source);
}

static const check_case cases[] = {
    CASE(a_walk_goes_in_program_order_and_stops_when_told),
    CASE(a_walk_may_remove_the_op_it_visits),
    CASE(every_op_has_a_number_of_its_own_values_first),
    CASE(uses_are_replaced_in_regions_and_extents),
    CASE(a_clone_uses_what_was_cloned_and_shares_nothing),
    CASE(a_map_holds_many),
    CASE(a_region_has_ended_when_nothing_can_follow),
};
CHECK_MAIN(cases)
