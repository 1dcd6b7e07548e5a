/* SPDX-License-Identifier: Apache-2.0 */
/*
 * commands.h - one function a subcommand: the words after its name in, what main returns out.
 */
#ifndef SLIPWAY_TOOLS_COMMANDS_H
#define SLIPWAY_TOOLS_COMMANDS_H

int cmd_devices(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_dump(int argc, char **argv);

#endif
