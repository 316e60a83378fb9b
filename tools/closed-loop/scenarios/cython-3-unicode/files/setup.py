from Cython.Build import cythonize
from setuptools import setup

setup(name="fastpq", version="0.2", ext_modules=cythonize("fastpq.pyx"))
