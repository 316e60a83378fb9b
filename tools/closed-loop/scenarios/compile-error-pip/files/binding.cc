#include <Python.h>
#include <string>
static std::string Describe(int value) { return fmt_value(value) + "!"; }
PyMODINIT_FUNC PyInit_kernelkit() { return PyUnicode_FromString(Describe(1).c_str()); }
