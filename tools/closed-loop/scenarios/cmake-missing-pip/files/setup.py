import os
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        target = os.path.abspath(os.path.dirname(self.get_ext_fullpath(ext.name)))
        os.makedirs(self.build_temp, exist_ok=True)
        subprocess.check_call(["cmake", os.path.abspath("."), f"-DCMAKE_LIBRARY_OUTPUT_DIRECTORY={target}"], cwd=self.build_temp)
        subprocess.check_call(["cmake", "--build", "."], cwd=self.build_temp)


setup(name="adder", version="0.1.0", ext_modules=[Extension("_adder", [])], cmdclass={"build_ext": CMakeBuild})
