#include <Python.h>
#include <condition_variable>
static PyModuleDef kModule = {PyModuleDef_HEAD_INIT, "kernelkit_core", "", -1, nullptr, nullptr, nullptr, nullptr, nullptr};
PyMODINIT_FUNC PyInit_kernelkit_core() {
  std::condition_variable gate;
  std::mutex mutex;
  std::unique_lock<std::mutex> lock(mutex);
  if (getenv("NEVER")) gate.wait(lock);
  return PyModule_Create(&kModule);
}
