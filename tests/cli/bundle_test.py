"""`cudadoctor bundle` from outside: what it prints and returns.

CUDADOCTOR names the program, CUDADOCTOR_SOURCE_DIR the tree.
"""
import glob
import gzip
import json
import os
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get("CUDADOCTOR", "cudadoctor")
SOURCE = os.environ.get("CUDADOCTOR_SOURCE_DIR", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
CASE = "corpus/captured/118-cuda-version-mismatch-uv-causal-conv1d/log.txt"
WITH_LIMIT = 120  # seconds until a hanging program fails a test; the machine may be slow
MOST_BYTES = 4000
EVERY = 12  # of the corpus one case in so many

DONE, USAGE, UNREADABLE = 0, 2, 3


def inactive(text):
    """Whether nothing of a log stands outside code: a mention, a link, HTML, a heading."""
    is_block = False
    for line in text.splitlines():
        if line.startswith("```"):
            is_block = not is_block
        elif not is_block and any(mark in "".join(line.split("`")[::2]) for mark in "@<[#"):
            return False
    return not is_block


class BundleTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="cudadoctor-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def bundle(self, *arguments, stdin=b""):
        done = subprocess.run([PROGRAM, "bundle", *arguments], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=SOURCE, timeout=WITH_LIMIT)
        return done.returncode, done.stdout, done.stderr.decode()

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content)
        return path

    def test_file_and_pipe_say_the_same(self):
        with open(os.path.join(SOURCE, CASE), "rb") as file:
            log = file.read()
        status, out, err = self.bundle(CASE)
        self.assertEqual((status, err), (DONE, ""))
        self.assertEqual(self.bundle(stdin=log), (status, out, err))
        self.assertEqual(self.bundle(self.write("log.gz", gzip.compress(log))), (status, out, err))
        text = out.decode()
        self.assertTrue(text.startswith("**`causal-conv1d 1.5.2 did not build`**\n"), text)
        self.assertIn("\n- root, certain, `cuda-version-mismatch`: `PyTorch was built with CUDA 12.8, nvcc is CUDA 13.0`\n", text)
        self.assertIn("\n$ uv pip install causal-conv1d==1.5.2 --no-build-isolation\n", text)
        self.assertRegex(text, r"\nnvcc +13\.0\n")
        self.assertRegex(text, r"\n> 78 \| RuntimeError: ")
        self.assertRegex(text, r"\n  77 \| +raise RuntimeError")

    def test_facts_of_the_host_are_told_apart(self):
        facts = [{"name": "gcc_version", "type": "version", "value": "13.3.0"}, {"name": "torch_version", "type": "version", "value": "2.8.0+cu128"}]
        host = self.write("host.json", json.dumps({"schema": "cudadoctor.host/1", "facts": facts}).encode())
        text = self.bundle(CASE, "--host", host)[1].decode()
        self.assertRegex(text, r"\ngcc +13\.3\.0 \(host\)\n")

    def test_logs_without_a_cause(self):
        cases = {b"Successfully installed flash-attn-2.8.3\n": "no failure: this log ends in success\n",
                 b"Collecting flash-attn\n": "no failure found; the log does not show how it ended\n",
                 b"": "the log is empty: nothing to diagnose\n",
                 b"Traceback (most recent call last):\nFlooError: nobody knows this\n": "**`it failed`**\n"}
        for log, begins in cases.items():
            with self.subTest(log):
                status, out, err = self.bundle(stdin=log)
                self.assertEqual((status, err), (DONE, ""))
                self.assertTrue(out.decode().startswith(begins), out)

    def test_stays_small_and_inactive(self):
        cases = sorted(glob.glob(os.path.join(SOURCE, "corpus/*/*/log.txt")))[::EVERY]
        self.assertGreater(len(cases), 20)
        fence = b"```\n@everyone <script>alert(1)</script> [x](https://example.org)\n# heading\n"
        failure = b"ModuleNotFoundError: No module named 'torch'\nerror: subprocess-exited-with-error\n"
        hostile = {"fences": fence * 30 + failure + fence * 30, "long lines": b"`" * 9000 + b"\n" + failure + "😀".encode() * 9000,
                   "not UTF-8": b"\xff\xfe\xfd" * 500 + b"\n" + failure, "escapes": b"\x1b[31m\x1b]0;t\x07" * 99 + failure}
        logs = [(path, None) for path in cases] + [(name, log) for name, log in hostile.items()]
        for name, log in logs:
            with self.subTest(name):
                status, out, err = self.bundle(*([name] if log is None else []), stdin=log or b"")
                self.assertEqual((status, err), (DONE, ""))
                self.assertLessEqual(len(out), MOST_BYTES)
                text = out.decode("utf-8")
                self.assertTrue(inactive(text), text)
                self.assertNotRegex(text, r"[\x00-\x09\x0b-\x1f]")
        self.assertFalse(inactive("hello @everyone"))
        self.assertFalse(inactive("```text\nnot closed"))

    def test_what_cannot_be_read(self):
        for arguments in (["missing.txt"], ["."], [CASE, "--host", "missing.json"]):
            status, out, err = self.bundle(*arguments)
            self.assertEqual((status, out), (UNREADABLE, b""))
            self.assertRegex(err, r"\Acudadoctor: .*\n\Z")
        with open(os.path.join(SOURCE, CASE), "rb") as file:
            cut = self.write("cut.gz", gzip.compress(file.read())[:-200])
        status, out, err = self.bundle(cut)
        self.assertEqual(status, UNREADABLE)
        self.assertIn("cut", err)
        self.assertIn(b"cudadoctor 0.1.0; log of ", out)
        self.assertEqual(self.bundle("one", "two")[0], USAGE)


if __name__ == "__main__":
    unittest.main()
