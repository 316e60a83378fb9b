"""`cudadoctor run` from outside: real pseudo-terminals, real processes.

CUDADOCTOR names the program, CUDADOCTOR_SOURCE_DIR the tree. Nothing waits for a fixed time: what is waited for is a condition, and
a machine may take LIMIT seconds until it holds.
"""
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import termios
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from terminal import CAUSE, FAILURE, LIMIT, PROGRAM, UNREADABLE, USAGE, Case, Terminal, environment, is_alive, wait_until


class WithTerminal(Case):
    def test_the_command_sees_a_terminal_in_all_three(self):
        terminal = self.terminal("sh", "-c", "for i in 0 1 2; do test -t $i && echo tty $i; done; tty <&2")
        self.assertEqual(terminal.wait(), 0)
        for i in range(3):
            self.assertIn(b"tty %d\r\n" % i, terminal.output)
        self.assert_as_before(terminal)

    def test_colours_stay(self):
        self.write("a-file", "")
        terminal = self.terminal("ls", "--color=auto", "-d", "/")
        self.assertEqual(terminal.wait(), 0)
        self.assertIn(b"\x1b[", terminal.output)

    def test_the_environment_is_the_same(self):
        self.write("show", "#!/bin/sh\nenv | grep -v ^_= | sort > \"$1\"\n", 0o755)
        self.assertEqual(subprocess.run([self.path("show"), "plain"], cwd=self.folder, env=environment(), check=False).returncode, 0)
        self.assertEqual(self.terminal(self.path("show"), "run").wait(), 0)
        self.assertEqual(self.read_file("plain"), self.read_file("run"))

    def test_the_size_and_its_changes(self):
        terminal = self.terminal(sys.executable, "-c", (
            "import os, signal, sys\n"
            "def show(*_): print('size', *os.get_terminal_size(1), flush=True)\n"
            "signal.signal(signal.SIGWINCH, show)\n"
            "show()\n"
            "while True: signal.pause()\n"), rows=31, columns=117)
        terminal.expect(b"size 117 31")
        terminal.resize(40, 90)
        terminal.expect(b"size 90 40")
        terminal.type(b"\x03")
        self.assertEqual(terminal.wait(), 128 + signal.SIGINT)

    def test_the_size_where_input_is_no_terminal(self):
        terminal = self.terminal(sys.executable, "-c", (
            "import os, signal, sys\n"
            "def show(*_): print('size', *os.get_terminal_size(1), os.isatty(0), flush=True)\n"
            "signal.signal(signal.SIGWINCH, show)\n"
            "show()\n"
            "while True: signal.pause()\n"), rows=31, columns=117, redirect={0: "/dev/null"})
        terminal.expect(b"size 117 31 False")
        terminal.resize(40, 90)
        terminal.expect(b"size 90 40 False")
        self.assertFalse(terminal.is_raw())
        terminal.type(b"\x03")
        self.assertEqual(terminal.wait(), 128 + signal.SIGINT)
        self.assert_as_before(terminal)

    COUNTER = ("import os, signal, sys, time\n"
               "count = 0\n"
               "def took(*_):\n"
               "    global count\n"
               "    count += 1\n"
               "signal.signal(signal.{0}, took)\n"
               "print('ready', flush=True)\n"
               "while not count: time.sleep(0.01)\n"
               "end = time.monotonic() + 1\n"
               "while time.monotonic() < end: time.sleep(0.01)\n"
               "print('count', count, flush=True)\n"
               "sys.exit(7)\n")

    def test_ctrl_c_arrives_once(self):
        for redirect in ({}, {0: "/dev/null"}, {1: self.path("out")}, {2: self.path("err")}):
            with self.subTest(redirect):
                self.write("ready", "")
                counter = self.COUNTER.format("SIGINT").replace("print('ready', flush=True)", "open('ready', 'w').write('yes')")
                counter = counter.replace("print('count', count, flush=True)", "open('count', 'w').write(str(count))")
                terminal = self.terminal(sys.executable, "-c", counter, redirect=redirect)
                wait_until(lambda: self.read_file("ready") == b"yes", "the command is ready")
                terminal.type(b"\x03")
                self.assertEqual(terminal.wait(), 7)
                self.assertEqual(self.read_file("count"), b"1")
                self.assert_as_before(terminal)

    def test_ctrl_c_reaches_the_whole_group(self):
        terminal = self.terminal("sh", "-c", "sh -c 'echo $$ > inner; echo ready; while :; do sleep 1; done'; echo not here")
        inner = self.pid_in("inner")
        terminal.expect(b"ready")
        terminal.type(b"\x03")
        self.assertEqual(terminal.wait(), 128 + signal.SIGINT)
        wait_until(lambda: not is_alive(inner), "the inner process is gone")
        self.assertNotIn(b"not here", terminal.output)
        self.assert_as_before(terminal)

    def test_signals_are_sent_on_once(self):
        for redirect in ({}, {0: "/dev/null"}):
            for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1"):
                with self.subTest(name, redirect=redirect):
                    terminal = self.terminal(sys.executable, "-c", self.COUNTER.format(name), redirect=redirect)
                    terminal.expect(b"ready")
                    os.kill(terminal.pid, getattr(signal, name))
                    self.assertEqual(terminal.wait(), 7)
                    self.assertIn(b"count 1\r\n", terminal.output)
                    self.assert_as_before(terminal)

    def test_ending_signals(self):
        for name in ("SIGTERM", "SIGHUP", "SIGQUIT"):
            with self.subTest(name):
                terminal = self.terminal("sh", "-c", "ulimit -c 0; echo ready; while :; do sleep 1; done")
                terminal.expect(b"ready")
                os.kill(terminal.pid, getattr(signal, name))
                self.assertEqual(terminal.wait(), 128 + getattr(signal, name))
                self.assert_as_before(terminal)

    def test_a_crash_of_ours_restores_the_terminal(self):
        for name in ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGALRM"):
            with self.subTest(name):
                terminal = self.terminal("sh", "-c", "echo $$ > pid; echo ready; exec sleep 1000")
                terminal.expect(b"ready")
                command = self.pid_in("pid")
                self.assertTrue(terminal.is_raw())
                os.kill(terminal.pid, getattr(signal, name))
                self.assertEqual(terminal.wait(), -getattr(signal, name))
                self.assert_as_before(terminal)
                # Its terminal is gone, so the command ends as when a window is closed.
                wait_until(lambda: not is_alive(command), "the command is gone")
                os.remove(self.path("pid"))

    def test_exit_statuses(self):
        for script, status in (("exit 0", 0), ("exit 1", 1), ("exit 42", 42), ("kill -9 $$", 137), ("kill -TERM $$", 143), ("exit 255", 255)):
            with self.subTest(script):
                terminal = self.terminal("sh", "-c", script)
                self.assertEqual(terminal.wait(), status)
                self.assert_as_before(terminal)

    def test_a_command_that_cannot_start(self):
        plain = self.write("plain", "echo\n")
        no_interpreter = self.write("script", "#!/no/such/interpreter\n", 0o755)
        for command, status, words in (("no-such-command", 127, b"not found"), (self.path("none"), 127, b"not found"),
                                       (plain, 126, b"permission denied"), (self.folder, 126, b"permission denied"),
                                       (no_interpreter, 126, b"interpreter"), ("", 127, b"not found")):
            with self.subTest(command):
                terminal = self.terminal(command)
                self.assertEqual(terminal.wait(), status)
                self.assertIn(words, terminal.output)
                self.assertTrue(terminal.output.startswith(b"cudadoctor: "))
                self.assert_as_before(terminal)
                self.assertEqual(self.piped(command)[0], status)

    def test_keys_are_passed(self):
        terminal = self.terminal("sh", "-c", "printf 'name? '; read name; echo \"hello $name\"; cat; echo end")
        terminal.expect(b"name? ")
        terminal.type(b"cu\x7f\x7fdoctor\n")
        terminal.expect(b"hello doctor\r\n")
        terminal.type(b"more\n\x04")
        self.assertEqual(terminal.wait(), 0)
        self.assertIn(b"more\r\nmore\r\n", terminal.output)
        self.assertIn(b"end\r\n", terminal.output)

    def test_a_long_paste(self):
        lines = b"".join(b"line %d of a paste\n" % i for i in range(4000))
        terminal = self.terminal("sh", "-c", "stty -echo; echo ready; cat > got")
        terminal.expect(b"ready")
        for i in range(0, len(lines), 1024):
            terminal.type(lines[i:i + 1024])
        terminal.type(b"\x04")
        self.assertEqual(terminal.wait(), 0)
        self.assertEqual(self.read_file("got"), lines)

    def test_much_output_unchanged(self):
        # 50 MB; what a terminal changes is LF to CRLF.
        terminal = self.terminal("sh", "-c", "seq 7000000 | head -c 50000000", options=("--log", "log"))
        self.assertEqual(terminal.wait(), 0)
        plain = subprocess.run(["sh", "-c", "seq 7000000 | head -c 50000000"], stdout=subprocess.PIPE, check=False).stdout
        self.assertTrue(terminal.output == plain.replace(b"\n", b"\r\n"), "the output is another")
        self.assertTrue(self.read_file("log") == terminal.output, "the log is another")

    def test_a_report_on_failure_only(self):
        self.write("failure", FAILURE)
        terminal = self.terminal("sh", "-c", "cat failure; exit 1")
        self.assertEqual(terminal.wait(), 1)
        log, report = terminal.output.split(b"same CUDA versions.\r\n", 1)
        self.assertNotIn(CAUSE.encode(), log)
        self.assertIn(CAUSE.encode(), report)
        self.assertTrue(report.startswith(b"\r\n"))
        terminal = self.terminal("sh", "-c", "cat failure; exit 0")
        self.assertEqual(terminal.wait(), 0)
        self.assertTrue(terminal.output.endswith(b"same CUDA versions.\r\n"))

    def test_what_stays_in_the_background_is_not_waited_for(self):
        for redirect in ({}, {0: "/dev/null"}):
            with self.subTest(redirect):
                terminal = self.terminal("sh", "-c", "sleep 1000 & echo $! > pid; echo started", redirect=redirect)
                pid = self.pid_in("pid")
                self.assertEqual(terminal.wait(), 0)
                self.assertIn(b"started\r\n", terminal.output)
                if not redirect:  # else it has our terminal, which was hung up when we, its session's leader, ended
                    self.assertTrue(is_alive(pid), "it is as alive as without us")
                self.assert_as_before(terminal)
                os.remove(self.path("pid"))

    def test_output_that_goes_elsewhere_stays_there(self):
        terminal = self.terminal("sh", "-c", "test -t 1 || echo one; test -t 2 && echo two >&2; test -t 0 && echo three >&2; exit 0",
                                 redirect={1: self.path("out")})
        self.assertEqual(terminal.wait(), 0)
        self.assertEqual(self.read_file("out"), b"one\n")
        self.assertEqual(terminal.output, b"two\r\nthree\r\n")
        terminal = self.terminal("sh", "-c", "test -t 1 && echo one; test -t 2 || echo two >&2; exit 0", redirect={2: self.path("err")})
        self.assertEqual(terminal.wait(), 0)
        self.assertEqual(self.read_file("err"), b"two\n")
        self.assertEqual(terminal.output, b"one\r\n")

    def test_a_terminal_that_is_hung_up(self):
        terminal = self.terminal("sh", "-c", "echo $$ > pid; echo ready; exec sleep 1000")
        terminal.expect(b"ready")
        command = self.pid_in("pid")
        os.close(terminal.slave)
        os.close(terminal.master)
        terminal.master, terminal.slave = pty.openpty()
        wait_until(lambda: not is_alive(command), "the command is gone")
        wait_until(lambda: not is_alive(terminal.pid), "we are gone")


class JobControl(Case):
    """Under a shell that has job control."""

    def shell(self):
        terminal = Terminal(["bash", "--norc", "--noediting", "-i"], cwd=self.folder, env=environment(PS1="prompt> ", HISTFILE=""))
        self.addCleanup(terminal.close)
        terminal.expect(b"prompt> ")
        return terminal

    def end(self, terminal):
        terminal.type(b"exit\n")
        terminal.wait()

    def test_stop_and_go_on(self):
        ticker = self.write("ticker", "import time\nn = 0\nwhile True:\n    n += 1\n    print('tick', n, flush=True)\n    time.sleep(0.05)\n")
        for script in ("", "sh -ec '{}; echo script ends'"):
            with self.subTest(script):
                terminal = self.shell()
                command = f"{PROGRAM} run -- {sys.executable} {ticker}"
                terminal.type((script.format(command) if script else command).encode() + b"\n")
                terminal.expect(b"tick 3\r\n")
                terminal.type(b"\x1a")
                terminal.expect(re.compile(rb"Stopped.*prompt> ", re.S))
                self.assertFalse(terminal.settings()[3] & termios.ICANON == 0, "the shell has its terminal")
                # Nothing ticks while it is stopped: the shell's answers follow each other.
                last = int(re.findall(rb"tick (\d+)", terminal.output)[-1])
                terminal.type(b"echo a''b\n")
                terminal.expect(b"ab\r\n")
                terminal.type(b"fg\n")
                terminal.expect(b"tick %d\r\n" % (last + 3))
                terminal.type(b"\x03")
                terminal.expect(re.compile(rb"KeyboardInterrupt.*prompt> ", re.S))
                self.assertNotIn(b"\nscript ends", terminal.output)
                terminal.type(b"stty -a | grep -o -- '-*icanon'\n")
                terminal.expect(b"\nicanon")
                self.end(terminal)

    def test_in_the_background(self):
        terminal = self.shell()
        terminal.type(f"{PROGRAM} run -- sh -c 'echo out; sleep 1; exit 3' & wait $!; echo status $?\n".encode())
        terminal.expect(b"out\r\n")
        terminal.expect(b"status 3\r\n")
        self.end(terminal)


class WithoutTerminal(Case):
    def test_both_streams_in_their_order(self):
        script = "i=0; while [ $i -lt 500 ]; do echo out $i; echo err $i >&2; i=$((i+1)); done"
        wanted = b"".join(b"out %d\nerr %d\n" % (i, i) for i in range(500))
        for stderr in (subprocess.STDOUT, subprocess.PIPE):
            with self.subTest(stderr):
                status, out, err = self.piped("--", "sh", "-c", script, stderr=stderr)
                self.assertEqual((status, out, err or b""), (0, wanted, b""))

    def test_a_file_for_errors_is_kept_apart(self):
        with open(self.path("err"), "wb") as err:
            status, out, _ = self.piped("sh", "-c", "echo out; echo err >&2", stderr=err)
        self.assertEqual((status, out, self.read_file("err")), (0, b"out\n", b"err\n"))

    def test_standard_input_is_passed(self):
        self.assertEqual(self.piped("cat", stdin=b"a\0b\n"), (0, b"a\0b\n", b""))

    def test_bytes_are_unchanged(self):
        data = bytes(range(256)) * 1000
        self.assertEqual(self.piped("cat", stdin=data), (0, data, b""))

    def test_no_terminal_is_seen(self):
        self.assertEqual(self.piped("sh", "-c", "for i in 0 1 2; do test -t $i && echo $i; done; exit 0"), (0, b"", b""))

    def test_words_after_the_command_are_its_own(self):
        self.assertEqual(self.piped("printf", "%s|", "--format", "--", "-q", "run")[1], b"--format|--|-q|run|")
        self.assertEqual(self.piped("--", "printf", "%s|", "--", "--help")[1], b"--|--help|")
        self.assertEqual(self.piped("--color", "never", "-q", "printf", "explain")[1], b"explain")

    def test_usage(self):
        for arguments in ((), ("--",), ("--log", "x"), ("--typo", "true"), ("--format", "nonsense", "true")):
            with self.subTest(arguments):
                status, out, err = self.piped(*arguments)
                self.assertEqual((status, out), (USAGE, b""))
                self.assertNotEqual(err, b"")

    def test_reports(self):
        self.write("failure", FAILURE)
        status, out, err = self.piped("--report", "json=report.json", "--", "sh", "-c", "cat failure; exit 5")
        self.assertEqual((status, out), (5, FAILURE.encode()))
        self.assertIn(CAUSE.encode(), err)
        self.assertEqual(json.loads(self.read_file("report.json"))["diagnoses"][0]["cause"], CAUSE)
        status, out, err = self.piped("--format", "json", "--", "sh", "-c", "cat failure; exit 5")
        self.assertEqual((status, out), (5, FAILURE.encode()))
        self.assertEqual(json.loads(err)["diagnoses"][0]["cause"], CAUSE)
        self.assertEqual(self.piped("cat", "failure"), (0, FAILURE.encode(), b""))

    def test_a_failure_without_a_reason(self):
        status, _, err = self.piped("false")
        self.assertEqual(status, 1)
        self.assertIn(b"unknown", err)

    def test_the_log(self):
        status, out, _ = self.piped("--log", "log", "--", "sh", "-c", "printf 'one\\r\\033[1mtwo'; exit 1")
        self.assertEqual((status, out), (1, b"one\r\x1b[1mtwo"))
        self.assertEqual(self.read_file("log"), out)

    def test_a_log_that_cannot_be_opened(self):
        status, out, err = self.piped("--log", "none/log", "--", "echo", "ran")
        self.assertEqual((status, out), (UNREADABLE, b""))
        self.assertIn(b"cudadoctor: --log none/log: ", err)

    @unittest.skipUnless(os.path.exists("/dev/full"), "/dev/full is absent")
    def test_a_full_disk_is_told_once(self):
        status, out, err = self.piped("--log", "/dev/full", "--", "sh", "-c", "echo one; sleep 0.2; echo two; exit 4")
        self.assertEqual((status, out), (4, b"one\ntwo\n"))
        self.assertEqual(err.count(b"/dev/full"), 1)

    def test_statuses(self):
        for script, status in (("exit 0", 0), ("exit 42", 42), ("kill -9 $$", 137), ("kill -SEGV $$", 139)):
            self.assertEqual(self.piped("sh", "-c", "ulimit -c 0; " + script)[0], status)

    def test_background_processes_do_not_hang_us(self):
        status, out, _ = self.piped("sh", "-c", "sleep 1000 & echo $! > pid; echo started")
        self.assertEqual((status, out), (0, b"started\n"))
        self.assertTrue(is_alive(self.pid_in("pid")))

    def test_a_chatty_background_process_does_not_hang_us(self):
        status, out, _ = self.piped("sh", "-c", "(while :; do echo chat; done) & echo $! > pid; echo started >&2; exit 6")
        self.pid_in("pid")
        self.assertEqual(status, 6)
        self.assertIn(b"started\n", out)

    def test_signals_reach_the_command_alone(self):
        # The group has another member, as a CI job's shell is; it must not be signalled.
        script = (f"trap 'echo shell got it; exit 9' TERM; {PROGRAM} run -- sh -c "
                  "'echo $$ > pid; sh -c \"echo \\$\\$ > inner; sleep 1000; true\"; true' & echo $! > run; wait $!; echo status $?")
        process = subprocess.Popen(["sh", "-c", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   env=environment(), cwd=self.folder)
        try:
            pids = [self.pid_in("pid"), self.pid_in("inner")]
            os.kill(self.pid_in("run"), signal.SIGTERM)
            self.assertEqual(process.communicate(timeout=LIMIT)[0], b"status 143\n")
            for pid in pids:
                wait_until(lambda pid=pid: not is_alive(pid), "the command's processes are gone")
        finally:
            process.kill()
            process.wait()

    def test_a_signal_while_the_reader_is_slow(self):
        process = subprocess.Popen([PROGRAM, "run", "--", "sh", "-c", "echo $$ > pid; exec yes"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(), cwd=self.folder)
        try:
            command = self.pid_in("pid")
            process.send_signal(signal.SIGTERM)
            wait_until(lambda: not is_alive(command), "the command is gone, although nobody reads")
            process.communicate(timeout=LIMIT)
            self.assertEqual(process.returncode, 143)
        finally:
            process.kill()
            process.wait()

    def test_a_reader_that_leaves(self):
        script = f"{PROGRAM} run -- sh -c 'yes; echo $? > status' | head -n 2; cat status"
        done = subprocess.run(["bash", "-c", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=environment(), cwd=self.folder, timeout=LIMIT, check=False)
        wait_until(lambda: self.read_file("status"), "yes noticed")
        self.assertTrue(done.stdout.startswith(b"y\ny\n"))
        self.assertEqual(done.stderr, b"")

    def test_in_a_script_that_stops_at_a_failure(self):
        script = self.write("script", f"set -e\n{PROGRAM} run -- true\necho one\n{PROGRAM} run -- sh -c 'exit 17'\necho two\n")
        done = subprocess.run(["sh", "-e", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=environment(), cwd=self.folder, timeout=LIMIT, check=False)
        self.assertEqual((done.returncode, done.stdout), (17, b"one\n"))

    def test_closed_standard_streams(self):
        done = subprocess.run(["sh", "-c", f"{PROGRAM} run -- sh -c 'echo x; exit 4' <&- >&- 2>&-; echo $?"], stdout=subprocess.PIPE,
                              env=environment(), cwd=self.folder, timeout=LIMIT, check=False)
        self.assertEqual(done.stdout, b"4\n")

    def test_an_ignored_child_signal(self):
        done = subprocess.run(["sh", "-c", f"trap '' CHLD; exec {PROGRAM} run -- sh -c 'exit 4'"], stdin=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env=environment(), cwd=self.folder, timeout=LIMIT, check=False)
        self.assertEqual(done.returncode, 4)


@unittest.skipUnless(shutil.which("tmux"), "tmux is absent")
class Tmux(Case):
    def tmux(self, *arguments):
        return subprocess.run(["tmux", "-S", self.path("socket"), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=environment(TERM="xterm"), timeout=LIMIT, check=False).stdout.decode("utf-8", "replace")

    def test_a_real_screen(self):
        self.write("cc1plus", "#!/bin/sh\nwhile [ ! -e go ]; do sleep 0.05; done\n", 0o755)
        self.write("tmux.conf", "set -g default-shell /bin/sh\n")
        self.tmux("-f", self.path("tmux.conf"), "new-session", "-d", "-x", "100", "-y", "10", "-c", self.folder,
                  "env PS1='prompt> ' sh")
        self.addCleanup(self.tmux, "kill-server")

        def screen_has(pattern):
            return re.search(pattern, self.tmux("capture-pane", "-p"), re.M)
        wait_until(lambda: screen_has("^prompt>"), "the shell's prompt")
        self.tmux("send-keys", f"{PROGRAM} run -- sh -c 'seq 20; printf \"Building ... \"; ./cc1plus -c x; echo done; test -t 0 && read x; echo got $x'", "Enter")
        wait_until(lambda: screen_has(r"^20\nBuilding \.\.\.\ncudadoctor: 1 compiler "), "the status line below")
        self.write("go", "")
        wait_until(lambda: screen_has(r"^20\nBuilding \.\.\. done\n\n*\Z"), "the status line is gone")
        self.tmux("send-keys", "word", "Enter")
        wait_until(lambda: screen_has(r"^word\ngot word\nprompt> *\n*\Z"), "keys arrive, and the prompt is back")


if __name__ == "__main__":
    unittest.main()
