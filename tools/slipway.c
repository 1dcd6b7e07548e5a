/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slipway.c - the tool for people: picks a subcommand.
 */
#include <stdio.h>
#include <string.h>

#include <slipway/slipway.h>

#include "commands.h"
#include "output.h"
#include "tool.h"

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *does;
} command;

static const command commands[] = {
    { "devices", cmd_devices, "what devices are here, and why a family is missing" },
    { "run", cmd_run, "run a kernel on NumPy files" },
    { "explain", cmd_explain, "the plan of a call: tasks, copies, waits, and the reason of each" },
    { "dump", cmd_dump, "what is in a module" },
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_help(FILE *to)
{
    fprintf(to, "usage: slipway COMMAND ...\n\n");
    for (size_t k = 0; k < COMMAND_COUNT; k++)
        fprintf(to, "  %-9s %s\n", commands[k].name, commands[k].does);
    fprintf(to, "\nslipway COMMAND --help says more; slipway --version prints %s.\n",
            slip_version());
}

static int run(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";

    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help(stdout);
        return TOOL_OK;
    }
    if (strcmp(name, "--version") == 0) {
        printf("slipway %s\n", slip_version());
        return TOOL_OK;
    }
    for (size_t k = 0; k < COMMAND_COUNT; k++)
        if (strcmp(name, commands[k].name) == 0)
            return commands[k].run(argc - 2, argv + 2);
    if (*name)
        fprintf(stderr, "slipway: there is no command `%s`\n", name);
    print_help(stderr);
    return TOOL_USAGE;
}

int main(int argc, char **argv)
{
    return output_end("slipway", run(argc, argv));
}
