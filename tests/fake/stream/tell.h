/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tell.h - what tests say to a look-alike and ask of it, by dlsym from the library that they named.
 */
#ifndef SLIPWAY_FAKE_STREAM_TELL_H
#define SLIPWAY_FAKE_STREAM_TELL_H

#include <stdint.h>

#define FAKE_TELL __attribute__((visibility("default")))

/* Runs all that is queued, and begins anew: "eager", "lazy" or "random" by `seed`; no failure to
 * come, no sticky one, counts 0. */
FAKE_TELL void slipfake_reset(const char *schedule, uint64_t seed);
/* The k-th call of `name` from now (NULL: of all) fails with `code`; below 0: with one of those
 * that its page lists, drawn by that. k 0: none fails. 0: there is no such name. */
FAKE_TELL int slipfake_fail(const char *name, uint64_t k, int code);
/* The name of what failed so; NULL: nothing yet. */
FAKE_TELL const char *slipfake_failed(void);
/* No wait of the host ends before so many launches have come: 0 from now on. */
FAKE_TELL void slipfake_hold(uint64_t launches);
/* How often something was found wrong; the last one as text. */
FAKE_TELL uint32_t slipfake_reports(char *out, uint32_t room);
/* What is found wrong is only counted, and kept for slipfake_reports: of tests that provoke it. */
FAKE_TELL void slipfake_quiet(int quiet);
/* fake_count: calls, waits of the host, races, tasks, copies, races run the wrong way
 * round. */
FAKE_TELL uint64_t slipfake_count(int which);
/* Allocations, registrations, streams, events, codes and retained contexts that have not gone. */
FAKE_TELL uint32_t slipfake_live(void);
/* The name of an entry point and the codes that it may fail with; NULL: not this interface's, "":
 * there are no more. */
FAKE_TELL uint32_t slipfake_codes(uint32_t slot, const char **out_name, int *codes, uint32_t room);
/* Of the launcher: these bytes are a lane's own from now on, and one array does not reach beyond
 * them (NULL: nobody's, and so all the same). */
FAKE_TELL void slipfake_own(void *lane, uint64_t at, uint64_t bytes);

/* Of a child of a fork that the test made to see it end: the look-alike is its own from now on. */
FAKE_TELL void slipfake_forked(void);
/* A context of other code, of the first device; not for HIP. */
FAKE_TELL void *slipfake_context(void);

#endif
