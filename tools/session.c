/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session.c - one kernel, loaded on one device, for the length of a command.
 */
#include "session.h"

#include <stdlib.h>

#include "tool.h"

static bool is_missing(slip_status status)
{
    return status == SLIP_ERR_NOT_FOUND || status == SLIP_ERR_UNSUPPORTED;
}

static slip_status open_device(session *s, const options *o, const char *fallback)
{
    const char *named = getenv("SLIPWAY_DEVICE");

    s->wanted = o->on ? o->on : named && *named ? named : "auto";
    slip_status status = tool_library(slip_device_open(o->on ? o->on : "auto", &s->device));
    if (fallback && is_missing(status)) {
        tool_clear();
        s->stands_in = true;
        status = tool_library(slip_device_open(fallback, &s->device));
    }
    slip_device_describe(s->device, &s->info);
    return status;
}

static slip_status load_module(session *s, const options *o, bool inspect)
{
    const kernel_file *f = &s->file;

    return tool_library_of(inspect ? slip_module_inspect(s->device, f->bytes, f->size, &s->module)
                                   : slip_module_load(s->device, f->bytes, f->size, &s->module),
                           o->file);
}

static slip_status open_session(const options *o, const char *fallback, session *s)
{
    TOOL_TRY(open_device(s, o, fallback));
    TOOL_TRY(kernel_file_open(o, fallback ? NULL : s->info.target, &s->file));
    slip_status status = load_module(s, o, s->stands_in);
    if (fallback && is_missing(status)) {
        tool_clear();
        status = load_module(s, o, true);
    }
    TOOL_TRY(status);
    return tool_library(slip_module_find(s->module, o->kernel, &s->entry));
}

static void close_session(session *s)
{
    slip_module_unload(s->module);
    slip_device_close(s->device);
    kernel_file_close(&s->file);
}

static int run(const options *o, const char *fallback, session_body *body)
{
    session s = { 0 };
    arguments a = { 0 };
    int exit_code = TOOL_OK;

    if (open_session(o, fallback, &s) != SLIP_OK || body(o, &s, &a) != SLIP_OK)
        exit_code = tool_report(stderr);
    arguments_finish(&a);
    close_session(&s);
    return exit_code;
}

int session_command(const options_command *command, int argc, char **argv, const char *fallback,
                    session_body *body)
{
    options o;
    int exit_code = TOOL_OK;

    if (options_parse(command, argc, argv, &o, &exit_code))
        exit_code = run(&o, fallback, body);
    options_finish(&o);
    return exit_code;
}
