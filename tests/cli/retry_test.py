"""`cudadoctor run --retry`: a real build that a real memory limit kills, tried again with fewer jobs.

CUDADOCTOR names the program. Needs a memory cgroup that it may make (root, v1 or v2), ninja, and g++; with an nvcc (on
PATH, in CUDA_HOME, or NVCC names it: `pip install nvidia-cuda-nvcc nvidia-cuda-crt nvidia-nvvm nvidia-cuda-runtime`
is enough) the same is done with CUDA files. What is missing is skipped and said.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ.get("CUDADOCTOR", "cudadoctor")
WITH_LIMIT = 900  # seconds; the machine may be slow

# A setup.py that builds as torch's extensions do: ninja, as many jobs as MAX_JOBS says.
SETUP = r'''
import os, subprocess, sys
from glob import glob
sources = sorted(glob("*.cu") + glob("*.cpp"))
with open("build.ninja", "w") as file:
    file.write("rule compile\n  command = %s -c $in -o $out\n" % os.environ["DEMO_COMPILER"])
    for source in sources:
        file.write("build %s.o: compile %s\n" % (source, source))
jobs = os.environ.get("MAX_JOBS")
print("Using envvar MAX_JOBS (%s) as the number of workers..." % jobs if jobs else "Allowing ninja to set a default number of workers...")
sys.stdout.flush()
sys.exit(subprocess.call(["ninja", "-v", "-j", jobs or "4"]))
'''


class MemoryGroup:
    """A control group with a memory limit; processes that `enter` is called in are in it."""

    def __init__(self, limit_bytes):
        self.path = None
        for root, limit in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
            path = os.path.join(root, f"cudadoctor-test-{os.getpid()}")
            try:
                os.mkdir(path)
                with open(os.path.join(path, limit), "w") as file:
                    file.write(str(limit_bytes))
            except OSError:
                if os.path.isdir(path):
                    os.rmdir(path)
                continue
            self.path = path
            return
        raise unittest.SkipTest("no memory control group can be made here")

    def enter(self):
        with open(os.path.join(self.path, "cgroup.procs"), "w") as file:
            file.write(str(os.getpid()))

    def remove(self):
        os.rmdir(self.path)


def nvcc():
    """(program, environment) of an nvcc, or None."""
    named = [os.environ.get("NVCC"), shutil.which("nvcc"), os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin/nvcc")]
    return next((path for path in named if path and os.access(path, os.X_OK)), None)


class Retry(unittest.TestCase):
    def setUp(self):
        if shutil.which("ninja") is None:
            self.skipTest("ninja is not installed")
        self.folder = tempfile.mkdtemp(prefix="cudadoctor-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, content):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(content)

    def build(self, compiler, limit_bytes, *options):
        group = MemoryGroup(limit_bytes)
        self.addCleanup(group.remove)
        env = {k: v for k, v in os.environ.items() if k not in ("MAX_JOBS", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "BUILDKITE")}
        env["DEMO_COMPILER"] = compiler
        self.write("setup.py", SETUP)
        done = subprocess.run([PROGRAM, "run", *options, "--", sys.executable, "setup.py", "build_ext"], cwd=self.folder, env=env, timeout=WITH_LIMIT,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=group.enter)
        return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")

    def check_recovery(self, compiler, limit_bytes, objects):
        status, out, err = self.build(compiler, limit_bytes, "--retry", "3")
        self.assertEqual(status, 0, out[-3000:] + err)
        self.assertIn("FAILED: ", out, "the first attempt was not killed: the limit is too high")
        attempts = re.findall(r"attempt (\d) of 4: MAX_JOBS=(\d+)", err)
        self.assertTrue(attempts, err)
        jobs = [4] + [int(jobs) for _, jobs in attempts]
        self.assertEqual(jobs, sorted(jobs, reverse=True), "each attempt has fewer jobs")
        self.assertEqual(sorted(name for name in os.listdir(self.folder) if name.endswith(".o")), objects)
        self.assertRegex(err, rf"MAX_JOBS={jobs[-1]} \S*python\S* setup\.py build_ext")
        self.assertIn(f"RUN MAX_JOBS={jobs[-1]} ", err)

    def test_cxx(self):
        if shutil.which("g++") is None:
            self.skipTest("g++ is not installed")
        # An initialiser takes cc1plus about 250 MB.
        numbers = ",".join(str(i * 7919 % 100003) for i in range(1_500_000))
        for name in "abcd":
            self.write(f"{name}.cpp", f"extern const int k_{name}[] = {{{numbers}}};\n")
        self.check_recovery("g++", 700 << 20, [f"{name}.cpp.o" for name in "abcd"])

    def test_cuda(self):
        program = nvcc()
        if program is None:
            self.skipTest("no nvcc; NVCC may name one")
        # A table takes cicc about 500 MB.
        numbers = ",".join(str(i * 7919 % 100003) for i in range(1_200_000))
        for name in "abcd":
            self.write(f"{name}.cu", f"__device__ const int table[] = {{{numbers}}};\nextern \"C\" __global__ void k_{name}(int* d) {{ d[0] = table[d[1]]; }}\n")
        self.check_recovery(f"{program} -arch=sm_90", 1200 << 20, [f"{name}.cu.o" for name in "abcd"])

    def test_without_retry_it_is_diagnosed_only(self):
        if shutil.which("g++") is None:
            self.skipTest("g++ is not installed")
        numbers = ",".join(str(i * 7919 % 100003) for i in range(1_500_000))
        for name in "abcd":
            self.write(f"{name}.cpp", f"extern const int k_{name}[] = {{{numbers}}};\n")
        status, out, err = self.build("g++", 700 << 20)
        self.assertNotEqual(status, 0)
        self.assertIn("out of memory", err)
        self.assertIn("measured for a job of this build", err)
        self.assertNotIn("attempt", err)


if __name__ == "__main__":
    unittest.main()
