/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output.h - what a tool has printed must have arrived before it says that all is well.
 */
#ifndef SLIPWAY_TOOLS_OUTPUT_H
#define SLIPWAY_TOOLS_OUTPUT_H

/* What main returns: `status`, or 1 in place of 0 where stdout could not be written, which is then
 * told on stderr as a failure of `tool`. */
int output_end(const char *tool, int status);

#endif
