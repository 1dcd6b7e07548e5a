/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace.c - writes the time line.
 *
 * An entry and the end of the array are written with one pwrite at the place of the old end. A file
 * that cannot be written any more ends the tracing, never the program.
 */
#define _GNU_SOURCE
#include "runtime/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/text.h"

atomic_bool trace_is_on;

static pthread_mutex_t trace_lock = PTHREAD_MUTEX_INITIALIZER;
static int trace_file = -1;
static uint64_t trace_at;    /* where the next entry goes: over the end of the array */
static uint64_t trace_start; /* counters_now() at the start */
static uint32_t trace_count;

/* The lock is held. */
static void put(const char *data, size_t bytes, uint64_t at)
{
    while (bytes > 0) {
        ssize_t wrote = pwrite(trace_file, data, bytes, (off_t)at);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0) {
            atomic_store(&trace_is_on, false);
            return;
        }
        data += wrote;
        bytes -= (size_t)wrote;
        at += (uint64_t)wrote;
    }
}

static slip_status open_file(const char *path)
{
    static const char empty[] = "[\n]\n";

    trace_file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (trace_file < 0)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "SLIPWAY_TRACE=%s cannot be written: %s", path,
                         strerror(errno));
    trace_start = counters_now();
    trace_at = 2;
    trace_count = 0;
    atomic_store(&trace_is_on, true);
    put(empty, sizeof empty - 1, 0);
    return SLIP_OK;
}

slip_status trace_begin(void)
{
    const char *path = getenv("SLIPWAY_TRACE");
    slip_status status = SLIP_OK;

    if (!path || !*path)
        return SLIP_OK;
    pthread_mutex_lock(&trace_lock);
    if (trace_file < 0)
        status = open_file(path);
    pthread_mutex_unlock(&trace_lock);
    return status;
}

void trace_after_fork(void)
{
    static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

    trace_lock = fresh;
    atomic_store(&trace_is_on, false);
}

/* Appends one complete event; `detail` is JSON members, each with a comma before it, or "".
 * Microseconds are written without a float: the application may have it trap on them. */
static void add_event(const char *name, const char *kind, uint64_t thread, uint64_t from_ns,
                      uint64_t to_ns, const char *detail)
{
    bool clean = fail_last()->code == SLIP_OK;
    text t = { 0 };

    pthread_mutex_lock(&trace_lock);
    if (!trace_active()) {
        pthread_mutex_unlock(&trace_lock);
        return;
    }
    uint64_t since = from_ns - trace_start, took = to_ns - from_ns;
    text_add(&t, "%s{\"name\":", trace_count ? ",\n" : "");
    text_json(&t, name);
    text_add(&t,
             ",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%ld,\"tid\":%" PRIu64 ",\"ts\":%" PRIu64
             ".%03" PRIu64 ",\"dur\":%" PRIu64 ".%03" PRIu64 ",\"args\":{%s}}",
             kind, (long)getpid(), thread, since / 1000, since % 1000, took / 1000, took % 1000,
             detail);
    size_t bytes = t.bytes;
    text_add(&t, "\n]\n");
    if (t.status == SLIP_OK) {
        put(t.data, t.bytes, trace_at);
        trace_at += bytes;
        trace_count++;
    } else if (clean) {
        fail_clear(); /* an entry is lost, the call is not */
    }
    pthread_mutex_unlock(&trace_lock);
    text_finish(&t);
}

static uint64_t this_thread(void)
{
    return (uint64_t)syscall(SYS_gettid);
}

void trace_call(const slip_stream *stream, const char *name, uint64_t from_ns, uint64_t to_ns)
{
    char detail[64] = "";

    if (stream)
        snprintf(detail, sizeof detail, "\"device\":%" PRIu64, stream->device->id);
    add_event(name, "call", this_thread(), from_ns, to_ns, detail);
}

void trace_task(void *user, const mod_task *task, uint64_t from_ns, uint64_t to_ns,
                int64_t iterations)
{
    const slip_stream *stream = user;
    char detail[96];

    snprintf(detail, sizeof detail, "\"device\":%" PRIu64 ",\"iterations\":%" PRIi64,
             stream->device->id, iterations);
    add_event(task->name, "task", this_thread(), from_ns, to_ns, detail);
}

void trace_copy(const slip_stream *stream, const char *what, uint64_t bytes, uint64_t from_ns,
                uint64_t to_ns)
{
    char detail[96];

    snprintf(detail, sizeof detail, "\"bytes\":%" PRIu64 "%s", bytes,
             stream ? "" : ",\"stream\":null");
    add_event(what, "copy", this_thread(), from_ns, to_ns, detail);
}
