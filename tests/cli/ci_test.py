"""The program in a CI job: what is detected, printed and left in the files of GitHub Actions.

CUDADOCTOR names the program, CUDADOCTOR_SOURCE_DIR the tree.
"""
import os
import re
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli_test  # noqa: E402, beside this file
from cli_test import CAUSE, FAILURE, FAILURE_FOUND, NO_FAILURE, SUCCESS, UNREADABLE, Case, environment  # noqa: E402

SYSTEMS = {"github": {"GITHUB_ACTIONS": "true"}, "gitlab": {"GITLAB_CI": "true"}, "azure": {"TF_BUILD": "True"}, "buildkite": {"BUILDKITE": "true"}}
OPENINGS = {"github": b"::error title=", "gitlab": b"\x1b[0Ksection_start:", "azure": b"##vso[task.logissue type=error;", "buildkite": b"+++ cudadoctor: "}


class Detection(Case):
    def test_the_log_and_then_the_report_of_the_system(self):
        for system, variables in SYSTEMS.items():
            with self.subTest(system):
                status, out, err = self.run_it(stdin=FAILURE, env=environment(**variables))
                self.assertEqual((status, err), (FAILURE_FOUND, b""))
                self.assertTrue(out.startswith(FAILURE + b"\n" + OPENINGS[system]), out)
                self.assertIn(CAUSE.encode(), out)
                self.assertEqual(out.count(OPENINGS[system]), 1)

    def test_a_given_format_wins(self):
        _, out, _ = self.run_it("--format", "text", stdin=FAILURE, env=environment(**SYSTEMS["github"]))
        self.assertNotIn(b"::error", out)
        _, out, _ = self.run_it("--format", "azure", stdin=FAILURE, env=environment(**SYSTEMS["github"]))
        self.assertIn(b"##vso[", out)

    def test_nothing_is_added_to_a_log_without_a_failure(self):
        for system, variables in SYSTEMS.items():
            for log in (SUCCESS, b"Collecting torch\n", b"no newline", b""):
                with self.subTest((system, log)):
                    self.assertEqual(self.run_it(stdin=log, env=environment(**variables)), (NO_FAILURE, log, b""))

    def test_the_users_own_commands_pass(self):
        log = b"::group::mine\n##vso[task.debug]x\nsection_start:1:a\r\x1b[0K\n--- mine\n\xff\0\r\n" + FAILURE[:-1]
        for system, variables in SYSTEMS.items():
            with self.subTest(system):
                _, out, _ = self.run_it(stdin=log, env=environment(**variables))
                self.assertTrue(out.startswith(log + b"\n\n" + OPENINGS[system]), out)

    def test_files_without_a_log_before(self):
        first, second = self.write("a.log", FAILURE), self.write("b.log", FAILURE.replace(b"13.1", b"13.2"))
        rows = {"github": b"::error title=", "gitlab": b"\x1b[0Ksection_start:", "azure": b"##vso[task.logissue", "buildkite": b"### `", "markdown": b"<!-- cudadoctor -->\n### `"}
        for form, opening in rows.items():
            with self.subTest(form):
                status, out, _ = self.run_it("--format", form, first, second)
                self.assertEqual(status, FAILURE_FOUND)
                self.assertTrue(out.startswith(opening), out)
                self.assertIn(b"b.log", out)
                self.assertIn(b"13.2", out)

    def test_the_annotation_of_a_pipe_for_buildkite(self):
        path = os.path.join(self.folder, "annotation.md")
        _, out, _ = self.run_it("--report", f"buildkite={path}", stdin=FAILURE, env=environment(**SYSTEMS["buildkite"]))
        self.assertIn(b"+++ cudadoctor: ", out)
        with open(path, encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("### "))


class GithubFiles(Case):
    def in_step(self, *arguments, stdin=b"", **variables):
        self.summary, self.output = os.path.join(self.folder, "summary"), os.path.join(self.folder, "output")
        files = {"GITHUB_STEP_SUMMARY": self.summary, "GITHUB_OUTPUT": self.output}
        return self.run_it(*arguments, stdin=stdin, env=environment(**(SYSTEMS["github"] | files | variables)))

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def test_summary_and_outputs(self):
        self.in_step(stdin=FAILURE)
        self.assertTrue(self.read(self.summary).startswith("### "))
        outputs = dict(re.findall(r"^(\w+)<<(?P<end>\S+)\n(?:.*)\n(?P=end)\n", self.read(self.output), re.M))
        self.assertEqual(set(outputs), {"cause", "title", "retry"})
        self.assertEqual(len(set(outputs.values())), 3, "each has a delimiter of its own")
        self.assertIn(f"\n{CAUSE}\n", self.read(self.output))

    def test_with_the_format_given(self):
        self.in_step("--format", "github", self.write("f.log", FAILURE), GITHUB_ACTIONS="")
        self.assertIn(CAUSE, self.read(self.output))

    def test_not_of_another_format(self):
        for arguments in (("--format", "text"), ("--format", "json"), ("--format", "text", "--report", "github=" + os.path.join(self.folder, "r"))):
            self.in_step(*arguments, stdin=FAILURE)
            self.assertFalse(os.path.exists(self.summary) or os.path.exists(self.output), arguments)

    def test_not_on_success(self):
        self.assertEqual(self.in_step(stdin=SUCCESS)[:2], (NO_FAILURE, SUCCESS))
        self.assertFalse(os.path.exists(self.summary) or os.path.exists(self.output))

    def test_what_cannot_be_written_is_said(self):
        status, out, err = self.in_step(stdin=FAILURE, GITHUB_STEP_SUMMARY=os.path.join(self.folder, "no/summary"))
        self.assertEqual(status, UNREADABLE)
        self.assert_error(err, "no/summary: cannot be written: No such file or directory")
        self.assertIn(b"::error", out)
        self.assertIn(CAUSE, self.read(self.output), "the other file is written")

    def test_a_hostile_log_sets_nothing(self):
        hostile = b"ERROR: Failed building wheel for foo\nerror: x ##[set-output name=retry]transient\n::set-output name=cause::x\nerror: cause<<EOF\n"
        status, out, _ = self.in_step(stdin=hostile)
        self.assertEqual(status, FAILURE_FOUND)
        report = out[len(hostile):].decode()
        commands = [line for line in report.splitlines() if line.lstrip().startswith("::") or "##[" in line]
        self.assertEqual(len(commands), 1, report)
        names = re.findall(r"^(\w+)<<cudadoctor_", self.read(self.output), re.M)
        self.assertEqual(names, ["cause", "title", "retry"])


if __name__ == "__main__":
    if not os.access(cli_test.PROGRAM, os.X_OK):
        sys.exit(f"{cli_test.PROGRAM}: no such program; set CUDADOCTOR")
    unittest.main()
