/* SPDX-License-Identifier: Apache-2.0 */
/*
 * untried.h - which public functions a test has called, so that none of a header is forgotten.
 *
 * One thread.
 */
#ifndef SLIPWAY_TESTS_UNTRIED_H
#define SLIPWAY_TESTS_UNTRIED_H

#include <stdint.h>

void untried_begin(void);
/* "slip_free(NULL, NULL)": the function was called. Its name, until the next. */
const char *untried_note(const char *call);
/* Fails the test for each function that the header declares as SLIP_API and that was not called;
 * how many it declares. */
uint32_t untried_check(const char *header);

#endif
