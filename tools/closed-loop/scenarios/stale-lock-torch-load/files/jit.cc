#include <Python.h>
static PyObject* Twice(PyObject*, PyObject* number) { return PyNumber_Add(number, number); }
static PyMethodDef kMethods[] = {{"twice", Twice, METH_O, ""}, {nullptr, nullptr, 0, nullptr}};
static PyModuleDef kModule = {PyModuleDef_HEAD_INIT, "jit_ops", "", -1, kMethods, nullptr, nullptr, nullptr, nullptr};
PyMODINIT_FUNC PyInit_jit_ops() { return PyModule_Create(&kModule); }
