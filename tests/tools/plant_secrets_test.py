"""tools/plant-secrets finds nothing in a fixed sample; and it must fail on a program that prints secrets, changes lines or mixes people up."""
import base64
import html
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

SOURCE = pathlib.Path(os.environ.get("CUDADOCTOR_SOURCE_DIR", pathlib.Path(__file__).resolve().parent.parent.parent))
TOOL = SOURCE / "tools/plant-secrets"
BINARY = os.environ.get("CUDADOCTOR", str(SOURCE / "build/release/cudadoctor"))

sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "tools"))
import plant_places  # noqa: E402

loader = importlib.machinery.SourceFileLoader("plant_secrets", str(TOOL))
tool = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(tool)

# A program that prints what FILTER makes of the log, in every format and subcommand.
FAKE = '''#!{python} -SE
import sys
words = sys.argv[1:]
if words == ["--help"]:
    print("  redact      x")
    sys.exit(0)
sys.stdin.close()
def FILTER(name, text):
    {body}
def report(name, text):
    shown = FILTER(name, text)
    if name.endswith("json"):
        import json
        return json.dumps(dict(diagnoses=[], facts=[], x=shown or ""))
    return shown or ""
try:
    text = open(words[-1], encoding="utf-8", errors="surrogateescape", newline="").read()
except (OSError, IndexError):
    text = ""
name = words[0] if not words[:1] or not words[0].startswith("-") else "text"
for at, word in enumerate(words):
    if word == "--report":
        kind, file = words[at + 1].split("=", 1)
        with open(file, "w", encoding="utf-8", errors="surrogateescape") as out:
            out.write(report("--report " + kind, text))
    elif word == "--format":
        name = words[at + 1]
sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="")
(sys.stderr if name == "run" else sys.stdout).write(report(name, text))
'''


class FakeProgram:
    """A context with the path of such a program."""

    def __init__(self, body):
        self.text = FAKE.replace("{python}", sys.executable).replace("{body}", body)

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="plant-secrets-")
        path = pathlib.Path(self.folder.name) / "fake"
        path.write_text(self.text, encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    def __exit__(self, *_):
        self.folder.cleanup()


def run(*words):
    done = subprocess.run([sys.executable, str(TOOL), *words], capture_output=True, text=True, errors="replace", timeout=500, check=False)
    return done.returncode, done.stdout + done.stderr


class Find(unittest.TestCase):
    SECRET = "q7Rk2ZpX9mWv4TsB8nLd"

    def test_rows(self):
        rows = [
            ("whole", f"a {self.SECRET} b", True),
            ("nothing", "Collecting torch", False),
            ("seven characters", self.SECRET[:7], False),
            ("eight at the start", self.SECRET[:8] + "…", True),
            ("eight at the end", "***" + self.SECRET[-8:], True),
            ("seven, and seven others", self.SECRET[:7] + " " + self.SECRET[9:16], False),
        ]
        rows += [(f"eight from {at}", f"({self.SECRET[at:at + 8]})", True) for at in range(len(self.SECRET) - 7)]
        for name, text, wanted in rows:
            with self.subTest(name):
                self.assertEqual(tool.find_secret(text, self.SECRET) >= 0, wanted)

    def test_a_short_one_is_searched_whole(self):
        self.assertEqual(tool.find_secret("x Q7xZ y", "Q7xZ"), 2)
        self.assertEqual(tool.find_secret("x Q7x y", "Q7xZ"), -1)

    def test_readings(self):
        secret = "a'b\"c<d>&e/f%g h9Z"
        half = len(secret) // 2
        rows = [
            ("plain", secret),
            ("JSON", json.dumps({"x": secret})),
            ("JSON, ASCII", json.dumps(secret).replace("a", "\\u0061")),
            ("HTML", html.escape(secret)),
            ("HTML within JSON", json.dumps(html.escape(secret))),
            ("per cent", urllib.parse.quote(secret)),
            ("GitHub", secret.replace("%", "%25")),
            ("colours", secret[:half] + "\x1b[31m" + secret[half:]),
            ("invisible", secret[:5] + "\u200b" + secret[5:10] + "\u00ad" + secret[10:]),
            ("two lines", secret[:6] + "\n  │ " + secret[6:11] + "\n" + secret[11:]),
            ("two lines of a page", f'<code>{html.escape(secret[:6])}</code>\n<span id="x"></span>{html.escape(secret[6:])}'),
        ]
        for name, text in rows:
            with self.subTest(name):
                self.assertTrue(any(tool.find_secret(reading, secret) >= 0 for reading in tool.readings(text)))
        self.assertFalse(any(tool.find_secret(reading, secret) >= 0 for reading in tool.readings("https://***@host/simple")))

    def test_names_only_in_what_is_for_others(self):
        planting = tool.Planting("name: home", "near", 0, ["/home/quvdorn/x"], ["/home/***/x"], ["quvdorn"], ("quvdorn",))
        other = planting._replace(kind="name: tilde", lines=["cd ~quvdorn"])
        outputs = {name: "at /home/quvdorn/x" for name in (*tool.OWN, "html", "bundle", "--report text", "redact")}
        leaks = tool.search(outputs, [planting, other], 1)
        self.assertEqual({(leak.kind, leak.output) for leak in leaks}, {("name: home", name) for name in ("html", "bundle", "--report text", "redact")})
        secret = planting._replace(kind="x", people=())
        self.assertEqual(len(tool.search(outputs, [secret], 1)), len(outputs))


class Plant(unittest.TestCase):
    def test_every_kind_has_its_secrets_in_its_lines_and_none_in_its_control(self):
        secrets, names = plant_places.kinds()
        self.assertGreater(len(secrets), 150)
        self.assertGreater(len(names), 12)
        for kind in secrets + names:
            people = ("quvdorn",) if kind in names else ()
            for seed in range(12):
                lines, found = plant_places.plant(kind, seed, people=people)
                control, _ = plant_places.plant(kind, seed, masked=True, people=people)
                with self.subTest(kind, seed=seed):
                    self.assertTrue(found)
                    text = "".join(tool.readings("\n".join(lines)))
                    for secret in found:
                        self.assertGreaterEqual(len(secret), 4)
                        self.assertGreaterEqual(tool.find_secret(text, secret), 0)
                        self.assertFalse(any(tool.find_secret(reading, secret) >= 0 for reading in tool.readings("\n".join(control))))
                    self.assertFalse(any("\n" in line for line in lines))
                    self.assertNotRegex("\n".join(lines), r"\{[A-Z0-9]+\}|@@")
                    self.assertEqual(plant_places.plant(kind, seed, people=people)[0], lines, "a seed gives the same lines")

    def test_a_straddled_byte_is_within_the_secret(self):
        for offset in (2000, 4096, 8192, 16384):
            for seed in range(20):
                (line,), (secret,) = plant_places.plant(f"straddles byte {offset}", seed)
                self.assertTrue(line.index(secret) < offset < line.index(secret) + len(secret), line[-300:])

    def test_no_token_stands_in_the_sources(self):
        # What a scanner would find: a form's beginning with what follows it.
        text = "".join((SOURCE / "tools" / name).read_text(encoding="utf-8") for name in ("plant_tokens.py", "plant_places.py"))
        for head, *_ in plant_places.FORMS.values():
            if len(head) > 3 and not head.startswith("https:"):
                self.assertNotRegex(text, tool.re.escape(head) + "[A-Za-z0-9]{12}")

    def test_as_many_of_each_kind(self):
        secrets, names = plant_places.kinds()
        batches = tool.batches_of("1", secrets, 400, names, 40)
        counts = tool.collections.Counter(kind for _, batch in batches for kind in batch)
        self.assertEqual(sum(counts.values()), 440)
        for kinds in (secrets, names):
            self.assertLessEqual(max(counts[kind] for kind in kinds) - min(counts[kind] for kind in kinds), 1)
        self.assertTrue(all(len({kind in names for kind in batch}) == 1 and len(set(batch)) == len(batch) <= tool.BATCH for _, batch in batches))


class Reverse(unittest.TestCase):
    class Log:
        lines = ["a", "b", "c"]
        redacted = ["a", "***", "c", ""]

    def test_lines_beside_planted_ones(self):
        written, source = ["a", "b", "token=x", "c"], [0, 1, None, 2]
        for name, after, wanted in (("good", "a\nb\ntoken=***\nc\n", []), ("changed as in the log alone", "a\n***\ntoken=***\nc\n", []), ("changed", "a\nb\ntoken=***\n***\n", [("c", "***")]),
                                    ("a line less", "a\nb\nc\n", [("4 lines", "3 lines")])):
            with self.subTest(name):
                self.assertEqual(tool.differences(self.Log, written, source, after), wanted)

    def test_people(self):
        def planting(number, name):
            return tool.Planting("name: home", "near", number, [f"/home/{name}/x"], [], [name], (name,))
        plantings = [planting(0, "quvdorn"), planting(1, "brabix"), planting(2, "quvdorn")]
        for name, after, wanted in (("two", "/home/user1/x\n/home/user2/x\n/home/user1/x\n", []), ("one", "/home/user1/x\n/home/user1/x\n/home/user1/x\n", ["quvdorn and brabix are both user1"]),
                                    ("three", "/home/user1/x\n/home/user2/x\n/home/user3/x\n", ["quvdorn is user1 and user3"]), ("no name", "~/x\n/home/user2/x\n~/x\n", [])):
            with self.subTest(name):
                self.assertEqual(sorted(tool.people_mistakes(plantings, after, 3)), sorted(mistake if "both" not in mistake else "brabix and quvdorn are both user1" for mistake in wanted))

    def test_marks(self):
        for line in ("Collecting torch", "error: command failed", "      ^^^^^^", "ninja: build stopped: subcommand failed."):
            self.assertIsNone(tool.MARK.search(line), line)
        for line in ("/home/alice/x", "alice@host:~$ ls", "HF_TOKEN=x", "password: x", "https://a:b@c", "uid=1000(alice)", base64.b64encode(b"x" * 30).decode()):
            self.assertIsNotNone(tool.MARK.search(line), line)


class Programs(unittest.TestCase):
    def test_one_that_prints_its_input(self):
        with FakeProgram("return text") as binary:
            status, text = run("--bin", binary, "--count", "30", "--only", "url: ")
        self.assertEqual(status, 1, text)
        self.assertRegex(text, r"LEAK url: .*\n  planted:\n    .*\n")
        self.assertRegex(text, r"\n30 cases of \d+ kinds, 30 leak")
        for name in ("html", "json", "trace", "bundle", "redact", "--report sarif"):
            self.assertIn(name, text)

    def test_one_that_prints_nothing(self):
        with FakeProgram('return text if name == "none" else ""') as binary:
            binary_text = pathlib.Path(binary).read_text(encoding="utf-8").replace('    print("  redact      x")\n', "")
            pathlib.Path(binary).write_text(binary_text, encoding="utf-8")
            status, text = run("--bin", binary, "--count", "20", "--only", "header")
        self.assertEqual(status, 0, text)
        self.assertIn("20 cases of", text)

    def test_one_that_leaks_in_one_report(self):
        with FakeProgram('return text if name == "--report rdjson" else ""') as binary:
            status, text = run("--bin", binary, "--count", "10", "--only", "variable")
        self.assertEqual(status, 1, text)
        self.assertIn("--report rdjson 10\n", text)

    def test_one_whose_redact_takes_all_away(self):
        with FakeProgram('return "\\n" * text.count("\\n") if name == "redact" else ""') as binary:
            status, text = run("--bin", binary, "--sample", "--batch", "0")
            self.assertEqual(status, 0, "lines that are changed in the log as it is are told of the logs as they are only\n" + text)
            changes = tool.run_unchanged(binary, tool.logs()[:2])
        self.assertTrue(any(not tool.MARK.search(old) for _, _, old, _ in changes))

    def test_one_that_fails(self):
        with FakeProgram("sys.exit(70)") as binary:
            status, text = run("--bin", binary, "--count", "3", "--only", "variable")
        self.assertNotEqual(status, 0, text)
        self.assertIn("exit status 70", text)

    def test_nothing_to_run(self):
        with FakeProgram('return ""') as binary:
            for words in (["--only", "no such kind"], ["--batch", "99999"], ["--count", "0", "--only", "url"]):
                status, text = run("--bin", binary, *words)
                self.assertEqual(status, 2, text)
                self.assertIn("no case ran", text)

    def test_the_sample(self):
        if not os.access(BINARY, os.X_OK):
            self.skipTest(f"{BINARY} is not built")
        status, text = run("--bin", BINARY, "--sample")
        self.assertEqual(status, 0, text)


if __name__ == "__main__":
    unittest.main()
