"""The version stands in CMakeLists.txt; every other file that needs one says the same."""
import json
import os
import pathlib
import re
import subprocess
import unittest

SOURCE = pathlib.Path(os.environ.get("CUDADOCTOR_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
PROGRAM = os.path.abspath(os.environ.get("CUDADOCTOR", SOURCE / "build/release/cudadoctor"))


def found(path, expression):
    """What the expression's group is in the file; no finding is a failure."""
    match = re.search(expression, (SOURCE / path).read_text(encoding="utf-8"), re.MULTILINE)
    assert match, f"{path}: nothing fits {expression}"
    return match[1]


VERSION = found("CMakeLists.txt", r"^project\(cudadoctor VERSION (\d+\.\d+\.\d+) ")


class Version(unittest.TestCase):
    def test_program(self):
        said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, timeout=60, check=True).stdout
        self.assertEqual(said, f"cudadoctor {VERSION}\n")
        report = subprocess.run([PROGRAM, "--format", "json"], input="nothing\n", capture_output=True, text=True, timeout=60, check=True).stdout
        self.assertEqual(json.loads(report)["tool"], {"name": "cudadoctor", "version": VERSION})

    def test_editors(self):
        self.assertEqual(json.loads((SOURCE / "tools/vscode/package.json").read_text(encoding="utf-8"))["version"], VERSION)
        self.assertEqual(found("tools/emacs/cudadoctor.el", r"^;; Version: (\S+)$"), VERSION)

    def test_changelog(self):
        text = (SOURCE / "CHANGELOG.md").read_text(encoding="utf-8")
        headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
        self.assertTrue(headings)
        releases = []
        for heading in headings[headings[0] == "[Unreleased]":]:
            self.assertRegex(heading, r"^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$")
            version, _, date = heading.partition(" - ")
            releases.append((tuple(map(int, version.strip("[]").split("."))), date))
        self.assertEqual(releases, sorted(set(releases), reverse=True), "newest first")
        # What is built now is the newest release, or what will follow it.
        newest = max((version for version, _ in releases), default=(0, 0, 0))
        self.assertGreaterEqual(tuple(map(int, VERSION.split("."))), newest)


if __name__ == "__main__":
    unittest.main()
