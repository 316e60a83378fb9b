import os

import torch
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

if not os.environ.get("TORCH_CUDA_ARCH_LIST"):
    major, minor = torch.cuda.get_device_capability()
    os.environ["TORCH_CUDA_ARCH_LIST"] = f"{major}.{minor}"

setup(name="cuda-ops", version="0.5.0", ext_modules=[CUDAExtension("cuda_ops", ["bind.cc", "ops.cu"])], cmdclass={"build_ext": BuildExtension})
