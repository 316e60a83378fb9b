"""What the tests of the command line share: the program, an environment without CI, a folder for each test.

CUDADOCTOR names the program, CUDADOCTOR_SOURCE_DIR the tree.
"""
import json
import os
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get("CUDADOCTOR", "cudadoctor")
SOURCE = os.environ.get("CUDADOCTOR_SOURCE_DIR", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
STORY = os.path.join(SOURCE, "corpus/story/01-uv-mismatch-13.1-12.8/log.txt")
WITH_LIMIT = 120  # seconds until a hanging program fails a test; the machine may be slow

# What one root cause looks like, in the shortest real words.
FAILURE = (b"RuntimeError:\nThe detected CUDA version (13.1) mismatches the version that was used to compile\n"
           b"PyTorch (12.8). Please make sure to use the same CUDA versions.\n")
CAUSE = "cuda-version-mismatch"
SUCCESS = b"Successfully installed flash-attn-2.8.3\n"

NO_FAILURE, FAILURE_FOUND, USAGE, UNREADABLE = 0, 1, 2, 3


def environment(**more):
    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "TERM", "CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "BUILDKITE",
                                                               "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    env["TERM"] = "xterm"
    env.update(more)
    return env


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="cudadoctor-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_it(self, *arguments, stdin=b"", env=None):
        done = subprocess.run([PROGRAM, *arguments], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=env or environment(), cwd=self.folder, timeout=WITH_LIMIT)
        return done.returncode, done.stdout, done.stderr

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        return path

    def reports(self, output):
        return [json.loads(line) for line in output.decode("utf-8").splitlines()]

    def assert_error(self, stderr, *words):
        text = stderr.decode("utf-8")
        for line in text.splitlines():
            self.assertRegex(line, r"^cudadoctor: ", text)
            self.assertFalse(line.endswith("."), text)
        for word in words:
            self.assertIn(word, text)


# A failure whose log tells more than it should. No scanner of pushes takes the token for a leak.
