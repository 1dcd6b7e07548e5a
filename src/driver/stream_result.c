/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_result.c - the status of each code, and the message.
 */
#include "driver/stream_result.h"

#include <stdio.h>

#include "base/fail.h"

slip_status stream_result_status(const stream_vendor *vendor, int code)
{
    if (code == 0)
        return SLIP_OK;
    for (size_t k = 0; k < vendor->code_count; k++)
        if (vendor->codes[k].code == code)
            return vendor->codes[k].status;
    return SLIP_ERR_DEVICE;
}

/* The first lines of a compiler's log, as one. */
static void take_log(const char *log, char out[160])
{
    size_t used = 0;

    for (; *log && used < 158; log++)
        if (*log != '\n' && *log != '\r')
            out[used++] = *log;
        else if (used > 0 && out[used - 1] != ' ')
            out[used++] = ' ';
    out[used] = '\0';
}

slip_status stream_result_fail(const stream_library *library, int code, stream_slot slot,
                               const stream_result_more *more, const char *file, int line)
{
    const stream_vendor *vendor = library->vendor;
    const char *call = vendor->symbols[slot].name, *name = NULL, *text = NULL;
    slip_status status = stream_result_status(vendor, code);
    char log[160] = "";

    vendor->explain(&library->api, code, &name, &text);
    if (status == SLIP_ERR_LOST)
        return fail_native(status, file, line, code, call,
                           "the device is lost, as %s tells: %s (%d), %s", call, name, code, text);
    if (code >= STREAM_CODE_CAPTURE && code <= STREAM_CODE_CAPTURE_LAST)
        return fail_native(status, file, line, code, call,
                           "%s of this process is being captured: %s gave %s (%d), %s",
                           more->foreign ? "this stream or another" : "another stream", call, name,
                           code, text);
    if (more->log)
        take_log(more->log, log);
    return fail_native(status, file, line, code, call, "%s: %s (%d), %s%s%s", call, name, code,
                       text, log[0] ? ": " : "", log);
}
