/* SPDX-License-Identifier: Apache-2.0 */
/*
 * describe.h - tells what is known of a device line by line, for people.
 */
#ifndef SLIPWAY_DRIVER_DESCRIBE_H
#define SLIPWAY_DRIVER_DESCRIBE_H

#include "base/text.h"

typedef struct printer {
    void (*line)(void *user, const char *name, const char *value);
    void *user;
    text t; /* the value being made */
} printer;

/* The value made so far is that of `name`. */
static inline void tell(printer *p, const char *name)
{
    p->line(p->user, name, text_get(&p->t));
    text_clear(&p->t);
}

#endif
