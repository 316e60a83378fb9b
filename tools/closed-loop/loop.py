"""One scenario from the failure to the verdict."""
import os
import pathlib
import re
import shutil
import sys
import time

import judge
import layers
from standins import certificates, dockerfile, nvidia, pytorch
from world import PATH, STANDIN_ADDRESS, STANDIN_HOSTS, UID, Box, Session, WorldError

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from recorded_text import sanitize  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
STANDARD = ({"host": "developer.download.nvidia.com", "mode": "files", "folder": "STATE/standins/nvidia"},
            {"host": "download.pytorch.org", "mode": "index", "folder": "STATE/standins/pytorch", "scoped": True})
REPORT, LOG, STATUS = "/run/closed-loop/report.json", "/run/closed-loop/log", "/run/closed-loop/status"
TAIL = 700


def home_of(scenario):
    return "/root" if scenario["world"]["user"] == "root" else "/home/user"


def folder_of(scenario):
    folder = scenario["world"]["folder"]
    return folder if folder.startswith("/") else f"{home_of(scenario)}/{folder}"


def piped(command, shell, way="pipe"):
    """What the user types: his command through a pipe into cudadoctor, or below `cudadoctor run`. The log and the command's status are kept beside it."""
    if way == "run":
        return f"cudadoctor run --report json={REPORT} -- {command} >{LOG} 2>&1\necho $? >{STATUS}"
    if shell == "fish":
        return f"begin\n{command}\necho $status >{STATUS}\nend 2>&1 | tee {LOG} | cudadoctor --format json >{REPORT}"
    return f"{{ {command}\necho $? >{STATUS}; }} 2>&1 | tee {LOG} | cudadoctor --format json >{REPORT}"


class Runner:
    """Runs scenarios in a state folder with one program."""

    def __init__(self, state, program=None, say=print):
        self.state, self.program, self.say = state, program, say

    def clean(self, text):
        text = sanitize(text, self.state)
        return re.sub(r"https?://[^/\s@]+:[^/\s@]+@", "https://user:secret@", text)

    def tail(self, text):
        text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.clean(text))
        text = "\n".join(line.rsplit("\r", 1)[-1].rstrip() for line in text.replace("\r\n", "\n").split("\n")).strip()
        return text if len(text) <= TAIL else "…" + text[-TAIL:]

    # Worlds

    def prepare(self, scenario):
        """The folder with the user's project and what setup leaves, on top of the layers; (lowers of a box, scratch)."""
        world = scenario["world"]
        below = layers.lowers(self.state, world["layers"], self.say)
        scratch = self.state / "scratch" / scenario["name"]
        shutil.rmtree(scratch, ignore_errors=True)
        upper = scratch / "setup" / "upper"
        project = pathlib.Path(f"{upper}{folder_of(scenario)}")
        project.mkdir(parents=True)
        for source in scenario["files"]:
            shutil.copytree(source, project, symlinks=True, dirs_exist_ok=True)
        if world["user"] == "user":
            os.chown(upper / "home/user", UID, UID) if (upper / "home/user").exists() else None
            for path in [project, *project.rglob("*")]:
                os.chown(path, UID, UID, follow_symlinks=False)
        else:
            (upper / "root").chmod(0o700) if (upper / "root").exists() else None
        standins = HERE / "standins" / "bin"
        for tool in standins.glob("*"):
            (upper / "opt/standins").mkdir(parents=True, exist_ok=True)
            shutil.copy(tool, upper / "opt/standins" / tool.name)
        script = "set -e\n"
        if any(server.get("tls") == "untrusted" for server in world["servers"]):
            (upper / "opt/standins").mkdir(parents=True, exist_ok=True)
            shutil.copy(certificates.make(self.state / "standins", STANDIN_HOSTS) / "untrusted-ca.pem", upper / "opt/standins")
        if any(server.get("trusted", True) for server in self.servers(scenario)):
            ca = certificates.make(self.state / "standins", STANDIN_HOSTS) / "ca.pem"
            script += f"cat >>/etc/ssl/certs/ca-certificates.crt <<'END'\n{ca.read_text()}END\n"
        if scenario["how"] == "dockerfile":
            script += "ln -s /opt/standins/docker /usr/local/bin/docker\n"
        for path in world["hide"]:
            script += f"rm -rf {path}\n"
        with Box(below, upper, scratch / "setup" / "box", name="setup") as box:
            self.serve(scenario, box)
            status, out = box.run(script + scenario["root_setup"], cwd=folder_of(scenario), timeout=1800)
            if status == 0 and scenario["setup"]:
                status, out = box.run("\n".join(world["enter"] if world["shell"] != "fish" else []) + "\nset -e\n" + scenario["setup"], root=world["user"] == "root", cwd=folder_of(scenario), timeout=1800)
        if status:
            raise WorldError(f"{scenario['name']}: setup failed with status {status}:\n{out[-3000:]}")
        shutil.rmtree(scratch / "setup" / "box", ignore_errors=True)
        return [upper, *below], scratch

    def box(self, scenario, lowers, place):
        limits, world = scenario["limits"], scenario["world"]
        return Box(lowers, place / "upper", place / "box", network=world["network"], memory_mib=limits.get("memory_mib"), mounts=world["mount"], program=self.program, name=scenario["name"])

    @staticmethod
    def servers(scenario):
        """The scenario's own stand-ins, and NVIDIA's and PyTorch's repositories, which no remedy may miss for not being reached from here."""
        world = scenario["world"]
        own = list(world["servers"])
        if not world["network"] or any(server.get("tls", "tls") != "tls" and server.get("port", 443) == 443 for server in own):
            return own
        named = {server["host"] for server in own}
        return own + [server for server in STANDARD if server["host"] not in named]

    def serve(self, scenario, box):
        servers = self.servers(scenario)
        if not servers:
            return
        hosts, ports = {}, {}
        self.make_standins(servers)
        for server in servers:
            host = dict(server)
            name, port, kind = host.pop("host"), host.pop("port", 443), host.pop("tls", "tls")
            if "folder" in host:
                folder = host["folder"]
                host["folder"] = str(self.state / folder.removeprefix("STATE/") if folder.startswith("STATE/") else pathlib.Path(f"{box.upper}{folder}"))
                if not folder.startswith("STATE/"):   # what setup made lies in a lower layer of the attempt's box
                    found = [p for p in (pathlib.Path(f"{top}{folder}") for top in [box.upper, *box.lowers]) if p.is_dir()]
                    host["folder"] = str(found[0] if found else host["folder"])
            hosts[name] = host
            ports[str(port)] = kind
        box.serve({"address": STANDIN_ADDRESS, "certificates": str(certificates.make(self.state / "standins", STANDIN_HOSTS)), "ports": ports, "hosts": hosts})

    @staticmethod
    def asked(box):
        """The stand-ins that were asked for something."""
        log = box.scratch / "server.log"
        words = {line.split()[0].split(":")[0] for line in log.read_text("utf-8", "replace").splitlines() if line.split()} if log.exists() else set()
        return sorted(words & set(STANDIN_HOSTS))

    def make_standins(self, servers):
        folders = {server.get("folder") for server in servers}
        if "STATE/standins/nvidia" in folders:
            nvidia.make(self.state, lambda target, packages, libraries: layers.wheels(self.state, target, packages, libraries))
        if "STATE/standins/pytorch" in folders:
            layers.make(self.state, "torch", self.say)
            pytorch.make(self.state, next(layers.folder(self.state, "torch").glob("home/user/venv/lib/python3*/site-packages/torch")))

    def session(self, scenario, box):
        world = scenario["world"]
        self.serve(scenario, box)
        if scenario["background"]:
            box.run(f"({scenario['background']}\n) >/dev/null 2>&1 &\nsleep 2", cwd=folder_of(scenario))
        env = {"PATH": f"{home_of(scenario)}/.local/bin:{PATH}"} | scenario["env"]
        session = Session(box, world["shell"], world["user"] == "root", env, folder_of(scenario), scenario["limits"])
        for line in world["enter"]:
            session.type(line, 60)
        return session

    # The loop

    def fail(self, scenario, session, box, judged=True):
        """Types the user's commands until one fails; {command, status, log, report, seconds}."""
        seconds, io = 0.0, box.scratch / "io"
        for command in scenario["commands"]:
            if judged:
                for name in ("report.json", "log", "status"):
                    (io / name).unlink(missing_ok=True)
                _, out, took = session.type(piped(command, scenario["world"]["shell"], scenario["how"]), scenario["limits"]["seconds"])
                log = (io / "log").read_bytes().decode("utf-8", "replace") if (io / "log").exists() else out
                status = int((io / "status").read_text()) if (io / "status").exists() and (io / "status").read_text().strip() else None
                report = judge.parse_report((io / "report.json").read_text("utf-8", "replace")) if (io / "report.json").exists() else None
            else:
                status, log, took = session.type(command, scenario["limits"]["seconds"])
                report = None
            seconds += took
            if status != 0:
                break
        return {"command": command, "status": status, "log": log, "report": report, "seconds": seconds}

    def use(self, scenario, session):
        """(whether it works, the output of the last try)."""
        out = ""
        for command in scenario["works"]:
            status, out, _ = session.type(command, min(scenario["limits"]["seconds"], 300))
            if status == 0:
                return True, out
        return not scenario["works"], out

    def hollow(self, scenario, session, outputs):
        status = session.type(scenario["hollow"]["command"], 120)[0] if "command" in scenario["hollow"] else None
        return judge.hollow_reason(scenario, outputs, status)

    @staticmethod
    def remaining(scenario, failed, repeated):
        """The user's own commands after the remedy: those after the one that was repeated, or all."""
        last = next((i for i, c in enumerate(scenario["commands"]) if c == failed["command"]), 0)
        return scenario["commands"][last + 1:] if repeated else scenario["commands"]

    def type_remedy(self, scenario, session, commands, failed):
        """Types the printed commands, the user's own where they do not contain it, and the use of what was built."""
        limit = scenario["limits"]["seconds"]
        attempt = {"steps": [], "rerun": None}
        outputs = []
        for command in commands:
            status, out, seconds = session.type(command, limit)
            outputs.append(out)
            step = {"run": self.clean(command), "status": status, "seconds": round(seconds)}
            if judge.repeats(command, failed["command"]):
                step["repeats"] = True
            if status != 0:
                step["tail"] = self.tail(out)
            attempt["steps"].append(step)
        for command in self.remaining(scenario, failed, any(s.get("repeats") for s in attempt["steps"])):
            status, out, seconds = session.type(command, limit)
            outputs.append(out)
            attempt["rerun"] = {"run": self.clean(command), "status": status, "seconds": round(seconds)}
            if status != 0:
                attempt["rerun"]["tail"] = self.tail(out)
                break
        attempt["works"], out = self.use(scenario, session)
        if not attempt["works"]:
            attempt["works_tail"] = self.tail(out)
        attempt["hollow"] = self.hollow(scenario, session, outputs) if attempt["works"] else ""
        return attempt, outputs

    def attempt(self, scenario, lowers, place, number):
        """(what failed, the diagnosis, the attempt with the remedy of that number or None where there is none)."""
        with self.box(scenario, lowers, place) as box:
            session = self.session(scenario, box)
            failed = self.fail(scenario, session, box)
            diagnosis = judge.root_diagnosis(failed["report"])
            remedies = (diagnosis or {}).get("remedies", [])
            if failed["status"] == 0 or number >= len(remedies) or scenario["class"] == "not-typeable":
                session.close()
                return failed, diagnosis, None
            commands = judge.typed_commands(remedies[number])
            if scenario["how"] == "dockerfile":
                session.close()
            else:
                attempt, outputs = self.type_remedy(scenario, session, commands, failed)
                session.close()
                attempt["standins"] = self.asked(box)
        if scenario["how"] == "dockerfile":   # a failed RUN leaves nothing: the image is built anew
            with self.box(scenario, lowers, place.parent / f"{place.name}-again") as box:
                session = self.session(scenario, box)
                attempt, outputs = dockerfile.type_remedy(self, scenario, session, commands, failed)
                session.close()
                attempt["standins"] = self.asked(box)
        self.keep(scenario, f"remedy{number + 1}", "\n".join(f"$ {c}\n{o}" for c, o in zip([s["run"] for s in attempt["steps"]] + [(attempt["rerun"] or {}).get("run", "")], outputs)))
        attempt = {"remedy": remedies[number].get("id", ""), "title": self.clean(remedies[number].get("title", ""))} | attempt
        attempt["verdict"] = judge.verdict(attempt)
        return failed, diagnosis, attempt

    def keep(self, scenario, name, text):
        folder = self.state / "logs" / scenario["name"]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)

    def run(self, scenario):
        """The result of one scenario as plain data."""
        begun = time.monotonic()
        result = {"title": scenario["title"], "class": scenario["class"], "how": scenario["how"], "cause": scenario["cause"], "given": None, "cause_right": False, "attempts": []}
        lowers, scratch = self.prepare(scenario)
        try:
            for number in (0, 1):
                failed, diagnosis, attempt = self.attempt(scenario, lowers, scratch / f"attempt{number + 1}", number)
                if number == 0:
                    self.keep(scenario, "log", failed["log"])
                    result["command"], result["status"] = self.clean(failed["command"]), failed["status"]
                    result["provoked"] = failed["status"] != 0
                    if diagnosis:
                        result["given"], result["confidence"] = diagnosis["cause"], diagnosis.get("confidence")
                        result["says"] = self.clean(diagnosis.get("title", ""))
                        if scenario["class"] == "not-typeable":
                            result["answer"] = [self.clean(step.get("run") or step.get("note", "")) for step in (diagnosis.get("remedies") or [{}])[0].get("steps", [])]
                    result["cause_right"] = judge.cause_right(scenario, result["given"])
                    if not result["provoked"]:
                        break
                if attempt is None:
                    break
                result["attempts"].append(attempt)
                if attempt["verdict"] in ("worked", "worked-with-failing-command"):
                    break
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        result["minutes"] = round((time.monotonic() - begun) / 60, 1)
        return result

    def probe(self, scenario):
        """The failure as it is, without cudadoctor; then the scenario's own cure. [(what, status, output)], and what is wrong with the scenario."""
        shown, wrong = [], []
        lowers, scratch = self.prepare(scenario)
        try:
            with self.box(scenario, lowers, scratch / "probe") as box:
                session = self.session(scenario, box)
                failed = self.fail(scenario, session, box, judged=False)
                shown.append((failed["command"], failed["status"], failed["log"]))
                if failed["status"] == 0:
                    wrong.append("the command did not fail")
                if scenario["works"] and scenario["class"] != "not-typeable" and self.use(scenario, session)[0]:
                    wrong.append("works already passes after the failure")
                outputs = []
                for command in scenario["cure"]:
                    status, out, _ = session.type(command, scenario["limits"]["seconds"])
                    outputs.append(out)
                    shown.append((command, status, out))
                if scenario["cure"]:
                    repeated = any(judge.repeats(c, failed["command"]) for c in scenario["cure"])
                    for command in [] if scenario["how"] == "dockerfile" else self.remaining(scenario, failed, repeated):
                        status, out, _ = session.type(command, scenario["limits"]["seconds"])
                        outputs.append(out)
                        shown.append((command, status, out))
                    works, out = self.use(scenario, session)
                    if not works:
                        wrong.append(f"works fails after the cure: {out[-500:]}")
                    reason = self.hollow(scenario, session, outputs)
                    if reason:
                        wrong.append(f"the cure is hollow: {reason}")
                session.close()
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        return shown, wrong
