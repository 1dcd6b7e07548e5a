/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reach.c - the functions that kernels reach: their trees, that each has a body, that none calls
 * itself in a circle. What no kernel reaches is not looked at: a `main` may stand in the file.
 */
#include <string.h>

#include "front/lower.h"

enum { WHITE, GREY, BLACK };

typedef struct path {
    const struct path *up;
    fdecl *func;
} path;

static void refuse_cycle(front *f, const path *at, fdecl *to, ir_place where)
{
    const char *names = to->name;
    for (const path *p = at; p && p->func != to; p = p->up)
        names = arena_text(f->arena, "%s -> %s", p->func->name, names);
    front_error(f, where, "use a loop, with an array as the stack if it needs one",
                "recursion: %s -> %s", to->name, names);
}

static void visit(front *f, const path *at)
{
    fdecl *func = at->func;

    func->color = GREY;
    front_build(f, func);
    for (uint32_t i = 0; i < func->callee_count; i++) {
        fdecl *to = func->callees[i];
        ir_place where = func->call_sites[i]->place;
        if (to->color == GREY) {
            refuse_cycle(f, at, to, where);
            continue;
        }
        if (to->color == WHITE) {
            path next = { at, to };
            visit(f, &next);
        }
        if (!to->body)
            front_error(f, where, "define it in this file, or in a header that this file includes",
                        "`%s` has no body here", to->name);
        func->has_task = func->has_task || to->has_task;
    }
    func->color = BLACK;
    front_check_order(f, func);
    front_check_task_calls(f, func->body);
}

bool front_reach(front *f)
{
    for (uint32_t i = 0; i < f->kernel_count; i++) {
        path start = { NULL, f->kernels[i] };
        if (f->kernels[i]->color == WHITE)
            visit(f, &start);
    }
    return f->diags->errors == 0;
}
