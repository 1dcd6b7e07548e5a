/* SPDX-License-Identifier: Apache-2.0 */
/*
 * broken.h - claims about a module, each broken alone: the whole module passes, and one change to
 * it is refused with the claim's message.
 *
 *     #define BREAKS(X) X(name, the change to whole *w, "the message, or a part of it") ...
 *     BREAKS(BREAK_FUNCTION)
 *     static const broken_claim breaks[] = { BREAKS(BREAK_ROW) };
 */
#ifndef SLIPWAY_TESTS_BROKEN_H
#define SLIPWAY_TESTS_BROKEN_H

#include "module/whole.h"

typedef struct broken_claim {
    const char *name;
    void (*change)(whole *w);
    const char *message;
} broken_claim;

#define BREAK_FUNCTION(name, change, message)                                                      \
    static void break_##name(whole *w)                                                             \
    {                                                                                              \
        change;                                                                                    \
    }
#define BREAK_ROW(name, change, message) { #name, break_##name, message },

/* Each of them is. */
void broken_claims_refused(const broken_claim *claims, size_t count);

#endif
