/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_case.c - see launch_case.h.
 */
#include "launch_case.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/pass.h"
#include "module/print.h"

enum { MOST_FILES = 128 };

static void show_diags(text *out, const diag_list *diags)
{
    static const char *const words[] = { "note", "warning", "error" };

    for (const diag *d = diags->first; d; d = d->next)
        text_add(out, "%u:%u: %s: %s\n", d->line, d->column, words[d->severity], d->message);
}

static void show_tasks(text *out, const ir_case_module *c)
{
    for (ir_func *f = c->module->funcs; f; f = f->next) {
        if (f->kind != IR_TASK)
            continue;
        text_add(out, "\n");
        ir_print_func(out, c->module, f);
        for (int k = 0; k < IR_FINISH_CALLS; k++)
            if (f->task->calls[k].func) {
                text_add(out, "\n");
                ir_print_func(out, c->module, f->task->calls[k].func);
            }
    }
}

static void one_golden(const char *folder, const char *name, const char *ending,
                       const char *const *passes, int show)
{
    char path[256];
    ir_case_module c;
    mod_module *module = NULL;
    text out = { 0 };

    snprintf(path, sizeof path, "%s/%s.ir", folder, name);
    case_load_file(&c, path, true);
    diag_list diags = { .arena = &c.arena };
    for (; *passes; passes++) {
        CHECK_STATUS(ir_run_pass(*passes, c.module, &diags, &module), SLIP_OK);
        CHECK_STATUS(ir_verify(c.module), SLIP_OK);
    }
    if (show & LAUNCH_SHOW_DIAGS)
        show_diags(&out, &diags);
    for (uint32_t i = 0; (show & LAUNCH_SHOW_PROGRAM) && i < module->entry_count; i++)
        mod_print_entry(&out, &module->entries[i]);
    if (show & LAUNCH_SHOW_TASKS)
        show_tasks(&out, &c);
    snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    CHECK_GOLDEN(path, text_get(&out));
    text_finish(&out);
    case_finish(&c);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void launch_goldens(const char *folder, const char *ending, uint32_t least,
                    const char *const *passes, int show)
{
    static char *names[MOST_FILES];
    uint32_t count = 0;
    DIR *dir = opendir(check_path(folder));

    CHECK(dir != NULL);
    for (struct dirent *e = readdir(dir); e && count < MOST_FILES; e = readdir(dir)) {
        size_t n = strlen(e->d_name);
        if (n < 4 || strcmp(e->d_name + n - 3, ".ir") != 0)
            continue;
        names[count] = calloc(1, n);
        memcpy(names[count++], e->d_name, n - 3);
    }
    closedir(dir);
    CHECK(count >= least);
    qsort(names, count, sizeof names[0], by_name);
    for (uint32_t i = 0; i < count; i++) {
        one_golden(folder, names[i], ending, passes, show);
        free(names[i]);
    }
}
