"""What reports hide, from whom, and `cudadoctor redact`."""
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import FAILURE, FAILURE_FOUND, NO_FAILURE, UNREADABLE, WITH_LIMIT, Case

TOKEN = b"hf" + b"_AbCdEfGhIjKlMnOpQrStUvWxYz01234567"
CREDENTIALS = (TOKEN, b"s3cret")
NAMES = (b"ann@example.org", b"alice")
TELLING = (b"$ HF_TOKEN=" + TOKEN + b" PIP_INDEX_URL=https://me:s3cret@index.example.org/simple pip install --cache-dir /home/alice/c causal-conv1d\n"
           b"Building wheels for collected packages: causal-conv1d\n"
           b"  File \"/home/alice/causal/setup.py\", line 9, by ann@example.org\n" + FAILURE)


class Redaction(Case):
    def show(self, *arguments, stdin=TELLING):
        status, output, errors = self.run_it(*arguments, stdin=stdin)
        self.assertEqual((status, errors), (FAILURE_FOUND, b""))
        return output

    def test_reports_hide_secrets_in_every_format(self):
        formats = re.search(rb"--format TEXT:\{([a-z,]+)\}", self.run_it("--help")[1]).group(1).decode().split(",")
        self.assertIn("json", formats)
        for name in formats:
            report = self.write("report", b"")
            self.show("-q", "--report", f"{name}={report}")
            with open(report, "rb") as file:
                text = file.read()
            for secret in CREDENTIALS + NAMES:
                self.assertNotIn(secret, text, name)

    def test_names_stay_at_the_owners_terminal_only(self):
        for name in ("text", "json"):
            self.assertIn(b"/home/alice", self.show("-q", "--format", name), name)
        for name in ("html", "markdown", "github", "gitlab", "azure", "buildkite", "sarif", "rdjson", "codequality"):
            output = self.show("-q", "--format", name)
            for secret in CREDENTIALS + NAMES:
                self.assertNotIn(secret, output, name)
            self.assertNotIn(TOKEN, self.show("-q", "--no-redact", "--format", name), name)

    def test_commands_stay_complete(self):
        (report,) = self.reports(self.show("--format", "json"))
        (root,) = [d for d in report["diagnoses"] if d["role"] == "root"]
        runs = [step.get("run", "") for remedy in root["remedies"] for step in remedy["steps"]]
        own = [run for run in runs if "--cache-dir" in run]
        self.assertTrue(own, runs)
        for run in own:
            self.assertIn('HF_TOKEN="$HF_TOKEN"', run)
            self.assertIn('$INDEX_CREDENTIALS', run)
            self.assertIn("--cache-dir /home/alice/c", run)
            self.assertEqual(subprocess.run(["sh", "-n", "-c", run], timeout=WITH_LIMIT).returncode, 0, run)
        notes = [step.get("note", "") for remedy in root["remedies"] for step in remedy["steps"]]
        self.assertTrue([note for note in notes if "INDEX_CREDENTIALS stands for" in note], notes)

    def test_the_log_is_passed_through_unchanged(self):
        output = self.show("--format", "text")
        self.assertEqual(output[:len(TELLING)], TELLING)
        for secret in CREDENTIALS:
            self.assertNotIn(secret, output[len(TELLING):])

    def test_trace_hides_them_too(self):
        log = self.write("build.log", TELLING)
        for secret in CREDENTIALS:
            self.assertNotIn(secret, self.show("trace", log))

    def test_names_of_logs_are_no_exception(self):
        log = self.write("log-" + TOKEN.decode() + ".txt", FAILURE)
        for name in ("text", "markdown", "html", "sarif", "rdjson", "codequality"):
            self.assertNotIn(TOKEN, self.show("--format", name, os.path.basename(log)), name)

    def test_a_source_in_the_tree_is_found_all_the_same(self):
        log = (b"building 'ext' extension\n/home/alice/work/csrc/a.cu(3): error: identifier \"x\" is undefined\n"
               b"error: command '/usr/local/cuda/bin/nvcc' failed with exit code 1\n")
        (report,) = self.reports(self.show("--format", "json", stdin=log))
        places = [e["source"]["file"] for d in report["diagnoses"] for e in d["evidence"] if "source" in e]
        self.assertIn("/home/alice/work/csrc/a.cu", places)

    def test_a_log_to_show_to_others(self):
        log = self.write("build.log", TELLING)
        for arguments, stdin in ((("redact", log), b""), (("redact",), TELLING)):
            status, output, errors = self.run_it(*arguments, stdin=stdin)
            self.assertEqual((status, errors), (NO_FAILURE, b""))
            for secret in CREDENTIALS + NAMES:
                self.assertNotIn(secret, output)
            self.assertTrue(output.endswith(FAILURE))
            self.assertEqual(output.count(b"\n"), TELLING.count(b"\n"))
        status, output, errors = self.run_it("redact", "nothing.log")
        self.assertEqual((status, output), (UNREADABLE, b""))
        self.assertIn(b"nothing.log", errors)


if __name__ == "__main__":
    unittest.main()
