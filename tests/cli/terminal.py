"""A program on a pseudo-terminal, what it shows there, and what the tests of `cudadoctor run` share.

CUDADOCTOR names the program. Nothing waits for a fixed time: what is waited for is a condition, and a machine may take
LIMIT seconds until it holds.
"""
import errno
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest

PROGRAM = os.environ.get("CUDADOCTOR", "cudadoctor")
LIMIT = 120
FAILURE = ("RuntimeError:\nThe detected CUDA version (13.1) mismatches the version that was used to compile\n"
           "PyTorch (12.8). Please make sure to use the same CUDA versions.\n")
CAUSE = "cuda-version-mismatch"
USAGE, UNREADABLE = 2, 3


def environment(**more):
    dropped = ("NO_COLOR", "COLUMNS", "LINES", "TERM", "CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "BUILDKITE", "TMUX", "MAKEFLAGS")
    env = {k: v for k, v in os.environ.items() if k not in dropped}
    env["TERM"] = "xterm"
    env.update(more)
    # Of a build with the address sanitizer, which would report what a test does to it.
    env["ASAN_OPTIONS"] = env.get("ASAN_OPTIONS", "") + ":handle_segv=0:handle_sigbus=0:handle_sigfpe=0"
    return env


def wait_until(condition, what):
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"waited {LIMIT} s in vain for: {what}")


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


class Terminal:
    """A program in a session of its own on a pseudo-terminal, and what it shows there."""

    def __init__(self, arguments, rows=24, columns=80, cwd=None, env=None, redirect=None):
        self.output = bytearray()
        self.status = None
        # Both ends stay open here, so that the settings can be read after the program's end.
        self.master, self.slave = pty.openpty()
        self.resize(rows, columns)
        self.before = termios.tcgetattr(self.slave)
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.setsid()
                fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
                for descriptor in range(3):
                    os.dup2(self.slave, descriptor)
                for descriptor, path in (redirect or {}).items():
                    os.dup2(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), descriptor)
                os.close(self.master)
                if cwd:
                    os.chdir(cwd)
                os.execvpe(arguments[0], arguments, env or environment())
            finally:
                os._exit(99)

    def resize(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, wait=0.05):
        """Takes what is there; False when there was nothing."""
        if not select.select([self.master], [], [], wait)[0]:
            return False
        try:
            self.output += os.read(self.master, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return False
        return True

    def expect(self, wanted):
        def found():
            self.read()
            return wanted in self.output if isinstance(wanted, bytes) else wanted.search(self.output)
        try:
            return wait_until(found, wanted)
        except AssertionError:
            raise AssertionError(f"{wanted!r} is not in {self.output[-3000:]!r}") from None

    def type(self, keys):
        os.write(self.master, keys)

    def wait(self):
        """The exit status, or minus the signal."""
        def ended():
            while self.read(0.01):
                pass
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
            return pid
        if self.status is None:
            wait_until(ended, f"the end of the program; output so far: {self.output[-2000:]!r}")
        while self.read():
            pass
        return self.status

    def settings(self):
        return termios.tcgetattr(self.slave)

    def is_raw(self):
        return not self.settings()[3] & termios.ICANON

    def close(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.slave)
        os.close(self.master)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="cudadoctor-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content, mode=0o644):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(content)
        os.chmod(self.path(name), mode)
        return self.path(name)

    def read_file(self, name):
        try:
            with open(self.path(name), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return b""

    def pid_in(self, name):
        text = wait_until(lambda: self.read_file(name).endswith(b"\n") and self.read_file(name), name)
        pid = int(text)

        def kill():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.addCleanup(kill)
        return pid

    def terminal(self, *command, options=(), **settings):
        terminal = Terminal([PROGRAM, "run", *options, "--", *command], cwd=self.folder, **settings)
        self.addCleanup(terminal.close)
        return terminal

    def piped(self, *arguments, stdin=b"", stderr=subprocess.PIPE, env=None):
        done = subprocess.run([PROGRAM, "run", *arguments], input=stdin, stdout=subprocess.PIPE, stderr=stderr,
                              env=env or environment(), cwd=self.folder, timeout=LIMIT)
        return done.returncode, done.stdout, done.stderr

    def assert_as_before(self, terminal):
        self.assertEqual(terminal.settings(), terminal.before)


def screen(output, rows=24, columns=80):
    """What a terminal shows after `output`: its lines without blank ones at the end. Knows what this suite's programs and ours use."""
    lines, row, column, saved = [[" "] * columns for _ in range(rows)], 0, 0, (0, 0)

    def down():
        nonlocal row
        if row == rows - 1:
            lines.append([" "] * columns)
            del lines[0]
        else:
            row += 1
    text = output.decode("utf-8", "replace")
    for token in re.findall(r"\x1b\[[?\d;]*[A-Za-z]|\x1b.|[^\x1b]", text, re.S):
        if token == "\n" or token == "\x1bD":
            down()
        elif token == "\r":
            column = 0
        elif token == "\b":
            column = max(0, column - 1)
        elif token == "\x1b7":
            saved = (row, column)
        elif token == "\x1b8":
            row, column = saved
        elif token == "\x1b[A":
            row = max(0, row - 1)
        elif token == "\x1b[B":
            row = min(rows - 1, row + 1)
        elif token == "\x1b[K":
            lines[row][column:] = [" "] * (columns - column)
        elif token == "\x1b[2K":
            lines[row] = [" "] * columns
        elif token == "\x07" or token.startswith("\x1b["):
            pass
        elif column < columns:
            lines[row][column] = token
            column += 1
    shown = ["".join(line).rstrip() for line in lines]
    while shown and not shown[-1]:
        shown.pop()
    return shown
