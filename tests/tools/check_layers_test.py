"""tools/check_layers must fail on a bad tree: each mistake once, in a tree of a few files."""
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ.get("CUDADOCTOR_SOURCE_DIR", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SCRIPT = os.path.join(SOURCE, "tools/check_layers")

GOOD = {
    "src/base/views.h": "#include <string>\n",
    "src/text/line.h": '#include "base/views.h"\n',
    "src/text/line.cc": '#include "text/line.h"\n\n#include <algorithm>\n\n#include "absl/strings/str_cat.h"\n',
    "src/match/regex.cc": '#include "re2/re2.h"\n#include "text/line.h"\n#include "base/views.h"\n',
    "src/json/json.h": '#include "nlohmann/json.hpp"\n',
    "src/cli/input.cc": '#include <zlib.h>\n#include "CLI/CLI.hpp"\n#include "match/matcher.h"\n',
    "src/match/matcher.h": "",
    "tests/text/line_test.cc": "",
    "tests/match/regex_test.cc": "",
    "tests/cli/input_test.cc": "",
}
# The sources that PARTNERS names, and the tests that cover them.
for source, test in runpy.run_path(SCRIPT)["PARTNERS"].items():
    GOOD[f"src/{source}"] = GOOD[test] = ""


class CheckLayers(unittest.TestCase):
    def run_on(self, change):
        folder = tempfile.mkdtemp(prefix="check-layers-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        for path, text in {**GOOD, **change}.items():
            if text is None:
                continue
            os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
            with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
                file.write(text)
        done = subprocess.run([sys.executable, SCRIPT, folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        return done.returncode, done.stdout.splitlines()

    def test_a_good_tree(self):
        status, lines = self.run_on({})
        self.assertEqual((status, lines), (0, [f"{sum(path.startswith('src/') for path in GOOD)} files, 0 mistakes"]))

    def test_bad_trees(self):
        rows = [
            ("upward", {"src/text/line.h": '#include "match/matcher.h"\n'}, "src/text/line.h:1: text must not include match; see the table of docs/design.md"),
            ("sideways", {"src/json/json.h": '\n#include "text/line.h"\n'}, "src/json/json.h:2: json must not include text; see the table of docs/design.md"),
            ("indented", {"src/text/line.h": '  #  include "cli/input.h"\n'}, "src/text/line.h:1: text must not include cli; see the table of docs/design.md"),
            ("RE2", {"src/text/line.cc": '#include "re2/re2.h"\n'}, "src/text/line.cc:1: re2/re2.h may be included in redact and match and knowledge only; use what their headers offer"),
            ("nlohmann", {"src/match/regex.cc": "#include <nlohmann/json.hpp>\n"}, "src/match/regex.cc:1: nlohmann/json.hpp may be included in json only; use what their headers offer"),
            ("CLI11", {"src/match/regex.cc": "#include <CLI/CLI.hpp>\n"}, "src/match/regex.cc:1: CLI/CLI.hpp may be included in cli only; use what their headers offer"),
            ("a compressor", {"src/match/regex.cc": "#include <lzma.h>\n"}, "src/match/regex.cc:1: lzma.h may be included in cli only; use what their headers offer"),
            ("a name without a folder", {"src/text/line.cc": '#include "line.h"\n'}, 'src/text/line.cc:1: "line.h" has no folder; write "text/line.h"'),
            ("a header that is gone", {"src/text/line.cc": '#include "base/gone.h"\n'}, "src/text/line.cc:1: there is no src/base/gone.h; correct the name"),
            ("no partner", {"tests/text/line_test.cc": None}, "src/text/line.cc: has no partner test; add tests/text/line_test.cc"),
            ("no partner of another name", {"tests/cli/cli_test.py": None}, "src/cli/main.cc: has no partner test; add tests/cli/cli_test.py"),
            ("an unknown folder", {"src/misc/x.h": ""}, "src/misc/x.h: is in no folder of docs/design.md's table; move it, or extend the table here and there"),
            ("a file beside the folders", {"src/x.h": ""}, "src/x.h: is in no folder of docs/design.md's table; move it, or extend the table here and there"),
            ("an entry for a file that is gone", {"src/rules/embedded.cc": None}, "tools/check_layers: PARTNERS names src/rules/embedded.cc, which is gone; remove the entry"),
        ]
        for name, change, message in rows:
            with self.subTest(name):
                status, lines = self.run_on(change)
                self.assertEqual(status, 1)
                self.assertIn(message, lines)

    def test_the_table_of_the_design(self):
        with open(os.path.join(os.path.dirname(SCRIPT), "../docs/design.md"), encoding="utf-8") as file:
            rows = re.findall(r"^\| `(\w+)` \| [^|]* \| ([^|]*?) ?\| [^|]* ?\|$", file.read(), re.MULTILINE)
        table = {folder: [name for name in includes.split(", ") if name] for folder, includes in rows}
        self.assertEqual(table, runpy.run_path(SCRIPT)["MAY_INCLUDE"])

    def test_no_tree(self):
        for folder in (tempfile.gettempdir() + "/no-such-folder", "/"):
            self.assertEqual(subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, check=False).returncode, 2)
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "src"))
            self.assertEqual(subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, check=False).returncode, 2, "zero files are no success")


if __name__ == "__main__":
    unittest.main()
