"""tools/score: what each measure counts, that each bound can be missed, and what a wrap does to a log.

The program is a script that prints one report for the log as it is, and one for the dressed log.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("CUDADOCTOR_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))

LABEL = {"cause": "a", "acceptable": ["b"], "evidence": ["decides"], "fix_any": [["do it", "or this"], ["cu128"]], "fix_never": ["never"],
         "solves_command": [r"do\s+it"], "solves": ["a note"], "spoils": ["spoilt"]}
LOG = "a line\nthis decides\n"


def remedy(*commands, title="cu128", note="a note"):
    return {"title": title, "steps": [{"run": command} for command in commands] + [{"note": note}]}


def report(cause="a", role="root", confidence="likely", line=2, text="this decides", remedies=None):
    remedies = [remedy("do it")] if remedies is None else remedies
    return {"outcome": "failed", "diagnoses": [{"cause": cause, "role": role, "confidence": confidence,
                                                "evidence": [{"line": line, "text": text}], "remedies": remedies}]}


SILENT = {"outcome": "succeeded", "diagnoses": []}
PROGRAM = """#!/usr/bin/env python3
import json, pathlib, sys
log = pathlib.Path(sys.argv[-1]).read_bytes()
with open({seen!r}, "ab") as seen:
    seen.write(log + b"--\\n")
answer, status = json.loads(pathlib.Path({answers!r}).read_text())["dressed" if {undressed!r} != log else "plain"]
print(answer if isinstance(answer, str) else json.dumps(answer))
sys.exit(status)
"""


class Score(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def score(self, answer, *options, label=LABEL, log=LOG, status=None, dressed=None, name="toolkit-01-x"):
        """The exit status, what was printed, and the one case's row."""
        case = self.folder / "set" / name
        case.mkdir(parents=True, exist_ok=True)
        (case / "label.json").write_text(json.dumps(label))
        (case / "log.txt").write_text(log)
        if status is None:
            status = int(isinstance(answer, dict) and any(d["role"] != "latent" for d in answer["diagnoses"]))
        answers, seen, program = self.folder / "answers", self.folder / "seen", self.folder / "program"
        answers.write_text(json.dumps({"plain": (answer, status), "dressed": (dressed or answer, 1 if dressed else status)}))
        program.write_text(PROGRAM.format(seen=str(seen), answers=str(answers), undressed=log.encode()))
        program.chmod(0o755)
        results = self.folder / "results.json"
        done = subprocess.run([sys.executable, SOURCE / "tools/score", "--bin", program, "--cases", self.folder / "set", "--json", results, *options],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout, json.loads(results.read_text())[0]["rows"][0]

    def test_measures(self):
        silence = LABEL | {"cause": "none", "acceptable": [], "evidence": ["decides"], "fix_any": [], "solves": [], "solves_command": []}
        for name, answer, label, measures in (
            ("all is well", report(), LABEL, {"right", "evidence", "fix", "solves"}),
            ("acceptable", report("b"), LABEL, {"right", "evidence", "fix", "solves"}),
            ("certain", report(confidence="certain"), LABEL, {"right", "evidence", "fix", "solves", "told certain"}),
            ("unknown", report("unknown"), LABEL, {"unknown"}),
            ("another cause", report("c", confidence="certain"), LABEL, {"wrong", "told certain"}),
            ("false alarm", report(), silence, {"wrong"}),
            ("silent", SILENT, silence, {"right", "evidence", "fix", "solves"}),
            ("only latent", report(role="latent") | {"outcome": "succeeded"}, silence, {"right", "evidence", "fix", "solves"}),
            ("silence accepted, but something solves it", SILENT, LABEL | {"acceptable": ["none"]}, {"right", "evidence", "fix"}),
            ("another line", report(line=1, text="a line"), LABEL, {"right", "fix", "solves"}),
            ("the quote in a rejoined line", report(line=1, text="a line this  Decides"), LABEL, {"right", "evidence", "fix", "solves"}),
            ("one group is not mentioned", report(remedies=[remedy("do it", title="t")]), LABEL, {"right", "evidence", "solves"}),
            ("the fix is the second remedy", report(remedies=[remedy("look"), remedy("do it")]), LABEL, {"right", "evidence", "fix"}),
            ("the fix is the fourth remedy", report(remedies=[remedy("look", title="t")] * 3 + [remedy("do it")]), LABEL, {"right", "evidence"}),
            ("the note is not said", report(remedies=[remedy("do it", note="n")]), LABEL, {"right", "evidence", "fix"}),
            ("spoilt", report(remedies=[remedy("do it", "spoilt")]), LABEL, {"right", "evidence", "fix"}),
            ("useless", report(remedies=[remedy("do it", "NEVER")]), LABEL, {"right", "evidence", "fix", "solves", "useless"}),
            ("no remedy", report(remedies=[]), LABEL, {"right", "evidence"}),
            ("harm", report(remedies=[remedy("do it"), remedy("sudo pip install x")]), LABEL, {"right", "evidence", "fix", "solves", "harm"}),
        ):
            with self.subTest(name):
                _, _, row = self.score(answer, label=label)
                self.assertEqual({key for key, value in row.items() if value is True}, measures)

    def test_bounds(self):
        wrong = report("c", confidence="certain", remedies=[])
        for name, answer, options, kept in (
            ("right", report(), ["--min-right", "1", "--min-net", "1", "--min-evidence", "1", "--min-fix", "1", "--min-solves", "1", "--max-wrong", "0"], True),
            ("none given", wrong, [], True),
            ("right", wrong, ["--min-right", "1"], False),
            ("net", wrong, ["--min-net", "0"], False),
            ("evidence", report(line=1, text=""), ["--min-evidence", "1"], False),
            ("fix", report(remedies=[]), ["--min-fix", "1"], False),
            ("solves", report(remedies=[]), ["--min-solves", "1"], False),
            ("certain", report(), ["--min-certain", "0.5"], False),
            ("certain", report(confidence="certain"), ["--min-certain", "0.5"], True),
            ("wrong", wrong, ["--max-wrong", "0.5"], False),
            ("wrong-certain", wrong, ["--max-wrong-certain", "0"], False),
            ("family toolkit", wrong, ["--min-family", "toolkit=0.9"], False),
            ("harm", report(remedies=[remedy("rm -rf / ")]), [], False),
        ):
            with self.subTest(name, kept=kept):
                status, said, _ = self.score(answer, *options)
                self.assertEqual(status, 0 if kept else 1, said)
                self.assertEqual(f"short of its bound: {name}\n" in said, not kept, said)

    def test_broken(self):
        for name, answer, status in (
            ("no json", "no json", 1),
            ("crash", report(), 139),
            ("status 0 with a diagnosis", report(), 0),
            ("status 1 without one", SILENT, 1),
            ("failed without one", SILENT | {"outcome": "failed"}, 0),
            ("no outcome", {"diagnoses": []}, 0),
        ):
            with self.subTest(name):
                code, said, row = self.score(answer, status=status)
                self.assertEqual((code, "broken" in row), (1, True), said)
                self.assertIn("BROKEN  set/toolkit-01-x: ", said)

    def test_families(self):
        for case, family in (("toolkit-01-x", "toolkit"), ("fresh-compile-19-none-y", "fresh-compile"), ("118-cuda-12-8", "set"), ("plain", "set")):
            with self.subTest(case):
                for old in (self.folder / "set").glob("*"):
                    old.rename(self.folder / f"old-{old.name}")
                _, said, _ = self.score(report(), name=case)
                self.assertIn(f"by family: {family} 1/1\n", said)

    def test_wraps(self):
        for wrap, dressed in (
            ("gha", b"2026-11-30T09:00:00.0000000Z a line\n2026-11-30T09:00:01.0000001Z an error\n"),
            ("docker", b"#14 0.000 a line\n#14 0.143 an error\n"),
            ("gitlab", b"2026-11-30T09:00:00.000000Z 01O a line\n2026-11-30T09:00:01.000001Z 01O an error\n"),
            ("ansi", b"\x1b[0ma line\x1b[K\n\x1b[0man \x1b[1;31merror\x1b[0m\x1b[K\n"),
            ("crlf", b"a line\r\nan error\r\n"),
            ("after", b"a line\nan error\nPost job cleanup. 0\nCleaning up orphan processes 1\n"),
        ):
            with self.subTest(wrap):
                (self.folder / "seen").unlink(missing_ok=True)
                status, said, _ = self.score(report(), "--wrap", wrap, "--max-changed", "0", log="a line\nan error\n")
                self.assertEqual(status, 0, said)
                self.assertIn(f"-- dressed as {wrap}\n", said)
                plain, rest = (self.folder / "seen").read_bytes().split(b"--\n", 1)
                self.assertEqual(plain, b"a line\nan error\n")
                self.assertTrue(rest.startswith(dressed), rest)
        status, said, _ = self.score(report(), "--wrap", "all", "--max-changed", "0", dressed=report("c"))
        self.assertEqual(status, 1)
        self.assertEqual(said.count("changed  set/toolkit-01-x: a -> c\n"), 6, said)

    def test_usage(self):
        (self.folder / "set").mkdir()
        for options, says in (
            ((), "no case found"),
            (("--min-family", "toolkit"), "say NAME=R"),
            (("--wrap", "silk"), "invalid choice"),
        ):
            with self.subTest(says):
                done = subprocess.run([sys.executable, SOURCE / "tools/score", "--cases", self.folder / "set", *options], capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, 2)
                self.assertIn(says, done.stderr)
        self.score(report())
        done = subprocess.run([sys.executable, SOURCE / "tools/score", "--cases", self.folder / "set", "--min-family", "tolkit=0.9"], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, "no case of tolkit is scored" in done.stderr), (2, True), done.stderr)


if __name__ == "__main__":
    unittest.main()
