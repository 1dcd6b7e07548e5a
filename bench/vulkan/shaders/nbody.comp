// SPDX-License-Identifier: Apache-2.0
// Velocities of all bodies by the pull of all others.
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
layout(local_size_x = 256) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float at[]; };
layout(push_constant) uniform Push { Floats mass, pos, vel; int n; float dt, soft; } push;

void main()
{
    int i = int(gl_GlobalInvocationID.x);
    if (i >= push.n)
        return;
    precise float ax = 0.0, ay = 0.0, az = 0.0;
    float px = push.pos.at[3 * i], py = push.pos.at[3 * i + 1], pz = push.pos.at[3 * i + 2];
    for (int j = 0; j < push.n; j++) {
        precise float dx = push.pos.at[3 * j] - px;
        precise float dy = push.pos.at[3 * j + 1] - py;
        precise float dz = push.pos.at[3 * j + 2] - pz;
        precise float square = dx * dx + dy * dy + dz * dz + push.soft * push.soft;
        precise float pull = push.mass.at[j] / (square * sqrt(square));
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
    }
    precise float vx = push.vel.at[3 * i] + push.dt * ax;
    precise float vy = push.vel.at[3 * i + 1] + push.dt * ay;
    precise float vz = push.vel.at[3 * i + 2] + push.dt * az;
    push.vel.at[3 * i] = vx;
    push.vel.at[3 * i + 1] = vy;
    push.vel.at[3 * i + 2] = vz;
}
