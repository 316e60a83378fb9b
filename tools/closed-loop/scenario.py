"""Scenarios: scenarios/NAME/scenario.toml, checked when it is read; README.md tells the keys."""
import pathlib
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
SCENARIOS = HERE / "scenarios"
PROJECTS = HERE / "projects"   # sources that several scenarios share
CLASSES = ("typed", "stand-in", "not-typeable")
WAYS = ("pipe", "run", "dockerfile")
SHELLS = ("bash", "sh", "fish", "zsh")

# key: type; what may stand in a scenario. A table is a dictionary of the same form.
KEYS = {
    "title": str, "why": str, "cause": str, "acceptable": list, "class": str, "commands": list, "how": str, "works": list, "cure": list,
    "setup": str, "root_setup": str, "background": str, "env": dict, "standin": str, "project": str, "local": str,
    "world": {"layers": list, "user": str, "shell": str, "network": bool, "hide": list, "folder": str, "enter": list, "mount": list, "servers": list},
    "hollow": {"output": list, "command": str},
    "limits": {"memory_mib": int, "virtual_kib": int, "open_files": int, "processes": int, "file_blocks": int, "seconds": int},
}
NEEDED = ("title", "why", "cause", "class", "commands", "world")


class ScenarioError(Exception):
    """What is wrong with a scenario, with its file."""


def _check(table, keys, path, inside=""):
    for key, value in table.items():
        kind = keys.get(key)
        if kind is None:
            raise ScenarioError(f"{path}: unknown key {inside}{key}; known are {', '.join(keys)}")
        if isinstance(kind, dict):
            if not isinstance(value, dict):
                raise ScenarioError(f"{path}: {inside}{key} must be a table")
            _check(value, kind, path, f"{key}.")
        elif not isinstance(value, kind) or isinstance(value, bool) != (kind is bool):
            raise ScenarioError(f"{path}: {inside}{key} must be of type {kind.__name__}")


def parse(text, path):
    """A scenario as a dictionary with every default filled in."""
    try:
        scenario = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"{path}: {error}") from error
    _check(scenario, KEYS, path)
    missing = [key for key in NEEDED if key not in scenario]
    if missing:
        raise ScenarioError(f"{path}: missing {', '.join(missing)}")
    if scenario["class"] not in CLASSES:
        raise ScenarioError(f"{path}: class must be one of {', '.join(CLASSES)}")
    if not scenario["commands"]:
        raise ScenarioError(f"{path}: commands is empty")
    if scenario["class"] != "not-typeable" and not scenario.get("works"):
        raise ScenarioError(f"{path}: works is missing; only what is not-typeable may do without")
    if scenario["class"] == "stand-in" and not scenario.get("standin"):
        raise ScenarioError(f"{path}: standin is missing: say what stands in for what")
    world = {"layers": [], "user": "user", "shell": "bash", "network": True, "hide": [], "folder": "project", "enter": [], "mount": [], "servers": []} | scenario["world"]
    if world["user"] not in ("user", "root"):
        raise ScenarioError(f"{path}: world.user must be user or root")
    if world["shell"] not in SHELLS:
        raise ScenarioError(f"{path}: world.shell must be one of {', '.join(SHELLS)}")
    if not world["layers"]:
        raise ScenarioError(f"{path}: world.layers is empty; base is the least")
    scenario = {"acceptable": [], "how": "pipe", "works": [], "cure": [], "setup": "", "root_setup": "", "background": "", "env": {}, "hollow": {}, "standin": ""} | scenario
    if scenario["how"] not in WAYS:
        raise ScenarioError(f"{path}: how must be one of {', '.join(WAYS)}")
    scenario["limits"] = {"seconds": 600} | scenario.get("limits", {})
    scenario["world"] = world
    return scenario


def load(name, folder=SCENARIOS):
    path = folder / name / "scenario.toml"
    if not path.exists():
        raise ScenarioError(f"{path}: no such scenario; closed-loop list shows them")
    scenario = parse(path.read_text(encoding="utf-8"), path)
    scenario["name"] = name
    scenario["files"] = [place for place in (PROJECTS / scenario.get("project", "-"), path.parent / "files") if place.is_dir()]
    if "project" in scenario and PROJECTS / scenario["project"] not in scenario["files"]:
        raise ScenarioError(f"{path}: no project {scenario['project']} in {PROJECTS}")
    return scenario


def names(folder=SCENARIOS):
    return sorted(path.parent.name for path in folder.glob("*/scenario.toml"))
