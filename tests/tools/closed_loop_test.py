"""tools/closed-loop without root and network: reading scenarios, the verdicts, hollow passes, a Dockerfile's edit, the table.

CUDADOCTOR_SOURCE_DIR names the tree.
"""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("CUDADOCTOR_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
TOOL = SOURCE / "tools/closed-loop"
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOOL))
import judge  # noqa: E402
import layers  # noqa: E402
import loop  # noqa: E402
import scenario  # noqa: E402
import table  # noqa: E402
import world  # noqa: E402
from standins import dockerfile  # noqa: E402

GOOD = """
title = "a"
why = "b"
cause = "disk-full"
class = "typed"
commands = ["make"]
works = ["./a"]
[world]
layers = ["base"]
"""


class Scenarios(unittest.TestCase):
    def test_defaults(self):
        parsed = scenario.parse(GOOD, "x.toml")
        self.assertEqual((parsed["how"], parsed["world"]["shell"], parsed["world"]["network"], parsed["limits"]["seconds"]), ("pipe", "bash", True, 600))

    def test_mistakes(self):
        rows = [
            ("not TOML", "title = ", "x.toml: "),
            ("unknown key", "colour = 1\n" + GOOD, "x.toml: unknown key colour"),
            ("unknown key of a table", GOOD + "size = 1\n", "x.toml: unknown key world.size"),
            ("a wrong type", GOOD.replace('["make"]', '"make"'), "x.toml: commands must be of type list"),
            ("no cause", GOOD.replace('cause = "disk-full"\n', ""), "x.toml: missing cause"),
            ("class", GOOD.replace('"typed"', '"typped"'), "x.toml: class must be one of typed, stand-in, not-typeable"),
            ("no works", GOOD.replace('works = ["./a"]\n', ""), "x.toml: works is missing"),
            ("no word about the stand-in", GOOD.replace('"typed"', '"stand-in"'), "x.toml: standin is missing"),
            ("shell", GOOD + 'shell = "csh"\n', "x.toml: world.shell must be one of"),
            ("no commands", GOOD.replace('["make"]', "[]"), "x.toml: commands is empty"),
            ("no layers", GOOD.replace('["base"]', "[]"), "x.toml: world.layers is empty"),
        ]
        for name, text, says in rows:
            with self.subTest(name):
                with self.assertRaises(scenario.ScenarioError) as caught:
                    scenario.parse(text, "x.toml")
                self.assertTrue(str(caught.exception).startswith(says), str(caught.exception))

    def test_every_scenario_of_the_tree(self):
        names = scenario.names()
        self.assertGreaterEqual(len(names), 80)
        # Causes of the taxonomy for which there is no rule yet come after those of the rules.
        taxonomy = {path.stem for path in (SOURCE / "rules").glob("*/*.toml")} | {"distro-package-in-the-way", "scm-version-unknown", "channel-terms-not-accepted"}
        causes = set()
        for name in names:
            with self.subTest(name):
                item = scenario.load(name)
                causes.add(item["cause"])
                for cause in [item["cause"], *item["acceptable"]]:
                    self.assertIn(cause, taxonomy)
                for layer in item["world"]["layers"]:
                    self.assertIn(layer, layers.names())
                layers.chain(item["world"]["layers"])
                for server in item["world"]["servers"]:
                    self.assertIn(server["host"], world.STANDIN_HOSTS)
        self.assertGreaterEqual(len(causes), 55)


class Commands(unittest.TestCase):
    def test_repeats(self):
        rows = [   # printed, the user's own, whether it is the same one
            ("CUDA_HOME=/x PATH=/x/bin:$PATH pip install flash-attn==2.8.3 --no-build-isolation", "pip install flash-attn", True),
            ("pip install flash_attn", "pip install flash-attn==2.8.3", True),
            ("uv pip install ninja", "pip install ninja", True),
            ("python -m pip install ninja", "pip install ninja", True),
            (".venv/bin/pip install ninja", "pip install ninja", True),
            ("pip install ninja packaging", "pip install ninja", True),
            ("pip install ninja", "pip install ninja packaging", False),
            ("pip install adder", "pip install .", False),
            ("pip install --no-build-isolation .", "pip install .", True),
            ("pip install .", "pip install -e .", False),
            ("pip install --no-build-isolation --editable=.", "pip install -e .", True),
            ("pip install .", "pip install '.[dev]'", False),
            ("pip install -r requirements.txt", "pip install --requirement requirements.txt", True),
            ("pip install -r other.txt", "pip install -r requirements.txt", False),
            ("pip install torch --index-url https://example.org/whl/cu128", "pip install torch", True),
            ("PIP_CERT=/x pip install ujson", "pip install --index-url https://example.org/simple/ ujson", False),
            ("pip install ujson -i https://example.org/other/", "pip install --index-url=https://example.org/simple/ ujson", True),
            ("uv pip install --offline --find-links ~/w ujson", "uv pip install --index-url https://example.org/simple/ ujson", True),
            ("pip install setuptools wheel", "pip install .", False),
            ("uv sync", "uv sync --locked", True),
            ("uv lock", "uv sync --locked", False),
            ("uv lock && uv sync --locked", "uv sync --locked", True),
            ("make -j1", "make -j8", True),
            ("MAX_JOBS=2 \\\n  pip install .", "pip install .", True),
            ("mkdir -p ~/tmp && TMPDIR=~/tmp pip install scipy", "pip install scipy", True),
            ("cmake --build build -j1", "cmake --build build -j3", True),
            ("sudo apt-get install -y tree", "sudo apt-get install tree", True),
            ("sudo apt-get install -y -f", "sudo apt-get install -y tree", False),
            ("pip install 'unclosed", "pip install unclosed", False),
        ]
        for printed, own, want in rows:
            with self.subTest(f"{printed} | {own}"):
                self.assertEqual(judge.repeats(printed, own), want)

    def test_report(self):
        report = {"diagnoses": [{"cause": "a", "role": "latent"}, {"cause": "b", "role": "root", "remedies": [{"steps": [{"run": "x", "note": "n"}, {"note": "only a note"}, {"run": "y"}]}]}]}
        parsed = judge.parse_report("a line\n" + json.dumps(report) + "\n")
        root = judge.root_diagnosis(parsed)
        self.assertEqual(root["cause"], "b")
        self.assertEqual(judge.typed_commands(root["remedies"][0]), ["x", "y"])
        self.assertIsNone(judge.root_diagnosis(judge.parse_report("no report")))
        self.assertIsNone(judge.parse_report('{"cut off'))

    def test_piped(self):
        self.assertIn("} 2>&1 | tee", loop.piped("pip install x", "bash"))
        self.assertTrue(loop.piped("pip install x", "fish").startswith("begin\n"))
        self.assertTrue(loop.piped("make", "bash", "run").startswith("cudadoctor run --report json="))


def attempt(*steps, rerun=None, works=True, hollow=""):
    return {"steps": [{"status": status, "repeats": repeats} for status, repeats in steps], "rerun": None if rerun is None else {"status": rerun}, "works": works, "hollow": hollow}


class Verdicts(unittest.TestCase):
    def test_table(self):
        rows = [
            ("all well, the user's command again", attempt((0, False), rerun=0), "worked"),
            ("all well, repeated in the remedy", attempt((0, False), (0, True)), "worked"),
            ("one command fails", attempt((1, False), (0, True)), "worked-with-failing-command"),
            ("the repeated command fails", attempt((0, False), (1, True)), "no"),
            ("the user's command fails again", attempt((0, False), rerun=1), "no"),
            ("the shell was stopped", attempt((None, True)), "no"),
            ("it passes and does not work", attempt((0, True), works=False), "no"),
            ("hollow", attempt((0, True), hollow="a wheel"), "hollow"),
            ("nothing is printed", attempt(rerun=0), "nothing-typed"),
            ("neither repeated nor typed again", attempt((0, False)), "no"),
        ]
        for name, given, want in rows:
            with self.subTest(name):
                self.assertEqual(judge.verdict(given), want)

    def test_hollow(self):
        rows = [
            ("nothing asked", {}, "", [""], None, ""),
            ("output", {"output": ["Using cached .*whl"]}, "", ["a\nUsing cached x.whl"], None, "the output says 'Using cached x.whl'"),
            ("another output", {"output": ["Using cached .*whl"]}, "", ["Building x"], None, ""),
            ("check fails", {"command": "grep y"}, "", [""], 1, "the check failed: grep y"),
            ("check passes", {"command": "grep y"}, "", [""], 0, ""),
            ("somebody else's project, pip", {}, "tiny-ops", ["  Downloading tiny_ops-0.3-py3-none-any.whl (1 kB)"], None, "the output says 'Downloading tiny_ops-0.3-py3-none-any.whl'"),
            ("somebody else's project, uv", {}, "tiny-ops", ["\n + tiny-ops==0.3\n"], None, "the output says ' + tiny-ops==0.3'"),
            ("the user's own, uv", {}, "tiny-ops", ["\n + tiny-ops==0.3 (from file:///home/user/project)\n"], None, ""),
            ("another one of a similar name", {}, "tiny-ops", ["Downloading tiny_ops_extra-0.3.tar.gz"], None, ""),
        ]
        for name, hollow, local, outputs, status, want in rows:
            with self.subTest(name):
                self.assertEqual(judge.hollow_reason({"hollow": hollow, "local": local}, outputs, status), want)

    def test_a_wheel_where_a_build_was_asked_for(self):
        rows = [
            ("pip install --no-binary ujson ujson==5.10.0", "Downloading ujson-5.10.0-cp311-cp311-linux_x86_64.whl", True),
            ("pip install --no-binary=ujson ujson==5.10.0", "Using cached ujson-5.10.0-cp311-cp311-linux_x86_64.whl", True),
            ("pip install --no-binary :all: ujson", "Downloading ujson-5.10.0-cp311-cp311-linux_x86_64.whl", True),
            ("pip install --no-binary ujson ujson==5.10.0", "Downloading ujson-5.10.0.tar.gz", False),
            ("pip install --no-binary ujson ujson", "Downloading setuptools-80-py3-none-any.whl", False),
            ("pip install ujson==5.10.0", "Downloading ujson-5.10.0-cp311-cp311-linux_x86_64.whl", False),
        ]
        for command, output, want in rows:
            with self.subTest(f"{command} | {output}"):
                self.assertEqual(bool(judge.hollow_reason({"hollow": {}, "commands": [command]}, [output], None)), want)

    def test_cause(self):
        item = {"cause": "a", "acceptable": ["b"]}
        self.assertEqual([judge.cause_right(item, given) for given in ("a", "b", "c", None)], [True, True, False, False])


class Dockerfiles(unittest.TestCase):
    TEXT = "FROM x\nENV A=1\nRUN apt-get install -y foo\nRUN pip install /src\nRUN true\n"

    def test_failing_run(self):
        log = 'ERROR: failed to solve: process "/bin/sh -c pip install \\"x\\"" did not complete successfully: exit code: 1'
        self.assertEqual(dockerfile.failing_run(log), 'pip install "x"')
        self.assertIsNone(dockerfile.failing_run("all went well"))

    def test_edits(self):
        rows = [
            ("before it", ["apt-get update"], "apt-get install -y foo", "FROM x\nENV A=1\nRUN apt-get update\nRUN apt-get install -y foo\nRUN pip install /src\nRUN true\n"),
            ("in its place", ["ENV B=2", "RUN B=2 pip install --no-cache-dir /src"], "pip install /src",
             "FROM x\nENV A=1\nRUN apt-get install -y foo\nENV B=2\nRUN B=2 pip install --no-cache-dir /src\nRUN true\n"),
        ]
        for name, commands, failed, want in rows:
            with self.subTest(name):
                self.assertEqual(dockerfile.edited(self.TEXT, commands, failed), want)


RESULT = {"title": "t", "class": "typed", "how": "pipe", "cause": "disk-full", "given": "disk-full", "cause_right": True, "provoked": True, "minutes": 0.5, "date": "2025-01-01", "program": "abc",
          "attempts": [{"remedy": "r", "title": "t", "verdict": "worked", "steps": [], "rerun": None, "works": True}]}


def result(**changes):
    verdicts = changes.pop("verdicts", None)
    made = copy.deepcopy(RESULT) | changes
    if verdicts is not None:
        made["attempts"] = [{"verdict": verdict} for verdict in verdicts]
    return made


class Tables(unittest.TestCase):
    def test_figures(self):
        results = [result(), result(verdicts=["no", "worked"]), result(verdicts=["worked-with-failing-command"]), result(verdicts=["hollow", "no"], cause_right=False), result(provoked=False)]
        self.assertEqual(table.figures(results), (4, 3, 1, 1, 3))

    def test_section_is_replaced(self):
        run = {"scenarios": {"one": result(), "two": result(**{"class": "stand-in"}, verdicts=["no", "no"]), "three": result(**{"class": "not-typeable"}, verdicts=[])}}
        text = table.section([("first", run)])
        self.assertIn("| typed | 1 | 1 (100 %) | 1 (100 %) |  | 1 (100 %) |", text)
        self.assertIn("| stand-in | 1 | 1 (100 %) | 0 (0 %) |  | 0 (0 %) |", text)
        self.assertIn("| not-typeable | 1 | 1 (100 %) |  |  |  |", text)
        self.assertIn("| two | stand-in | disk-full | right | no, then no | 0.5 |", text)
        page = table.put("# Accuracy\n\nwords\n", text)
        self.assertEqual(table.put(page, text), page)
        self.assertTrue(page.startswith("# Accuracy\n\nwords\n\n" + table.MARK))

    def test_runs_stand_side_by_side(self):
        first = {"scenarios": {"one": result(verdicts=["no", "no"])}}
        second = {"scenarios": {"one": result(), "two": result(verdicts=["no", "worked"])}}
        text = table.section([("first", first), ("second", second)])
        self.assertIn("| first | 1 | 1 (100 %) | 0 (0 %) |  | 0 (0 %) |", text)
        self.assertIn("| second | 2 | 2 (100 %) | 1 (50 %) |  | 2 (100 %) |", text)
        self.assertIn("| second, scenarios of the first | 1 | 1 (100 %) | 1 (100 %) |  | 1 (100 %) |", text)
        self.assertIn("| one | typed | disk-full | right | no, then no | yes | 0.5 |", text)
        self.assertIn("| two | typed | disk-full | right |  | no, then yes | 0.5 |", text)

    def test_the_committed_page_is_of_the_committed_results(self):
        done = subprocess.run([sys.executable, str(TOOL / "closed-loop"), "table", "--check"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_results_hold_nothing_private(self):
        for name, run in table.read(TOOL / "results"):
            text = json.dumps(run)
            for word in ("pypi.org", "pythonhosted", "debian.org/", "/closed-loop-state", "/work/"):
                with self.subTest(f"{name}: {word}"):
                    self.assertNotIn(word, text)


class CommandLine(unittest.TestCase):
    def run_tool(self, *words):
        return subprocess.run([sys.executable, str(TOOL / "closed-loop"), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)

    def test_usage(self):
        rows = [(["--help"], 0), ([], 2), (["walk"], 2), (["run", "--colour"], 2), (["list"], 0)]
        for words, want in rows:
            with self.subTest(words):
                self.assertEqual(self.run_tool(*words).returncode, want)

    def test_needs_root(self):
        if os.geteuid() == 0:
            self.skipTest("runs as root")
        with tempfile.TemporaryDirectory() as state:
            done = self.run_tool("--state", state, "run", "gcc-missing-pip")
        self.assertEqual((done.returncode, done.stderr), (1, "closed-loop: needs root (mount namespaces); list and table do not\n"))


if __name__ == "__main__":
    unittest.main()
