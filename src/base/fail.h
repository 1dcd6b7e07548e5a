/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fail.h - where every failure is born.
 *
 * The first failure on a thread wins: later ones do not overwrite the record until it is
 * cleared by the next public call or by fail_clear(), where a failure was expected.
 */
#ifndef SLIPWAY_BASE_FAIL_H
#define SLIPWAY_BASE_FAIL_H

#include <slipway/status.h>

/* Records the failure (unless one stands) and returns `code`. The one birthplace: a breakpoint here
 * stops at any failure. */
slip_status fail_at(slip_status code, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5), cold));

/* The same for a driver call that returned `vendor_code`; `vendor_call` is a static string. */
slip_status fail_native(slip_status code, const char *file, int line, int32_t vendor_code,
                        const char *vendor_call, const char *format, ...)
    __attribute__((format(printf, 6, 7), cold));

/* Appends "; while ..." to the standing record: what the caller was doing. Where there is no room
 * the message before it is shortened, with "..." in place of its end. */
void fail_note(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

void fail_clear(void);
/* Puts back a record that stood before something was tried whose failure is no news. */
void fail_restore(const slip_error *before);
const slip_error *fail_last(void); /* code SLIP_OK if none stands; valid on this thread only */
const char *fail_name(slip_status code); /* "SLIP_ERR_MEMORY" */

#define SLIP_FAIL(code, ...) fail_at(code, __FILE__, __LINE__, __VA_ARGS__)

/* Shape (a) of the error rules: for functions that hold nothing. */
#define SLIP_TRY(expr)                                                                            \
    do {                                                                                          \
        slip_status slip_try_ = (expr);                                                           \
        if (slip_try_ != SLIP_OK)                                                                 \
            return slip_try_;                                                                     \
    } while (0)

#endif
