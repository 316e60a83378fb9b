from setuptools import Extension, setup

setup(name="swigged", version="0.1", ext_modules=[Extension("_swigged", ["swigged.i"])])
