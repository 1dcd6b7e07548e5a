/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_result.h - what the codes that calls return mean to us.
 */
#ifndef SLIPWAY_DRIVER_STREAM_RESULT_H
#define SLIPWAY_DRIVER_STREAM_RESULT_H

#include "driver/stream_library.h"

slip_status stream_result_status(const stream_vendor *vendor, int code);

/* What a message may say beyond call and code. */
typedef struct stream_result_more {
    bool foreign;    /* the call was about a stream that other code made */
    const char *log; /* of a compiler; NULL: none */
} stream_result_more;

/* Records that the call of `slot` gave `code`, which is not 0; returns its status. */
slip_status stream_result_fail(const stream_library *library, int code, stream_slot slot,
                               const stream_result_more *more, const char *file, int line);

static inline slip_status stream_result_checked(const stream_library *library, int code,
                                                stream_slot slot, const char *file, int line)
{
    static const stream_result_more nothing = { 0 };

    return code == 0 ? SLIP_OK : stream_result_fail(library, code, slot, &nothing, file, line);
}

/* Makes a call of the library's that no open device is concerned with; its status. */
#define STREAM_LIBRARY_CALL(library, slot, ...)                                                    \
    stream_result_checked((library), (library)->api.slot(__VA_ARGS__), STREAM_SLOT_##slot,         \
                          __FILE__, __LINE__)

#endif
