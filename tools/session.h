/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session.h - one kernel, loaded on one device, for the length of a command.
 */
#ifndef SLIPWAY_TOOLS_SESSION_H
#define SLIPWAY_TOOLS_SESSION_H

#include <slipway/slipway.h>

#include "arguments.h"
#include "kernel_file.h"
#include "options.h"

typedef struct session {
    kernel_file file;
    slip_device *device;
    slip_device_info info;
    const char *wanted; /* what was asked for: --on, else SLIPWAY_DEVICE, else "auto" */
    bool stands_in;     /* the device is the fallback, not what was asked for */
    slip_module *module;
    slip_entry *entry;
} session;

/* What a command does with its kernel; *a is finished by the caller. */
typedef slip_status session_body(const options *o, const session *s, arguments *a);

/*
 * session_command - a command on one kernel, from its words to its exit status.
 *
 * Opens the device that --on names ("auto", the best, where it is left out) and the kernel on it,
 * and calls `body`. With a `fallback` nothing is to be run: where the device is not here the
 * fallback stands in, and where it has no code in the module the kernel is looked at without. NULL:
 * either is a failure.
 */
int session_command(const options_command *command, int argc, char **argv, const char *fallback,
                    session_body *body);

#endif
