from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

setup(name="stable-ops", version="0.1", ext_modules=[CppExtension("stable_ops", ["ops.cc"])], cmdclass={"build_ext": BuildExtension})
