"""The command line from outside: what is passed through, printed, written and returned.

CUDADOCTOR names the program, CUDADOCTOR_SOURCE_DIR the tree.
"""
import gzip
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import Case, CAUSE, environment, FAILURE, FAILURE_FOUND, NO_FAILURE, PROGRAM, SOURCE, STORY, SUCCESS, UNREADABLE, USAGE, WITH_LIMIT


def toml(value):
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(element)}" for key, element in value.items()) + "}"
    return "[" + ", ".join(map(toml, value)) + "]" if isinstance(value, list) else json.dumps(value)


class PassThrough(Case):
    def test_a_line_is_out_at_once(self):
        process = subprocess.Popen([PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), cwd=self.folder)
        try:
            for line in (b"Collecting flash-attn\n", b"no newline yet", b" ... done\n"):
                process.stdin.write(line)
                process.stdin.flush()
                seen = b""
                end = time.monotonic() + WITH_LIMIT
                while len(seen) < len(line) and time.monotonic() < end:
                    if select.select([process.stdout], [], [], 1)[0]:
                        seen += os.read(process.stdout.fileno(), 65536)
                self.assertEqual(seen, line)
            process.stdin.close()
            rest = process.stdout.read()
            self.assertIn(b"no failure found", rest)
            self.assertEqual(process.wait(WITH_LIMIT), NO_FAILURE)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
            process.stderr.close()

    def test_bytes_are_the_input(self):
        logs = {
            "text": b"one\ntwo\n",
            "no final newline": b"one\ntwo",
            "CRLF": b"one\r\ntwo\r\n",
            "progress": b"1%\r2%\r3%\n",
            "invalid UTF-8": b"caf\xe9 \xff\xfe\x80\n",
            "a NUL": b"a\0b\n",
            "escape sequences": b"\x1b[31mred\x1b[0m \x1b]0;title\x07\n",
            "an annotation": b"::error::x\n##[error]y\n",
            "UTF-16": "one\ntwo\n".encode("utf-16"),
            "only newlines": b"\n\n\n",
            "one byte": b"x",
            "larger than every buffer": (b"x" * 997 + b"\n") * 3000,
            "a long line": b"y" * 3_000_000 + b"\n",
        }
        for name, log in logs.items():
            with self.subTest(name):
                status, out, err = self.run_it(stdin=log)
                self.assertEqual(out[:len(log)], log)
                self.assertEqual(err, b"")
                self.assertEqual(status, NO_FAILURE)
                rest = out[len(log):]
                self.assertTrue(rest.startswith(b"\n" if log.endswith(b"\n") else b"\n\n"), "the report stands apart from the log")

    def test_the_report_follows(self):
        status, out, _ = self.run_it(stdin=FAILURE)
        self.assertEqual(status, FAILURE_FOUND)
        self.assertTrue(out.startswith(FAILURE + b"\n"))
        self.assertIn(CAUSE.encode(), out[len(FAILURE):])

    def test_quiet(self):
        for flag in ("-q", "--quiet"):
            status, out, err = self.run_it(flag, stdin=FAILURE)
            self.assertEqual((status, err), (FAILURE_FOUND, b""))
            self.assertNotIn(b"Please make sure to use the same CUDA versions.\n", out.split(b"\n\n")[0])
            self.assertFalse(out.startswith(b"\n"))
            self.assertIn(CAUSE.encode(), out)

    def test_json_is_alone_on_standard_output(self):
        status, out, err = self.run_it("--format", "json", stdin=FAILURE)
        self.assertEqual((status, err), (FAILURE_FOUND, b""))
        report, = self.reports(out)
        self.assertEqual(report["diagnoses"][0]["cause"], CAUSE)
        self.assertEqual(report["input"], {"name": "-", "lines": 3, "bytes": len(FAILURE)})

    def test_a_reader_that_leaves(self):
        log = self.write("log.txt", (b"x" * 99 + b"\n") * 20000 + FAILURE)
        done = subprocess.run(["bash", "-c", 'cat "$1" | "$2" | head -1; echo "${PIPESTATUS[1]}"', "-", log, PROGRAM], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=environment(), timeout=WITH_LIMIT)
        first, status = done.stdout.decode().splitlines()
        self.assertEqual(first, "x" * 99)
        self.assertEqual(status, str(UNREADABLE), "the report could not be written")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_a_reader_that_leaves_keeps_the_other_reports(self):
        log = self.write("log.txt", (b"x" * 99 + b"\n") * 20000 + FAILURE)
        report = os.path.join(self.folder, "r.json")
        subprocess.run(["bash", "-c", 'cat "$1" | "$2" --report "json=$3" | head -1', "-", log, PROGRAM, report], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, env=environment(), timeout=WITH_LIMIT)
        with open(report, "rb") as file:
            self.assertEqual(self.reports(file.read())[0]["diagnoses"][0]["cause"], CAUSE)

    def test_closed_streams(self):
        for redirection, word in (("<&-", "standard input"), (">&-", "standard output")):
            with self.subTest(redirection):
                done = subprocess.run(["sh", "-c", f'printf "x\\n" | {{ "$1" {redirection}; echo "status $?" >&2; }}', "-", PROGRAM], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, env=environment(), timeout=WITH_LIMIT)
                self.assertIn(f"status {UNREADABLE}", done.stderr.decode())
                self.assertIn(word, done.stderr.decode())

    def test_a_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM], input=FAILURE, stdout=full, stderr=subprocess.PIPE, env=environment(), timeout=WITH_LIMIT)
        self.assertEqual(done.returncode, UNREADABLE)
        self.assert_error(done.stderr, "standard output")

    def test_a_report_to_a_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        status, _, err = self.run_it("--report", "json=/dev/full", stdin=FAILURE)
        self.assertEqual(status, UNREADABLE)
        self.assert_error(err, "/dev/full")


class Files(Case):
    def test_exit_statuses(self):
        failure, success = self.write("f.log", FAILURE), self.write("s.log", SUCCESS)
        rows = [
            ("a failure", [failure], FAILURE_FOUND),
            ("success", [success], NO_FAILURE),
            ("undetermined", [self.write("u.log", b"Collecting torch\n")], NO_FAILURE),
            ("empty", [self.write("e.log", b"")], NO_FAILURE),
            ("both", [success, failure], FAILURE_FOUND),
            ("a missing file", ["missing.log"], UNREADABLE),
            ("a missing file wins over a failure", [failure, "missing.log"], UNREADABLE),
            ("an unknown option", ["--no-such-option", failure], USAGE),
            ("an unknown format", ["--format", "yaml", failure], USAGE),
            ("a colour that is none", ["--color", "blue", failure], USAGE),
            ("a report without a file", ["--report", "json", failure], USAGE),
            ("a report of nothing", ["--report", "json=", failure], USAGE),
            ("a report of an unknown format", ["--report", "yaml=x", failure], USAGE),
            ("a report into a missing folder", ["--report", "json=no/such/x", failure], UNREADABLE),
            ("an unknown failure", [self.write("w.log", b"ERROR: Failed building wheel for foo\n")], FAILURE_FOUND),
            ("help", ["--help"], NO_FAILURE),
            ("version", ["--version"], NO_FAILURE),
        ]
        for name, arguments, expected in rows:
            with self.subTest(name):
                status, out, err = self.run_it(*arguments)
                self.assertEqual(status, expected, (out[-500:], err))

    def test_help_tells_the_exit_statuses_of_its_own_command(self):
        said = {}
        for command in ("run", "host", "check", "bundle"):
            status, out, _ = self.run_it(command, "--help")
            self.assertEqual(status, NO_FAILURE)
            said[re.search(rb"^Exit status: (.+)", out, re.MULTILINE).group(1)] = command
        self.assertEqual(sorted(said.values()), ["bundle", "check", "host", "run"])

    def test_an_unknown_failure_says_so(self):
        _, out, _ = self.run_it("--format", "json", self.write("w.log", b"ERROR: Failed building wheel for foo\n"))
        diagnosis, = self.reports(out)[0]["diagnoses"]
        self.assertEqual((diagnosis["cause"], diagnosis["role"], diagnosis["confidence"]), ("unknown", "root", "possible"))

    def test_empty_logs_say_so(self):
        for arguments, stdin in (([self.write("e.log", b"")], b""), ([], b"")):
            status, out, err = self.run_it(*arguments, stdin=stdin)
            self.assertEqual((status, out, err), (NO_FAILURE, b"the log is empty: nothing to diagnose\n", b""))

    def test_what_cannot_be_read_is_said_and_the_others_are_diagnosed(self):
        failure = self.write("f.log", FAILURE)
        binary = self.write("b.bin", b"\x7fELF\x02\x01\0\0\0" * 100)
        rows = [("missing.log", "No such file or directory"), (self.folder, "is a folder"), (binary, "binary")]
        for path, word in rows:
            with self.subTest(path):
                status, out, err = self.run_it("--format", "json", path, failure)
                self.assertEqual(status, UNREADABLE)
                self.assert_error(err, path, word, "; ")
                self.assertEqual([r["input"]["name"] for r in self.reports(out)], [failure])

    def test_a_file_without_permission(self):
        path = self.write("p.log", FAILURE)
        os.chmod(path, 0)
        os.chmod(self.folder, 0o755)
        nobody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}  # root reads everything
        try:
            done = subprocess.run([PROGRAM, path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), timeout=WITH_LIMIT, check=False, **nobody)
        except PermissionError:
            self.skipTest("another user may not run the program")
        self.assertEqual(done.returncode, UNREADABLE)
        self.assert_error(done.stderr, path, "ermission denied", "; ")

    def test_several_files(self):
        first, second = self.write("1.log", FAILURE), self.write("2.log", SUCCESS)
        status, out, _ = self.run_it("--format", "json", first, second, first)
        self.assertEqual(status, FAILURE_FOUND)
        self.assertEqual([r["input"]["name"] for r in self.reports(out)], [first, second, first])
        status, out, _ = self.run_it(first, second)
        text = out.decode()
        self.assertTrue(text.startswith(first + ": "), text)
        self.assertIn("\n\n" + second + ": no failure", text)
        status, out, _ = self.run_it(second)
        self.assertTrue(out.startswith(b"no failure"), "one file needs no name")

    def test_a_file_gives_what_a_pipe_gives(self):
        with open(STORY, "rb") as file:
            log = file.read()
        of_file, = self.reports(self.run_it("--format", "json", STORY)[1])
        of_pipe, = self.reports(self.run_it("--format", "json", stdin=log)[1])
        of_file["input"]["name"] = of_pipe["input"]["name"]
        self.assertEqual(of_file, of_pipe)

    def test_a_log_is_not_printed_again(self):
        _, out, _ = self.run_it(self.write("f.log", b"a line that nobody asks for\n" + FAILURE))
        self.assertNotIn(b"nobody asks for", out)

    def check_same(self, path, log=FAILURE):
        status, out, err = self.run_it("--format", "json", path)
        self.assertEqual((status, err), (FAILURE_FOUND, b""))
        report, = self.reports(out)
        self.assertEqual(report["diagnoses"][0]["cause"], CAUSE)
        self.assertEqual(report["input"]["lines"], log.count(b"\n"))
        return report

    def test_gzip(self):
        self.check_same(self.write("f.log.gz", gzip.compress(FAILURE)))
        self.check_same(self.write("named-otherwise.log", gzip.compress(FAILURE)))

    def test_zstd(self):
        if shutil.which("zstd") is None:
            self.skipTest("no zstd program")
        path = self.write("f.log", FAILURE)
        subprocess.run(["zstd", "-q", path, "-o", path + ".zst"], check=True)
        self.check_same(path + ".zst")

    def test_xz_and_bzip2(self):
        import bz2
        import lzma
        self.check_same(self.write("f.log.xz", lzma.compress(FAILURE)))
        self.check_same(self.write("f.log.bz2", bz2.compress(FAILURE)))

    def test_a_killed_installation_is_no_success(self):
        for end in (b"", b"killed\n", b"Hangup\n", b"signal: killed\n"):
            log = (b"Successfully installed pip-24\nCollecting torch\n  Downloading torch.whl (900 MB)\n"
                   b"Installing collected packages: torch\n" + end)
            status, out, _ = self.run_it("--format", "json", stdin=log)
            self.assertEqual(self.reports(out)[0]["outcome"], "undetermined", end)
        _, out, _ = self.run_it("--format", "json", stdin=log + b"Successfully installed torch-2.9.0\n")
        self.assertEqual(self.reports(out)[0]["outcome"], "succeeded")

    def test_nothing_is_started_or_decoded_because_of_what_a_log_holds(self):
        folder = os.path.join(self.folder, "bin")
        os.mkdir(folder)
        for program in ("lrzip", "lzop", "grzip", "uudecode", "gzip", "xz", "zstd", "bzip2", "lz4"):
            path = os.path.join(folder, program)
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\ntouch {self.folder}/started\ncat\n")
            os.chmod(path, 0o755)
        environment = dict(os.environ, PATH=folder + ":" + os.environ["PATH"])
        for head in (b"LRZI\0\6" + bytes(40), b"\x89LZO\0\r\n\x1a\n" + bytes(40), b"GRZipII\0\2\4:)" + bytes(40)):
            path = self.write("f.log", head)
            self.assertEqual(self.run_it(path, env=environment)[0], UNREADABLE)
        path = self.write("f.log", b"begin 644 x\n#0V%T\n`\nend\n" + FAILURE)
        self.assertEqual(self.run_it(path, env=environment)[0], FAILURE_FOUND)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "started")))

    def test_what_cannot_be_written_is_said(self):
        for arguments in (["--help"], ["--version"], ["explain", CAUSE], ["rules", "list"], ["rules", "check"], ["host"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, timeout=WITH_LIMIT, check=False)
            self.assertEqual((done.returncode, done.stderr), (UNREADABLE, b"cudadoctor: standard output: No space left on device\n"), arguments)

    def test_a_closed_descriptor_is_no_file_of_ours(self):
        report, log = os.path.join(self.folder, "r.json"), os.path.join(self.folder, "x.log")
        command = f"{PROGRAM} run --log {log} --report json={report} -- sh -c 'echo a line; exit 3' 2>&- >/dev/null"
        self.assertEqual(subprocess.run(["sh", "-c", command], timeout=WITH_LIMIT, check=False).returncode, 3)
        with open(log, encoding="utf-8") as file:
            self.assertEqual(file.read(), "a line\n")

    def test_files_of_facts_and_rules_that_would_not_end(self):
        log = self.write("f.log", FAILURE)
        pipe = os.path.join(self.folder, "pipe")
        os.mkfifo(pipe)
        number = self.write("h.json", b'{"schema": "cudadoctor.host/1", "facts": [1e999999]}')
        rules = os.path.join(self.folder, "rules")
        os.mkdir(rules)
        os.symlink("loop.toml", os.path.join(rules, "loop.toml"))
        os.symlink("../rules", os.path.join(rules, "rules"))
        for option, value in (("--host", pipe), ("--host", "/dev/zero"), ("--host", number), ("--rules", rules)):
            status, _, errors = self.run_it(option, value, log)
            self.assertEqual(status, UNREADABLE, value)
            self.assertIn(value.encode(), errors)

    def test_truncated_gzip_gives_an_answer_and_the_status(self):
        # What lies behind the failure cannot be compressed, so that the cut falls into it.
        log = FAILURE + os.urandom(200_000).hex().encode() + b"\n"
        whole = gzip.compress(log)
        path = self.write("f.log.gz", whole[:len(whole) // 2])
        status, out, err = self.run_it("--format", "json", path)
        self.assertEqual(status, UNREADABLE)
        self.assert_error(err, path, "ends in the middle")
        self.assertEqual(self.reports(out)[0]["diagnoses"][0]["cause"], CAUSE)

    def test_a_gzip_of_binary_data(self):
        status, _, err = self.run_it(self.write("b.gz", gzip.compress(b"\0\1\2" * 1000)))
        self.assertEqual(status, UNREADABLE)
        self.assert_error(err, "binary")

    def test_utf16(self):
        text = FAILURE.decode()
        for encoding, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")):
            self.check_same(self.write(encoding + ".log", mark + text.encode(encoding)))
            report, = self.reports(self.run_it("--format", "json", stdin=mark + text.encode(encoding))[1])
            self.assertEqual(report["diagnoses"][0]["cause"], CAUSE)

    def test_utf8_with_a_mark_and_errors(self):
        log = b"\xef\xbb\xbf" + FAILURE.replace(b"Please", b"Ple\xe4se")
        report = self.check_same(self.write("f.log", log), log)
        self.assertIn("\ufffd", report["diagnoses"][0]["evidence"][0]["text"])

    def test_a_name_that_looks_like_an_option(self):
        self.write("--x.log", FAILURE)
        self.assertEqual(self.run_it("--", "--x.log")[0], FAILURE_FOUND)

    def test_a_name_with_an_escape_sequence(self):
        for name in ("\x1b[2Jx.log", "a\nb.log"):
            failure = self.write(name, FAILURE)
            for arguments in ([failure, failure], [failure + ".missing"]):
                _, out, err = self.run_it(*arguments)
                self.assertNotIn(b"\x1b", out + err)
                self.assertNotIn(b"a\nb.log", out + err)


class Reports(Case):
    def test_reports_beside_the_output(self):
        log = self.write("f.log", FAILURE)
        status, out, err = self.run_it("--report", "json=r.json", "--report", "text=r.txt", log)
        self.assertEqual((status, err), (FAILURE_FOUND, b""))
        with open(os.path.join(self.folder, "r.json"), "rb") as file:
            self.assertEqual(self.reports(file.read())[0]["diagnoses"][0]["cause"], CAUSE)
        with open(os.path.join(self.folder, "r.txt"), "rb") as file:
            self.assertEqual(file.read(), out)

    def test_a_file_name_may_hold_an_equals_sign(self):
        self.run_it("--report", "json=a=b.json", self.write("f.log", FAILURE))
        self.assertTrue(os.path.exists(os.path.join(self.folder, "a=b.json")))

    def test_a_report_replaces_the_file(self):
        path = self.write("r.json", b"x" * 100_000)
        self.run_it("--report", "json=r.json", self.write("s.log", SUCCESS))
        with open(path, "rb") as file:
            self.assertEqual(len(self.reports(file.read())), 1)

    def test_one_report_a_line_for_several_files(self):
        self.run_it("--report", "json=r.json", self.write("f.log", FAILURE), self.write("s.log", SUCCESS))
        with open(os.path.join(self.folder, "r.json"), "rb") as file:
            self.assertEqual([r["outcome"] for r in self.reports(file.read())], ["failed", "succeeded"])

    def test_the_schema(self):
        path = os.path.join(SOURCE, "docs/report.schema.json")
        if not os.path.exists(path):
            self.skipTest("there is no docs/report.schema.json yet")
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        with open(path, encoding="utf-8") as file:
            schema = json.load(file)
        validator = jsonschema.validators.validator_for(schema)
        validator.check_schema(schema)
        logs = [STORY, self.write("f.log", FAILURE), self.write("s.log", SUCCESS), self.write("e.log", b""), self.write("w.log", b"ERROR: Failed building wheel for foo\n"),
                self.write("cut.log", b"[output clipped, log limit 2MiB reached]\n" + FAILURE)]
        _, out, _ = self.run_it("--format", "json", *logs)
        reports = self.reports(out)
        self.assertEqual(len(reports), len(logs))
        for report in reports:
            errors = [f"{'/'.join(map(str, e.absolute_path))}: {e.message}" for e in validator(schema).iter_errors(report)]
            self.assertEqual(errors, [], report["input"]["name"])
        broken = json.loads(json.dumps(reports[0]))
        broken["diagnoses"][0]["confidence"] = "sure"
        self.assertFalse(validator(schema).is_valid(broken), "the schema refuses nothing")


class Looks(Case):
    def test_colour(self):
        log = self.write("f.log", FAILURE)
        rows = [
            ("a file is no terminal", [], {}, False),
            ("always", ["--color", "always"], {}, True),
            ("always wins over NO_COLOR", ["--color", "always"], {"NO_COLOR": "1"}, True),
            ("never", ["--color", "never"], {}, False),
        ]
        for name, arguments, env, expected in rows:
            with self.subTest(name):
                _, out, _ = self.run_it(*arguments, log, env=environment(**env))
                self.assertEqual(b"\x1b[" in out, expected)

    def test_a_terminal_as_input_is_wrong_usage(self):
        import pty
        leader, follower = pty.openpty()
        done = subprocess.run([PROGRAM], stdin=follower, capture_output=True, timeout=20)
        os.close(follower)
        os.close(leader)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"no input; name a log file", done.stderr)

    def test_colour_on_a_terminal(self):
        import pty
        log = self.write("f.log", FAILURE)
        for name, arguments, env, expected in (("a terminal", [], {}, True), ("NO_COLOR", [], {"NO_COLOR": "1"}, False), ("an empty NO_COLOR", [], {"NO_COLOR": ""}, True),
                                               ("dumb", [], {"TERM": "dumb"}, False), ("never", ["--color", "never"], {}, False)):
            with self.subTest(name):
                leader, follower = pty.openpty()
                process = subprocess.Popen([PROGRAM, *arguments, log], stdout=follower, stderr=subprocess.PIPE, env=environment(**env))
                os.close(follower)
                out = b""
                while True:
                    try:
                        block = os.read(leader, 65536)
                    except OSError:
                        break
                    if not block:
                        break
                    out += block
                os.close(leader)
                process.wait(WITH_LIMIT)
                process.stderr.close()
                self.assertIn(CAUSE.encode(), out)
                self.assertEqual(b"\x1b[" in out, expected)

    def test_the_width(self):
        log = self.write("f.log", FAILURE)
        for columns in (60, 80, 120):
            _, out, _ = self.run_it(log, env=environment(COLUMNS=str(columns)))
            lines = [line for line in out.decode().splitlines() if not line.startswith(" " * 10)]  # commands are never cut
            self.assertLessEqual(max(map(len, lines)), columns)
        for nonsense in ("0", "-5", "wide", ""):
            self.assertEqual(self.run_it(log, env=environment(COLUMNS=nonsense))[1], self.run_it(log)[1], nonsense)


class Commands(Case):
    def test_explain(self):
        status, out, err = self.run_it("explain", CAUSE)
        self.assertEqual((status, err), (NO_FAILURE, b""))
        text = out.decode()
        self.assertTrue(text.startswith(CAUSE + " (toolkit)\n"), text)
        self.assertIn("https://", text)

    def test_explain_names_the_nearest(self):
        status, out, err = self.run_it("explain", "cuda-version-mismach")
        self.assertEqual((status, out), (USAGE, b""))
        self.assert_error(err, "cuda-version-mismach", "nearest: " + CAUSE)
        self.assertEqual(self.run_it("explain", "ninja-stopped")[0], USAGE, "a symptom is no cause")
        self.assertEqual(self.run_it("explain")[0], USAGE)

    def test_rules_list(self):
        status, out, _ = self.run_it("rules", "list")
        self.assertEqual(status, NO_FAILURE)
        lines = {line.split()[0]: line.split() for line in out.decode().splitlines()}
        self.assertEqual(lines[CAUSE][1:4], ["cause", "toolkit", "stable"])
        self.assertEqual(lines["ninja-stopped"][1], "symptom")
        self.assertEqual(lines["docker-step"][1], "unit")
        self.assertEqual(sorted(lines), list(lines), "sorted by id")
        self.assertEqual(self.run_it("rules")[0], USAGE)

    def rule(self, pattern, **more):
        rule = {"id": "my-cause", "group": "test", "status": "draft", "retry": "source", "title": "mine", "explanation": "why",
                "signatures": [{"name": "s", "confidence": "likely", "all": [{"name": "p", "pattern": pattern}]}], "explains": [], "yields_to": [],
                "remedies": [{"id": "r", "title": "do it", "steps": [{"run": "true"}]}], "references": [{"url": "https://x", "says": "x"}],
                "examples": [{"name": "e", "log": "frobnication failed"}], "counter_examples": [{"name": "c", "log": "frobnication went well"}]}
        rule.update(more)
        return "".join(f"{key} = {toml(value)}\n" for key, value in rule.items()).encode()

    def test_rules_check_of_a_file(self):
        good = self.write("test/my-cause.toml", self.rule("frobnication failed"))
        status, out, err = self.run_it("rules", "check", good)
        self.assertEqual((status, err), (NO_FAILURE, b""))
        self.assertEqual(out, b"1 rule files, 2 examples, 0 mistakes\n")
        bad = self.write("test/my-cause.toml", self.rule("frobnication succeeded"))
        status, out, err = self.run_it("rules", "check", bad)
        self.assertEqual(status, FAILURE_FOUND)
        self.assertIn(b"my-cause.toml:12:13: gives nothing, not my-cause\n   12 | examples = [{\"name\" = ", err)
        broken = self.write("test/my-cause.toml", b"{\n")
        status, out, err = self.run_it("rules", "check", broken)
        self.assertEqual(status, FAILURE_FOUND)
        self.assertRegex(err.decode(), r"my-cause\.toml:1:1: not valid TOML: .*\n    1 \| \{\n      \| \^\n")
        self.assertEqual(self.run_it("rules", "check", "missing.toml")[0], UNREADABLE)

    def test_an_overlay(self):
        log = self.write("f.log", b"frobnication failed\n")
        self.write("overlay/test/my-cause.toml", self.rule("frobnication failed"))
        self.assertEqual(self.run_it(log)[0], NO_FAILURE)
        status, out, _ = self.run_it("--rules", "overlay", "--format", "json", log)
        self.assertEqual(status, FAILURE_FOUND)
        self.assertEqual(self.reports(out)[0]["diagnoses"][0]["cause"], "my-cause")
        self.assertEqual(self.run_it("--rules", "overlay", "rules", "check", "overlay/test/my-cause.toml")[0], NO_FAILURE)
        self.assertEqual(self.run_it("--rules", "overlay", "explain", "my-cause")[0], NO_FAILURE)

    def test_an_overlay_replaces_a_rule(self):
        self.write("overlay/test/cuda-version-mismatch.toml", self.rule("frobnication failed", id=CAUSE))
        _, out, _ = self.run_it("--rules", "overlay", "--format", "json", self.write("f.log", FAILURE))
        self.assertNotIn(CAUSE, [d["cause"] for d in self.reports(out)[0]["diagnoses"]])

    def test_overlays_that_are_none(self):
        log = self.write("f.log", FAILURE)
        self.write("broken/test/x.toml", b"{\n")
        for folder, word in (("no-such-folder", "no such folder"), (log, "is no folder"), ("broken", "x.toml")):
            with self.subTest(folder):
                status, out, err = self.run_it("--rules", folder, log)
                self.assertEqual((status, out), (UNREADABLE, b""))
                self.assert_error(err.split(b"\n    1 | {\n      | ^\n")[0], word)

    def test_trace(self):
        status, out, err = self.run_it("trace", self.write("f.log", FAILURE))
        self.assertEqual((status, err), (FAILURE_FOUND, b""))
        text = out.decode()
        self.assertRegex(text, r"line 2-3: cuda-version-mismatch torch-check-message .*toolkit_cuda=13\.1")
        self.assertRegex(text, r"cuda-version-mismatch by torch-check at line 2 in unit 1: won")
        self.assertEqual(self.run_it("trace")[0], USAGE)
        self.assertEqual(self.run_it("trace", "missing.log")[0], UNREADABLE)

    def test_host_facts(self):
        log = self.write("f.log", FAILURE)
        good = self.write("h.json", b'{"schema": "cudadoctor.host/1", "facts": [{"name": "gpu_name", "type": "gpu-name", "value": "NVIDIA H100"}]}')
        status, out, _ = self.run_it("--host", good, "--format", "json", log)
        self.assertEqual(status, FAILURE_FOUND)
        self.assertIn({"name": "gpu_name", "type": "gpu-name", "value": "NVIDIA H100", "origin": "host"}, self.reports(out)[0]["facts"])
        self.assertEqual(self.run_it("--host", "none", log)[0], FAILURE_FOUND)
        foreign = self.write("ci.log", b"".join(b"2026-03-04T08:12:31.1234567Z " + line + b"\n" for line in FAILURE.splitlines()))
        def of_host(*arguments, stdin=b""):
            return [f["name"] for f in self.reports(self.run_it("--format", "json", *arguments, stdin=stdin)[1])[0]["facts"] if f["origin"] == "host"]

        self.assertEqual(of_host("--host", good, foreign), ["gpu_name"], "facts that are given for the log are used")
        self.assertEqual(of_host(log), [], "a file may be of any machine")
        self.assertIn("cpu_count", of_host("--host", "local", log))
        killed = b"nvcc error   : 'cicc' died due to signal 9 (Kill signal)\n"
        self.assertIn("cpu_count", of_host(stdin=killed), "a pipe is made here and now")
        self.assertEqual(of_host(stdin=b"2026-03-04T08:12:31.1234567Z " + killed), [], "unless it has the dress of a CI system")
        self.assertEqual(of_host(stdin=b"Microsoft Windows [Version 10.0.19045]\nOSError: [WinError 5] Access is denied\n" + killed), [], "or is of another system")
        self.assertEqual(of_host("--host", "none", stdin=killed), [])
        bad = {"missing.toml": "missing.toml", self.write("b.json", b"{"): "not valid JSON", self.write("c.json", b"{}"): "is no host description"}
        for path, word in bad.items():
            with self.subTest(path):
                status, out, err = self.run_it("--host", path, log)
                self.assertEqual((status, out), (UNREADABLE, b""))
                self.assert_error(err, path, word)


class Story(Case):
    def test_every_log_of_the_story(self):
        folder = os.path.join(SOURCE, "corpus/story")
        cases = sorted(os.listdir(folder))
        self.assertGreaterEqual(len(cases), 10)
        for case in cases:
            with open(os.path.join(folder, case, "label.json"), encoding="utf-8") as file:
                label = json.load(file)
            _, out, _ = self.run_it("--format", "json", os.path.join(folder, case, "log.txt"))
            roots = [d["cause"] for d in self.reports(out)[0]["diagnoses"] if d["role"] == "root"]
            with self.subTest(case):
                wanted = label.get("cause")
                if wanted in (None, "", "none", "success"):
                    self.assertEqual(roots, [])
                else:
                    self.assertIn(roots[0] if roots else "nothing", [wanted, *label.get("acceptable", [])])


class NewRule(Case):
    def test_a_stranger_writes_a_rule(self):
        os.mkdir(os.path.join(self.folder, "rules"))
        status, out, err = self.run_it("rules", "new", "frobnicator-missing", "--group", "host")
        self.assertEqual((status, err), (NO_FAILURE, b""))
        path = os.path.join(self.folder, "rules/host/frobnicator-missing.toml")
        self.assertIn(b"cudadoctor rules check rules/host/frobnicator-missing.toml", out)
        self.assertEqual(self.run_it("rules", "check", path)[0], NO_FAILURE)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        text = text.replace("fixed words of the message of frobnicator-missing", "frobnicator: not found").replace("{pip} install something", "{pip} install frobnicator")
        self.write(path, text.encode())
        self.assertEqual(self.run_it("rules", "check", path)[0], NO_FAILURE)
        status, out, _ = self.run_it("--rules", "rules", "--host", "none", "--format", "json", stdin=b"$ make\nfrobnicator: not found\n")
        self.assertEqual(status, FAILURE_FOUND)
        [report] = self.reports(out)
        self.assertEqual(report["diagnoses"][0]["cause"], "frobnicator-missing")
        self.assertEqual([step.get("run") for step in report["diagnoses"][0]["remedies"][0]["steps"]], ["pip install frobnicator", "make"])
        self.assertIn(b"frobnicator-missing (host)", self.run_it("explain", "frobnicator-missing", "--rules", "rules")[1])

    def test_what_is_refused(self):
        os.mkdir(os.path.join(self.folder, "rules"))
        rows = [
            (("cuda-version-mismatch",), USAGE, "toolkit/cuda-version-mismatch.toml"),
            (("A b",), USAGE, "no id"),
            (("x", "--group", "other"), USAGE, ""),
            (("x", "--rules", "nowhere"), UNREADABLE, "no such folder"),
        ]
        for arguments, status, says in rows:
            with self.subTest(arguments):
                got, _, err = self.run_it("rules", "new", *arguments)
                self.assertEqual(got, status)
                self.assertIn(says, err.decode())
        self.run_it("rules", "new", "x")
        self.assertEqual(self.run_it("rules", "new", "x")[0], USAGE)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if not os.access(PROGRAM, os.X_OK) and shutil.which(PROGRAM) is None:
        sys.exit(f"{PROGRAM}: no such program; set CUDADOCTOR")
    unittest.main()
