// SPDX-License-Identifier: Apache-2.0
// One step of heat along a rod with closed ends: v from u.
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
layout(local_size_x = 256) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float at[]; };
layout(push_constant) uniform Push { Floats u, v; int n; float k; } push;

void main()
{
    int i = int(gl_GlobalInvocationID.x);
    if (i < push.n) {
        int l = i > 0 ? i - 1 : 0, r = i < push.n - 1 ? i + 1 : push.n - 1;
        precise float sum = push.u.at[l] - 2.0 * push.u.at[i] + push.u.at[r];
        precise float next = push.u.at[i] + push.k * sum;
        push.v.at[i] = next;
    }
}
