#include <Python.h>
#include <numpy/arrayobject.h>
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_core", 0, -1, 0};
PyMODINIT_FUNC PyInit__core(void) {
  import_array();
  return PyModule_Create(&module);
}
