/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lock.h - a lock that sanitizers cannot see: it must not order, in their eyes, threads that the
 * launcher left unordered.
 */
#ifndef SLIPWAY_FAKE_STREAM_LOCK_H
#define SLIPWAY_FAKE_STREAM_LOCK_H

#include <stdint.h>

void fake_lock(void);
void fake_unlock(void);

#endif
