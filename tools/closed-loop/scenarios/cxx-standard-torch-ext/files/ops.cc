#include <Python.h>
#include <c10/util/Exception.h>
static PyModuleDef kModule = {PyModuleDef_HEAD_INIT, "mmcv_ops", "", -1, nullptr, nullptr, nullptr, nullptr, nullptr};
PyMODINIT_FUNC PyInit_mmcv_ops() { return PyModule_Create(&kModule); }
