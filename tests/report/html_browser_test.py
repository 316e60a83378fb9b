"""The HTML report in a browser: what a reader clicks and types, and what a hostile log cannot do.

CUDADOCTOR names the program, CUDADOCTOR_SOURCE_DIR the tree. Needs Chromium, its driver and Selenium, which are too
large for tools/install-deps; without them this is left out (status 77):

    apt-get install -y chromium chromium-driver python3-selenium
    CUDADOCTOR=build/release/cudadoctor /usr/bin/python3 tests/report/html_browser_test.py
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    print("left out: no Selenium for this Python; apt-get install -y python3-selenium")
    sys.exit(77)
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if CHROMIUM is None or DRIVER is None:
    print("left out: no chromium or no chromedriver; apt-get install -y chromium chromium-driver")
    sys.exit(77)

PROGRAM = os.environ.get("CUDADOCTOR", "cudadoctor")
SOURCE = os.environ.get("CUDADOCTOR_SOURCE_DIR", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
LOG = os.path.join(SOURCE, "corpus/captured/118-cuda-version-mismatch-uv-causal-conv1d/log.txt")
OTHER = os.path.join(SOURCE, "corpus/story/06-oom-128-jobs-288-gb/log.txt")
WITH_LIMIT = 60  # seconds; the machine may be slow

HOSTILE = b"""<script>window.hit = 1</script><img src=x onerror="window.hit = 1">
</span></pre></div><svg onload="window.hit = 1"></svg></textarea><iframe srcdoc="x"></iframe>
Collecting flash-attn" onmouseover="window.hit = 1
RuntimeError: <b onclick=alert(1)>]]>&lt;i&gt;</b>
The detected CUDA version (13.1) mismatches the version that was used to compile
PyTorch (12.8). Please make sure to use the same CUDA versions. <script>window.hit = 1</script>
ERROR: Failed building wheel for <script>window.hit = 1</script>
"""

# Every text with its colour and what lies behind it, as the browser draws them; of each class one.
CONTRAST = """
const seen = new Map();
const rgb = (css) => { const n = css.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
const light = (c) => {
  const [r, g, b] = c.slice(0, 3).map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node; (node = walker.nextNode());) {
  const element = node.parentElement;
  if (node.data.trim() === "" || !element.checkVisibility() || element.tagName === "SCRIPT") continue;
  let behind = element;
  while (behind && rgb(getComputedStyle(behind).backgroundColor)[3] === 0) behind = behind.parentElement;
  const [a, b] = [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor];
  const [high, low] = [light(rgb(a)), light(rgb(b))].sort((x, y) => y - x);
  seen.set(a + " on " + b, [(high + 0.05) / (low + 0.05), element.outerHTML.slice(0, 80)]);
}
return Array.from(seen, ([colours, [ratio, where]]) => [ratio, colours, where]);
"""


class BrowserTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="cudadoctor-test-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--user-data-dir=" + os.path.join(cls.folder, "profile")):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        cls.browser = webdriver.Chrome(options=options, service=Service(DRIVER))
        cls.addClassCleanup(cls.browser.quit)
        cls.browser.set_page_load_timeout(WITH_LIMIT)

    def setUp(self):
        self.size(1280, 900)
        self.system_theme("light")
        self.logs()

    def run_it(self, *arguments, stdin=b""):
        done = subprocess.run([PROGRAM, "--format", "html", *arguments], input=stdin, stdout=subprocess.PIPE, timeout=WITH_LIMIT)
        self.assertIn(done.returncode, (0, 1))
        path = os.path.join(self.folder, self.id() + ".html")
        with open(path, "wb") as file:
            file.write(done.stdout)
        return "file://" + path

    def open(self, *arguments, stdin=b"", fragment=""):
        address = self.run_it(*arguments, stdin=stdin)
        # A page that differs in its fragment alone would not be loaded again.
        self.browser.get("about:blank")
        self.browser.get(address + fragment)
        return address

    def size(self, width, height):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def system_theme(self, theme):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})

    def logs(self):
        """Messages of the console, and addresses that were asked for, since the last call."""
        events = [json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")]
        asked = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
        return [entry["message"] for entry in self.browser.get_log("browser")], asked

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def js(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def choose_theme(self):
        self.addCleanup(self.js, "localStorage.clear()")  # all files share one storage
        self.find("#theme").click()

    def press(self, *keys):
        webdriver.ActionChains(self.browser).send_keys(*keys).perform()

    def wait(self, condition):
        WebDriverWait(self.browser, WITH_LIMIT, poll_frequency=0.05).until(lambda _: condition())

    def pasted(self):
        field = self.find("#find")
        field.send_keys(Keys.CONTROL, "a", "v")
        return field.get_attribute("value")

    def in_view(self, selector):
        return self.js("const box = document.querySelector(arguments[0]).getBoundingClientRect();"
                       "return box.top >= document.querySelector('.bar').getBoundingClientRect().bottom - 1 && box.bottom <= innerHeight", selector)

    def test_loads_itself_alone_and_complains_of_nothing(self):
        address = self.open(LOG, OTHER)
        self.choose_theme()
        self.find("#find").send_keys("nvcc")
        messages, asked = self.logs()
        self.assertEqual(messages, [])
        self.assertEqual([a for a in asked if a != "about:blank"], [address])

    def test_copies(self):
        self.open(LOG)
        for name in ("the clipboard", "no clipboard"):
            with self.subTest(name):
                if name == "no clipboard":
                    self.js("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
                for command in self.browser.find_elements(By.CSS_SELECTOR, ".command"):
                    button = command.find_element(By.TAG_NAME, "button")
                    button.click()
                    self.wait(lambda: button.text == "copied")
                    self.assertEqual(self.find("#status").get_attribute("textContent"), "copied")
                    text = command.find_element(By.TAG_NAME, "code").get_attribute("textContent")
                    self.assertEqual(button.get_attribute("aria-label"), "copy " + text)
                    self.assertEqual(self.pasted(), text)

    def test_searches(self):
        self.open(LOG)
        before = self.find(".log").get_attribute("innerHTML")
        self.press("/")
        self.press("CUDA VERSION (%S)")
        self.assertEqual(self.find("#count").text, "1 of 1")
        self.assertEqual(self.find("mark.now").text, "CUDA version (%s)")
        self.assertTrue(self.in_view("mark.now"))
        self.find("#find").send_keys(Keys.CONTROL, "a", Keys.NULL, "running")
        marks = self.browser.find_elements(By.TAG_NAME, "mark")
        self.assertGreater(len(marks), 2)
        for keys, place in ((Keys.ENTER, 2), (Keys.ENTER, 3), (Keys.SHIFT + Keys.ENTER, 2)):
            self.find("#find").send_keys(keys)
            self.assertEqual(self.find("#count").text, f"{place} of {len(marks)}")
        self.find("#next").click()
        self.find("#previous").click()
        self.find("#previous").click()
        self.find("#previous").click()
        self.assertEqual(self.find("#count").text, f"{len(marks)} of {len(marks)}")
        self.find("#find").send_keys(" no such words")
        self.assertEqual(self.find("#count").text, "not found")
        self.press(Keys.ESCAPE)
        self.assertEqual(self.find(".log").get_attribute("innerHTML"), before)
        self.assertEqual(self.js("return document.activeElement.tagName"), "BODY")

    def test_many_matches_stay_fast_and_leave_no_trace(self):
        self.open(OTHER)
        before = self.find(".log").get_attribute("innerHTML")
        self.find("#find").send_keys("e")
        self.assertEqual(self.find("#count").text, "1 of 2000+")
        self.press(Keys.ESCAPE)
        self.assertEqual(self.find(".log").get_attribute("innerHTML"), before)

    def test_jumps_between_marked_lines(self):
        self.open(LOG)
        marked = [e.get_attribute("id") for e in self.browser.find_elements(By.CSS_SELECTOR, ".log span:has(.tag)")]
        self.assertEqual(marked, ["r1-L5", "r1-L6", "r1-L78"])
        for key, line in (("n", "r1-L5"), ("j", "r1-L6"), ("n", "r1-L78"), ("n", "r1-L5"), ("p", "r1-L78"), ("k", "r1-L6")):
            self.press(key)
            self.assertEqual(self.js("return location.hash + ' ' + document.activeElement.parentElement.id"), f"#{line} {line}")
            self.assertTrue(self.in_view("#" + line))

    def test_links_lead_to_the_evidence_and_back(self):
        self.open(LOG)
        self.find(".evidence a").click()
        self.assertEqual(self.find(".log span:target").get_attribute("id"), "r1-L78")
        self.assertTrue(self.in_view("#r1-L78"))
        self.find("#r1-L78 .tag").click()
        self.assertTrue(self.in_view("#r1-d1-title"))
        self.open(LOG, fragment="#r1-L78")
        self.assertTrue(self.in_view("#r1-L78"))

    def test_theme_follows_the_system_until_one_is_chosen(self):
        self.open(LOG)
        page = "return getComputedStyle(document.body).backgroundColor"
        light = self.js(page)
        self.system_theme("dark")
        dark = self.js(page)
        self.assertNotEqual(light, dark)
        # The page hears of the change by an event.
        self.wait(lambda: self.find("#theme").text == "light theme")
        self.choose_theme()
        self.assertEqual((self.js(page), self.find("#theme").text), (light, "dark theme"))
        self.browser.refresh()
        self.assertEqual(self.js(page), light)

    # WCAG 2.2, 1.4.3: text has a contrast of at least 4.5 to 1.
    def test_contrast(self):
        self.open(LOG, OTHER)
        self.js("for (const details of document.querySelectorAll('details')) details.open = true")
        self.find("#find").send_keys("CUDA")
        for theme in ("light", "dark"):
            self.system_theme(theme)
            pairs = self.js(CONTRAST)
            self.assertGreater(len(pairs), 8)
            self.assertEqual([pair for pair in pairs if pair[0] < 4.5], [], theme)

    def test_keyboard_reaches_everything(self):
        self.open(LOG)
        self.press(Keys.TAB)
        self.assertEqual(self.js("return document.activeElement.className"), "skip")
        self.assertTrue(self.js("return document.activeElement.getBoundingClientRect().left >= 0"))
        reached = []
        for _ in range(60):
            self.press(Keys.TAB)
            name, outline = self.js("const e = document.activeElement; return [e.id || e.className || e.textContent, getComputedStyle(e).outlineStyle]")
            self.assertNotEqual(outline, "none", name)
            reached.append(name)
            if "tag" in reached and "copy" in reached:
                break
        for name in ("find", "next", "theme", "copy", "line 78", "tag"):
            self.assertIn(name, reached)

    def test_narrow_screen_scrolls_one_way(self):
        self.size(390, 800)
        self.open(LOG, OTHER)
        self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), 390)

    def test_hostile_log_is_text(self):
        self.open(stdin=HOSTILE)
        self.assertIn("<script>window.hit = 1</script><img src=x", self.find("#r1-L1").text)
        self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, "main script, img, iframe, main b[onclick], [onload], [onmouseover]"), [])
        self.find("#find").send_keys("<script>")
        self.assertIsNone(self.js("return window.hit"))
        self.assertEqual(self.logs()[0], [])

    # What a mistake in the escaping would let in, the content policy stops.
    def test_policy_stops_other_scripts(self):
        self.open(LOG)
        self.js("const script = document.createElement('script'); script.textContent = 'window.hit = 1'; document.body.append(script);"
                "const image = document.createElement('img'); image.src = 'https://files.example.org/x.png'; document.body.append(image)")
        self.assertIsNone(self.js("return window.hit"))
        messages = " ".join(self.logs()[0])
        self.assertIn("script-src", messages)
        self.assertIn("files.example.org", messages)

    def test_without_scripts(self):
        self.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setScriptExecutionDisabled", {"value": False})
        self.open(LOG, fragment="#r1-L78")
        for selector, is_shown in ((".command code", True), (".log .is-evidence", True), ("#find", False), ("#theme", False), (".command button", False)):
            self.assertEqual(self.find(selector).is_displayed(), is_shown, selector)


if __name__ == "__main__":
    sys.exit(unittest.main())
