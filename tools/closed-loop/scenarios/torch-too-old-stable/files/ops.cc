#include <torch/csrc/stable/next_release.h>
