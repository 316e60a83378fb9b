#include <Python.h>
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "fastblas", 0, -1, 0};
PyMODINIT_FUNC PyInit_fastblas(void) { return PyModule_Create(&module); }
