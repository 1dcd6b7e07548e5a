/* SPDX-License-Identifier: Apache-2.0 */
/* direct.c - see direct.h. */
#include "fake/stream/direct.h"

#include "support/check.h"

api_address direct_device(size_t bytes)
{
    api_address made = 0;

    LOOK(look.api.memory_new(&made, bytes));
    return made;
}

int32_t *direct_pinned(size_t bytes)
{
    void *made = NULL;

    LOOK(look.api.host_new(&made, bytes, control.hip ? 0x40000003 : 3));
    return made;
}

api_stream direct_stream(unsigned flags)
{
    api_stream made = NULL;

    LOOK(look.api.stream_new(&made, flags));
    return made;
}

void direct_edge(api_stream from, api_stream to)
{
    api_event event = NULL;

    LOOK(look.api.event_new(&event, 2));
    LOOK(look.api.event_record(event, from));
    LOOK(look.api.stream_after(to, event, 0));
    LOOK(look.api.event_wait(event));
    LOOK(look.api.event_drop(event));
}

api_function direct_function(const char *name)
{
    api_function found = NULL;

    LOOK(look.api.code_function(&found, look.code, name));
    return found;
}

void direct_fill(int32_t *to, int32_t first)
{
    for (int32_t k = 0; k < DIRECT_COUNT; k++)
        to[k] = first + k;
}

void direct_add(api_stream on, api_address x, api_address y, int64_t count)
{
    direct_add_params p = { 0, count, 0, 0, count, y, x };
    void *params[] = { &p };

    LOOK(look.api.launch(direct_function("s0"), (unsigned)((count + 255) / 256), 1, 1, 256, 1, 1, 0,
                         on, params, NULL));
}
