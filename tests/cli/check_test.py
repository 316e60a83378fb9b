"""`cudadoctor check` from outside: what it answers, prints and returns.

CUDADOCTOR names the program, CUDADOCTOR_SOURCE_DIR the tree.
"""
import json
import os
import shutil
import subprocess
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

PROGRAM = os.environ.get("CUDADOCTOR", "cudadoctor")
SOURCE = os.environ.get("CUDADOCTOR_SOURCE_DIR", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
WITH_LIMIT = 120  # seconds until a hanging program fails a test; the machine may be slow

WOULD_WORK, WOULD_STOP, USAGE, UNREADABLE = 0, 1, 2, 3

# Variables that the answer depends on.
READ = ("MAX_JOBS", "NVCC_THREADS", "TORCH_CUDA_ARCH_LIST", "CC", "CXX", "CUDAHOSTCXX", "NVCC_CCBIN", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS",
        "FLASH_ATTENTION_FORCE_BUILD", "FLASH_ATTN_CUDA_ARCHS", "COLUMNS")

TYPES = {"os": "word", "kernel_version": "word", "machine": "word", "tool": "word", "cpu_count": "integer", "memory_free": "size", "gpu_name": "gpu-name"}

# A machine on which torch-scatter compiles.
FITTING = {"os": "linux", "kernel_version": "6.1.0", "machine": "x86_64", "cpu_count": "8", "memory_free": "64 GiB", "python_version": "3.12.3", "torch_version": "2.11.0+cu128",
           "toolkit_cuda": "12.8", "gcc_version": "12.2.0", "gpu_name": "NVIDIA H100 PCIe", "gpu_capability": "9.0", "tool": "uv"}
MODULES = ("setuptools==80.9.0", "wheel==0.45.1", "packaging==25.0", "psutil==7.0.0", "ninja==1.13.0", "cmake==4.1.0")


class CheckTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="cudadoctor-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def host(self, **changes):
        facts = [{"name": name, "type": TYPES.get(name, "version"), "value": value} for name, value in {**FITTING, **changes}.items() if value]
        facts += [{"name": "installed_module", "type": "requirement", "value": module} for module in MODULES]
        return self.write("host.json", json.dumps({"schema": "cudadoctor.host/1", "facts": facts}))

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def check(self, *arguments, **variables):
        env = {k: v for k, v in os.environ.items() if k not in READ}
        done = subprocess.run([PROGRAM, "check", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**env, **variables}, cwd=self.folder, timeout=WITH_LIMIT)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def test_nothing_would_stop_it(self):
        status, out, err = self.check("torch-scatter", "--no-build-isolation", "--host", self.host())
        self.assertEqual((status, err), (WOULD_WORK, ""))
        self.assertTrue(out.startswith("nothing known would stop torch-scatter here\n"), out)
        self.assertIn("          TORCH_CUDA_ARCH_LIST=9.0 uv pip install torch-scatter --no-build-isolation\n", out)

    def test_what_would_stop_it(self):
        cases = {
            "build-isolation": (["torch-scatter"], {}),
            "cuda-version-mismatch": (["torch-scatter", "--no-build-isolation"], {"toolkit_cuda": "13.0"}),
            "host-compiler-too-new": (["torch-scatter", "--no-build-isolation"], {"gcc_version": "15.1"}),
            "cuda-toolkit-missing": (["natten", "--no-build-isolation"], {"toolkit_cuda": ""}),
            "build-out-of-memory": (["flash-attn==2.8.3", "--no-build-isolation"], {}),
        }
        for cause, (arguments, changes) in cases.items():
            with self.subTest(cause):
                status, out, err = self.check(*arguments, "--host", self.host(**changes))
                self.assertEqual((status, err), (WOULD_STOP, ""))
                self.assertIn(cause, out)
                self.assertIn(f"cudadoctor explain {cause}\n", out)

    def test_the_environment_counts(self):
        arguments = ["flash-attn==2.8.3", "--no-build-isolation", "--host", self.host()]
        self.assertEqual(self.check(*arguments)[0], WOULD_STOP)
        self.assertEqual(self.check(*arguments, MAX_JOBS="2")[0], WOULD_WORK)
        self.assertEqual(self.check(*arguments, MAX_JOBS="3")[0], WOULD_STOP)

    def test_what_is_not_known_fails_no_script(self):
        status, out, err = self.check("numpy", "--host", self.host(toolkit_cuda="13.0"))
        self.assertEqual((status, err), (WOULD_WORK, ""))
        self.assertTrue(out.startswith("if numpy compiles CUDA code, something may stop it here\n"), out)
        self.assertIn("numpy is not in cudadoctor's tables", out)

    def test_one_json_line_a_package(self):
        status, out, err = self.check("torch-scatter", "flash-attn==2.8.3", "requests", "--format", "json", "--host", self.host(toolkit_cuda="13.0"))
        self.assertEqual((status, err), (WOULD_STOP, ""))
        answers = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([a["requirement"] for a in answers], ["torch-scatter", "flash-attn==2.8.3", "requests"])
        self.assertEqual([a["known"] for a in answers], [True, True, False])
        self.assertEqual([a["would_stop"] for a in answers], [True, True, False])
        self.assertEqual([d["cause"] for d in answers[0]["diagnoses"]], ["build-isolation", "cuda-version-mismatch"])
        self.assertEqual([d["confidence"] for d in answers[2]["diagnoses"]], ["possible"])
        self.assertIn("not in cudadoctor's tables", answers[2]["way"]["says"])

    @unittest.skipUnless(jsonschema, "Python's jsonschema is not installed")
    def test_json_fits_its_schema(self):
        schemas = {}
        for name in ("check", "report"):
            with open(os.path.join(SOURCE, f"docs/{name}.schema.json"), encoding="utf-8") as file:
                schemas[name] = json.loads(file.read().replace('"report.schema.json#', '"#'))
        validator = jsonschema.Draft7Validator({**schemas["check"], "definitions": schemas["report"]["definitions"]})
        hosts = [{}, {"toolkit_cuda": "13.0"}, {"toolkit_cuda": ""}, {"torch_version": "2.8.0+cpu"}, {"torch_version": "", "gcc_version": "15.1"}]
        packages = ["flash-attn==2.8.3", "mamba-ssm", "torch-scatter", "xformers==0.0.30", "apex", "vllm", "unheard-of"]
        checked = 0
        for changes in hosts:
            for line in self.check(*packages, "--format", "json", "--host", self.host(**changes))[1].splitlines():
                answer = json.loads(line)
                self.assertEqual([e.message for e in validator.iter_errors(answer)], [], line)
                checked += 1
        self.assertEqual(checked, len(hosts) * len(packages))
        for change in ({"extra": 1}, {"would_stop": "no"}, {"way": {"is": "magic", "says": ""}}):
            self.assertFalse(validator.is_valid({**answer, **change}), change)

    def test_what_is_no_package(self):
        for package in (".", "../x", "git+https://example.org/x.git", "flash-attn==", "$(id)", "a b", "\x1b[31mred"):
            with self.subTest(package):
                status, out, err = self.check(package, "--host", self.host())
                self.assertEqual((status, out), (USAGE, ""))
                self.assertRegex(err, r"\Acudadoctor: [^\x1b]*flash-attn==2\.8\.3[^\x1b]*\n\Z")
        self.assertEqual(self.check("--host", self.host())[0], USAGE)
        self.assertEqual(self.check("x", "--host", self.host(), "--format", "xml")[0], USAGE)

    def test_hosts_that_cannot_be_read(self):
        cases = {"missing.json": None, "text.json": "no json", "other.json": '{"schema": "x"}',
                 "value.json": '{"schema": "cudadoctor.host/1", "facts": [{"name": "toolkit_cuda", "type": "version", "value": "$(id)"}]}'}
        for name, text in cases.items():
            with self.subTest(name):
                path = os.path.join(self.folder, name) if text is None else self.write(name, text)
                status, out, err = self.check("flash-attn", "--host", path)
                self.assertEqual((status, out), (UNREADABLE, ""))
                self.assertIn(name, err)


if __name__ == "__main__":
    unittest.main()
