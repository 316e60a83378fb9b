#include <Python.h>
long add_numbers(long a, long b);
static PyObject* add(PyObject* self, PyObject* args) {
  long a, b;
  if (!PyArg_ParseTuple(args, "ll", &a, &b)) return 0;
  return PyLong_FromLong(add_numbers(a, b));
}
static PyMethodDef methods[] = {{"add", add, METH_VARARGS, ""}, {0, 0, 0, 0}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "fsum", "", -1, methods};
PyMODINIT_FUNC PyInit_fsum(void) { return PyModule_Create(&module); }
