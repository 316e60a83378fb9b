from setuptools import Extension, setup

setup(name="fastblas", version="1.0", ext_modules=[Extension("fastblas", ["fastblas.c"])])
