/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz.h - one input of a fuzzer: NAME_fuzz.c defines it, libFuzzer and the replay of the corpus
 * call it.
 */
#ifndef SLIPWAY_TESTS_FUZZ_H
#define SLIPWAY_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Ends the program by fuzz_fail, or a sanitizer does, where the input finds a fault. Returns 0. */
int fuzz_one(const uint8_t *data, size_t size);

_Noreturn void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
