#include <Python.h>
float launch_a(float), launch_b(float), launch_c(float);
static PyObject* Count(PyObject*, PyObject*) { return PyLong_FromLong((launch_a(1) + launch_b(1) + launch_c(1)) != 0.5f ? 3 : 0); }
static PyMethodDef kMethods[] = {{"count", Count, METH_NOARGS, ""}, {nullptr, nullptr, 0, nullptr}};
static PyModuleDef kModule = {PyModuleDef_HEAD_INIT, "huge_ops", "", -1, kMethods, nullptr, nullptr, nullptr, nullptr};
PyMODINIT_FUNC PyInit_huge_ops() { return PyModule_Create(&kModule); }
