import os
import tempfile

from setuptools import setup
from wheel.bdist_wheel import bdist_wheel


class CachedWheel(bdist_wheel):
    """Builds in the temporary folder and moves the wheel to the place that pip asks for, as packages with prebuilt wheels do."""

    def run(self):
        wanted, self.dist_dir = self.dist_dir, tempfile.mkdtemp(dir=os.environ.get("TMPDIR", "/tmp"))
        super().run()
        name = os.listdir(self.dist_dir)[0]
        os.makedirs("dist", exist_ok=True)
        os.rename(os.path.join(self.dist_dir, name), os.path.join("dist", name))
        os.makedirs(wanted, exist_ok=True)
        import shutil
        shutil.copy(os.path.join("dist", name), wanted)


setup(name="cachedkit", version="0.1", py_modules=["cachedkit"], cmdclass={"bdist_wheel": CachedWheel})
