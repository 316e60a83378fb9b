#include <cudnn.h>
int main() { return CUDNN_MAJOR < 9; }
