from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

setup(name="tiny-ops", version="0.3.0", ext_modules=[CppExtension("tiny_ops", ["ops.cc"])], cmdclass={"build_ext": BuildExtension})
