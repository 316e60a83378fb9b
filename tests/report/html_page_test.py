"""The HTML report as a file: its content policy fits its parts, and nothing in it is loaded.

CUDADOCTOR names the program, CUDADOCTOR_SOURCE_DIR the tree.
"""
import base64
import hashlib
import html.parser
import os
import re
import subprocess
import sys
import unittest

PROGRAM = os.environ.get("CUDADOCTOR", "cudadoctor")
SOURCE = os.environ.get("CUDADOCTOR_SOURCE_DIR", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
STORY = os.path.join(SOURCE, "corpus/story/01-uv-mismatch-13.1-12.8/log.txt")
WITH_LIMIT = 120  # seconds until a hanging program fails a test; the machine may be slow


def page(log, *more):
    done = subprocess.run([PROGRAM, "--format", "html", *more], input=log, stdout=subprocess.PIPE, timeout=WITH_LIMIT)
    return done.returncode, done.stdout.decode("utf-8")


class Parts(html.parser.HTMLParser):
    """Start tags with their attributes, and the text of <style> and <script>."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.inline, self.within = [], {}, None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.within = tag

    def handle_endtag(self, tag):
        self.within = None

    def handle_data(self, data):
        if self.within in ("style", "script"):
            self.inline.setdefault(self.within, []).append(data)


class PageTest(unittest.TestCase):
    def setUp(self):
        with open(STORY, "rb") as file:
            self.status, self.text = page(file.read())
        self.parts = Parts(self.text)

    def test_policy_names_the_only_style_and_script(self):
        self.assertEqual(self.status, 1)
        policies = [a["content"] for t, a in self.parts.tags if t == "meta" and a.get("http-equiv") == "Content-Security-Policy"]
        self.assertEqual(len(policies), 1)
        expected = {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}
        for kind in ("style", "script"):
            self.assertEqual(len(self.parts.inline[kind]), 1)
            digest = hashlib.sha256(self.parts.inline[kind][0].encode("utf-8")).digest()
            expected[kind + "-src"] = f"'sha256-{base64.b64encode(digest).decode()}'"
        self.assertEqual(dict(part.strip().split(" ", 1) for part in policies[0].split(";")), expected)

    def test_loads_nothing(self):
        for tag, attributes in self.parts.tags:
            self.assertNotIn(tag, ("link", "img", "iframe", "object", "embed", "base", "form", "image", "use"))
            for name in attributes:
                self.assertFalse(name.startswith("on") or name in ("src", "srcset", "style", "action"), (tag, name))
            if tag == "a" and not attributes["href"].startswith("#"):
                self.assertRegex(attributes["href"], "^https?://")
                self.assertEqual(attributes["rel"], "noreferrer")
        self.assertIsNone(re.search(r"@import|url\(|@font-face", self.parts.inline["style"][0]))
        self.assertIsNone(re.search(r"fetch\(|XMLHttp|import\(|innerHTML|eval\(|document\.write", self.parts.inline["script"][0]))

    def test_a_long_log_makes_a_small_page(self):
        noise = b"[1/9] nvcc -c kernel.cu -o kernel.o --threads 4 -gencode arch=compute_90,code=sm_90\n" * 50_000
        with open(STORY, "rb") as file:
            status, text = page(noise + file.read() + noise)
        self.assertEqual(status, 1)
        self.assertLess(len(text), 300_000)
        self.assertIn("lines 1 to ", text)


if __name__ == "__main__":
    sys.exit(unittest.main())
