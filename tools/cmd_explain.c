/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_explain.c - slipway explain: the plan of a call, with the reason of each wait.
 *
 * The plan for a device that is here is made from its facts; for a family that is not, from that
 * family's, with the module looked at on the CPU. Nothing is run, and no code is needed.
 */
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "commands.h"
#include "session.h"
#include "tool.h"

static const options_command command = {
    .name = "explain",
    .flags = OPTIONS_FILE | OPTIONS_KERNEL | OPTIONS_ON | OPTIONS_EXPLAIN,
    .help =
        "usage: slipway explain FILE KERNEL [NAME=VALUE ...] [--on FAMILY] [options]\n"
        "\n"
        "Prints the plan of a call: the kernel's variables and who computes them, tasks, copies, "
        "lanes,\n"
        "each wait with the reason it stays, each one left out with the fact that allows it. "
        "Nothing is\n"
        "run, and the device need not be here.\n"
        "\n"
        "  NAME=VALUE     as slipway run takes them; arrays may be left out. Without any, the plan "
        "is\n"
        "                 that of a call whose arrays are ordinary host memory and do not overlap\n"
        "  --on FAMILY    cpu, cuda, hip or vulkan (default: the best device here)\n"
        "  --memory NAME=KIND  where an array lives: unknown (malloc, the stack), pinned, kept or "
        "device\n"
        "  --stream KIND  default, explicit or wrapped (another library's, on cuda and hip)\n"
        "  --sync POLICY  minimal or conservative (default: the device's)\n"
        "  --svg          print a picture of the lanes\n"
        "  --json         print one JSON object: kernel, facts, variables, plan (lines)\n"
        "  -I DIR  -D NAME[=VALUE]  -O0..-O3  --fma    for a kernel file, as slipc takes them\n",
};

static void json_variables(json *j, const session *s)
{
    slip_entry_info info;
    slip_variable_info v;

    slip_entry_describe(s->entry, &info);
    json_open(j, "variables", '[');
    for (uint32_t k = 0; k < info.variable_count; k++) {
        slip_entry_variable(s->entry, k, &v);
        json_open(j, NULL, '{');
        json_text(j, "name", v.name);
        json_text(j, "type", v.type);
        json_text(j, "kind", v.on_device ? "device" : "launch");
        json_u64(j, "line", v.line);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void print_json(const options *o, const session *s, const char *facts, char *plan)
{
    json j = { .to = stdout };

    json_open(&j, NULL, '{');
    json_text(&j, "kernel", o->kernel);
    json_text(&j, "facts", facts);
    json_variables(&j, s);
    json_open(&j, "plan", '[');
    for (char *line = plan; *line;) {
        size_t length = strcspn(line, "\n");
        bool more = line[length] != '\0';
        line[length] = '\0';
        json_text(&j, NULL, line);
        line += length + more;
    }
    json_close(&j, ']');
    json_close(&j, '}');
    json_end(&j);
}

/* "u=device" */
static slip_status take_memory(const session *s, const char *word, slip_memory_kind *kinds)
{
    static const char *const names[] = { "unknown", "pinned", "kept", "device" };
    uint32_t length = options_name_length(word), kind = 0;
    slip_entry_info info;
    slip_param_info param;

    while (kind < 4 && strcmp(word + length + 1, names[kind]) != 0)
        kind++;
    if (kind == 4)
        return tool_fail(SLIP_ERR_ARGUMENT, "--memory %s: there are unknown, pinned, kept, device",
                         word);
    slip_entry_describe(s->entry, &info);
    for (uint32_t p = 0; p < info.param_count; p++) {
        slip_entry_param(s->entry, p, &param);
        if (param.kind == SLIP_PARAM_ARRAY && strlen(param.name) == length &&
            memcmp(param.name, word, length) == 0) {
            kinds[p] = (slip_memory_kind)kind;
            return SLIP_OK;
        }
    }
    return tool_fail(SLIP_ERR_NOT_FOUND, "--memory %s: %s has no array of that name", word,
                     info.name);
}

static slip_status explain(const options *o, const session *s, arguments *a)
{
    const char *facts = s->stands_in ? s->wanted : s->info.family;
    char *plan = NULL;
    slip_entry_info info;

    if (o->svg && o->json)
        return tool_fail(SLIP_ERR_ARGUMENT, "--svg and --json exclude one another");
    if (o->values.count > 0)
        TOOL_TRY(arguments_make(s->entry, o, ARGUMENTS_MAKE_ARRAYS, a));
    slip_entry_describe(s->entry, &info);
    slip_memory_kind *kinds = tool_new(info.param_count, sizeof *kinds);
    slip_status status = kinds ? SLIP_OK : SLIP_ERR_MEMORY;
    for (uint32_t k = 0; status == SLIP_OK && k < o->memory.count; k++)
        status = take_memory(s, o->memory.items[k], kinds);
    slip_explain_options options = { .facts = s->stands_in ? facts : NULL,
                                     .args = a->list,
                                     .arg_count = a->info.param_count,
                                     .memory = kinds,
                                     .stream = o->stream,
                                     .sync = o->sync,
                                     .format = o->svg ? SLIP_EXPLAIN_SVG : SLIP_EXPLAIN_TEXT };
    if (status == SLIP_OK)
        status = tool_library(slip_explain(s->entry, &options, &plan));
    free(kinds);
    TOOL_TRY(status);
    if (o->json)
        print_json(o, s, facts, plan);
    else
        fputs(plan, stdout);
    slip_text_free(plan);
    return SLIP_OK;
}

int cmd_explain(int argc, char **argv)
{
    return session_command(&command, argc, argv, "cpu", explain);
}
