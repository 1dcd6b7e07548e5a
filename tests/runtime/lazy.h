/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lazy.h - a family whose work is queued and runs when the test says so.
 *
 * Its tasks do nothing; calls are written down as text. Device memory has addresses that the host
 * cannot use. What each slot made and nobody dropped is counted. Waits and closing may come from
 * several threads at once; the rest is for tests of one thread.
 */
#ifndef SLIPWAY_TESTS_LAZY_H
#define SLIPWAY_TESTS_LAZY_H

#include "runtime/hand.h"

enum { LAZY_FIRST_ADDRESS = 0x1000 }; /* times 2^32: the address of the first memory */

typedef struct lazy_state {
    uint32_t fail_at, calls; /* the call numbered fail_at (from 1) of those that may fail, does */
    slip_status fail_with;   /* and gives this */
    bool lost;               /* the device is: each such call gives LOST */
    bool held;               /* queued work ends only when somebody waits, or by lazy_run */
    const char *refused;     /* code_check refuses the kernel of this name */
    uint64_t room;           /* bytes of device memory there are */
    uint64_t used;
    int memories, codes, streams, plans; /* made and not dropped */
    void (*in_wait)(void); /* called by mark_wait, before what it waits for has ended */
    int waits;             /* of the host, for what had not ended */
    char log[2048];
} lazy_state;

extern lazy_state lazy;

const launcher *lazy_family(void);

/* Starts afresh, and opens a device of the family with hand_module on it. */
void lazy_open(hand_device *out);
/* Closes it, and checks that nothing of it is left. */
void lazy_close(hand_device *on);

/* What is queued on the stream, up to the mark, ends now. */
void lazy_run(slip_stream *stream, uint64_t mark);
#define LAZY_ALL UINT64_MAX
/* Streams that are not closed yet. */
int lazy_streams(void);

#endif
