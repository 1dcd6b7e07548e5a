/* SPDX-License-Identifier: Apache-2.0 */
/* fake_stream_parts.h - what the files of the fake share. Everything under `fs.lock`. */
#ifndef SLIPWAY_TESTS_FAKE_STREAM_PARTS_H
#define SLIPWAY_TESTS_FAKE_STREAM_PARTS_H

#include <pthread.h>

#include "fake/fake_stream.h"

enum { FS_STREAMS = 32, FS_LOG_BYTES = 1 << 16, FS_POISON = 0xa7 };

/* How many operations of each stream come before something. */
typedef struct fs_clock {
    uint64_t of[FS_STREAMS];
} fs_clock;

typedef struct fs_memory {
    struct fs_memory *next;
    uint8_t *start;
    uint64_t bytes;
    bool host, registered;
} fs_memory;

typedef struct fs_stream fs_stream;

typedef struct fs_event {
    fs_stream *stream; /* NULL: never recorded */
    bool captured;     /* it was recorded in a capture */
    uint64_t number;   /* of the operation on it */
    fs_clock clock;
} fs_event;

typedef enum fs_kind { FS_LAUNCH, FS_UPLOAD, FS_DOWNLOAD, FS_ZERO, FS_RECORD, FS_AFTER } fs_kind;

typedef struct fs_op {
    fs_kind kind;
    uint64_t number;
    fs_clock clock; /* what comes before it, itself included */
    void *to;
    const void *from;
    uint64_t bytes;
    void *own;        /* bytes that the driver has copied, freed when it has run */
    fs_stream *other; /* after: the operation `point` of another stream */
    uint64_t point;
    fake_grid grid;
} fs_op;

struct fs_stream {
    fs_stream *next;
    uint32_t id;
    fs_op *ops;
    size_t head, count, capacity; /* head: the first that has not run */
    uint64_t queued, run;         /* numbers */
    uint32_t wraps;               /* by stream_wrap */
    bool captured;                /* nothing that is queued is run */
    fs_clock clock;
};

typedef struct fs_touch {
    const uint8_t *start, *end;
    bool writes, updates;
    uint32_t stream;
    uint64_t number;
    fs_clock clock;
    const char *name;
} fs_touch;

typedef struct fs_state {
    pthread_mutex_t lock;
    pthread_cond_t released;
    fake_stream_settings settings;
    uint64_t captured_launches;
    uint64_t random, live, live_bytes, calls, waits, tries, fail_at;
    bool fail_lost, fail_on, failed, lost, held;
    fs_memory *memories;
    fs_stream *streams;
    fs_stream *standard; /* the default stream; NULL: not opened */
    uint32_t next_id;
    fs_clock host; /* what the host knows to have ended */
    fs_touch *touches;
    size_t touch_count, touch_capacity;
    const fs_op *running;
    const fs_stream *running_on;
    char wrong[512], log[FS_LOG_BYTES];
    size_t log_used;
} fs_state;

extern fs_state fs;

/* fake_stream_tell.c */
void fs_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
uint32_t fs_pick(uint32_t below);
void fs_grow(void *array, size_t *capacity, size_t count, size_t element_bytes);
void fs_log(const char *word, const fs_stream *stream);
/* Each call that can fail passes here. */
slip_status fs_try(const char *word, slip_status failure) SLIP_MUST_USE;
void fs_join(fs_clock *into, const fs_clock *from);

/* fake_stream_memory.c: what every slot begins and ends with, and slots of the table */
slip_status fs_begin(const char *word, const fs_stream *stream, slip_status failure) SLIP_MUST_USE;
slip_status fs_end(slip_status status);
void fs_close_slot(const char *word, bool waits);
slip_status fs_enter(void *self, stream_guard *out) SLIP_MUST_USE;
void fs_leave(void *self, const stream_guard *guard);
slip_status fs_alloc(void *self, uint64_t bytes, stream_memory_kind kind,
                     stream_memory *out) SLIP_MUST_USE;
void fs_free_memory(void *self, stream_memory *memory);
void fs_owned(void *self, void *stream, uint64_t address, uint64_t bytes);
slip_status fs_host_register(void *self, void *host, uint64_t bytes,
                             stream_memory *out) SLIP_MUST_USE;
void fs_host_unregister(void *self, stream_memory *memory);
slip_status fs_on_device(void *self, const void *pointer, bool *out) SLIP_MUST_USE;
slip_status fs_code_load(void *self, const uint8_t *bytes, uint64_t size, void **out) SLIP_MUST_USE;
void fs_code_drop(void *self, void *code);
slip_status fs_kernel_get(void *self, void *code, uint32_t index, stream_kernel *out) SLIP_MUST_USE;

/* fake_stream.c */
void fs_hold_on(void); /* while nothing may run */

/* fake_stream_work.c: slots of the table */
/* What is no task (`what`, NULL: a task) ends the capture of the stream. */
bool fs_is_captured(const fs_stream *s, const char *what);
slip_status fs_launch(void *self, void *stream, const stream_kernel *kernel, const void *params,
                      uint32_t param_bytes, const uint32_t groups[3], uint32_t local) SLIP_MUST_USE;
slip_status fs_upload(void *self, void *stream, uint64_t to, const void *from,
                      uint64_t bytes) SLIP_MUST_USE;
slip_status fs_download(void *self, void *stream, void *to, uint64_t from,
                        uint64_t bytes) SLIP_MUST_USE;
slip_status fs_zero(void *self, void *stream, uint64_t address, uint64_t bytes) SLIP_MUST_USE;
slip_status fs_upload_blocking(void *self, uint64_t to, const void *from,
                               uint64_t bytes) SLIP_MUST_USE;
slip_status fs_download_blocking(void *self, void *to, uint64_t from, uint64_t bytes) SLIP_MUST_USE;

/* fake_stream_run.c */
void fs_queue(fs_stream *s, fs_op op);
/* Runs up to the operation of that number, and what it waits for. */
void fs_run(fs_stream *s, uint64_t number);
/* Something may run in the meantime. */
void fs_drift(void);
/* The host knows that this has ended. */
void fs_learn(const fs_clock *clock);
bool fs_passed(const fs_event *event);
/* The memory that holds all of the bytes; NULL: none does. */
fs_memory *fs_memory_at(const void *at, uint64_t bytes);
void fs_forget_touches(const uint8_t *start, const uint8_t *end);

#endif
