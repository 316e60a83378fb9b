#include <cuda_runtime_api.h>
int main() { return CUDART_VERSION >= 12000 ? 0 : 1; }
