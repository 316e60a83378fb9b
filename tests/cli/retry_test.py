"""`cudadoctor run --retry`: what is tried again and what is not, with scripts that print what builds print; and a real build
that a real memory limit kills, tried again with fewer jobs.

CUDADOCTOR names the program. The builds need a memory cgroup that it may make (root, v1 or v2), ninja, and g++; with an nvcc (on
PATH, in CUDA_HOME, or NVCC names it: `pip install nvidia-cuda-nvcc nvidia-cuda-crt nvidia-nvvm nvidia-cuda-runtime`
is enough) the same is done with CUDA files. What is missing is skipped and said.
"""
import json
import os
import pty
import re
import select
import shutil
import signal
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


CI = ("GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "BUILDKITE")

# What torch's cpp_extension says of a toolkit of another CUDA.
MISMATCH = ("RuntimeError: ('The detected CUDA version (%s) mismatches the version that was used to compilePyTorch (%s). "
            "Please make sure to use the same CUDA versions.', '13.0', '12.8')")
KILLED = """Building wheels for collected packages: flash-attn
[1/72] /usr/local/cuda/bin/nvcc -c flash_bwd.cu -o flash_bwd.o
FAILED: flash_bwd.o
Killed
ninja: build stopped: subcommand failed.
error: subprocess-exited-with-error"""


class Script(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="cudadoctor-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def toolkit(self):
        folder = self.path("cuda-12.8")
        os.makedirs(os.path.join(folder, "bin"))
        nvcc = os.path.join(folder, "bin/nvcc")
        with open(nvcc, "w") as file:
            file.write("#!/bin/sh\n")
        os.chmod(nvcc, 0o755)
        return folder

    def run_script(self, script, retries, facts, **variables):
        """(status, attempts, standard error); `facts` are (name, type, value[, at])."""
        host = [dict(zip(("name", "type", "value", "at"), fact)) for fact in [("os", "word", "linux"), ("leftover_processes", "text", "none"), *facts]]
        with open(self.path("host.json"), "w") as file:
            json.dump({"schema": "cudadoctor.host/1", "facts": host}, file)
        with open(self.path("build"), "w") as file:
            file.write("echo once >> attempts\n" + script)
        env = {k: v for k, v in os.environ.items() if k not in ("MAX_JOBS", "NVCC_THREADS", "TORCH_CUDA_ARCH_LIST", "CUDA_HOME", *CI)}
        done = subprocess.run([PROGRAM, "run", "--retry", str(retries), "--host", "host.json", "--", "sh", "build"], cwd=self.folder, env={**env, **variables},
                              timeout=WITH_LIMIT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with open(self.path("attempts")) as file:
            attempts = len(file.readlines())
        return done.returncode, attempts, done.stderr.decode("utf-8", "replace")

    def test_another_toolkit_that_is_installed(self):
        toolkit = self.toolkit()
        script = f"""[ "$CUDA_HOME" = '{toolkit}' ] && [ "$(command -v nvcc)" = '{toolkit}/bin/nvcc' ] && exit 0
cat <<'END'
{MISMATCH}
END
exit 1
"""
        facts = [("torch_version", "version", "2.9.0+cu128"), ("toolkit_cuda", "version", "13.0", "/usr/local/cuda/bin/nvcc"),
                 ("installed_toolkit", "version", "13.0", "/usr/local/cuda-13.0"), ("installed_toolkit", "version", "12.8", toolkit)]
        status, attempts, err = self.run_script(script, 1, facts)
        self.assertEqual((status, attempts), (0, 2), err)
        self.assertIn("cudadoctor: cuda-version-mismatch, certain: PyTorch was built with CUDA 12.8, nvcc is CUDA 13.0\n", err)
        self.assertIn(f"cudadoctor: attempt 2 of 2: CUDA_HOME={toolkit} PATH={toolkit}/bin:", err)
        self.assertIn(f"\nshell   CUDA_HOME={toolkit} PATH={toolkit}/bin:$PATH sh build\n", err)
        self.assertIn(f"\ndocker  RUN CUDA_HOME={toolkit} PATH={toolkit}/bin:$PATH sh build\n", err)

    def test_fewer_jobs_each_time(self):
        facts = [("package", "package", "flash-attn"), ("memory_free", "size", "60 GiB"), ("cpu_count", "integer", "16")]
        for given in ({}, {"MAX_JOBS": "30"}):
            with self.subTest(given):
                status, attempts, err = self.run_script(f"cat <<'END'\n{KILLED}\nEND\nexit 1\n", 2, facts, **given)
                jobs = [int(jobs) for jobs in re.findall(r"attempt \d of 3: MAX_JOBS=(\d+)\n", err)]
                self.assertEqual((status, attempts, len(jobs)), (1, 3, 2), err)
                self.assertGreater(jobs[0], jobs[1])
                os.remove(self.path("attempts"))

    def test_what_is_not_tried_again(self):
        fails = f"cat <<'END'\n{MISMATCH}\nEND\n"
        able = [("torch_version", "version", "2.9.0+cu128"), ("installed_toolkit", "version", "12.8", self.toolkit())]
        rows = [
            ("Ctrl-C", fails + "kill -INT $$", able, 130, None),
            ("a batch system's end", fails + "kill -TERM $$", able, 143, None),
            ("a fix that installs", fails + "exit 1", able[:1], 1, "the fix changes more than variables of the environment"),
            ("not certain", "echo 'ERROR: No matching distribution found for nothing-of-the-kind'; exit 1", able, 1, "the cause is not certain"),
            ("not known", "echo 'Error: nobody knows this'; exit 4", able, 4, "the cause is not certain"),
            ("success", "exit 0", able, 0, None),
        ]
        for name, script, facts, expected, reason in rows:
            with self.subTest(name):
                status, attempts, err = self.run_script(script + "\n", 3, facts)
                self.assertEqual((status, attempts), (expected, 1), err)
                self.assertNotRegex(err, r"attempt \d of")
                if reason:
                    self.assertIn(f"cudadoctor: no other attempt: {reason}\n", err)
                os.remove(self.path("attempts"))


    # pip ends with 1 after Ctrl-C, so the status does not tell.
    def test_not_again_after_keys_that_stop_it(self):
        with open(self.path("host.json"), "w") as file:
            json.dump({"schema": "cudadoctor.host/1", "facts": [{"name": "installed_toolkit", "type": "version", "value": "12.8", "at": self.toolkit()}]}, file)
        with open(self.path("build"), "w") as file:
            file.write(f"echo once >> attempts\ntrap 'exit 1' INT\ncat <<'END'\n{MISMATCH}\nEND\necho ready\nwhile :; do sleep 1; done\n")
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self.folder)
            os.execve(PROGRAM, [PROGRAM, "run", "--retry", "3", "--host", "host.json", "--", "sh", "build"],
                      {**{k: v for k, v in os.environ.items() if k not in CI}, "TERM": "xterm"})
        output = b""
        has_interrupted = False
        while select.select([terminal], [], [], WITH_LIMIT)[0]:
            try:
                output += os.read(terminal, 65536)
            except OSError:  # the end of a pseudo-terminal
                break
            if b"attempt 2" in output:
                os.kill(process, signal.SIGKILL)
            if not has_interrupted and b"ready" in output:
                has_interrupted = os.write(terminal, b"\x03") == 1
        _, status = os.waitpid(process, 0)
        os.close(terminal)
        self.assertNotIn(b"attempt 2", output)
        self.assertEqual(os.waitstatus_to_exitcode(status), 1, output)
        with open(self.path("attempts")) as file:
            self.assertEqual(file.read(), "once\n", output)


class Build(unittest.TestCase):
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
        env = {k: v for k, v in os.environ.items() if k not in ("MAX_JOBS", *CI)}
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
        self.check_recovery(self.gxx_in_memory(), 700 << 20, [f"{name}.cpp.o" for name in "abcd"])

    # What is read from a disk can be thrown out of memory and read again: just below its limit a group would crawl
    # for an hour instead of being killed. Files in memory, which belong to who wrote them, cannot.
    def folder_in_memory(self):
        if not os.access("/dev/shm", os.W_OK):
            self.skipTest("no /dev/shm")
        folder = tempfile.mkdtemp(prefix="cudadoctor-test-", dir="/dev/shm")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        return folder

    def gxx_in_memory(self):
        folder = self.folder_in_memory()
        shutil.copy(subprocess.run(["g++", "-print-prog-name=cc1plus"], stdout=subprocess.PIPE, check=True, text=True).stdout.strip(), folder)
        return f"g++ -B{folder}/"

    def nvcc_in_memory(self, program):
        root = os.path.dirname(os.path.dirname(os.path.realpath(program)))
        copy = self.folder_in_memory()
        for name in os.listdir(root):
            if name in ("bin", "nvvm"):
                shutil.copytree(os.path.join(root, name), os.path.join(copy, name))
            else:
                os.symlink(os.path.join(root, name), os.path.join(copy, name))
        return os.path.join(copy, "bin/nvcc")

    def test_cuda(self):
        program = nvcc()
        if program is None:
            self.skipTest("no nvcc; NVCC may name one")
        # A table takes cicc about 500 MB.
        numbers = ",".join(str(i * 7919 % 100003) for i in range(1_200_000))
        for name in "abcd":
            self.write(f"{name}.cu", f"__device__ const int table[] = {{{numbers}}};\nextern \"C\" __global__ void k_{name}(int* d) {{ d[0] = table[d[1]]; }}\n")
        self.check_recovery(f"{self.nvcc_in_memory(program)} -arch=sm_90", 1200 << 20, [f"{name}.cu.o" for name in "abcd"])

    def test_without_retry_it_is_diagnosed_only(self):
        if shutil.which("g++") is None:
            self.skipTest("g++ is not installed")
        numbers = ",".join(str(i * 7919 % 100003) for i in range(1_500_000))
        for name in "abcd":
            self.write(f"{name}.cpp", f"extern const int k_{name}[] = {{{numbers}}};\n")
        status, out, err = self.build(self.gxx_in_memory(), 700 << 20)
        self.assertNotEqual(status, 0)
        self.assertIn("out of memory", err)
        self.assertIn("measured for a job of this build", err)
        self.assertNotIn("attempt", err)


if __name__ == "__main__":
    unittest.main()
