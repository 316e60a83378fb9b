#include <Python.h>
#include <THC/THC.h>
extern THCState* state;
