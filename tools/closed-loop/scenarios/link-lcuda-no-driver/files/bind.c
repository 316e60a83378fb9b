#include <Python.h>
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "tinycudann_C", 0, -1, 0};
PyMODINIT_FUNC PyInit_tinycudann_C(void) { return PyModule_Create(&module); }
