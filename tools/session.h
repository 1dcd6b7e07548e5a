/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session.h - one kernel, loaded on one device, for the length of a command.
 */
#ifndef SLIPWAY_TOOLS_SESSION_H
#define SLIPWAY_TOOLS_SESSION_H

#include <slipway/slipway.h>

#include "kernel_file.h"
#include "options.h"

typedef struct session {
    kernel_file file;
    slip_device *device;
    slip_device_info info;
    slip_module *module;
    slip_entry *entry;
} session;

/* Opens the device that `which` names ("auto": the best), and o->kernel of o->file on it. */
slip_status session_open(const options *o, const char *which, session *out);
void session_close(session *s);

#endif
