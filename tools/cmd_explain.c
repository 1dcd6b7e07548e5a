/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_explain.c - slipway explain: the plan of a call, with the reason of each wait.
 *
 * The plan for a family that is not here is made from that family's facts; the module is loaded on
 * the CPU for it, and nothing is run.
 */
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "commands.h"
#include "session.h"
#include "tool.h"

static const options_command command = {
    .name = "explain",
    .flags = OPTIONS_FILE | OPTIONS_KERNEL | OPTIONS_ON,
    .help =
        "usage: slipway explain FILE KERNEL [NAME=VALUE ...] [--on FAMILY] [options]\n"
        "\n"
        "Prints the plan of a call: tasks, copies, lanes, each wait with the reason it stays, each "
        "one\n"
        "left out with the fact that allows it. Nothing is run, and the device need not be here.\n"
        "\n"
        "  NAME=VALUE     as slipway run takes them; arrays may be left out. Without any, the plan "
        "is\n"
        "                 that of a call whose arrays are ordinary host memory\n"
        "  --on FAMILY    cpu, cuda, hip or vulkan (default: the best device here)\n"
        "  --json         print one JSON object: kernel, facts, plan (an array of lines)\n"
        "  -I DIR  -D NAME[=VALUE]  -O0..-O3  --fma    for a kernel file, as slipc takes them\n",
};

static void print_json(const options *o, const char *facts, char *plan)
{
    json j = { .to = stdout };

    json_open(&j, NULL, '{');
    json_text(&j, "kernel", o->kernel);
    json_text(&j, "facts", facts);
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

static slip_status explain(const options *o, const session *s, arguments *a)
{
    const char *facts = o->on ? o->on : s->info.family;
    char *plan = NULL;

    if (o->values.count > 0)
        TOOL_TRY(arguments_make(s->entry, o, ARGUMENTS_MAKE_ARRAYS, a));
    TOOL_TRY(tool_library(slip_explain(s->entry, facts, a->list, a->info.param_count, &plan)));
    if (o->json)
        print_json(o, facts, plan);
    else
        fputs(plan, stdout);
    slip_text_free(plan);
    return SLIP_OK;
}

static int run(const options *o)
{
    session s = { 0 };
    arguments a = { 0 };
    int exit_code = TOOL_OK;

    if (session_open(o, "cpu", &s) != SLIP_OK || explain(o, &s, &a) != SLIP_OK)
        exit_code = tool_report(stderr);
    arguments_finish(&a);
    session_close(&s);
    return exit_code;
}

int cmd_explain(int argc, char **argv)
{
    options o;
    int exit_code = TOOL_OK;

    if (options_parse(&command, argc, argv, &o, &exit_code))
        exit_code = run(&o);
    options_finish(&o);
    return exit_code;
}
