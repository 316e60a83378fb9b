from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

setup(name="mmcv-ops", version="1.7.0", ext_modules=[CppExtension("mmcv_ops", ["ops.cc"], extra_compile_args=["-std=c++14"])],
      cmdclass={"build_ext": BuildExtension.with_options(use_ninja=False)})
