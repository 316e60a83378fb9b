"""`cudadoctor host` on the machine that runs the tests, and its JSON given back.

CUDADOCTOR names the program, CUDADOCTOR_SOURCE_DIR the tree.
"""
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.path.abspath(shutil.which(os.environ.get("CUDADOCTOR", "cudadoctor")) or "cudadoctor")
SOURCE = os.environ.get("CUDADOCTOR_SOURCE_DIR", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
STORY = os.path.join(SOURCE, "corpus/story/01-uv-mismatch-13.1-12.8/log.txt")
WITH_LIMIT = 120  # seconds until a hanging program fails a test; the machine may be slow


def environment(**more):
    env = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    env.update(more)
    return env


class Host(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="cudadoctor-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_it(self, *arguments, env=None):
        done = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=env or environment(), cwd=self.folder, timeout=WITH_LIMIT)
        return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")

    def program(self, name, script):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(script)
        os.chmod(path, 0o755)

    def facts(self, env=None):
        status, out, err = self.run_it("host", "--format", "json", env=env)
        self.assertEqual((status, err), (0, ""))
        document = json.loads(out)
        self.assertEqual(document["schema"], "cudadoctor.host/1")
        return document["facts"]

    def values(self, facts, name):
        return [fact["value"] for fact in facts if fact["name"] == name]

    def test_json(self):
        facts = self.facts()
        for fact in facts:
            self.assertLessEqual(set(fact), {"name", "type", "value", "at"})
            self.assertRegex(fact["name"], r"^[a-z][a-z0-9_]*$")
        self.assertEqual(self.values(facts, "os"), ["linux"])
        self.assertEqual(self.values(facts, "machine"), [os.uname().machine])
        self.assertLessEqual(int(self.values(facts, "cpu_count")[0]), len(os.sched_getaffinity(0)))
        with open("/proc/meminfo", encoding="utf-8") as file:
            total = int(re.search(r"MemTotal: +(\d+) kB", file.read()).group(1)) / 1024 / 1024
        said = float(self.values(facts, "memory_total")[0].removesuffix(" GiB"))
        self.assertAlmostEqual(said, total, delta=0.51)

    def test_text(self):
        status, out, err = self.run_it("host")
        self.assertEqual((status, err), (0, ""))
        self.assertTrue(out.startswith("system  "), out)
        for group in ("GPU", "CUDA", "build", "Python", "memory"):
            self.assertRegex(out, rf"(?m)^{group} +\S")
        self.assertNotIn("\nmore ", out)

    def test_given_back(self):
        path = os.path.join(self.folder, "host.json")
        status, out, _ = self.run_it("host", "--format", "json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(out)
        status, report, err = self.run_it("--host", path, "--format", "json", STORY)
        self.assertEqual((status, err), (1, ""))
        report = json.loads(report)
        self.assertEqual(report["diagnoses"][0]["cause"], "cuda-version-mismatch")
        given = [(fact["name"], fact["value"]) for fact in report["facts"] if fact["origin"] == "host"]
        here = [(fact["name"], fact["value"].removesuffix(" GiB")) for fact in json.loads(out)["facts"]]
        self.assertIn(("cpu_count", dict(here)["cpu_count"]), given)
        # The log names another Python than this machine's: nothing is said of that one.
        self.assertLessEqual(set(given), set(here))
        self.assertNotIn("python_path", dict(given))

    def test_a_stuck_nvidia_smi_is_left_behind(self):
        self.program("nvidia-smi", "#!/bin/sh\nsleep 1000\n")
        begin = time.monotonic()
        facts = self.facts(environment(PATH=self.folder + ":" + os.environ["PATH"]))
        self.assertLess(time.monotonic() - begin, 60)
        self.assertEqual(len(self.values(facts, "nvidia_smi_says")), 1, facts)
        self.assertIn("nothing within", self.values(facts, "nvidia_smi_says")[0])

    def test_an_old_nvidia_smi(self):
        self.program("nvidia-smi", "#!/bin/sh\ncase \"$*\" in *compute_cap*) echo 'Field \"compute_cap\" is not a valid field to query.'; exit 2;; esac\n"
                                   "echo 'Tesla V100-SXM2-16GB, 470.42.01, 16160 MiB'\n")
        facts = self.facts(environment(PATH=self.folder + ":" + os.environ["PATH"]))
        self.assertEqual(self.values(facts, "gpu_name"), ["Tesla V100-SXM2-16GB"])
        self.assertEqual(self.values(facts, "driver_version"), ["470.42.01"])

    def test_nothing_is_written(self):
        home = os.path.join(self.folder, "home")
        os.mkdir(home)
        self.facts(environment(HOME=home, TMPDIR=home, CUDA_HOME=os.path.join(home, "cuda")))
        self.assertEqual(os.listdir(home), [])
        self.assertEqual(os.listdir(self.folder), ["home"])

    def test_hostile_names(self):
        name = "a\x1b[31m\x07\u202eb"
        path = os.path.join(self.folder, name, "cuda-12.8", "bin")
        os.makedirs(path)
        shutil.copy("/bin/true", os.path.join(path, "nvcc"))
        env = environment(CUDA_HOME=os.path.dirname(path), VIRTUAL_ENV="/x\n\x1b]0;y\x07", MAX_JOBS="8; id", TORCH_CUDA_ARCH_LIST="$(id)",
                          CUDA_VISIBLE_DEVICES="0\u202e\u009b31m")
        status, out, err = self.run_it("host", env=env)
        self.assertEqual((status, err), (0, ""))
        for character in ("\x1b", "\x07", "\u202e", "\u009b"):
            self.assertNotIn(character, out)
        self.assertEqual(self.values(self.facts(env), "max_jobs"), [])

    def test_usage(self):
        self.assertEqual(self.run_it("host", "--format", "html")[0], 2)
        self.assertEqual(self.run_it("host", "surplus")[0], 2)


if __name__ == "__main__":
    unittest.main()
