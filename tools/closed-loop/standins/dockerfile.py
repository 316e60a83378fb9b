"""A Dockerfile's RUN steps without Docker: standins/bin/docker runs them with sh in the box itself and prints what BuildKit prints.

The printed commands of a remedy become lines of the Dockerfile, before the RUN that failed, or in its place where they repeat it; then `docker build` is
typed again. A command that begins with docker is typed as it is.
"""
import re
import shlex

import judge

INSTRUCTION = re.compile(r"^(RUN|ENV|ARG|FROM|COPY|ADD|SHELL|WORKDIR|USER)\s", re.MULTILINE)


def failing_run(log):
    """The command of the RUN that failed, as BuildKit's last lines tell it: process "/bin/sh -c …" did not complete."""
    found = re.findall(r'process "/bin/sh -c (.*?)" did not complete', log)
    return found[-1].replace('\\"', '"') if found else None


def edited(text, commands, failed):
    """The Dockerfile with the printed commands in it."""
    lines = text.rstrip("\n").split("\n")
    at = next((i for i, line in enumerate(lines) if line.startswith("RUN ") and line[4:].strip() == failed), len(lines))
    new, replaced = [], False
    for command in commands:
        instruction = INSTRUCTION.match(command)
        new += [command] if instruction else ["RUN " + re.sub(r" ?\\?\n", " \\\\\n", command)]
        body = command[4:] if command.startswith("RUN ") else command
        replaced = replaced or bool(failed and judge.repeats(body, failed))
    return "\n".join(lines[:at] + new + lines[at + (1 if replaced else 0):]) + "\n"


def type_remedy(runner, scenario, session, commands, failed):
    limit, outputs = scenario["limits"]["seconds"], []
    run = failing_run(failed["log"])
    attempt = {"steps": [], "rerun": None, "hollow": ""}
    for command in [c for c in commands if c.startswith("docker ")]:
        status, out, seconds = session.type(command, limit)
        attempt["steps"].append({"run": runner.clean(command), "status": status, "seconds": round(seconds), "tail": runner.tail(out)})
        outputs.append(out)
    lines = [c for c in commands if not c.startswith("docker ")]
    _, text, _ = session.type("cat Dockerfile", 20)
    session.type(f"printf %s {shlex.quote(edited(text, lines, run))} >Dockerfile", 20)
    status, out, seconds = session.type(failed["command"], limit)
    outputs.append(out)
    broken = failing_run(out) if status else None
    for command in lines:
        body = command[4:] if command.startswith("RUN ") else command
        step = {"run": runner.clean(command), "status": 1 if broken == body else 0, "seconds": 0}
        if run and judge.repeats(body, run):
            step["repeats"] = True
        attempt["steps"].append(step)
    attempt["rerun"] = {"run": failed["command"], "status": status, "seconds": round(seconds)}
    if status:
        attempt["rerun"]["tail"] = runner.tail(out)
    attempt["works"], out = runner.use(scenario, session)
    if not attempt["works"]:
        attempt["works_tail"] = runner.tail(out)
    attempt["hollow"] = runner.hollow(scenario, session, outputs) if attempt["works"] else ""
    return attempt, outputs
