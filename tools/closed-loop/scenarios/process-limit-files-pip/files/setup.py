import glob

from setuptools import setup

handles = [open(name) for name in sorted(glob.glob("data/*"))]
with open("manyfiles.py", "w") as out:
    out.write(f"TABLE = {[int(handle.read()) for handle in handles]}\n")

setup(name="manyfiles", version="0.1", py_modules=["manyfiles"])
