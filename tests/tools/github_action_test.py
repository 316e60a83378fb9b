"""The step of tools/github-action, run by bash as the runner would.

CUDADOCTOR names the program, CUDADOCTOR_SOURCE_DIR the tree.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(os.environ.get("CUDADOCTOR", "cudadoctor"))
SOURCE = os.environ.get("CUDADOCTOR_SOURCE_DIR", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
ACTION = os.path.join(SOURCE, "tools/github-action")
FAILURE = ("RuntimeError:\nThe detected CUDA version (13.1) mismatches the version that was used to compile\n"
           "PyTorch (12.8). Please make sure to use the same CUDA versions.\n")
CAUSE = "cuda-version-mismatch"


class Step(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="cudadoctor-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        for name in ("work", "temp", "bin"):
            os.mkdir(os.path.join(self.folder, name))

    def path(self, name):
        return os.path.join(self.folder, name)

    def step(self, run="", log="", path=PROGRAM, action=ACTION, **more):
        env = {"PATH": os.environ["PATH"], "GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": action, "GITHUB_OUTPUT": self.path("output"),
               "GITHUB_STEP_SUMMARY": self.path("summary"), "RUNNER_TEMP": self.path("temp"),
               "CUDADOCTOR_RUN": run, "CUDADOCTOR_LOG": log, "CUDADOCTOR_PATH": path} | more
        done = subprocess.run([os.path.join(action, "diagnose")], env=env, cwd=self.path("work"), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, text=True)
        return done.returncode, done.stdout

    def outputs(self):
        if not os.path.exists(self.path("output")):
            return {}
        with open(self.path("output"), encoding="utf-8") as file:
            text = file.read()
        found = {name: value for name, _, value in re.findall(r"^(\w+)<<(\S+)\n(.*)\n\2\n", text, re.M)}
        return found | dict(re.findall(r"^(found)=(\w+)$", text, re.M))

    def write(self, name, text):
        with open(self.path(f"work/{name}"), "w", encoding="utf-8") as file:
            file.write(text)

    def test_a_command_that_fails(self):
        self.write("f.log", FAILURE)
        status, out = self.step("cat f.log\necho to stderr >&2\nexit 7\necho never")
        self.assertEqual(status, 7)
        self.assertTrue(out.startswith(FAILURE + "to stderr\n::error title="), out)
        self.assertEqual(self.outputs()["cause"], CAUSE)
        self.assertEqual((self.outputs()["retry"], self.outputs()["found"]), ("environment", "true"))
        self.assertTrue(os.path.exists(self.path("summary")))
        self.assertEqual(os.listdir(self.path("temp")), [], "nothing is left behind")

    def test_a_command_that_succeeds_is_not_diagnosed(self):
        self.write("f.log", FAILURE)
        self.assertEqual(self.step("cat f.log", path="", PATH="/usr/bin:/bin"), (0, FAILURE))
        self.assertEqual(self.outputs(), {"found": "false"})

    def test_bash_stops_as_in_a_step(self):
        for run in ("false\necho on", "false | cat\necho on"):
            status, out = self.step(run)
            self.assertEqual((status, out), (1, ""))
            self.assertEqual(self.outputs()["found"], "false", "an empty log")

    def test_the_command_is_data(self):
        status, out = self.step("printf '%s\\n' \"$0\" '$(id)' '`id`' \"a'b\"; echo ${CUDADOCTOR_RUN-unset}; exit 3")
        self.assertEqual((status, out), (3, "bash\n$(id)\n`id`\na'b\nunset\n"))

    def test_a_log(self):
        self.write("f.log", FAILURE)
        status, out = self.step(log="f.log")
        self.assertEqual(status, 0)
        self.assertTrue(out.startswith("::error title="), out)
        self.assertEqual(self.outputs()["cause"], CAUSE)
        self.write("-s.log", "Successfully installed x-1\n")
        self.assertEqual(self.step(log="-s.log"), (0, ""))

    def test_a_log_that_is_not_there(self):
        status, out = self.step(log="missing.log")
        self.assertEqual(status, 3)
        self.assertIn("missing.log: No such file", out)

    def test_inputs_are_checked(self):
        self.write("f.log", FAILURE)
        rows = [("both", {"run": "true", "log": "f.log"}, "both run and log"), ("neither", {}, "neither run nor log"),
                ("no program", {"run": "true", "path": "no/such%\n::error::x"}, "no/such%25 ::error::x is no program"),
                ("a folder", {"run": "true", "path": "/tmp"}, "/tmp is no program")]
        for name, inputs, words in rows:
            with self.subTest(name):
                status, out = self.step(**inputs)
                self.assertEqual(status, 2)
                self.assertRegex(out, r"^::error title=cudadoctor::[^\n]*\n$")
                self.assertIn(words, out)
        self.assertEqual(self.outputs(), {})

    def test_the_program_on_the_path(self):
        self.write("f.log", FAILURE)
        os.symlink(PROGRAM, self.path("bin/cudadoctor"))
        self.assertEqual(self.step("cat f.log; false", path="", PATH=f"{self.path('bin')}:/usr/bin:/bin")[0], 1)
        self.assertEqual(self.outputs()["cause"], CAUSE)

    def test_a_program_that_cannot_be_built_keeps_the_commands_status(self):
        self.write("f.log", FAILURE)
        os.makedirs(self.path("tree/tools"))
        shutil.copytree(ACTION, self.path("tree/tools/github-action"))
        deps = self.path("tree/tools/install-deps")
        with open(deps, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho no apt; exit 1\n")
        os.chmod(deps, 0o755)
        status, out = self.step("cat f.log; exit 9", path="", action=self.path("tree/tools/github-action"), PATH="/usr/bin:/bin")
        self.assertEqual(status, 9)
        self.assertEqual(out, FAILURE + "::group::build cudadoctor\nno apt\n::endgroup::\n"
                         "::warning title=cudadoctor::no cudadoctor on PATH, and it could not be built; the step's log says why\n")


class Manifest(unittest.TestCase):
    def test_no_expression_reaches_a_script(self):
        with open(os.path.join(ACTION, "action.yml"), encoding="utf-8") as file:
            text = file.read()
        self.assertNotIn("${{", re.search(r"^      run: (.*)$", text, re.M)[1])
        self.assertEqual(set(re.findall(r"^        CUDADOCTOR_\w+: \$\{\{ inputs\.(\w+) \}\}$", text, re.M)), {"run", "log", "path"})


if __name__ == "__main__":
    if not os.access(PROGRAM, os.X_OK):
        sys.exit(f"{PROGRAM}: no such program; set CUDADOCTOR")
    unittest.main()
