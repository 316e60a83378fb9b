from setuptools import Extension, setup

setup(name="tinycudann", version="1.7", ext_modules=[Extension("tinycudann_C", ["bind.c"], libraries=["cuda"])])
