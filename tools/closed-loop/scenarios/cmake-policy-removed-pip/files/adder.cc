#include <Python.h>
static PyObject* Add(PyObject*, PyObject* args) {
  long a, b;
  if (!PyArg_ParseTuple(args, "ll", &a, &b)) return nullptr;
  return PyLong_FromLong(a + b);
}
static PyMethodDef kMethods[] = {{"add", Add, METH_VARARGS, ""}, {nullptr, nullptr, 0, nullptr}};
static PyModuleDef kModule = {PyModuleDef_HEAD_INIT, "_adder", "", -1, kMethods, nullptr, nullptr, nullptr, nullptr};
PyMODINIT_FUNC PyInit__adder() { return PyModule_Create(&kModule); }
