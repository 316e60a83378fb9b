"""The line that `cudadoctor run` shows of its own while a build is silent."""
import os
import re
import shutil
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from terminal import PROGRAM, Case, Terminal, environment, screen, wait_until


class StatusLine(Case):
    """A build whose compiler is a script called cc1plus."""

    def build(self, after="", printed="echo building"):
        # The name of a script is its process's name.
        self.write("cc1plus", "#!/bin/sh\necho $$ > pid\nwhile [ ! -e go ]; do sleep 0.05; done\n", 0o755)
        return f"{printed}; ./cc1plus -c x.cc; {after}"

    SHOWN = re.compile(rb"cudadoctor: 1 compiler 0\.\d GiB, \d+ s")

    def test_shown_and_erased(self):
        terminal = self.terminal("sh", "-c", self.build(after="echo after"))
        terminal.expect(self.SHOWN)
        self.write("go", "")
        self.assertEqual(terminal.wait(), 0)
        self.assertEqual(screen(terminal.output), ["building", "after"])
        self.assert_as_before(terminal)

    def test_below_a_line_that_is_not_complete(self):
        terminal = self.terminal("sh", "-c", self.build(printed="printf 'Building wheel for x ... '", after="echo done"))
        terminal.expect(self.SHOWN)
        self.assertEqual(screen(terminal.output)[0], "Building wheel for x ...")
        self.assertRegex(screen(terminal.output)[1], "^cudadoctor: ")
        self.write("go", "")
        self.assertEqual(terminal.wait(), 0)
        self.assertEqual(screen(terminal.output), ["Building wheel for x ... done"])

    def test_at_the_bottom_of_the_screen(self):
        terminal = self.terminal("sh", "-c", self.build(printed="seq 30; printf 'Building ... '", after="echo done"), rows=6)
        terminal.expect(self.SHOWN)
        self.assertRegex(screen(terminal.output, rows=6)[-1], "^cudadoctor: ")
        self.write("go", "")
        self.assertEqual(terminal.wait(), 0)
        self.assertEqual(screen(terminal.output, rows=6)[-2:], ["30", "Building ... done"])

    def test_a_spinner_leaves_it(self):
        self.write("cc1plus", "#!/bin/sh\necho $$ > pid\nwhile [ ! -e go ]; do printf '\\b|'; sleep 0.5; printf '\\b/'; sleep 0.5; done\n", 0o755)
        terminal = self.terminal("sh", "-c", "printf 'Building ... -'; ./cc1plus -c x.cc; printf '\\bdone\\n'")
        terminal.expect(self.SHOWN)
        so_far = len(terminal.output)
        wait_until(lambda: terminal.read() and terminal.output[so_far:].count(b"\b") > 3, "the spinner spins")
        self.assertNotIn(b"\x1b[2K", terminal.output[so_far:])
        self.write("go", "")
        self.assertEqual(terminal.wait(), 0)
        self.assertEqual(screen(terminal.output), ["Building ... done"])

    def test_not_shown(self):
        # Each of these would show it after five seconds if the reason were not respected.
        cases = {
            "-q": dict(options=("-q",)),
            "TERM=dumb": dict(env=environment(TERM="dumb")),
            "alternate screen": dict(printed="printf '\\033[?1049h'"),
            "a saved cursor": dict(printed="printf '\\0337'"),
            "a scroll region": dict(printed="printf '\\033[1;20r'"),
            "the middle of a block": dict(printed="printf 'a\\nb\\nc\\033[2A'"),
            "half an escape sequence": dict(printed="printf 'a\\033['"),
            "colours on": dict(printed="printf '\\033[31mred\\n'"),
            "a raw terminal": dict(printed="stty raw"),
            "no echo": dict(printed="stty -echo"),
        }
        terminals = []
        for name, settings in cases.items():
            folder = self.path(re.sub(r"\W", "-", name))
            os.mkdir(folder)
            script = self.build(printed=settings.pop("printed", "echo building"))
            shutil.copy(self.path("cc1plus"), folder)
            options = settings.pop("options", ())
            terminal = Terminal([PROGRAM, "run", *options, "--", "sh", "-c", script], cwd=folder, **settings)
            self.addCleanup(terminal.close)
            terminals.append((name, folder, terminal))
        shown = self.terminal("sh", "-c", self.build())  # the same without a reason: when it is there, they would be
        shown.expect(self.SHOWN)
        end = time.monotonic() + 2
        while time.monotonic() < end:
            for _, _, terminal in terminals:
                terminal.read(0)
        self.write("go", "")
        shown.wait()
        for name, folder, terminal in terminals:
            with self.subTest(name):
                with open(os.path.join(folder, "go"), "w", encoding="utf-8"):
                    pass
                terminal.wait()
                self.assertNotIn(b"cudadoctor: ", terminal.output)

    def test_ctrl_z_erases_it(self):
        terminal = Terminal(["bash", "--norc", "--noediting", "-i"], cwd=self.folder, env=environment(PS1="prompt> ", HISTFILE=""))
        self.addCleanup(terminal.close)
        terminal.expect(b"prompt> ")
        self.write("script", self.build())
        terminal.type(f"{PROGRAM} run -- sh script\n".encode())
        terminal.expect(self.SHOWN)
        terminal.type(b"\x1a")
        terminal.expect(re.compile(rb"Stopped.*prompt> ", re.S))
        self.assertNotIn("cudadoctor: ", "\n".join(screen(terminal.output)))
        self.write("go", "")
        terminal.type(b"fg\n")
        terminal.expect(re.compile(rb"fg\r\n.*prompt> ", re.S))
        terminal.type(b"exit\n")
        terminal.wait()


@unittest.skipUnless(shutil.which("ninja"), "ninja is absent")
class Ninja(Case):
    def test_objects_of_how_many(self):
        self.write("cc1plus", "#!/bin/sh\ncase $1 in slow*) while [ ! -e go ]; do sleep 0.05; done;; esac\n: > $1\n", 0o755)
        edges = "".join(f"build o{i}.o: cc\n" for i in range(8)) + "build slow.o: cc\nbuild all.so: cc " + " ".join(
            f"o{i}.o" for i in range(8)) + " slow.o\nbuild unused.o: cc\ndefault all.so\n"
        self.write("build.ninja", "rule cc\n  command = ./cc1plus $out\n" + edges)
        # As pip does it: ninja's own output is not shown.
        terminal = self.terminal("sh", "-c", "echo building; ninja > hidden; cat hidden", columns=120)
        terminal.expect(re.compile(rb"cudadoctor: 8 of 9 objects, 1 compiler \d\.\d GiB, \d+ s, less than a minute left"))
        self.write("go", "")
        self.assertEqual(terminal.wait(), 0)
        self.assertRegex("\n".join(screen(terminal.output, columns=120)), r"\Abuilding\n\[10/10\]|\Abuilding\n\[1/10\]")
        self.assertNotIn("cudadoctor: ", "\n".join(screen(terminal.output, columns=120)))


if __name__ == "__main__":
    unittest.main()
