"""The command at the other end of the pipe is the one that a remedy repeats.

CUDADOCTOR names the program, CUDADOCTOR_SOURCE_DIR the tree.
"""
import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import FAILURE_FOUND, PROGRAM, WITH_LIMIT, Case, environment

# A pip that fails as one does in an environment without torch, for a project whose name is not that of its folder.
# It ends when what it says has been read: who reads a line has looked who wrote the one before.
PIP = """#!{python}
import fcntl, struct, termios, time
print('''Processing /src/kern
  Preparing metadata (setup.py): started
  error: subprocess-exited-with-error
  × python setup.py egg_info did not run successfully.
  │ exit code: 1
  ╰─> [6 lines of output]
      Traceback (most recent call last):
        File "/src/kern/setup.py", line 2, in <module>
          import torch
      ModuleNotFoundError: No module named 'torch'
      [end of output]
error: metadata-generation-failed''', flush=True)
for _ in range(4):
    while struct.unpack("i", fcntl.ioctl(1, termios.FIONREAD, b"    "))[0] > 0:
        time.sleep(0.02)
    time.sleep(0.1)
    print(flush=True)
raise SystemExit(1)
"""


class Pipe(Case):
    def setUp(self):
        super().setUp()
        os.mkdir(os.path.join(self.folder, "bin"))
        for name in ("pip", "uv"):
            path = self.write(f"bin/{name}", PIP.format(python=sys.executable).encode())
            os.chmod(path, 0o755)

    def remedies(self, line, shell="bash"):
        env = environment(PATH=os.path.join(self.folder, "bin") + ":" + os.path.dirname(PROGRAM) + ":" + os.environ["PATH"])
        done = subprocess.run([shutil.which(shell), "-c", line.replace("cudadoctor", f"{PROGRAM} --format json")], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, cwd=self.folder, timeout=WITH_LIMIT, check=False)
        self.assertEqual(done.returncode, FAILURE_FOUND, done.stderr.decode())
        [report] = self.reports(done.stdout)
        return "\n".join(step.get("run", "") for diagnosis in report["diagnoses"] for remedy in diagnosis["remedies"] for step in remedy["steps"])

    def test_the_command_is_repeated_with_its_options(self):
        rows = [
            "pip install -v --no-deps './kern[dev]' 2>&1 | cudadoctor",
            "pip install -v --no-deps './kern[dev]' 2>&1 | tee log | cudadoctor",
            "{ pip install -v --no-deps './kern[dev]'; echo $?; } 2>&1 | cudadoctor",
            "MAX_JOBS=3 pip install -v --no-deps './kern[dev]' 2>&1 | cudadoctor",
            "env LANG=C pip install -v --no-deps './kern[dev]' 2>&1 | cudadoctor",
        ]
        for line in rows:
            with self.subTest(line):
                self.assertRegex(self.remedies(line), r"pip install .*-v --no-deps .*'\./kern\[dev\]'")

    def test_variables_in_front_stay(self):
        self.assertIn("MAX_JOBS=3 pip install", self.remedies("export CXX=g++; MAX_JOBS=3 pip install . 2>&1 | cudadoctor"))

    def test_of_two_commands_none_is_repeated(self):
        self.assertNotIn("--no-deps", self.remedies("{ pip install --no-deps ./a; pip install --no-deps ./b; } 2>&1 | cudadoctor"))

    def test_other_facts_of_a_machine_do_not_know_it(self):
        self.assertNotIn("--no-deps", self.remedies("pip install --no-deps . 2>&1 | cudadoctor --host none"))


if __name__ == "__main__":
    unittest.main()
