from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(name="cuda-ops", version="0.5.0", ext_modules=[CUDAExtension("cuda_ops", ["bind.cc", "ops.cu"])], cmdclass={"build_ext": BuildExtension})
