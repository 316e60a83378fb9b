import numpy
from setuptools import Extension, setup

setup(name="gridkit", version="0.4.0", packages=["gridkit"], extras_require={"dev": ["humanize"]},
      ext_modules=[Extension("gridkit._core", ["core.c"], include_dirs=[numpy.get_include()])])
