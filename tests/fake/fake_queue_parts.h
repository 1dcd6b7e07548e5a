/* SPDX-License-Identifier: Apache-2.0 */
/* fake_queue_parts.h - what the files of the fake share. Everything under `fake.lock`. */
#ifndef SLIPWAY_TESTS_FAKE_QUEUE_PARTS_H
#define SLIPWAY_TESTS_FAKE_QUEUE_PARTS_H

#include <pthread.h>

#include "fake/fake_queue.h"

enum { FAKE_LOG_BYTES = 1 << 16, FAKE_POISON = 0xa7 };

typedef struct fake_range {
    uint64_t start, end;
} fake_range;

typedef struct fake_ranges {
    fake_range *all;
    size_t count, capacity;
} fake_ranges;

typedef struct fake_memory {
    struct fake_memory *next;
    uint8_t *device;        /* what commands use; its address is the memory's */
    uint8_t *host, *before; /* mapped: what the host uses, and what of it was passed on */
    uint64_t bytes;
    fake_ranges dirty, available; /* written by the device; of that, behind a host barrier */
} fake_memory;

typedef enum fake_kind { FAKE_COPY, FAKE_ZERO, FAKE_TASK, FAKE_BARRIER, FAKE_HOST } fake_kind;

typedef struct fake_command {
    fake_kind kind;
    bool done;
    uint64_t value; /* of its submission; 0: open */
    uint64_t known; /* the value that the host knew reached when it was submitted */
    fake_memory *to, *from;
    uint64_t to_offset, from_offset, bytes;
    const fake_shader *shader;
    uint32_t local, groups[3], push_bytes;
    uint8_t push[MOD_SHADER_PUSH_BYTES];
} fake_command;

typedef struct fake_touch {
    const uint8_t *start, *end;
    bool writes, updates;
    uint64_t value, known;
    uint64_t command; /* number */
    const char *name;
} fake_touch;

/* A submission that waits for another stream. */
typedef struct fake_after {
    uint64_t value; /* of this stream's submission */
    struct fake_stream *stream;
    uint64_t other;
} fake_after;

typedef struct fake_stream {
    struct fake_stream *next;
    fake_command *commands;
    size_t head, count, capacity; /* head: the first that is not done */
    uint64_t submitted, reached, known;
    fake_after *afters;
    size_t after_count, after_capacity;
    fake_touch *touches; /* since the last barrier */
    size_t touch_count, touch_capacity;
} fake_stream;

typedef struct fake_queue {
    pthread_mutex_t lock;
    pthread_cond_t released;
    fake_queue_settings settings;
    uint64_t random, live, live_bytes, calls, fail_at;
    uint32_t fail_submits, without;
    bool fail_lost, failed, lost, held;
    fake_memory *memories;
    fake_stream *streams;
    char wrong[512], log[FAKE_LOG_BYTES];
    size_t log_used;
    const fake_command *running; /* whose touches are noted */
    fake_stream *running_on;
    uint64_t number; /* of commands run */
} fake_queue;

extern fake_queue fake;

/* fake_tell.c */
void fake_say_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
uint32_t fake_pick(uint32_t below);
void fake_grow(void *array, size_t *capacity, size_t count, size_t element_bytes);
void fake_log_word(const char *word);
/* Each call that can fail passes here. */
slip_status fake_enter(const char *word, slip_status failure) SLIP_MUST_USE;

/* fake_memory.c */
slip_status fake_alloc(void *self, uint64_t bytes, queue_memory_kind kind,
                       queue_memory *out) SLIP_MUST_USE;
void fake_free(void *self, queue_memory *memory);
void fake_trim(void *self);
/* Host writes become the device's. */
void fake_pass_on(void);
/* What is behind host barriers becomes the host's. */
void fake_show_host(void);

bool fake_is_waited_for(const fake_stream *gone);
/* fake_run.c: runs until the value is reached. */
void fake_run(fake_stream *s, uint64_t value);

#endif
