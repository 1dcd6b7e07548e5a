/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cases.h - what the programs of field cases share: the device under test, and arrays on it.
 *
 * A case's number is that of the scenario in the notes on field reports; its right value is worked
 * out by hand in the comment or follows from arithmetic. SLIPWAY_TEST_FAMILY picks the device
 * family
 * ("cpu"). Cases about the values of expressions are kernels of the conformance suite, which runs
 * on every device here: 17, 19, 20, 22, 23, 25, 26, 31, 32, 34, 35 and 40.
 */
#ifndef SLIPWAY_TESTS_CASES_H
#define SLIPWAY_TESTS_CASES_H

#include <string.h>

#include <slipway/slipway.h>

#define CHECK_PUBLIC
#include "support/check.h"

#define OK(call) cases_ok((call), #call, __FILE__, __LINE__)

/* The device of the running case. */
extern slip_device *device;

/* The name of the family under test. */
const char *cases_family(void);
/* Opens a device of it. */
slip_device *open_device(void);
/* A device that runs on the CPU as if it were another: tasks of billions of iterations are cut
 * there, and the case says so. */
bool runs_in_software(void);
int32_t *device_ints(int32_t n);
int64_t sum_of(slip_stream *on, int32_t n, const int32_t *x);
/* Ends the case unless the call gave SLIP_OK; shows the record. */
void cases_ok(slip_status status, const char *call, const char *file, int line);

#endif
