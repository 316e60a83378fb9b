#include "k.h"
__global__ void k(float* x) { x[threadIdx.x] *= FACTOR; }
