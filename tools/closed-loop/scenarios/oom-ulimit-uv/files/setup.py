from setuptools import Extension, setup

setup(name="hugetmpl", version="1.2.0", ext_modules=[Extension("hugetmpl", ["a.cc"], extra_compile_args=["-std=c++17", "-O3"])])
