/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ir_case.c - modules from text. A text that is wrong ends the case with the parser's message.
 */
#include "ir_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/pass.h"

void case_load(ir_case_module *c, const char *source, bool verified)
{
    *c = (ir_case_module){ 0 };
    CHECK_STATUS(mem_arena_init(&c->arena), SLIP_OK);
    CHECK_STATUS(ir_parse(&c->arena, source, &c->module), SLIP_OK);
    if (verified)
        CHECK_STATUS(ir_verify(c->module), SLIP_OK);
}

void case_load_file(ir_case_module *c, const char *path, bool verified)
{
    size_t bytes;
    char *source = check_read(path, &bytes);

    case_load(c, source, verified);
    free(source);
}

void case_finish(ir_case_module *c)
{
    text_finish(&c->printed);
    mem_arena_finish(&c->arena);
}

const char *case_print(ir_case_module *c)
{
    text_clear(&c->printed);
    ir_print(&c->printed, c->module);
    CHECK(c->printed.status == SLIP_OK);
    return text_get(&c->printed);
}

ir_func *case_func(const ir_case_module *c, const char *name)
{
    for (ir_func *f = c->module->funcs; f; f = f->next)
        if (strcmp(f->name, name) == 0)
            return f;
    CHECK_FAIL("no function %s", name);
    return NULL;
}

static void load_golden(ir_case_module *c, const char *name)
{
    char path[128];

    snprintf(path, sizeof path, "tests/golden/ir/%s.ir", name);
    case_load_file(c, path, true);
}

static void run(ir_case_module *c, const char *pass)
{
    CHECK_STATUS(ir_run_pass(pass, c->module, NULL, NULL), SLIP_OK);
    CHECK_STATUS(ir_verify(c->module), SLIP_OK);
}

void case_golden(const char *pass, const char *name)
{
    ir_case_module c;
    text before = { 0 };
    char path[128];

    load_golden(&c, name);
    text_add(&before, "%s", case_print(&c));
    run(&c, pass);
    CHECK(strcmp(text_get(&before), case_print(&c)) != 0);
    snprintf(path, sizeof path, "tests/golden/ir/%s.out", name);
    CHECK_GOLDEN(path, case_print(&c));
    text_clear(&before);
    text_add(&before, "%s", case_print(&c));
    run(&c, pass);
    CHECK_TEXT(case_print(&c), text_get(&before));
    text_finish(&before);
    case_finish(&c);
}

void case_declines(const char *pass, const char *name)
{
    ir_case_module c;
    text before = { 0 };

    load_golden(&c, name);
    text_add(&before, "%s", case_print(&c));
    run(&c, pass);
    CHECK_TEXT(case_print(&c), text_get(&before));
    text_finish(&before);
    case_finish(&c);
}
