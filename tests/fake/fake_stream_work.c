/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_stream_work.c - what the fake's streams are given to do: launches and copies, each looked at
 * before it is queued.
 */
#include <stdlib.h>
#include <string.h>

#include "fake/fake_stream_parts.h"

bool fs_is_captured(const fs_stream *s, const char *what)
{
    if (s->captured && what)
        fs_wrong("%s on a stream that is captured", what);
    return s->captured;
}

static void check_grid(const fake_grid *g)
{
    const mod_shader *shader = g->shader->shader;
    uint64_t whole = 1, most_threads = fs.settings.max_threads;

    for (int k = 0; k < 3; k++) {
        uint64_t most = fs.settings.max_groups[k] ? fs.settings.max_groups[k] : 1 << 16;
        if (g->groups[k] == 0 || g->groups[k] > most)
            fs_wrong("%u groups on axis %d", g->groups[k], k);
        whole *= g->groups[k];
    }
    if (g->groups[1] != 1 || g->groups[2] != 1)
        fs_wrong("%u groups along y, %u along z", g->groups[1], g->groups[2]);
    if (most_threads && (uint64_t)g->groups[0] * g->local > most_threads)
        fs_wrong("%u groups of %u threads", g->groups[0], g->local);
    if (whole >= (uint64_t)1 << 32)
        fs_wrong("%llu groups", (unsigned long long)whole);
    if (g->local == 0 || g->local > shader->local ||
        (shader->local_fixed && g->local != shader->local))
        fs_wrong("%s has %u threads a group, and not %u", g->shader->task->name, g->local,
                 shader->local);
    if (g->param_bytes > 4096 || g->param_bytes % 8)
        fs_wrong("%u bytes of parameters", g->param_bytes);
}

slip_status fs_launch(void *self, void *stream, const stream_kernel *kernel, const void *params,
                      uint32_t param_bytes, const uint32_t groups[3], uint32_t local)
{
    (void)self;
    slip_status status = fs_begin("launch", stream, SLIP_ERR_DEVICE);
    if (status == SLIP_OK) {
        fs_op op = { .kind = FS_LAUNCH, .own = malloc(param_bytes + 1) };
        if (!op.own)
            abort();
        memcpy(op.own, params, param_bytes);
        op.grid = (fake_grid){ .shader = kernel->function,
                               .params = op.own,
                               .param_bytes = param_bytes,
                               .groups = { groups[0], groups[1], groups[2] },
                               .local = local };
        check_grid(&op.grid);
        if (fs_is_captured(stream, NULL)) {
            fs.captured_launches++;
            free(op.own);
        } else {
            fs_queue(stream, op);
        }
    }
    return fs_end(status);
}

static void check_copy(const void *host, const void *device, uint64_t bytes)
{
    const fs_memory *h = fs_memory_at(host, bytes), *d = fs_memory_at(device, bytes);

    if (!h || !h->host)
        fs_wrong("a queued copy of %llu bytes that are not pinned", (unsigned long long)bytes);
    if (!d)
        fs_wrong("a copy of %llu bytes that are in no memory", (unsigned long long)bytes);
}

slip_status fs_upload(void *self, void *stream, uint64_t to, const void *from, uint64_t bytes)
{
    (void)self;
    slip_status status = fs_begin("upload", stream, SLIP_ERR_DEVICE);
    if (status == SLIP_OK && !fs_is_captured(stream, "a copy")) {
        check_copy(from, (void *)(uintptr_t)to, bytes);
        fs_queue(stream, (fs_op){ .kind = FS_UPLOAD,
                                  .to = (void *)(uintptr_t)to,
                                  .from = from,
                                  .bytes = bytes });
    }
    return fs_end(status);
}

slip_status fs_download(void *self, void *stream, void *to, uint64_t from, uint64_t bytes)
{
    (void)self;
    slip_status status = fs_begin("download", stream, SLIP_ERR_DEVICE);
    if (status == SLIP_OK && !fs_is_captured(stream, "a copy")) {
        check_copy(to, (void *)(uintptr_t)from, bytes);
        fs_queue(stream, (fs_op){ .kind = FS_DOWNLOAD,
                                  .to = to,
                                  .from = (void *)(uintptr_t)from,
                                  .bytes = bytes });
    }
    return fs_end(status);
}

slip_status fs_zero(void *self, void *stream, uint64_t address, uint64_t bytes)
{
    (void)self;
    slip_status status = fs_begin("zero", stream, SLIP_ERR_DEVICE);
    if (status == SLIP_OK && !fs_is_captured(stream, "zeroing"))
        fs_queue(stream,
                 (fs_op){ .kind = FS_ZERO, .to = (void *)(uintptr_t)address, .bytes = bytes });
    return fs_end(status);
}

/* The source is read now; the copy may run later (CUDA: "the DMA to the final destination may not
 * have completed"). */
slip_status fs_upload_blocking(void *self, uint64_t to, const void *from, uint64_t bytes)
{
    (void)self;
    slip_status status = fs_begin("upload_blocking", NULL, SLIP_ERR_DEVICE);
    fs.waits++;
    if (status == SLIP_OK) {
        fs_hold_on();
        fs_op op = {
            .kind = FS_UPLOAD, .to = (void *)(uintptr_t)to, .bytes = bytes, .own = malloc(bytes + 1)
        };
        if (!op.own)
            abort();
        memcpy(op.own, from, bytes);
        op.from = op.own;
        fs_queue(fs.standard, op);
    }
    return fs_end(status);
}

slip_status fs_download_blocking(void *self, void *to, uint64_t from, uint64_t bytes)
{
    (void)self;
    slip_status status = fs_begin("download_blocking", NULL, SLIP_ERR_DEVICE);
    fs.waits++;
    if (status == SLIP_OK) {
        fs_hold_on();
        fs_queue(fs.standard, (fs_op){ .kind = FS_DOWNLOAD,
                                       .to = to,
                                       .from = (void *)(uintptr_t)from,
                                       .bytes = bytes });
        fs_run(fs.standard, fs.standard->queued);
        fs_learn(&fs.standard->clock);
    }
    return fs_end(status);
}
