// SPDX-License-Identifier: Apache-2.0
// v = u
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
layout(local_size_x = 256) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float at[]; };
layout(push_constant) uniform Push { Floats u, v; int n; float k; } push;

void main()
{
    int i = int(gl_GlobalInvocationID.x);
    if (i < push.n)
        push.v.at[i] = push.u.at[i];
}
