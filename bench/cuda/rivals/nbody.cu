/* SPDX-License-Identifier: Apache-2.0 */
/* nbody.cu - the two tasks of examples/nbody.c, as CUDA C++. */
extern "C" __global__ void nbody_pull(int n, float dt, float soft, const float *mass,
                                      const float (*pos)[3], float (*vel)[3])
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; ++j) {
        float dx = pos[j][0] - pos[i][0];
        float dy = pos[j][1] - pos[i][1];
        float dz = pos[j][2] - pos[i][2];
        float square = dx * dx + dy * dy + dz * dz + soft * soft;
        float pull = mass[j] / (square * sqrtf(square));
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
    }
    vel[i][0] = vel[i][0] + dt * ax;
    vel[i][1] = vel[i][1] + dt * ay;
    vel[i][2] = vel[i][2] + dt * az;
}

/* An iteration a component, as slip_for2 (i, n, c, 3). */
extern "C" __global__ void nbody_move(int n, float dt, const float *vel, float *pos)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;

    if (k < 3 * n)
        pos[k] = pos[k] + dt * vel[k];
}
