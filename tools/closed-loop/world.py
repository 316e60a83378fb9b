"""The worlds in which failures are provoked: overlay layers made once, and boxes (namespaces with an overlay on top) that a scenario runs in.

Nothing outside the state folder is written, but for a memory control group of the box's own and, while a box with the machine's network has stand-in
servers, sockets on 127.77.0.1.
"""
import hashlib
import json
import os
import pathlib
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time

USER, UID = "user", 1500
STANDIN_ADDRESS = "127.77.0.1"
# Names that are never asked outside the box: stood in for where a scenario says so, refused otherwise.
STANDIN_HOSTS = (
    "download.pytorch.org", "download-r2.pytorch.org", "developer.download.nvidia.com", "developer.nvidia.com", "pypi.nvidia.com", "repo.anaconda.com",
    "conda.anaconda.org", "github.com", "api.github.com", "raw.githubusercontent.com", "gitlab.com", "huggingface.co", "data.pyg.org", "astral.sh",
    "sh.rustup.rs", "static.rust-lang.org", "index.example.org", "files.example.org", "git.example.org", "proxy.example.org", "mirror.example.org", "gpu-wheels.example.org",
)
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# Capabilities that a container of Docker's has none of either.
CONFINED = ",".join(f"-{name}" for name in ("sys_admin", "sys_module", "sys_boot", "sys_time", "sys_rawio", "sys_ptrace", "sys_pacct", "sys_nice", "sys_resource", "sys_tty_config", "net_admin",
                                            "syslog", "mac_admin", "mac_override", "linux_immutable", "ipc_lock", "ipc_owner", "lease", "wake_alarm", "block_suspend", "bpf", "perfmon",
                                            "checkpoint_restore", "dac_read_search", "audit_control", "audit_read"))
FILE_LIMIT = 12 << 30
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"


class WorldError(Exception):
    """The world could not be made; says what and where."""


def machine_environment():
    """What this machine's registries need of every program."""
    keep = ("PIP_DEFAULT_TIMEOUT", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "http_proxy", "https_proxy", "no_proxy",
            "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "CARGO_HTTP_PROXY")
    found = {name: os.environ[name] for name in keep if name in os.environ}
    for name in ("SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "CARGO_HTTP_CAINFO"):
        found[name] = CERTIFICATES
    return found | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def base_environment(root=False):
    home = "/root" if root else f"/home/{USER}"
    return machine_environment() | {"HOME": home, "USER": "root" if root else USER, "LOGNAME": "root" if root else USER, "PATH": PATH, "LANG": "C.UTF-8",
                                    "TERM": "xterm-256color", "DEBIAN_FRONTEND": "noninteractive"}


class Group:
    """A memory control group of its own (version 1 or 2), or nothing where none can be made."""

    def __init__(self, name, memory_mib=None):
        self.path = None
        for parent, limit in ((pathlib.Path("/sys/fs/cgroup/memory"), "memory.limit_in_bytes"), (pathlib.Path("/sys/fs/cgroup"), "memory.max")):
            if (parent / "cgroup.procs").exists():
                try:
                    path = parent / name
                    path.mkdir(exist_ok=True)
                    if memory_mib:
                        (path / limit).write_text(str(memory_mib << 20))
                    self.path, self.version = path, 1 if parent.name == "memory" else 2
                    return
                except OSError:
                    continue
        if memory_mib:
            raise WorldError("no memory control group can be made below /sys/fs/cgroup; a scenario with limits.memory_mib needs one")

    def join(self):
        if self.path:
            (self.path / "cgroup.procs").write_text(str(os.getpid()))

    def close(self):
        for _ in range(50):
            try:
                if self.path:
                    self.path.rmdir()
                return
            except OSError:
                time.sleep(0.1)


class Box:
    """A running root: `lowers` (topmost first) under `upper`, in mount, pid, uts, ipc, cgroup and (network=False) network namespaces of its own."""

    def __init__(self, lowers, upper, scratch, *, network=True, memory_mib=None, mounts=(), program=None, hosts=STANDIN_HOSTS, name="box"):
        self.lowers, self.upper, self.scratch = [pathlib.Path(p) for p in lowers], pathlib.Path(upper), pathlib.Path(scratch)
        self.network, self.memory_mib, self.mounts, self.program, self.hosts, self.name = network, memory_mib, mounts, program, hosts, name
        self.child = self.pid = None
        self.helpers = []

    def _script(self):
        q = shlex.quote
        root = q(str(self.scratch / "root"))
        lower = ":".join(str(p) for p in self.lowers)
        lines = [
            "set -e", "mount --make-rprivate /", f"hostname {q('buildhost')}",
            f"mount -t overlay overlay -o lowerdir={lower},upperdir={self.upper},workdir={self.scratch}/work {root}",
            f"mount -t proc proc {root}/proc", f"mount -t sysfs -o ro sysfs {root}/sys 2>/dev/null || true",
            f"mount -t tmpfs -o mode=755,size=64k,nr_inodes=0 dev {root}/dev 2>/dev/null || mount -t tmpfs -o mode=755 dev {root}/dev",
            f"for d in null zero full random urandom tty; do : >{root}/dev/$d; mount --bind /dev/$d {root}/dev/$d; done",
            f"mkdir -p {root}/dev/pts {root}/dev/shm; mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts {root}/dev/pts; ln -s pts/ptmx {root}/dev/ptmx",
            f"mount -t tmpfs -o mode=1777 shm {root}/dev/shm; ln -s /proc/self/fd {root}/dev/fd; ln -s fd/0 {root}/dev/stdin; ln -s fd/1 {root}/dev/stdout; ln -s fd/2 {root}/dev/stderr",
            f"if [ -d {root}/sys/fs/cgroup ] && [ -d /sys/fs/cgroup/memory ]; then mount -t tmpfs -o mode=755 cgroup {root}/sys/fs/cgroup && mkdir {root}/sys/fs/cgroup/memory && "
            f"mount -t cgroup -o ro,memory memory {root}/sys/fs/cgroup/memory || true; elif [ -e /sys/fs/cgroup/cgroup.procs ]; then mount -t cgroup2 -o ro cgroup2 {root}/sys/fs/cgroup || true; fi",
            f"mkdir -p {root}/run/closed-loop; mount --bind {q(str(self.scratch / 'io'))} {root}/run/closed-loop",
        ]
        if self.program:
            lines.append(f"mkdir -p {root}/opt/cudadoctor; mount --bind {q(str(self.program))} {root}/opt/cudadoctor; mount -o remount,ro,bind {root}/opt/cudadoctor")
        for mount in self.mounts:
            place = f"{root}{q(mount['path'])}"
            if "mib" in mount:
                owner = f"uid={UID},gid={UID}," if mount.get("owner", "root") == USER else ""
                lines.append(f"mkdir -p {place}; mount -t tmpfs -o {owner}mode={mount.get('mode', '1777')},size={mount['mib']}m tmpfs {place}")
            elif mount.get("read_only"):
                lines.append(f"mount --bind {place} {place}; mount -o remount,ro,bind {place}")
            elif mount.get("separate"):   # a file system of its own
                lines.append(f"mkdir -p {place}; mount -t tmpfs -o mode={mount.get('mode', '1777')} tmpfs {place}")
        if not self.network:
            lines.append("ip link set lo up")
        lines += [f"cd {root}", "mkdir -p .old", "pivot_root . .old", "cd /", "umount -l /.old", "rmdir /.old 2>/dev/null || true", "echo ready",
                  "exec /bin/bash -c 'trap : CHLD; while :; do sleep 1000 & wait $!; done' </dev/null >/dev/null 2>&1"]
        return "\n".join(lines)

    def start(self):
        for folder in (self.upper, self.scratch / "work", self.scratch / "root", self.scratch / "io"):
            folder.mkdir(parents=True, exist_ok=True)
        os.chmod(self.scratch / "io", 0o777)
        etc = self.upper / "etc"
        etc.mkdir(exist_ok=True)
        (etc / "hosts").write_text(f"127.0.0.1 localhost buildhost\n{STANDIN_ADDRESS} {' '.join(self.hosts)}\n")
        (etc / "hostname").write_text("buildhost\n")
        if self.network:
            shutil.copy("/etc/resolv.conf", etc / "resolv.conf")
        else:
            (etc / "resolv.conf").write_text("nameserver 127.0.0.53\n")
        self.group = Group(f"closed-loop-{os.getpid()}-{self.name}", self.memory_mib)
        command = ["unshare", "--mount", "--uts", "--ipc", "--pid", "--cgroup", "--fork", "--kill-child", *([] if self.network else ["--net"]), "bash", "-c", self._script()]
        self.child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=self.group.join)
        if self.child.stdout.readline().strip() != "ready":
            raise WorldError(f"the box did not start: {self.child.stderr.read().strip()[-800:]}")
        self.pid = int(pathlib.Path(f"/proc/{self.child.pid}/task/{self.child.pid}/children").read_text().split()[0])
        return self

    def enter(self, root, env, limits=None, confined=False):
        """The words before a command that runs in the box as root or as the user."""
        words = ["nice", "-n", "10", "nsenter", "-t", str(self.pid), "-m", "-u", "-i", "-p", "-n", "-C", "/usr/bin/env", "-i", *(f"{k}={v}" for k, v in env.items())]
        if confined:   # what a printed command types must not reach this machine's kernel, nor fill its disk
            words += ["/usr/bin/setpriv", f"--bounding-set={CONFINED}", "--", "/usr/bin/prlimit", f"--fsize={FILE_LIMIT}", "--"]
        if not root:
            words += ["/usr/bin/setpriv", f"--reuid={UID}", f"--regid={UID}", "--init-groups", "--"]
        ulimits = [f"ulimit {option} {limits[key]}" for key, option in (("virtual_kib", "-v"), ("open_files", "-n"), ("processes", "-u"), ("file_blocks", "-f")) if key in (limits or {})]
        if ulimits:
            words += ["/bin/bash", "-c", "; ".join(ulimits) + '; exec "$@"', "bash"]
        return words

    def run(self, script, root=True, env=None, timeout=900, cwd=None):
        """A bash script from start to end; (status, output)."""
        words = [*self.enter(root, base_environment(root) | (env or {})), "/bin/bash", "-c", f"cd {shlex.quote(cwd or '/')}\n{script}"]
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=self.group.join)
        try:
            out, _ = child.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            return None, f"stopped after {timeout} s"
        return child.returncode, out.decode("utf-8", "replace")

    def serve(self, config):
        """A stand-in server (standins/server.py), on this machine's file system, in the box's network."""
        words = [] if self.network else ["nsenter", "-t", str(self.pid), "-n"]
        here = pathlib.Path(__file__).resolve().parent
        log = open(self.scratch / "server.log", "a", encoding="utf-8")
        child = subprocess.Popen([*words, sys.executable, str(here / "standins" / "server.py"), json.dumps(config)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
        self.helpers.append(child)
        if child.stdout.readline().strip() != "ready":
            raise WorldError(f"the stand-in server did not start; see {self.scratch}/server.log")

    def stop(self):
        for helper in self.helpers:
            helper.kill()
            helper.wait()
        self.helpers = []
        if self.child:
            if self.pid:
                try:
                    os.kill(self.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            self.child.kill()
            self.child.wait()
            self.group.close()
            self.child = self.pid = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


SESSIONS = {
    # Reads names of files, sources each in this shell, and says its status; so what is typed next sees what was exported.
    "bash": 'while IFS= read -r step; do . "$step" </dev/null >"$step.out" 2>&1; echo "done $?"; done\n',
    "sh": 'while IFS= read -r step; do . "$step" </dev/null >"$step.out" 2>&1; echo "done $?"; done\n',
    "zsh": 'while IFS= read -r step; do . "$step" </dev/null >"$step.out" 2>&1; echo "done $?"; done\n',
    "fish": 'while read -l step\n  source $step </dev/null >$step.out 2>&1\n  echo "done $status"\nend\n',
}


class Session:
    """A shell of the user in a box: what is typed is sourced, one command after the other, in one process."""

    def __init__(self, box, shell="bash", root=False, env=None, folder="/", limits=None):
        self.box, self.shell, self.count, self.io = box, shell, 0, box.scratch / "io"
        driver = self.io / f"session.{shell}"
        driver.write_text(SESSIONS[shell])
        words = [*box.enter(root, base_environment(root) | {"SHELL": f"/usr/bin/{shell}" if shell != "sh" else "/bin/sh"} | (env or {}), limits, confined=True), f"/usr/bin/{shell}", f"/run/closed-loop/{driver.name}"]
        self.child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=box.group.join)
        self.alive = True
        self.type(f"cd {shlex.quote(folder)}", 20)

    def type(self, text, timeout=600):
        """(status, output, seconds); status None: the time ran out or the shell ended."""
        self.count += 1
        step = self.io / f"step{self.count}"
        step.write_text(text.rstrip("\n") + "\n")
        out = pathlib.Path(f"{step}.out")
        out.touch()
        os.chmod(step, 0o644)
        os.chmod(out, 0o666)
        if not self.alive:
            return None, "the shell has ended", 0.0
        begun = time.monotonic()
        status, why = None, ""
        try:
            self.child.stdin.write(f"/run/closed-loop/{step.name}\n".encode())
            self.child.stdin.flush()
            while True:
                left = timeout - (time.monotonic() - begun)
                ready, _, _ = select.select([self.child.stdout], [], [], max(left, 0))
                if not ready:
                    why, self.alive = f"\n[closed-loop: stopped after {timeout} s]\n", False
                    break
                line = self.child.stdout.readline()
                if not line:
                    why, self.alive = "\n[closed-loop: the shell ended]\n", False
                    break
                if line.startswith(b"done "):
                    status = int(line.split()[1])
                    break
        except BrokenPipeError:
            why, self.alive = "\n[closed-loop: the shell ended]\n", False
        if not self.alive:
            self.close()
        return status, out.read_bytes().decode("utf-8", "replace") + why, time.monotonic() - begun

    def close(self):
        try:
            os.killpg(self.child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.child.wait()
        self.alive = False


def pack_program(binary, state):
    """The program with its shared libraries and a wrapper, in a folder that is bound to /opt/cudadoctor."""
    binary = pathlib.Path(binary)
    if not binary.exists():
        raise WorldError(f"{binary}: no such program; build it, or name one with --bin")
    digest = hashlib.sha256(binary.read_bytes()).hexdigest()[:12]
    folder = state / "program" / digest
    if (folder / "ready").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "lib").mkdir(parents=True)
    (folder / "bin").mkdir()
    shutil.copy(binary, folder / "cudadoctor")
    loader = None
    for line in subprocess.run(["ldd", str(binary)], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
        words = line.split()
        path = words[2] if "=>" in words and len(words) > 2 else words[0]
        if path.startswith("/"):
            shutil.copy(path, folder / "lib" / pathlib.Path(path).name)
            if "ld-linux" in path:
                loader = pathlib.Path(path).name
    wrapper = folder / "bin" / "cudadoctor"
    run = f"/opt/cudadoctor/lib/{loader} --library-path /opt/cudadoctor/lib " if loader else ""
    wrapper.write_text(f'#!/bin/sh\nexec {run}/opt/cudadoctor/cudadoctor "$@"\n')
    wrapper.chmod(0o755)
    (folder / "ready").touch()
    return folder
