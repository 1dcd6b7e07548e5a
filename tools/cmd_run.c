/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_run.c - slipway run: a kernel from the shell, on NumPy files.
 *
 * Output files appear only after every call has succeeded.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arguments.h"
#include "commands.h"
#include "session.h"
#include "tool.h"

static const options_command command = {
    .name = "run",
    .flags = OPTIONS_FILE | OPTIONS_KERNEL | OPTIONS_ON | OPTIONS_RUN,
    .help =
        "usage: slipway run FILE KERNEL [NAME=VALUE ...] [--out NAME=FILE.npy ...] [options]\n"
        "\n"
        "Runs a kernel of a module (FILE.slip) or of a kernel file (FILE.c, compiled in memory).\n"
        "\n"
        "  n=1000           a scalar, by its type; one that is by itself the extent of an array "
        "from a\n"
        "                   file may be left out\n"
        "  u=@FILE.npy      an array; its type and shape must equal the signature's\n"
        "  u=zeros          an array of zeros; u=rand:SEED random numbers, floats in [0, 1)\n"
        "  p=@FILE          the bytes of a struct passed by value\n"
        "  --out u=FILE.npy write the array afterwards; a slip_out array needs nothing else\n"
        "  --on DEVICE      auto, a family (cpu, cuda, hip, vulkan), cpu:0, vulkan:discrete, or a\n"
        "                   part of a device's name (default: auto)\n"
        "  --repeat N       call N times, each on the arrays as given; the time is the median\n"
        "  --json           print one JSON object instead of text\n"
        "  -I DIR  -D NAME[=VALUE]  -O0..-O3  --fma    for a kernel file, as slipc takes them\n"
        "\n"
        "Returns 0, 1 when something failed, 2 when the command line makes no sense.\n",
};

typedef struct outcome {
    uint64_t *times_ns; /* [calls], sorted */
    uint32_t calls;
    slip_stats stats;
    void *result; /* NULL: the kernel has none */
} outcome;

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int compare_times(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* Arrays as they were given; [param_count], NULL for what no call can change. */
static slip_status keep_inputs(const arguments *a, void **kept)
{
    for (uint32_t k = 0; k < a->info.param_count; k++) {
        const argument *arg = &a->items[k];
        if (arg->param.kind != SLIP_PARAM_ARRAY || arg->param.is_const)
            continue;
        kept[k] = tool_new(arg->array.bytes, 1);
        if (!kept[k])
            return SLIP_ERR_MEMORY;
        memcpy(kept[k], arg->array.data, arg->array.bytes);
    }
    return SLIP_OK;
}

static slip_status call_once(const session *s, const arguments *a, outcome *out, uint32_t call)
{
    uint64_t from = now_ns();
    slip_stream *stream = slip_default(s->device);
    slip_status status = slip_launch(stream, s->entry, a->list, a->info.param_count, out->result,
                                     out->result ? a->info.result_bytes : 0);

    out->times_ns[call] = now_ns() - from;
    return tool_library(status);
}

static slip_status call_all(const session *s, const arguments *a, void **kept, outcome *out)
{
    for (uint32_t call = 0; call < out->calls; call++) {
        for (uint32_t k = 0; call > 0 && k < a->info.param_count; k++)
            if (kept[k])
                memcpy(a->items[k].array.data, kept[k], a->items[k].array.bytes);
        TOOL_TRY(call_once(s, a, out, call));
    }
    return SLIP_OK;
}

static slip_status perform(const session *s, const arguments *a, outcome *out)
{
    void **kept = tool_new(a->info.param_count, sizeof *kept);
    slip_status status = kept ? SLIP_OK : SLIP_ERR_MEMORY;

    if (status == SLIP_OK && out->calls > 1)
        status = keep_inputs(a, kept);
    slip_device_stats_reset(s->device);
    if (status == SLIP_OK)
        status = call_all(s, a, kept, out);
    slip_device_stats(s->device, &out->stats);
    for (uint32_t k = 0; kept && k < a->info.param_count; k++)
        free(kept[k]);
    free(kept);
    qsort(out->times_ns, out->calls, sizeof *out->times_ns, compare_times);
    return status;
}

static slip_status write_outputs(const arguments *a)
{
    for (uint32_t k = 0; k < a->info.param_count; k++)
        if (a->items[k].out_path)
            TOOL_TRY(npy_save(a->items[k].out_path, &a->items[k].array));
    return SLIP_OK;
}

/* ---- what is printed ------------------------------------------------------------------------ */

static double median_us(const outcome *out)
{
    uint32_t half = out->calls / 2;
    uint64_t high = out->times_ns[half], low = out->calls % 2 ? high : out->times_ns[half - 1];

    return ((double)low + (double)high) / 2e3;
}

/* A struct's bytes as hexadecimal digits, from the lowest address; free() it. */
static char *hex_text(const void *bytes, uint32_t count)
{
    const unsigned char *b = bytes;
    char *text = tool_new(2 * (size_t)count + 1, 1);

    for (uint32_t k = 0; text && k < count; k++)
        snprintf(text + 2 * k, 3, "%02x", b[k]);
    return text;
}

static slip_status print_result(const arguments *a, const outcome *out)
{
    value_type type = value_type_named(a->info.result);
    char text[VALUE_TEXT_BYTES];

    if (type != VALUE_TYPE_COUNT) {
        printf("result       %s  (%s)\n", value_print(type, out->result, text), a->info.result);
        return SLIP_OK;
    }
    char *hex = hex_text(out->result, a->info.result_bytes);
    if (!hex)
        return SLIP_ERR_MEMORY;
    printf("result       bytes %s  (%s)\n", hex, a->info.result);
    free(hex);
    return SLIP_OK;
}

static slip_status print_text(const session *s, const arguments *a, const outcome *out)
{
    const slip_stats *stats = &out->stats;
    char shape[NPY_SHAPE_TEXT_BYTES];

    printf("device       %s:%" PRIu32 "  %s\n", s->info.family, s->info.index, s->info.name);
    printf("time         %.3f us", median_us(out));
    if (out->calls > 1)
        printf("  (median of %" PRIu32 "; %.3f to %.3f)", out->calls,
               (double)out->times_ns[0] / 1e3, (double)out->times_ns[out->calls - 1] / 1e3);
    printf("\ntasks        %" PRIu64 "\n", stats->tasks);
    printf("uploads      %" PRIu64 "  (%" PRIu64 " bytes)\n", stats->uploads, stats->upload_bytes);
    printf("downloads    %" PRIu64 "  (%" PRIu64 " bytes)\n", stats->downloads,
           stats->download_bytes);
    printf("host waits   %" PRIu64 "\n", stats->host_waits);
    if (out->result)
        TOOL_TRY(print_result(a, out));
    for (uint32_t k = 0; k < a->info.param_count; k++)
        if (a->items[k].out_path)
            printf("wrote        %s  (%s, %s %s)\n", a->items[k].out_path, a->items[k].param.name,
                   a->items[k].param.type,
                   npy_shape_text(a->items[k].array.rank, a->items[k].array.shape, shape));
    return SLIP_OK;
}

/* JSON has no infinities and NaNs: they are written as the texts "inf", "-inf" and "nan". */
static slip_status json_result(json *j, const arguments *a, const outcome *out)
{
    value_type type = value_type_named(a->info.result);
    char text[VALUE_TEXT_BYTES];

    if (type == VALUE_TYPE_COUNT) {
        char *hex = hex_text(out->result, a->info.result_bytes);
        if (!hex)
            return SLIP_ERR_MEMORY;
        json_open(j, "result", '{');
        json_text(j, "struct", a->info.result);
        json_text(j, "bytes", hex);
        json_close(j, '}');
        free(hex);
    } else if (value_is_finite(type, out->result)) {
        value_print(type, out->result, text);
        if (value_types[type].kind == 'f' && !strpbrk(text, ".e"))
            strcat(text, ".0"); /* a whole number would lose the sign of -0 */
        json_number(j, "result", text);
    } else {
        json_text(j, "result", value_print(type, out->result, text));
    }
    return SLIP_OK;
}

static void json_output(json *j, const argument *arg)
{
    json_open(j, NULL, '{');
    json_text(j, "name", arg->param.name);
    json_text(j, "file", arg->out_path);
    json_text(j, "type", arg->param.type);
    json_open(j, "shape", '[');
    for (uint32_t k = 0; k < arg->array.rank; k++)
        json_u64(j, NULL, arg->array.shape[k]);
    json_close(j, ']');
    json_close(j, '}');
}

static void json_time(json *j, const char *key, double us)
{
    char text[64];

    snprintf(text, sizeof text, "%.3f", us);
    json_number(j, key, text);
}

static slip_status print_json(const session *s, const arguments *a, const outcome *out)
{
    json j = { .to = stdout };

    json_open(&j, NULL, '{');
    json_text(&j, "kernel", a->info.name);
    json_text(&j, "device", s->info.name);
    json_text(&j, "family", s->info.family);
    json_u64(&j, "index", s->info.index);
#define JSON_STAT_(name, text) json_u64(&j, #name, out->stats.name);
    SLIP_STATS_ROWS(JSON_STAT_)
#undef JSON_STAT_
    json_time(&j, "time_us", median_us(out));
    json_time(&j, "time_us_min", (double)out->times_ns[0] / 1e3);
    json_time(&j, "time_us_max", (double)out->times_ns[out->calls - 1] / 1e3);
    if (out->result)
        TOOL_TRY(json_result(&j, a, out));
    json_open(&j, "outputs", '[');
    for (uint32_t k = 0; k < a->info.param_count; k++)
        if (a->items[k].out_path)
            json_output(&j, &a->items[k]);
    json_close(&j, ']');
    json_close(&j, '}');
    json_end(&j);
    return SLIP_OK;
}

/* ---- the command ---------------------------------------------------------------------------- */

static slip_status call_and_print(const options *o, const session *s, const arguments *a,
                                  outcome *out)
{
    out->calls = o->repeat;
    out->times_ns = tool_new(out->calls, sizeof *out->times_ns);
    if (a->info.result)
        out->result = tool_new(a->info.result_bytes, 1);
    if (!out->times_ns || (a->info.result && !out->result))
        return SLIP_ERR_MEMORY;
    TOOL_TRY(perform(s, a, out));
    TOOL_TRY(write_outputs(a));
    return o->json ? print_json(s, a, out) : print_text(s, a, out);
}

static slip_status run(const options *o, const session *s, arguments *a)
{
    outcome out = { 0 };

    TOOL_TRY(arguments_make(s->entry, o, ARGUMENTS_NEED_ARRAYS, a));
    slip_status status = call_and_print(o, s, a, &out);
    free(out.times_ns);
    free(out.result);
    return status;
}

int cmd_run(int argc, char **argv)
{
    return session_command(&command, argc, argv, NULL, run);
}
