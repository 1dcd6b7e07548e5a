/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_devices.c - slipway devices: what is here, why a family is missing, limits and facts.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <slipway/slipway.h>

#include "commands.h"
#include "options.h"
#include "tool.h"

static const options_command command = {
    .name = "devices",
    .flags = 0,
    .help =
        "usage: slipway devices [--json]\n"
        "\n"
        "Lists each device, best first, with its limits, what is known of it and the facts that "
        "plans for\n"
        "it rest on, then each family that is missing, with the reason.\n"
        "\n"
        "  --json   the same as one JSON object: devices, missing\n",
};

enum { FACTS_BYTES = 16 << 10 };

typedef struct found {
    slip_device_info *devices;
    uint32_t device_count, device_room;
    struct missing {
        char family[32], why[256];
    } missing[16];
    uint32_t missing_count;
    bool failed;
} found;

/* Opening devices must wait until the visit is over. */
static void visit(const slip_device_info *info, const char *family, const char *why, void *user)
{
    found *f = user;

    if (!info) {
        if (f->missing_count < sizeof f->missing / sizeof f->missing[0]) {
            struct missing *m = &f->missing[f->missing_count++];
            snprintf(m->family, sizeof m->family, "%s", family);
            snprintf(m->why, sizeof m->why, "%s", why);
        }
        return;
    }
    if (f->device_count == f->device_room) {
        uint32_t room = f->device_room ? 2 * f->device_room : 8;
        slip_device_info *grown = realloc(f->devices, room * sizeof *grown);
        f->failed = f->failed || !grown;
        if (!grown)
            return;
        f->devices = grown;
        f->device_room = room;
    }
    f->devices[f->device_count++] = *info;
}

static slip_status open_device(const slip_device_info *info, slip_device **out)
{
    char which[48];

    snprintf(which, sizeof which, "%s:%" PRIu32, info->family, info->index);
    return tool_library(slip_device_open(which, out));
}

static void print_detail(const char *name, const char *value, void *user)
{
    (void)user;
    printf("  %-45s %s\n", name, value);
}

static slip_status print_device(slip_device *device, const slip_device_info *d, char *facts)
{
    char *rest = NULL;

    printf("%s:%" PRIu32 "  %s\n", d->family, d->index, d->name);
    printf("  kind           %s\n", d->kind);
    printf("  takes          %s\n", d->target);
    if (d->compute_units > 0)
        printf("  compute units  %" PRIu32 "\n", d->compute_units);
    printf("  memory         %" PRIu64 " bytes (%.1f GiB)\n", d->memory_bytes,
           (double)d->memory_bytes / (1 << 30));
    TOOL_TRY(tool_library(slip_device_details(device, print_detail, NULL)));
    for (char *line = strtok_r(facts, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        printf("  %s\n", line);
    return SLIP_OK;
}

/* "name   value  meaning (source)": columns stand two or more blanks apart, the value is one word.
 */
static void json_fact(json *j, char *line)
{
    char *gap = strstr(line, "  "), *value = gap ? gap + strspn(gap, " ") : line + strlen(line);
    char *end = value + strcspn(value, " "), *text = end + strspn(end, " ");

    if (gap)
        *gap = '\0';
    *end = '\0';
    json_open(j, NULL, '{');
    json_text(j, "fact", line);
    json_text(j, "value", value);
    json_text(j, "text", text);
    json_close(j, '}');
}

static void json_detail(const char *name, const char *value, void *user)
{
    json *j = user;

    json_open(j, NULL, '{');
    json_text(j, "name", name);
    json_text(j, "value", value);
    json_close(j, '}');
}

static slip_status json_device(json *j, slip_device *device, const slip_device_info *d, char *facts)
{
    char *rest = NULL;

    json_open(j, NULL, '{');
    json_text(j, "family", d->family);
    json_u64(j, "index", d->index);
    json_text(j, "name", d->name);
    json_text(j, "kind", d->kind);
    json_text(j, "target", d->target);
    json_u64(j, "compute_units", d->compute_units);
    json_u64(j, "memory_bytes", d->memory_bytes);
    json_open(j, "details", '[');
    TOOL_TRY(tool_library(slip_device_details(device, json_detail, j)));
    json_close(j, ']');
    json_open(j, "facts", '[');
    for (char *line = strtok_r(facts, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        json_fact(j, line);
    json_close(j, ']');
    json_close(j, '}');
    return SLIP_OK;
}

/* `j` NULL: as text. `facts` has FACTS_BYTES. */
static slip_status show_device(json *j, const slip_device_info *d, char *facts)
{
    slip_device *device = NULL;

    TOOL_TRY(open_device(d, &device));
    slip_status status = tool_library(slip_device_facts(device, facts, FACTS_BYTES));
    if (status == SLIP_OK)
        status = j ? json_device(j, device, d, facts) : print_device(device, d, facts);
    slip_device_close(device);
    return status;
}

static slip_status print_text(const found *f, char *facts)
{
    for (uint32_t k = 0; k < f->device_count; k++)
        TOOL_TRY(show_device(NULL, &f->devices[k], facts));
    for (uint32_t k = 0; k < f->missing_count; k++)
        printf("%s  missing: %s\n", f->missing[k].family, f->missing[k].why);
    return SLIP_OK;
}

static slip_status print_json(const found *f, char *facts)
{
    json j = { .to = stdout };

    json_open(&j, NULL, '{');
    json_open(&j, "devices", '[');
    for (uint32_t k = 0; k < f->device_count; k++)
        TOOL_TRY(show_device(&j, &f->devices[k], facts));
    json_close(&j, ']');
    json_open(&j, "missing", '[');
    for (uint32_t k = 0; k < f->missing_count; k++) {
        json_open(&j, NULL, '{');
        json_text(&j, "family", f->missing[k].family);
        json_text(&j, "why", f->missing[k].why);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_close(&j, '}');
    json_end(&j);
    return SLIP_OK;
}

static slip_status run(const options *o, found *f)
{
    TOOL_TRY(tool_library(slip_devices(visit, f)));
    if (f->failed)
        return tool_fail(SLIP_ERR_MEMORY, "there is no room for a list of devices");
    char *facts = tool_new(FACTS_BYTES, 1);
    if (!facts)
        return SLIP_ERR_MEMORY;
    slip_status status = o->json ? print_json(f, facts) : print_text(f, facts);
    free(facts);
    return status;
}

int cmd_devices(int argc, char **argv)
{
    options o;
    found f = { 0 };
    int exit_code = TOOL_OK;

    if (options_parse(&command, argc, argv, &o, &exit_code))
        exit_code = run(&o, &f) == SLIP_OK ? TOOL_OK : tool_report(stderr);
    free(f.devices);
    options_finish(&o);
    return exit_code;
}
