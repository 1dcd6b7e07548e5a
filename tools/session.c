/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session.c - one kernel, loaded on one device, for the length of a command.
 */
#include "session.h"

#include "tool.h"

static slip_status open_on(session *s, const options *o, const char *which)
{
    TOOL_TRY(tool_library(slip_device_open(which, &s->device)));
    slip_device_describe(s->device, &s->info);
    return tool_library_of(slip_module_load(s->device, s->file.bytes, s->file.size, &s->module),
                           o->file);
}

static slip_status open_session(const options *o, const char *fallback, session *s)
{
    TOOL_TRY(kernel_file_open(o, &s->file));
    slip_status status = open_on(s, o, o->on ? o->on : "auto");
    if (fallback && (status == SLIP_ERR_NOT_FOUND || status == SLIP_ERR_UNSUPPORTED)) {
        tool_clear();
        slip_device_close(s->device);
        s->device = NULL;
        s->stands_in = true;
        status = open_on(s, o, fallback);
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
