from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

setup(name="huge-ops", version="0.1.0", cmdclass={"build_ext": BuildExtension},
      ext_modules=[CppExtension("huge_ops", ["ops.cc", "a.cc", "b.cc", "c.cc"], extra_compile_args=["-O1", "-std=c++17"])])
