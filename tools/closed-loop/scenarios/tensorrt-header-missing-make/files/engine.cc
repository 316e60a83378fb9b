#include <NvInfer.h>
int main() { return NV_TENSORRT_MAJOR < 10; }
