/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session.c - one kernel, loaded on one device, for the length of a command.
 */
#include "session.h"

#include "tool.h"

static slip_status open_parts(const options *o, const char *which, session *s)
{
    TOOL_TRY(kernel_file_open(o, &s->file));
    TOOL_TRY(tool_library(slip_device_open(which, &s->device)));
    slip_device_describe(s->device, &s->info);
    TOOL_TRY(tool_library(slip_module_load(s->device, s->file.bytes, s->file.size, &s->module)));
    return tool_library(slip_module_find(s->module, o->kernel, &s->entry));
}

slip_status session_open(const options *o, const char *which, session *out)
{
    session made = { 0 };
    slip_status status = open_parts(o, which, &made);

    if (status != SLIP_OK) {
        session_close(&made);
        return status;
    }
    *out = made;
    return SLIP_OK;
}

void session_close(session *s)
{
    slip_module_unload(s->module);
    slip_device_close(s->device);
    kernel_file_close(&s->file);
    *s = (session){ 0 };
}
