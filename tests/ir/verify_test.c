/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify_test.c - every rule, broken once: the message names the rule, the function and the op.
 *
 * Each row is the body of a kernel that has the values of HEAD, or a whole module. The same bodies
 * with the fault put right are accepted: see right_bodies.
 */
#include <string.h>

#include "ir_case.h"

#define HEAD                                                                                      \
    "module\n"                                                                                    \
    "struct pair size 8 align 4 {\n  at 0 i32 as a\n  at 4 f32 as b\n}\n"                         \
    "table t [4 x i32] {\n  1 2 3 4\n}\n"                                                         \
    "helper i32 help {\n  %x = param i32\n  %p = param ptr.local struct pair\n  return %x\n}\n"   \
    "kernel void f {\n"                                                                           \
    "  %i = param i32\n  %l = param i64\n  %x = param f32\n  %b = param bool\n"                   \
    "  %g = param ptr.global f32\n  %s = param ptr.param struct pair\n"                           \
    "  %gi = param ptr.global i32\n"                                                              \
    "  %v = var ptr.local i32\n  %w = var ptr.local struct pair\n"                                \
    "  %z = var ptr.local [4 x i32]\n  %vg = var ptr.local ptr.global f32\n"                      \
    "  %t = table ptr.table [4 x i32] t\n  %u8 = const u8 0\n"

typedef struct fault {
    const char *body, *message;
} fault;

static const fault faults[] = {
    /* scope */
    { "if %b {\n%a = neg i32 %i\n}\n%c = neg i32 %a\n",
      "a value is used below and after it is made" },
    { "task %i, %i (%k i32) {\n}\n%c = neg i32 %k\n", "a value is used below and after" },
    { "if %b {\n%a = neg i32 %i\n} else {\nstore %v, %a\n}\n", "a value is used below and after" },
    /* exits, levels, yields, returns */
    { "return\n%a = neg i32 %i\n", "return ends its region; in f: `return`" },
    { "break 1\n", "break has 1 levels, 1 more than stand around it" },
    { "loop {\nbreak 2\n}\n", "break has 2 levels, 1 more" },
    { "loop {\nbreak 0\n}\n", "levels count from 1" },
    { "loop {\ntask %i, %i (%k i32) {\nbreak 1\n}\n}\n", "break has 1 levels, 1 more" },
    { "block {\ncontinue 1\n}\n", "continue goes to a loop, not to a block" },
    { "loop {\n} next {\ncontinue 1\n}\n", "continue stands in the body of its loop, not in next" },
    { "if %b {\nyield %i\n}\n", "yield ends a region that gives a value" },
    { "%a = if i32 %b {\nyield %i\n} else {\nyield %l\n}\n", "yield gives the value of its op" },
    { "%a = if i32 %b {\nyield %i\n} else {\n}\n",
      "each region of an if that gives a value ends in yield" },
    { "%a = if i32 %b {\nyield %i\n} else {\nreturn\n}\n", "each region of an if that gives" },
    { "return %i\n", "return takes no value in this function" },
    { "task %i, %i (%k i32) {\nreturn\n}\n", "return leaves the function: not from a task" },
    /* kernel level */
    { "task %i, %i (%k i32) {\ntask %i, %i (%m i32) {\n}\n}\n",
      "task stands at kernel level, not inside a task" },
    { "task %i, %i (%k i32) {\nsections {\n}\n}\n",
      "sections stands at kernel level, not inside a task" },
    { "task %i, %i (%k i32) {\n%q = scratch ptr.global f32 %l\n}\n",
      "scratch stands at kernel level, not" },
    { "section {\n}\n", "sections hold section ops only" },
    { "sections {\nblock {\n}\n}\n", "sections hold section ops only" },
    { "task %i, %l (%k i32) {\n}\n", "task: lo and hi of an axis are integers of one type" },
    { "task %x, %x (%k f32) {\n}\n", "task: lo and hi of an axis are integers" },
    { "task %i, %i, %i (%k i32) {\n}\n", "task: lo and hi for at most three axes" },
    { "task %i, %i {\n}\n", "a region of task has 1 arguments, not 0" },
    { "task %i, %i (%k i64) {\n}\n", "argument 0 has the type of what it stands for" },
    { "if %b (%k i64) {\n}\n", "a region of if has 0 arguments, not 1" },
    /* arithmetic */
    { "%a = add i32 %i, %l\n", "add: each input has the type of the result; in f: `" },
    { "%a = and f32 %x, %x\n", "and: the type has this operation" },
    { "%a = neg bool %b\n", "neg: the type has this operation" },
    { "%a = eq i32 %i, %i\n", "eq: the result is a bool" },
    { "%a = lt bool %i, %l\n", "lt: both inputs have one type" },
    { "%a = lt bool %b, %b\n", "lt: the type has this operation" },
    { "%a = lt bool %v, %v\n", "lt: the type has this operation" },
    { "%a = bitcast i64 %x\n", "bitcast: between these types there is none" },
    { "%a = bitcast i64 %v\n", "bitcast: between these types there is none" },
    { "%a = convert i32 %g\n", "convert: between these types there is none" },
    { "%a = select i32 %i, %i, %i\n", "select: the condition is a bool" },
    { "%a = select i32 %b, %i, %l\n", "select: both choices have the type of the result" },
    { "%a = math i32 sin %i\n", "math: floats only" },
    { "%a = math f32 pow %x\n", "math: as many inputs as the function takes" },
    { "%a = math f64 sin %x\n", "math: each input has the type of the result" },
    /* local pointers are never stored, selected, yielded */
    { "%a = select ptr.local i32 %b, %v, %v\n",
      "select: only scalars and global pointers are selected" },
    { "%a = if ptr.local i32 %b {\nyield %v\n} else {\nyield %v\n}\n",
      "if: only scalars and global pointers are merged" },
    { "%a = var ptr.local ptr.local i32\nstore %a, %v\n",
      "store: a scalar of the pointer's type, or a global pointer" },
    { "%a = undef ptr.local i32\n", "undef: a scalar or a global pointer" },
    { "%a = param ptr.global ptr.global f32\nstore %a, %g\n",
      "store: a scalar of the pointer's type" },
    /* memory */
    { "%a = load i32 %x\n", "load: the first input is a pointer" },
    { "%a = load i64 %v\n", "load: gives the scalar or global pointer" },
    { "%a = load struct pair %w\n", "load: gives the scalar or global pointer" },
    { "store %v, %l\n", "store: a scalar of the pointer's type" },
    { "%a = field ptr.param i32 0 %s\nstore %a, %i\n",
      "store: writes global or local memory only" },
    { "copy %t, %z\n", "copy: writes global or local memory only" },
    { "copy %w, %z\n", "copy: from a pointer to the same aggregate type" },
    { "copy %v, %v\n", "copy: from a pointer to the same aggregate type" },
    { "fill 4 %v, %i\n", "fill: the value is a u8" },
    { "%a = index ptr.local i32 %z, %i\n", "index: the second input is an i64" },
    { "%a = index ptr.local i32 %v, %l\n",
      "index: from a pointer to an array to one to its element" },
    { "%a = index ptr.global i32 %z, %l\n", "index: from a pointer to an array" },
    { "%a = offset ptr.global i32 %g, %l\n", "offset: the result has the pointer's type" },
    { "%a = field ptr.local i32 2 %w\n", "field: from a pointer to a struct to one to that field" },
    { "%a = field ptr.local i32 1 %w\n", "field: from a pointer to a struct to one to that field" },
    { "%a = update i32 %g (%o i32) {\nyield %o\n}\n", "update: gives the old scalar at a pointer" },
    { "%a = update f32 %g (%o i32) {\nyield %x\n}\n", "argument 0 has the type" },
    { "%a = update f32 %g (%o f32) {\n}\n",
      "each region of an update that gives a value ends in yield" },
    { "%a = update f32 %g (%o f32) {\nreturn\n}\n", "return leaves the function: not from" },
    { "%a = atomic f32 and %g, %x\n", "atomic: add, sub, and, or, xor, min, max or exchange" },
    { "%a = atomic f32 mul %g, %x\n", "atomic: add, sub, and, or, xor, min, max or exchange" },
    { "%a = atomic i32 add %t, %i\n", "atomic: gives the old scalar at a pointer" },
    { "%a = atomic f32 add %g, %i\n", "atomic: values have the type of what they replace" },
    { "%a = cas f32 %g, %x, %x\n", "cas: integers only" },
    { "reduce 0 %x\n", "reduce: a value of the type of the task's reduction" },
    { "%a = var ptr.global i32\n", "var: makes a ptr.local" },
    { "%a = table ptr.table [4 x u32] t\n", "table: makes a ptr.table to its table" },
    { "%a = scratch ptr.global f32 %i\n", "scratch: extents are i64" },
    { "%a = scratch ptr.global f32\n", "scratch: makes a ptr.global, with one to four extents" },
    { "%a = scratch ptr.local f32 %l\n", "scratch: makes a ptr.global" },
    /* calls, control */
    { "%a = call i32 help %i\n", "call: as many inputs as the function has parameters" },
    { "%a = call i32 help %l, %w\n", "call: inputs have the parameters' types" },
    { "%a = call i32 help %i, %s\n", "call: inputs have the parameters' types" },
    { "%a = call i64 help %i, %w\n", "call: gives the function's scalar, or nothing" },
    { "call help %i, %w\n", "call: gives the function's scalar, or nothing" },
    { "if %i {\n}\n", "if: the condition is a bool" },
    { "assert \"i\" %i\n", "assert: the condition is a bool" },
    { "print \"\" %g\n", "print: prints scalars only" },
    { "switch %x default {\n}\n", "switch: on an integer" },
    { "switch %i case 1, 2 {\n} case 3, 1 {\n} default {\n}\n", "switch: each case stands once" },
    { "switch %i case 1, 1 {\n} default {\n}\n", "switch: each case stands once" },
    { "%a = loop i32 {\n}\n", "loop: gives nothing" },
};

static const char *const right_bodies[] = {
    "%a = neg i32 %i\nif %b {\n%c = neg i32 %a\nstore %v, %c\nreturn\n}\nreturn\n",
    "loop {\nblock {\nif %b {\nbreak 2\n} else {\ncontinue 2\n}\n}\n} next {\nbreak 1\n}\n",
    "%a = if ptr.global f32 %b {\nyield %g\n} else {\nyield %g\n}\nstore %vg, %a\n",
    ("%a = select ptr.global f32 %b, %g, %g\n%c = lt bool %a, %g\n%d = bitcast i64 %a\n"
     "%e = bitcast ptr.global f32 %d\n"),
    "task %i, %i, %l, %l (%k i32, %m i64) {\n%n = neg i64 %m\nloop {\nbreak 1\n}\n}\n",
    "sections {\nsection {\ntask {\n}\n}\n}\n%q = scratch ptr.global f32 %l, %l\n",
    "%a = update f32 %g (%o f32) {\n%n = add f32 %o, %x\nyield %n\n}\n",
    "%a = atomic f32 exchange %g, %x\n%c = atomic i32 xor %gi, %i\n%d = cas i32 %gi, %i, %i\n",
    "%a = index ptr.local i32 %z, %l\n%c = offset ptr.local i32 %a, %l\nstore %c, %i\n",
    "%a = field ptr.param i32 0 %s\n%c = load i32 %a\ncopy %w, %s\nfill 8 %w, %u8\n",
    "%a = call i32 help %i, %w\nassert %b\nprint \"%d\" %a\n",
    "switch %i case 1, 2 {\n} case 3 {\n} default {\n}\n",
    "%a = load ptr.global f32 %vg\n%c = load f32 %a\n",
};

static void fails_with(const char *source, const char *message)
{
    ir_case_module c = { 0 };

    CHECK_STATUS(mem_arena_init(&c.arena), SLIP_OK);
    CHECK_STATUS(ir_parse(&c.arena, source, &c.module), SLIP_OK);
    CHECK_STATUS(ir_verify(c.module), SLIP_ERR_INTERNAL);
    CHECK_CONTAINS(fail_last()->message, message);
    CHECK_CONTAINS(fail_last()->message, "; in f: `");
    case_finish(&c);
}

static void each_rule_is_told_by_its_message(void)
{
    text source = { 0 };

    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        text_clear(&source);
        const char *param = strstr(faults[i].body, "%a = param");
        text_add(&source, "%s%s}\n", HEAD, param ? "" : faults[i].body);
        if (param) { /* one more parameter, before the first op */
            text_clear(&source);
            const char *line = strchr(faults[i].body, '\n') + 1;
            const char *vars = strstr(HEAD, "  %v = var");
            text_add(&source, "%.*s%.*s%s%s}\n", (int)(vars - HEAD), HEAD,
                     (int)(line - faults[i].body), faults[i].body, vars, line);
        }
        fails_with(text_get(&source), faults[i].message);
    }
    text_finish(&source);
}

static void the_same_put_right_is_accepted(void)
{
    text source = { 0 };

    for (size_t i = 0; i < sizeof right_bodies / sizeof *right_bodies; i++) {
        ir_case_module c;
        text_clear(&source);
        text_add(&source, "%s%s}\n", HEAD, right_bodies[i]);
        case_load(&c, text_get(&source), true);
        case_finish(&c);
    }
    text_finish(&source);
}

static const fault modules[] = {
    { "module\nhelper i32 f {\n%c = param bool\nif %c {\nreturn\n}\n}\n",
      "return gives one value of the function's result type" },
    { "module\nhelper i32 f {\n%c = param bool\n%i = param i32\nif %c {\nreturn %i\n}\n}\n",
      "a function with a result returns on every way out" },
    { "module\nhelper i32 f {\n}\n", "a function with a result returns on every way out" },
    { "module\nhelper ptr.global f32 f {\n}\n", "a result is void, a scalar or a struct" },
    { "module\nkernel void f {\n%p = param ptr.local i32\n}\n",
      "a parameter is a scalar, ptr.global or ptr.param" },
    { "module\nkernel void f {\n%p = param ptr.param i32\n}\n",
      "a parameter is a scalar, ptr.global or ptr.param" },
    { "module\nhelper void f {\n%p = param [3 x i32]\n}\n",
      "a parameter is a scalar, ptr.global or ptr.param" },
    { "module\nkernel void f {\n%p = param i32 array\n}\n", "an array parameter is a ptr.global" },
    { "module\nkernel void f {\n%p = param ptr.global i32 array extent \"n\"\n}\n",
      "each extent has its region" },
    { "module\nkernel void f {\n%p = param ptr.global i32 array outer_unknown\n}\n",
      "an array has 1 to 4 extents where one is named" },
    { "module\nkernel void f {\n%n = param i32\n%p = param ptr.global i32 array extent {\n"
      "yield %n\n}\n}\n",
      "an extent yields an i64" },
    { "module\nkernel void f {\n%n = param i64\n%p = param ptr.global i32 array extent {\n"
      "%a = neg i64 %n\n}\n}\n",
      "an extent's region ends in yield" },
    { "module\nkernel void f {\n%n = param i64\n%p = param ptr.global i32 array extent {\n"
      "return\n}\n}\n",
      "an extent's region ends in yield" },
    { "module\nstruct s size 4 align 4 {\nat 0 i32\n}\nkernel struct s f {\nreturn\n}\n",
      "return takes a ptr.local to the kernel's result struct" },
    { "module\nstruct s size 4 align 4 {\nat 0 i32\n}\nkernel struct s f {\n}\n",
      "a function with a result returns on every way out" },
    { "module\nstruct s size 4 align 4 {\nat 0 i32\n}\nkernel struct s g {\n"
      "%x = var ptr.local struct s\nreturn %x\n}\nkernel void f {\ncall g\n}\n",
      "call: a kernel that gives a struct is not called" },
    { "module\ntask void f {\n}\n", "a task function gives nothing and has its facts" },
    { "module\ntask void f {\ninfo 0 cells none {\n"
      "task \"\" block 0 predicate none partials 0 at none\n}\ntask {\n}\n}\n",
      "task stands at kernel level" },
    { "module\ntask void f {\ninfo 0 cells none {\n"
      "task \"\" block 0 predicate none partials 0 at none\n"
      "reduce add f32 cell 0\n}\n%x = const f64 0x0p+0\nreduce 0 %x\n}\n",
      "reduce: a value of the type of the task's reduction" },
};

static void rules_of_functions_are_told_too(void)
{
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        fails_with(modules[i].body, modules[i].message);
}

/* What no text can say is broken by hand. */
static void break_it(const char *message, void (*breaker)(ir_module *m, ir_func *f))
{
    ir_case_module c;

    case_load(&c, "module\nkernel void f {\n%i = param i32\n%b = param bool\n%a = neg i32 %i\n"
                  "if %b {\n%c = neg i32 %a\n}\nreturn\n}\n", true);
    breaker(c.module, case_func(&c, "f"));
    CHECK_STATUS(ir_verify(c.module), SLIP_ERR_INTERNAL);
    CHECK_CONTAINS(fail_last()->message, message);
    case_finish(&c);
}

static void drop_input(ir_module *m, ir_func *f)
{
    (void)m;
    f->body->first->in[0] = NULL;
}

static void use_later(ir_module *m, ir_func *f)
{
    (void)m;
    ir_move_before(f->body->first, f->body, f->body->last);
}

static void add_input(ir_module *m, ir_func *f)
{
    (void)m;
    f->body->first->in_count = 0;
}

static void drop_region(ir_module *m, ir_func *f)
{
    (void)m;
    f->body->first->next->region_count = 1;
}

static void lose_parent(ir_module *m, ir_func *f)
{
    (void)m;
    f->body->first->parent = f->body->first->next->regions[0];
}

static void lose_owner(ir_module *m, ir_func *f)
{
    (void)m;
    f->body->first->next->regions[1]->owner = NULL;
}

static void lose_last(ir_module *m, ir_func *f)
{
    (void)m;
    f->body->last = f->body->first;
}

static void lose_type(ir_module *m, ir_func *f)
{
    (void)m;
    f->body->first->type = NULL;
}

static void other_param(ir_module *m, ir_func *f)
{
    (void)m;
    f->params[0].op->index = 1;
}

static void wild_bits(ir_module *m, ir_func *f)
{
    ir_builder b = { .module = m, .func = f, .region = f->body, .before = f->body->first };

    ir_const(&b, SCALAR_u8, 1)->bits = 256;
}

static void removed_value(ir_module *m, ir_func *f)
{
    (void)m;
    ir_remove(f->body->first);
}

static void foreign_call(ir_module *m, ir_func *f)
{
    ir_func *g = ir_func_new(m, IR_HELPER, "g", ir_type_void(m));
    ir_builder b = { .module = m, .func = f, .region = f->body, .before = f->body->first };

    ir_call(&b, g, NULL, 0);
    ir_func_remove(m, g);
}

static void dig_deep(ir_module *m, ir_func *f)
{
    ir_builder b = { .module = m, .func = f, .region = f->body, .before = f->body->first };

    for (int i = 0; i < 100000; i++)
        ir_enter(&b, ir_block(&b), 0);
}

static void what_hangs_together_wrongly_is_told(void)
{
    break_it("an input of neg is missing", drop_input);
    break_it("a value is used below and after it is made", use_later);
    break_it("neg takes 1 inputs, not 0", add_input);
    break_it("if holds 2 regions, not 1", drop_region);
    break_it("an op (neg) is linked to its region and neighbours", lose_parent);
    break_it("a region's owner is the op that holds it", lose_owner);
    break_it("a region's last op is the end of its list", lose_last);
    break_it("an op (neg) has a type", lose_type);
    break_it("parameter 0 is a param op of that index", other_param);
    break_it("const: a scalar with the bits of its type", wild_bits);
    break_it("a value is used below and after it is made", removed_value);
    break_it("call: calls a helper or kernel of the module", foreign_call);
    break_it("regions nest at most 200 deep", dig_deep);
}

static const check_case cases[] = {
    CASE(each_rule_is_told_by_its_message),
    CASE(the_same_put_right_is_accepted),
    CASE(rules_of_functions_are_told_too),
    CASE(what_hangs_together_wrongly_is_told),
};
CHECK_MAIN(cases)
