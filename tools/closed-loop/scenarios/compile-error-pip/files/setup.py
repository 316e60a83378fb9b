from setuptools import Extension, setup

setup(name="kernelkit", version="0.4.0", ext_modules=[Extension("kernelkit", ["binding.cc"])])
