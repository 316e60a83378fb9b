from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

setup(name="roi-align", version="0.1.2", ext_modules=[CppExtension("roi_align_ext", ["roi.cc"])], cmdclass={"build_ext": BuildExtension})
